//! The table of providers' credential formats, by what the providers do.

use super::rule::Alphabet::{Alnum, Base64, Digit, Hex, Joined, Lower, Upper, Url};
use super::rule::Part::{Run, Text};
use super::rule::{MANY, Rule, UUID, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
    // Makers and hosts of language models, and their tools.
    "anthropic-key": ["sk-ant-"] [Run(Url, 20, MANY)];
    "openai-key": ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-service-"]
        [Run(Url, 20, MANY)];
    "openrouter-key": ["sk-or-"] [Run(Url, 40, MANY)];
    "sk-key": ["sk-"] [Run(Url, 24, MANY)];
    "elevenlabs-key": ["sk_"] [Run(Hex, 48, 48)];
    "huggingface-token": ["hf_", "api_org_"] [Run(Alnum, 30, MANY)];
    "replicate-token": ["r8_"] [Run(Alnum, 36, MANY)];
    "groq-key": ["gsk_"] [Run(Alnum, 48, MANY)];
    "perplexity-key": ["pplx-"] [Run(Alnum, 40, MANY)];
    "xai-key": ["xai-"] [Run(Alnum, 60, MANY)];
    "cerebras-key": ["csk-"] [Run(Alnum, 40, MANY)];
    "langsmith-key": ["lsv2_pt_", "lsv2_sk_", "ls__"] [Run(Joined, 30, MANY)];
    "pinecone-key": ["pcsk_"] [Run(Joined, 40, MANY)];
    "wandb-key": ["wandb_v1_"] [Run(Url, 40, MANY)];
    "voyage-key": ["pa-"] [Run(Url, 40, MANY)];
    "jina-key": ["jina_"] [Run(Url, 40, MANY)];
    "tavily-key": ["tvly-"] [Run(Url, 20, MANY)];
    "firecrawl-key": ["fc-"] [Run(Hex, 32, 32)];
    "brave-key": ["BSA"] [Run(Url, 25, 32)];
    "modal-token": ["ak-", "as-"] [Run(Alnum, 22, 22)];
    "runpod-key": ["rpa_"] [Run(Alnum, 40, MANY)];
    "nvidia-key": ["nvapi-"] [Run(Url, 60, MANY)];
    "together-key": ["tgp_v1_"] [Run(Url, 30, MANY)];
    "fireworks-key": ["fw_"] [Run(Alnum, 20, MANY)];
    "e2b-key": ["e2b_"] [Run(Hex, 40, MANY)];
    "anyscale-key": ["esecret_"] [Run(Alnum, 20, MANY)];
    "dify-key": ["app-", "dataset-"] [Run(Alnum, 24, 24)];
    "cursor-key": ["key_"] [Run(Hex, 64, 64)];
    "context7-key": ["ctx7sk-"] [Run(Url, 30, MANY)];
    "mem0-key": ["m0-"] [Run(Alnum, 36, MANY)];
    "unkey-key": ["unkey_"] [Run(Alnum, 20, MANY)];
    // Chat, telephony, social networks and customer desks.
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
    // Clouds, hosting and infrastructure.
    "aws-access-key-id": ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"] [Run(Upper, 16, 17)];
    "aws-bedrock-key": ["ABSK", "bedrock-api-key-"] [Run(Base64, 60, MANY)];
    "aws-session-token": ["IQoJb3JpZ2lu", "FwoGZXIvYXdz"] [Run(Base64, 80, MANY)];
    "aws-marketplace-token": ["amzn.mws."] UUID;
    "google-api-key": ["AIza"] [Run(Url, 32, 40)];
    // Keys without the lines around them, as variables hold them.
    "rsa-private-key" after [Text("MII"), Run(Base64, 3, 3)]: ["IBADANBgkqhkiG9w0BAQEFAASC",
            "IBAAKCAQEA", "IBAAKCAYEA", "IBAAKCAgEA"]
        [Run(Base64, 40, MANY)];
    "ec-private-key": ["MHcCAQEEI", "MIGkAgEBBD", "MIHcAgEBBEI",
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w", "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGe",
            "MC4CAQAwBQYDK2VwBCIEI"]
        [Run(Base64, 30, MANY)];
    "google-auth-key": ["AQ."] [Run(Url, 40, MANY)];
    "google-client-secret": ["GOCSPX-"] [Run(Url, 24, MANY)];
    "google-access-token": ["ya29."] [Run(Joined, 20, MANY)];
    "google-refresh-token": ["1//0"] [Run(Url, 30, MANY)];
    "google-hmac-key": ["GOOG1"] [Run(Upper, 30, MANY)];
    "azure-client-secret" after [Run(Joined, 3, 3)]: ["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~",
            "6Q~", "7Q~", "8Q~", "9Q~"]
        [Run(Joined, 28, 40)];
    "azure-account-key": ["AccountKey=", "SharedAccessKey=", "accountkey=", "sharedaccesskey="]
        [Run(Base64, 36, MANY)];
    "azure-shared-access-signature": ["sig="] [Run(Joined, 36, MANY)];
    "azure-devops-token" after [Run(Alnum, 72, 80)]: ["AZDO"] [Run(Alnum, 3, 8)];
    "azure-cognitive-key" after [Run(Alnum, 40, 60)]: ["JQQJ99"] [Run(Alnum, 20, MANY)];
    "alibaba-access-key": ["LTAI"] [Run(Alnum, 12, 24)];
    "tencent-secret-id": ["AKID"] [Run(Alnum, 16, 40)];
    "yandex-key": ["AQVN", "YCAJ", "YCP"] [Run(Url, 20, MANY)];
    "yandex-token": ["t1.9eu", "y0_"] [Run(Joined, 40, MANY)];
    "scaleway-access-key": ["SCW"] [Run(Upper, 17, 17)];
    "digitalocean-token": ["dop_v1_", "doo_v1_", "dor_v1_"] [Run(Hex, 40, MANY)];
    "cloudflare-origin-key": ["v1.0-"] [Run(Hex, 24, 24), Text("-"), Run(Hex, 100, MANY)];
    "cloudflare-token": ["cfut_", "cfat_", "cfk_"] [Run(Alnum, 30, MANY)];
    // Code hosting, package registries, builds and editors.
    "github-token": ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"] [Run(Joined, 30, MANY)];
    "github-fine-grained-token": ["github_pat_"] [Run(Url, 30, MANY)];
    "gitlab-token": ["glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glptt-", "glft-", "glimt-",
            "glagent-", "glsoat-", "glcbt-", "glffct-", "glwt-", "gltok-"]
        [Run(Joined, 18, MANY)];
    "gitlab-runner-registration": ["GR1348941"] [Run(Url, 20, MANY)];
    "bitbucket-app-password": ["ATBB"] [Run(Alnum, 24, MANY)];
    "atlassian-token": ["ATATT3", "ATCTT3"] [Run(Joined, 60, MANY)];
    "npm-token": ["npm_"] [Run(Alnum, 36, MANY)];
    "pypi-token": ["pypi-AgE", "pypi-AgN", "pypi-"] [Run(Url, 50, MANY)];
    "rubygems-key": ["rubygems_"] [Run(Hex, 40, MANY)];
    "crates-token": ["cio"] [Run(Alnum, 32, 32)];
    "nuget-key": ["oy2"] [Run(Lower, 43, 43)];
    "packagist-token": ["packagist_ack_", "packagist_uut_", "packagist_out_"] [Run(Hex, 40, MANY)];
    "clojars-token": ["CLOJARS_"] [Run(Hex, 56, MANY)];
    "jfrog-key": ["AKCp"] [Run(Alnum, 60, MANY)];
    "jfrog-reference-token": ["cmVmd"] [Run(Alnum, 50, MANY)];
    "dockerhub-token": ["dckr_pat_", "dckr_oat_"] [Run(Url, 20, MANY)];
    "snyk-token": ["snyk_uat.", "snyk_sat."] [Run(Joined, 20, MANY)];
    "sonar-token": ["squ_", "sqp_", "sqa_"] [Run(Hex, 40, 40)];
    "circleci-token": ["CCIPAT_", "CCIPRJ_"] [Run(Url, 30, MANY)];
    "buildkite-token": ["bkua_", "bkct_", "bkaj_", "bkat_", "bkpt_"] [Run(Alnum, 30, MANY)];
    "harness-token": ["pat.", "sat."]
        [Run(Url, 20, 24), Text("."), Run(Hex, 24, 24), Text("."), Run(Alnum, 18, MANY)];
    "readme-key": ["rdme_"] [Run(Lower, 50, MANY)];
    "prefect-key": ["pnu_", "pnb_"] [Run(Alnum, 30, MANY)];
    "dbt-token": ["dbtc_", "dbtu_"] [Run(Url, 20, MANY)];
    "deno-token": ["ddp_", "dds_", "ddo_"] [Run(Alnum, 30, MANY)];
    "ionic-token": ["ion_"] [Run(Alnum, 40, MANY)];
    "sourcegraph-token": ["sgp_", "slk_"] [Run(Joined, 40, MANY)];
    // Hosting platforms, databases and vaults.
    "heroku-key": ["HRKU-"] [Run(Url, 30, MANY)];
    "fly-token": ["fm1r_", "fm1a_", "fm2_", "fo1_"] [Run(Joined, 30, MANY)];
    "fly-header": ["FlyV1 "] [Run(Joined, 30, MANY)];
    "netlify-token": ["nfp_", "nfc_", "nfo_", "nfu_"] [Run(Alnum, 30, MANY)];
    "vercel-token": ["vcp_", "vci_", "vca_", "vcr_", "vck_"] [Run(Alnum, 20, MANY)];
    "vercel-blob-token": ["vercel_blob_rw_"] [Run(Url, 20, MANY)];
    "render-key": ["rnd_"] [Run(Alnum, 24, MANY)];
    "supabase-token": ["sbp_", "sb_secret_"] [Run(Url, 20, MANY)];
    "planetscale-token": ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"] [Run(Joined, 30, MANY)];
    "neon-key": ["napi_"] [Run(Alnum, 40, MANY)];
    "neon-password": ["npg_"] [Run(Alnum, 12, MANY)];
    "doppler-token": ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."]
        [Run(Joined, 40, MANY)];
    "pulumi-token": ["pul-"] [Run(Hex, 40, 40)];
    "terraform-token" after [Run(Alnum, 14, 14), Text(".")]: ["atlasv1."] [Run(Url, 40, MANY)];
    "vault-token": ["hvs.", "hvb.", "hvr."] [Run(Url, 20, MANY)];
    "databricks-token": ["dapi", "dkea", "dose"] [Run(Hex, 32, 32)];
    "dynatrace-token": ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s03.", "dt0s04.", "dt0s06.",
            "dt0s08.", "dt0s16."]
        [Run(Upper, 24, 24), Text("."), Run(Upper, 60, MANY)];
    "tailscale-key": ["tskey-"] [Run(Url, 20, MANY)];
    "ngrok-key": ["ak_2", "cr_2"] [Run(Alnum, 20, MANY)];
    "onepassword-account": ["ops_"] [Run(Base64, 60, MANY)];
    "onepassword-secret-key": ["A3-"]
        [Run(Upper, 6, 6), Text("-"), Run(Upper, 5, 6), Text("-"), Run(Upper, 5, 6), Text("-"),
            Run(Upper, 5, 5)];
    "age-secret-key": ["AGE-SECRET-KEY-1", "AGE-PLUGIN-"] [Run(Upper, 50, MANY)];
    "backblaze-key": ["K00"] [Run(Base64, 28, 31)];
    "confluent-key": ["cflt"] [Run(Base64, 56, MANY)];
    "cockroach-key": ["CCDB1_"] [Run(Url, 30, MANY)];
    "materialize-password": ["mzp_"] [Run(Hex, 40, MANY)];
    "scalingo-token": ["tk-us-"] [Run(Url, 40, MANY)];
    // Payments, shops, shipping and mail.
    "stripe-key": ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_",
            "sk_sbox_", "sk_org_"]
        [Run(Url, 16, MANY)];
    "stripe-webhook-secret": ["whsec_"] [Run(Base64, 24, MANY)];
    "square-token": ["sq0atp-", "sq0csp-", "sq0acp-"] [Run(Url, 20, MANY)];
    "square-access-token": ["EAAA"] [Run(Url, 56, 90)];
    "braintree-token": ["access_token$production$", "access_token$sandbox$"]
        [Run(Lower, 16, 16), Text("$"), Run(Hex, 32, 32)];
    "plaid-token": ["access-sandbox-", "access-production-", "access-development-"] UUID;
    "razorpay-key": ["rzp_live_", "rzp_test_"] [Run(Alnum, 14, 14)];
    "test-live-key": ["test_", "live_"] [Run(Alnum, 28, MANY)];
    "gocardless-token": ["sandbox_"] [Run(Url, 40, MANY)];
    "flutterwave-key": ["FLWSECK-", "FLWSECK_TEST-"] [Run(Alnum, 12, MANY)];
    "adyen-key": ["AQE"] [Run(Joined, 60, MANY)];
    "easypost-key": ["EZAK", "EZTK"] [Run(Alnum, 50, MANY)];
    "shippo-token": ["shippo_live_", "shippo_test_"] [Run(Hex, 40, 40)];
    "duffel-token": ["duffel_test_", "duffel_live_"] [Run(Url, 40, MANY)];
    "paddle-key": ["pdl_live_", "pdl_sdbx_"] [Run(Joined, 30, MANY)];
    "shopify-token": ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shprt_", "shpua_"]
        [Run(Hex, 32, 32)];
    "woocommerce-key": ["ck_", "cs_"] [Run(Hex, 40, 40)];
    "lob-key": ["live_pub_", "test_pub_"] [Run(Hex, 31, 31)];
    "sendgrid-key": ["SG."] [Run(Url, 16, 32), Text("."), Run(Url, 32, MANY)];
    "mailgun-key": ["key-"] [Run(Hex, 32, 32)];
    "mailchimp-key" after [Run(Hex, 32, 32)]: ["-us"] [Run(Digit, 1, 2)];
    "brevo-key": ["xkeysib-", "xsmtpsib-"] [Run(Hex, 60, MANY), Text("-"), Run(Alnum, 16, 16)];
    "resend-key": ["re_"] [Run(Alnum, 6, 10), Text("_"), Run(Alnum, 16, MANY)];
    "mailersend-token": ["mlsn."] [Run(Hex, 60, MANY)];
    "klaviyo-key": ["pk_"] [Run(Hex, 34, 34)];
    "nylas-key": ["nyk_v0_", "nyk_"] [Run(Alnum, 30, MANY)];
    "stytch-secret": ["secret-live-", "secret-test-"] [Run(Url, 30, MANY)];
    "statsig-secret": ["secret-"] [Run(Alnum, 40, MANY)];
    // Monitoring, analytics and feature flags.
    "grafana-token": ["glsa_"] [Run(Alnum, 28, MANY), Text("_"), Run(Hex, 8, 8)];
    "grafana-cloud-token": ["glc_"] [Run(Base64, 30, MANY)];
    "grafana-key": ["eyJrIjoi"] [Run(Base64, 50, MANY)];
    "new-relic-key": ["NRAK-", "NRAA-", "NRII-", "NRIQ-", "NRJS-", "NRRA-", "NRSP-"]
        [Run(Url, 18, MANY)];
    "new-relic-license" after [Run(Alnum, 30, 40)]: ["NRAL"] [];
    "sentry-token": ["sntrys_", "sntryu_", "sntrya_", "sntryi_"] [Run(Joined, 30, MANY)];
    "honeycomb-key": ["hcaik_", "hcbik_", "hcamk_", "hcaic_", "hcxik_", "hcxmk_", "hclik_"]
        [Run(Alnum, 30, MANY)];
    "honeybadger-key": ["hbp_"] [Run(Alnum, 30, MANY)];
    "posthog-key": ["phx_", "phs_", "pha_"] [Run(Alnum, 30, MANY)];
    "axiom-token": ["xaat-", "xapt-"] UUID;
    "datadog-key": ["ddapp_", "ddpat_", "ddsat_"] [Run(Alnum, 20, MANY)];
    "elastic-key": ["essu_"] [Run(Base64, 40, MANY)];
    "ubidots-key": ["BBFF-", "BBUS-"] [Run(Alnum, 20, MANY)];
    "pagerduty-key": ["pdus+_"] [Run(Url, 30, MANY)];
    "checkly-key": ["cu_"] [Run(Hex, 32, 32)];
    "logfire-token": ["pylf_v"]
        [Run(Alnum, 2, MANY), Text("_"), Run(Alnum, 2, 4), Text("_"), Run(Alnum, 30, MANY)];
    "tinybird-token": ["p.eyJ"] [Run(Joined, 40, MANY)];
    // Trackers, documents, designs and the tools around them.
    "linear-key": ["lin_api_", "lin_oauth_", "lin_wh_"] [Run(Alnum, 30, MANY)];
    "notion-token": ["secret_"] [Run(Alnum, 43, 43)];
    "notion-integration-token": ["ntn_"] [Run(Alnum, 40, MANY)];
    "airtable-token": ["pat"] [Run(Alnum, 14, 14), Text("."), Run(Hex, 64, 64)];
    "clickup-token": ["pk_"] [Run(Digit, 5, 12), Text("_"), Run(Upper, 32, 32)];
    "trello-token": ["ATTA"] [Run(Hex, 60, MANY)];
    "figma-token": ["figd_", "figo_", "figu_", "figoh_", "figor_"] [Run(Url, 30, MANY)];
    "postman-key": ["PMAK-"] [Run(Hex, 24, 24), Text("-"), Run(Hex, 34, 34)];
    "postman-collection-key": ["PMAT-"] [Run(Upper, 26, 26)];
    "launchdarkly-key": ["sdk-", "api-", "mob-"] UUID;
    "asana-token" after [Run(Digit, 1, 1)]: ["/12", "/11", "/10"]
        [Run(Digit, 10, 15), Text(":"), Run(Hex, 32, 32)];
    "asana-service-token": ["2/12", "2/11", "2/10"]
        [Run(Digit, 10, 17), Text("/"), Run(Digit, 10, 17), Text(":"), Run(Hex, 32, 32)];
    "maxmind-license" after [Run(Alnum, 6, 6), Text("_"), Run(Alnum, 29, 29)]: ["_mmk"] [];
    "phabricator-token": ["cli-", "api-"] [Run(Lower, 28, 28)];
    "hashicorp-batch": ["b.AAAAAQ"] [Run(Url, 60, MANY)];
    "artifactory-token": ["AP5", "AP6", "AP7", "AP8", "AP9"] [Run(Alnum, 60, MANY)];
    "inngest-key": ["signkey-prod-", "signkey-test-", "signkey-branch-"] [Run(Hex, 30, MANY)];
    "trigger-key": ["tr_dev_", "tr_prod_", "tr_stg_", "tr_pat_"] [Run(Alnum, 16, MANY)];
    "raycast-token": ["rca_", "rcr_"] [Run(Alnum, 40, MANY)];
    "contentful-token": ["CFPAT-"] [Run(Url, 40, MANY)];
    "adobe-secret": ["p8e-", "p8-"] [Run(Url, 30, MANY)];
    "okta-token": ["SSWS 00"] [Run(Url, 38, MANY)];
};

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::RULES;
    use crate::secret::find;

    /// Shapes of values for each format.
    const SHAPES: &str = include_str!("../../../tests/corpus/formats.tsv");

    #[test]
    fn every_rule_catches_its_own_values_and_lets_masks_pass() {
        let mut seen: HashMap<&str, [usize; 2]> = HashMap::new();
        let rows = SHAPES.lines().filter(|line| !line.starts_with('#'));
        for (seed, row) in rows.enumerate() {
            let [id, verdict, shape] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{row} is not a row of three cells");
            };
            let trips = verdict == "trips";
            seen.entry(id).or_default()[usize::from(trips)] += 1;
            for round in 0..20 {
                let value = fill(shape, seed * 1000 + round);
                let sentence = format!("The staging one is {value}, ask Dana.");
                assert_eq!(find(&sentence), trips.then_some(id), "{shape}");
                assert!(!trips || find(&value) == Some(id), "{shape}");
            }
        }
        for rule in RULES {
            let kebab = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            assert!(rule.id.bytes().all(kebab), "{}", rule.id);
            // A second rule of the same id finds nothing left.
            let seen = seen.remove(rule.id).unwrap_or_default();
            assert!(seen.iter().all(|count| *count > 0), "{}", rule.id);
        }
        assert!(seen.is_empty(), "no rules: {:?}", seen.keys());
    }

    /// Replaces each `{36w}` in a shape by that many characters of the named alphabet.
    fn fill(shape: &str, seed: usize) -> String {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ u64::try_from(seed).unwrap();
        let mut out = String::new();
        let mut rest = shape;
        while let Some((fixed, after)) = rest.split_once('{') {
            let (run, after) = after.split_once('}').unwrap();
            let (count, alphabet) = run.split_at(run.len() - 1);
            let letters: &[u8] = match alphabet {
                "d" => b"0123456789",
                "h" => b"0123456789abcdef",
                "l" => b"abcdefghijklmnopqrstuvwxyz0123456789",
                "u" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                _ => b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            };
            out.push_str(fixed);
            for _ in 0..count.parse::<usize>().unwrap() {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let place = usize::try_from(state >> 33).unwrap() % letters.len();
                out.push(char::from(letters[place]));
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}
