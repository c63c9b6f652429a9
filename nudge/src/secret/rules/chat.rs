//! Chat, telephony, social networks and customer desks.

use crate::secret::rule::Alphabet::{Alnum, Base64, Digit, Hex, Joined, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
    "slack-token": ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxo-", "xoxc-",
            "xoxd-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-", "xwfp-"]
        [Run(Joined, 16, MANY)];
    "slack-webhook": ["hooks.slack.com/"] [Run(Joined, 24, MANY)];
    "discord-webhook": ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"]
        [Run(Digit, 16, 21), Text("/"), Run(Url, 40, MANY)];
    "discord-mfa-token": ["mfa."] [Run(Url, 60, MANY)];
    "teams-webhook": ["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"]
        [Run(Joined, 36, MANY)];
    "zapier-webhook": ["hooks.zapier.com/hooks/catch/"]
        [Run(Digit, 4, 10), Text("/"), Run(Alnum, 5, MANY)];
    "ifttt-key": ["with/key/"] [Run(Url, 20, MANY)];
    "telegram-bot-token" after [Run(Digit, 8, 10)]: [":AA"] [Run(Url, 30, 36)];
    "telegram-bot-address": ["api.telegram.org/bot"]
        [Run(Digit, 8, 10), Text(":A"), Run(Url, 30, MANY)];
    "twilio-key": ["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa",
            "SKb", "SKc", "SKd", "SKe", "SKf"]
        [Run(Hex, 31, 31)];
    "twilio-account": ["AC0", "AC1", "AC2", "AC3", "AC4", "AC5", "AC6", "AC7", "AC8", "AC9",
            "ACa", "ACb", "ACc", "ACd", "ACe", "ACf"]
        [Run(Hex, 31, 31)];
    "facebook-token": ["EAA", "EAAC", "EAAB"] [Run(Alnum, 60, MANY)];
    "instagram-token": ["IGQV"] [Run(Url, 60, MANY)];
    "twitter-bearer": ["AAAAAAAAAAAAAAAAAAAAA"] [Run(Joined, 40, MANY)];
    "linkedin-secret": ["WPL_AP"] [Run(Joined, 10, MANY)];
    "intercom-token": ["dG9rO"] [Run(Base64, 40, MANY)];
    "hubspot-token": ["pat-na1-", "pat-na2-", "pat-na3-", "pat-eu1-", "pat-ap1-", "pat-au1-"] UUID;
    "typeform-token": ["tfp_"] [Run(Url, 40, MANY)];
    "mapbox-token": ["sk.eyJ", "tk.eyJ"] [Run(Joined, 40, MANY)];
    "dropbox-token": ["sl."] [Run(Url, 60, MANY)];
    "zoho-token": ["1000."] [Run(Hex, 32, 32), Text("."), Run(Hex, 32, 32)];
    "frameio-token": ["fio-u-"] [Run(Url, 50, MANY)];
    "lark-webhook": ["open-apis/bot/v2/hook/"] UUID;
    "dingtalk-webhook": ["oapi.dingtalk.com/robot/send?access_token="] [Run(Hex, 60, MANY)];
    "wecom-webhook": ["qyapi.weixin.qq.com/cgi-bin/webhook/send?key="] UUID;
};
