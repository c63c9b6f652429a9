//! Clouds, hosting and infrastructure.

use crate::secret::rule::Alphabet::{Alnum, Base64, Hex, Joined, Upper, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
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
};
