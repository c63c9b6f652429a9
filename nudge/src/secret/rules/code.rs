//! Code hosting, package registries, builds and editors.

use crate::secret::rule::Alphabet::{Alnum, Hex, Joined, Lower, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
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
};
