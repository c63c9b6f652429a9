//! Clouds, hosting and infrastructure.

use crate::secret::rule::Alphabet::{Alnum, Base64, Hex, Joined, Upper, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "aws-access-key-id": ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"] [Run(Upper, 16, 17)]
        trips ["AKIA{16u}", "A3T{16u}"] not ["AKIAXXXXXXXXXXXXXXXX", "AKIAIOSFODNN7EXAMPLE"];
    "aws-bedrock-key": ["ABSK", "bedrock-api-key-"] [Run(Base64, 60, MANY)]
        trips ["ABSK{63B}", "bedrock-api-key-{63B}"]
        not ["ABSKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "aws-session-token": ["IQoJb3JpZ2lu", "FwoGZXIvYXdz"] [Run(Base64, 80, MANY)]
        trips ["IQoJb3JpZ2lu{83B}", "FwoGZXIvYXdz{83B}"]
        not ["IQoJb3JpZ2luxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "aws-marketplace-token": ["amzn.mws."] UUID
        trips ["amzn.mws.{8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["amzn.mws.00000000-0000-0000-0000-000000000000"];
    "google-api-key": ["AIza"] [Run(Url, 32, 40)]
        trips ["AIza{32b}"] not ["AIzaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    // Keys without the lines around them, as variables hold them.
    "rsa-private-key" after [Text("MII"), Run(Base64, 3, 3)]: ["IBADANBgkqhkiG9w0BAQEFAASC",
            "IBAAKCAQEA", "IBAAKCAYEA", "IBAAKCAgEA"]
        [Run(Base64, 40, MANY)]
        trips ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{60B}", "MIIEpAIBAAKCAQEA{60B}"]
        not ["MIIEpAIBAAKCAQEAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "ec-private-key": ["MHcCAQEEI", "MIGkAgEBBD", "MIHcAgEBBEI",
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w", "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGe",
            "MC4CAQAwBQYDK2VwBCIEI"]
        [Run(Base64, 30, MANY)]
        trips ["MHcCAQEEI{60B}", "MC4CAQAwBQYDK2VwBCIEI{43B}"]
        not ["MHcCAQEEIxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "google-auth-key": ["AQ."] [Run(Url, 40, MANY)]
        trips ["AQ.Ab8RN6{44b}", "AQ.{50b}"] not ["AQ.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "google-client-secret": ["GOCSPX-"] [Run(Url, 24, MANY)]
        trips ["GOCSPX-{27b}"] not ["GOCSPX-xxxxxxxxxxxxxxxxxxxxxxxx"];
    "google-access-token": ["ya29."] [Run(Joined, 20, MANY)]
        trips ["ya29.{23w}"] not ["ya29.xxxxxxxxxxxxxxxxxxxx"];
    "google-refresh-token": ["1//0"] [Run(Url, 30, MANY)]
        trips ["1//0{33b}"] not ["1//0xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "google-hmac-key": ["GOOG1"] [Run(Upper, 30, MANY)]
        trips ["GOOG1{33u}"] not ["GOOG1XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"];
    "azure-client-secret" after [Run(Joined, 3, 3)]: ["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~",
            "6Q~", "7Q~", "8Q~", "9Q~"]
        [Run(Joined, 28, 40)]
        trips ["{3w}0Q~{28w}", "{3w}9Q~{28w}"] not ["xxx0Q~xxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "azure-account-key": ["AccountKey=", "SharedAccessKey=", "accountkey=", "sharedaccesskey="]
        [Run(Base64, 36, MANY)]
        trips ["AccountKey={39B}", "sharedaccesskey={39B}"]
        not ["AccountKey=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "azure-shared-access-signature": ["sig="] [Run(Joined, 36, MANY)]
        trips ["sig={39w}"] not ["sig=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "azure-devops-token" after [Run(Alnum, 72, 80)]: ["AZDO"] [Run(Alnum, 3, 8)]
        trips ["{72w}AZDO{3w}"]
        not ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxAZDOxxx"];
    "azure-cognitive-key" after [Run(Alnum, 40, 60)]: ["JQQJ99"] [Run(Alnum, 20, MANY)]
        trips ["{40w}JQQJ99{23w}"]
        not ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxJQQJ99xxxxxxxxxxxxxxxxxxxx"];
    "alibaba-access-key": ["LTAI"] [Run(Alnum, 12, 24)]
        trips ["LTAI{12w}"] not ["LTAIxxxxxxxxxxxx"];
    "tencent-secret-id": ["AKID"] [Run(Alnum, 16, 40)]
        trips ["AKID{16w}"] not ["AKIDxxxxxxxxxxxxxxxx"];
    "yandex-key": ["AQVN", "YCAJ", "YCP"] [Run(Url, 20, MANY)]
        trips ["AQVN{23b}", "YCP{23b}"] not ["AQVNxxxxxxxxxxxxxxxxxxxx"];
    "yandex-token": ["t1.9eu", "y0_"] [Run(Joined, 40, MANY)]
        trips ["t1.9eu{43w}", "y0_{43w}"] not ["t1.9euxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "scaleway-access-key": ["SCW"] [Run(Upper, 17, 17)]
        trips ["SCW{17u}"] not ["SCWXXXXXXXXXXXXXXXXX"];
    "digitalocean-token": ["dop_v1_", "doo_v1_", "dor_v1_"] [Run(Hex, 40, MANY)]
        trips ["dop_v1_{43h}", "dor_v1_{43h}"]
        not ["dop_v1_0000000000000000000000000000000000000000"];
    "cloudflare-origin-key": ["v1.0-"] [Run(Hex, 24, 24), Text("-"), Run(Hex, 100, MANY)]
        trips ["v1.0-{24h}-{103h}"]
        not ["v1.0-000000000000000000000000-0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"];
    "cloudflare-token": ["cfut_", "cfat_", "cfk_"] [Run(Alnum, 30, MANY)]
        trips ["cfut_{33w}", "cfk_{33w}"] not ["cfut_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
};
