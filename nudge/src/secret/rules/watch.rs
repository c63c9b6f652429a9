//! Monitoring, analytics and feature flags.

use crate::secret::rule::Alphabet::{Alnum, Base64, Hex, Joined, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
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
};
