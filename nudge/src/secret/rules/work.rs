//! Trackers, documents, designs and the tools around them.

use crate::secret::rule::Alphabet::{Alnum, Digit, Hex, Lower, Upper, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
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
