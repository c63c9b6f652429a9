//! Hosting platforms, databases and vaults.

use crate::secret::rule::Alphabet::{Alnum, Base64, Hex, Joined, Upper, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "heroku-key": ["HRKU-"] [Run(Url, 30, MANY)]
        trips ["HRKU-{33b}"] not ["HRKU-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "fly-token": ["fm1r_", "fm1a_", "fm2_", "fo1_"] [Run(Joined, 30, MANY)]
        trips ["fm1r_{33w}", "fo1_{33w}"] not ["fm1r_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "fly-header": ["FlyV1 "] [Run(Joined, 30, MANY)]
        trips ["FlyV1 {33w}"] not ["FlyV1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "netlify-token": ["nfp_", "nfc_", "nfo_", "nfu_"] [Run(Alnum, 30, MANY)]
        trips ["nfp_{33w}", "nfu_{33w}"] not ["nfp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "vercel-token": ["vcp_", "vci_", "vca_", "vcr_", "vck_"] [Run(Alnum, 20, MANY)]
        trips ["vcp_{23w}", "vck_{23w}"] not ["vcp_xxxxxxxxxxxxxxxxxxxx"];
    "vercel-blob-token": ["vercel_blob_rw_"] [Run(Url, 20, MANY)]
        trips ["vercel_blob_rw_{23b}"] not ["vercel_blob_rw_xxxxxxxxxxxxxxxxxxxx"];
    "render-key": ["rnd_"] [Run(Alnum, 24, MANY)]
        trips ["rnd_{27w}"] not ["rnd_xxxxxxxxxxxxxxxxxxxxxxxx"];
    "supabase-token": ["sbp_", "sb_secret_"] [Run(Url, 20, MANY)]
        trips ["sbp_{23b}", "sb_secret_{23b}"] not ["sbp_xxxxxxxxxxxxxxxxxxxx"];
    "planetscale-token": ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"] [Run(Joined, 30, MANY)]
        trips ["pscale_tkn_{33w}", "pscale_pw_{33w}"]
        not ["pscale_tkn_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "neon-key": ["napi_"] [Run(Alnum, 40, MANY)]
        trips ["napi_{43w}"] not ["napi_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "neon-password": ["npg_"] [Run(Alnum, 12, MANY)] trips ["npg_{18w}"] not ["npg_xxxxxxxxxxxx"];
    "doppler-token": ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."]
        [Run(Joined, 40, MANY)]
        trips ["dp.pt.{43w}", "dp.audit.{43w}"]
        not ["dp.pt.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "pulumi-token": ["pul-"] [Run(Hex, 40, 40)]
        trips ["pul-{40h}"] not ["pul-0000000000000000000000000000000000000000"];
    "terraform-token" after [Run(Alnum, 14, 14), Text(".")]: ["atlasv1."] [Run(Url, 40, MANY)]
        trips ["{14w}.atlasv1.{43b}"]
        not ["xxxxxxxxxxxxxx.atlasv1.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "vault-token": ["hvs.", "hvb.", "hvr."] [Run(Url, 20, MANY)]
        trips ["hvs.{23b}", "hvr.{23b}"] not ["hvs.xxxxxxxxxxxxxxxxxxxx"];
    "databricks-token": ["dapi", "dkea", "dose"] [Run(Hex, 32, 32)]
        trips ["dapi{32h}", "dose{32h}"] not ["dapi00000000000000000000000000000000"];
    "dynatrace-token": ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s03.", "dt0s04.", "dt0s06.",
            "dt0s08.", "dt0s16."]
        [Run(Upper, 24, 24), Text("."), Run(Upper, 60, MANY)]
        trips ["dt0c01.{24u}.{63u}", "dt0s16.{24u}.{63u}"]
        not ["dt0c01.XXXXXXXXXXXXXXXXXXXXXXXX.XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"];
    "tailscale-key": ["tskey-"] [Run(Url, 20, MANY)]
        trips ["tskey-{23b}"] not ["tskey-xxxxxxxxxxxxxxxxxxxx"];
    "ngrok-key": ["ak_2", "cr_2"] [Run(Alnum, 20, MANY)]
        trips ["ak_2{23w}", "cr_2{23w}"] not ["ak_2xxxxxxxxxxxxxxxxxxxx"];
    "onepassword-account": ["ops_"] [Run(Base64, 60, MANY)]
        trips ["ops_{63B}"]
        not ["ops_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "onepassword-secret-key": ["A3-"]
        [Run(Upper, 6, 6), Text("-"), Run(Upper, 5, 6), Text("-"), Run(Upper, 5, 6), Text("-"),
            Run(Upper, 5, 5)]
        trips ["A3-{6u}-{5u}-{5u}-{5u}"] not ["A3-XXXXXX-XXXXX-XXXXX-XXXXX"];
    "age-secret-key": ["AGE-SECRET-KEY-1", "AGE-PLUGIN-"] [Run(Upper, 50, MANY)]
        trips ["AGE-SECRET-KEY-1{53u}", "AGE-PLUGIN-{53u}"]
        not ["AGE-SECRET-KEY-1XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"];
    "backblaze-key": ["K00"] [Run(Base64, 28, 31)]
        trips ["K00{28B}"] not ["K00xxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "confluent-key": ["cflt"] [Run(Base64, 56, MANY)]
        trips ["cflt{59B}"] not ["cfltxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "cockroach-key": ["CCDB1_"] [Run(Url, 30, MANY)]
        trips ["CCDB1_{33b}"] not ["CCDB1_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "materialize-password": ["mzp_"] [Run(Hex, 40, MANY)]
        trips ["mzp_{43h}"] not ["mzp_0000000000000000000000000000000000000000"];
    "scalingo-token": ["tk-us-"] [Run(Url, 40, MANY)]
        trips ["tk-us-{43b}"] not ["tk-us-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
};
