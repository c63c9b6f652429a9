//! Trackers, documents, designs and the tools around them.

use crate::secret::rule::Alphabet::{Alnum, Digit, Hex, Lower, Upper, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "linear-key": ["lin_api_", "lin_oauth_", "lin_wh_"] [Run(Alnum, 30, MANY)]
        trips ["lin_api_{33w}", "lin_wh_{33w}"] not ["lin_api_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "notion-token": ["secret_"] [Run(Alnum, 43, 43)]
        trips ["secret_{43w}"] not ["secret_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "notion-integration-token": ["ntn_"] [Run(Alnum, 40, MANY)]
        trips ["ntn_{43w}"] not ["ntn_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "airtable-token": ["pat"] [Run(Alnum, 14, 14), Text("."), Run(Hex, 64, 64)]
        trips ["pat{14w}.{64h}"]
        not ["patxxxxxxxxxxxxxx.0000000000000000000000000000000000000000000000000000000000000000"];
    "clickup-token": ["pk_"] [Run(Digit, 5, 12), Text("_"), Run(Upper, 32, 32)]
        trips ["pk_{5d}_{32u}"] not ["pk_00000_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"];
    "trello-token": ["ATTA"] [Run(Hex, 60, MANY)]
        trips ["ATTA{63h}"]
        not ["ATTA000000000000000000000000000000000000000000000000000000000000"];
    "figma-token": ["figd_", "figo_", "figu_", "figoh_", "figor_"] [Run(Url, 30, MANY)]
        trips ["figd_{33b}", "figor_{33b}"] not ["figd_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "postman-key": ["PMAK-"] [Run(Hex, 24, 24), Text("-"), Run(Hex, 34, 34)]
        trips ["PMAK-{24h}-{34h}"]
        not ["PMAK-000000000000000000000000-0000000000000000000000000000000000"];
    "postman-collection-key": ["PMAT-"] [Run(Upper, 26, 26)]
        trips ["PMAT-{26u}"] not ["PMAT-XXXXXXXXXXXXXXXXXXXXXXXXXX"];
    "launchdarkly-key": ["sdk-", "api-", "mob-"] UUID
        trips ["sdk-{8h}-{4h}-{4h}-{4h}-{12h}", "mob-{8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["sdk-00000000-0000-0000-0000-000000000000"];
    "asana-token" after [Run(Digit, 1, 1)]: ["/12", "/11", "/10"]
        [Run(Digit, 10, 15), Text(":"), Run(Hex, 32, 32)]
        trips ["{1d}/12{10d}:{32h}", "{1d}/10{10d}:{32h}"]
        not ["0/120000000000:00000000000000000000000000000000"];
    "asana-service-token": ["2/12", "2/11", "2/10"]
        [Run(Digit, 10, 17), Text("/"), Run(Digit, 10, 17), Text(":"), Run(Hex, 32, 32)]
        trips ["2/12{10d}/{10d}:{32h}", "2/10{10d}/{10d}:{32h}"]
        not ["2/120000000000/0000000000:00000000000000000000000000000000"];
    "maxmind-license" after [Run(Alnum, 6, 6), Text("_"), Run(Alnum, 29, 29)]: ["_mmk"] []
        trips ["{6w}_{29w}_mmk"] not ["xxxxxx_xxxxxxxxxxxxxxxxxxxxxxxxxxxxx_mmk"];
    "phabricator-token": ["cli-", "api-"] [Run(Lower, 28, 28)]
        trips ["cli-{28l}", "api-{28l}"] not ["cli-xxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "hashicorp-batch": ["b.AAAAAQ"] [Run(Url, 60, MANY)]
        trips ["b.AAAAAQ{63b}"]
        not ["b.AAAAAQxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "artifactory-token": ["AP5", "AP6", "AP7", "AP8", "AP9"] [Run(Alnum, 60, MANY)]
        trips ["AP5{63w}", "AP9{63w}"]
        not ["AP5xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "inngest-key": ["signkey-prod-", "signkey-test-", "signkey-branch-"] [Run(Hex, 30, MANY)]
        trips ["signkey-prod-{33h}", "signkey-branch-{33h}"]
        not ["signkey-prod-000000000000000000000000000000"];
    "trigger-key": ["tr_dev_", "tr_prod_", "tr_stg_", "tr_pat_"] [Run(Alnum, 16, MANY)]
        trips ["tr_dev_{19w}", "tr_pat_{19w}"] not ["tr_dev_xxxxxxxxxxxxxxxx"];
    "raycast-token": ["rca_", "rcr_"] [Run(Alnum, 40, MANY)]
        trips ["rca_{43w}", "rcr_{43w}"] not ["rca_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "contentful-token": ["CFPAT-"] [Run(Url, 40, MANY)]
        trips ["CFPAT-{43b}"] not ["CFPAT-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "adobe-secret": ["p8e-", "p8-"] [Run(Url, 30, MANY)]
        trips ["p8e-{33b}", "p8-{33b}"] not ["p8e-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "okta-token": ["SSWS 00"] [Run(Url, 38, MANY)]
        trips ["SSWS 00{41b}"] not ["SSWS 00xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
};
