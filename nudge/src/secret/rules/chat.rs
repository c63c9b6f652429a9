//! Chat, telephony, social networks and customer desks.

use crate::secret::rule::Alphabet::{Alnum, Base64, Digit, Hex, Joined, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "slack-token": ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxo-", "xoxc-",
            "xoxd-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-", "xwfp-"]
        [Run(Joined, 16, MANY)]
        trips ["xoxb-{19w}", "xwfp-{19w}"] not ["xoxb-xxxxxxxxxxxxxxxx"];
    "slack-webhook": ["hooks.slack.com/"] [Run(Joined, 24, MANY)]
        trips ["hooks.slack.com/{27w}"] not ["hooks.slack.com/xxxxxxxxxxxxxxxxxxxxxxxx"];
    "discord-webhook": ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"]
        [Run(Digit, 16, 21), Text("/"), Run(Url, 40, MANY)]
        trips ["discord.com/api/webhooks/{16d}/{43b}", "discordapp.com/api/webhooks/{16d}/{43b}"]
        not ["discord.com/api/webhooks/0000000000000000/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "discord-mfa-token": ["mfa."] [Run(Url, 60, MANY)]
        trips ["mfa.{63b}"]
        not ["mfa.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "teams-webhook": ["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"]
        [Run(Joined, 36, MANY)]
        trips ["webhook.office.com/webhookb2/{39w}", "outlook.office.com/webhook/{39w}"]
        not ["webhook.office.com/webhookb2/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "zapier-webhook": ["hooks.zapier.com/hooks/catch/"]
        [Run(Digit, 4, 10), Text("/"), Run(Alnum, 5, MANY)]
        trips ["hooks.zapier.com/hooks/catch/{4d}/{18w}"]
        not ["hooks.zapier.com/hooks/catch/0000/xxxxx"];
    "ifttt-key": ["with/key/"] [Run(Url, 20, MANY)]
        trips ["with/key/{23b}"] not ["with/key/xxxxxxxxxxxxxxxxxxxx"];
    "telegram-bot-token" after [Run(Digit, 8, 10)]: [":AA"] [Run(Url, 30, 36)]
        trips ["{8d}:AA{30b}"] not ["00000000:AAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "telegram-bot-address": ["api.telegram.org/bot"]
        [Run(Digit, 8, 10), Text(":A"), Run(Url, 30, MANY)]
        trips ["api.telegram.org/bot{8d}:A{33b}"]
        not ["api.telegram.org/bot00000000:Axxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "twilio-key": ["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa",
            "SKb", "SKc", "SKd", "SKe", "SKf"]
        [Run(Hex, 31, 31)]
        trips ["SK0{31h}", "SKf{31h}"] not ["SK00000000000000000000000000000000"];
    "twilio-account": ["AC0", "AC1", "AC2", "AC3", "AC4", "AC5", "AC6", "AC7", "AC8", "AC9",
            "ACa", "ACb", "ACc", "ACd", "ACe", "ACf"]
        [Run(Hex, 31, 31)]
        trips ["AC0{31h}", "ACf{31h}"] not ["AC00000000000000000000000000000000"];
    "facebook-token": ["EAA", "EAAC", "EAAB"] [Run(Alnum, 60, MANY)]
        trips ["EAA{63w}", "EAAB{63w}"]
        not ["EAAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "instagram-token": ["IGQV"] [Run(Url, 60, MANY)]
        trips ["IGQV{63b}"]
        not ["IGQVxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "twitter-bearer": ["AAAAAAAAAAAAAAAAAAAAA"] [Run(Joined, 40, MANY)]
        trips ["AAAAAAAAAAAAAAAAAAAAA{43w}"]
        not ["AAAAAAAAAAAAAAAAAAAAAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "linkedin-secret": ["WPL_AP"] [Run(Joined, 10, MANY)]
        trips ["WPL_AP{18w}"] not ["WPL_APxxxxxxxxxx"];
    "intercom-token": ["dG9rO"] [Run(Base64, 40, MANY)]
        trips ["dG9rO{43B}"] not ["dG9rOxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "hubspot-token": ["pat-na1-", "pat-na2-", "pat-na3-", "pat-eu1-", "pat-ap1-", "pat-au1-"] UUID
        trips ["pat-na1-{8h}-{4h}-{4h}-{4h}-{12h}", "pat-au1-{8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["pat-na1-00000000-0000-0000-0000-000000000000"];
    "typeform-token": ["tfp_"] [Run(Url, 40, MANY)]
        trips ["tfp_{43b}"] not ["tfp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "mapbox-token": ["sk.eyJ", "tk.eyJ"] [Run(Joined, 40, MANY)]
        trips ["sk.eyJ{43w}", "tk.eyJ{43w}"] not ["sk.eyJxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "dropbox-token": ["sl."] [Run(Url, 60, MANY)]
        trips ["sl.{63b}"] not ["sl.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "zoho-token": ["1000."] [Run(Hex, 32, 32), Text("."), Run(Hex, 32, 32)]
        trips ["1000.{32h}.{32h}"]
        not ["1000.00000000000000000000000000000000.00000000000000000000000000000000"];
    "frameio-token": ["fio-u-"] [Run(Url, 50, MANY)]
        trips ["fio-u-{53b}"] not ["fio-u-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "lark-webhook": ["open-apis/bot/v2/hook/"] UUID
        trips ["open-apis/bot/v2/hook/{8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000"];
    "dingtalk-webhook": ["oapi.dingtalk.com/robot/send?access_token="] [Run(Hex, 60, MANY)]
        trips ["oapi.dingtalk.com/robot/send?access_token={63h}"]
        not ["oapi.dingtalk.com/robot/send?access_token=000000000000000000000000000000000000000000000000000000000000"];
    "wecom-webhook": ["qyapi.weixin.qq.com/cgi-bin/webhook/send?key="] UUID
        trips ["qyapi.weixin.qq.com/cgi-bin/webhook/send?key={8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-0000-0000-000000000000"];
};
