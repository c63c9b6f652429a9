//! Hosting platforms, databases and vaults.

use crate::secret::rule::Alphabet::{Alnum, Base64, Hex, Joined, Upper, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
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
};
