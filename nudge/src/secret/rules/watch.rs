//! Monitoring, analytics and feature flags.

use crate::secret::rule::Alphabet::{Alnum, Base64, Hex, Joined, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "grafana-token": ["glsa_"] [Run(Alnum, 28, MANY), Text("_"), Run(Hex, 8, 8)]
        trips ["glsa_{31w}_{8h}"] not ["glsa_xxxxxxxxxxxxxxxxxxxxxxxxxxxx_00000000"];
    "grafana-cloud-token": ["glc_"] [Run(Base64, 30, MANY)]
        trips ["glc_{33B}"] not ["glc_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "grafana-key": ["eyJrIjoi"] [Run(Base64, 50, MANY)]
        trips ["eyJrIjoi{53B}"] not ["eyJrIjoixxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "new-relic-key": ["NRAK-", "NRAA-", "NRII-", "NRIQ-", "NRJS-", "NRRA-", "NRSP-"]
        [Run(Url, 18, MANY)]
        trips ["NRAK-{21b}", "NRSP-{21b}"] not ["NRAK-xxxxxxxxxxxxxxxxxx"];
    "new-relic-license" after [Run(Alnum, 30, 40)]: ["NRAL"] []
        trips ["{30w}NRAL"] not ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxNRAL"];
    "sentry-token": ["sntrys_", "sntryu_", "sntrya_", "sntryi_"] [Run(Joined, 30, MANY)]
        trips ["sntrys_{33w}", "sntryi_{33w}"] not ["sntrys_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "honeycomb-key": ["hcaik_", "hcbik_", "hcamk_", "hcaic_", "hcxik_", "hcxmk_", "hclik_"]
        [Run(Alnum, 30, MANY)]
        trips ["hcaik_{33w}", "hclik_{33w}"] not ["hcaik_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "honeybadger-key": ["hbp_"] [Run(Alnum, 30, MANY)]
        trips ["hbp_{33w}"] not ["hbp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "posthog-key": ["phx_", "phs_", "pha_"] [Run(Alnum, 30, MANY)]
        trips ["phx_{33w}", "pha_{33w}"] not ["phx_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "axiom-token": ["xaat-", "xapt-"] UUID
        trips ["xaat-{8h}-{4h}-{4h}-{4h}-{12h}", "xapt-{8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["xaat-00000000-0000-0000-0000-000000000000"];
    "datadog-key": ["ddapp_", "ddpat_", "ddsat_"] [Run(Alnum, 20, MANY)]
        trips ["ddapp_{23w}", "ddsat_{23w}"] not ["ddapp_xxxxxxxxxxxxxxxxxxxx"];
    "elastic-key": ["essu_"] [Run(Base64, 40, MANY)]
        trips ["essu_{43B}"] not ["essu_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "ubidots-key": ["BBFF-", "BBUS-"] [Run(Alnum, 20, MANY)]
        trips ["BBFF-{23w}", "BBUS-{23w}"] not ["BBFF-xxxxxxxxxxxxxxxxxxxx"];
    "pagerduty-key": ["pdus+_"] [Run(Url, 30, MANY)]
        trips ["pdus+_{33b}"] not ["pdus+_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "checkly-key": ["cu_"] [Run(Hex, 32, 32)]
        trips ["cu_{32h}"] not ["cu_00000000000000000000000000000000"];
    "logfire-token": ["pylf_v"]
        [Run(Alnum, 2, MANY), Text("_"), Run(Alnum, 2, 4), Text("_"), Run(Alnum, 30, MANY)]
        trips ["pylf_v{18w}_{2w}_{33w}"] not ["pylf_vxx_xx_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "tinybird-token": ["p.eyJ"] [Run(Joined, 40, MANY)]
        trips ["p.eyJ{43w}"] not ["p.eyJxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
};
