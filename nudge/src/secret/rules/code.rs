//! Code hosting, package registries, builds and editors.

use crate::secret::rule::Alphabet::{Alnum, Hex, Joined, Lower, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "github-token": ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"] [Run(Joined, 30, MANY)]
        trips ["ghp_{33w}", "ghr_{33w}"] not ["ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "github-fine-grained-token": ["github_pat_"] [Run(Url, 30, MANY)]
        trips ["github_pat_{33b}"] not ["github_pat_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "gitlab-token": ["glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glptt-", "glft-", "glimt-",
            "glagent-", "glsoat-", "glcbt-", "glffct-", "glwt-", "gltok-"]
        [Run(Joined, 18, MANY)]
        trips ["glpat-{21w}", "gltok-{21w}"] not ["glpat-xxxxxxxxxxxxxxxxxx"];
    "gitlab-runner-registration": ["GR1348941"] [Run(Url, 20, MANY)]
        trips ["GR1348941{23b}"] not ["GR1348941xxxxxxxxxxxxxxxxxxxx"];
    "bitbucket-app-password": ["ATBB"] [Run(Alnum, 24, MANY)]
        trips ["ATBB{27w}"] not ["ATBBxxxxxxxxxxxxxxxxxxxxxxxx"];
    "atlassian-token": ["ATATT3", "ATCTT3"] [Run(Joined, 60, MANY)]
        trips ["ATATT3{63w}", "ATCTT3{63w}"]
        not ["ATATT3xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "npm-token": ["npm_"] [Run(Alnum, 36, MANY)]
        trips ["npm_{39w}"] not ["npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "pypi-token": ["pypi-AgE", "pypi-AgN", "pypi-"] [Run(Url, 50, MANY)]
        trips ["pypi-AgE{53b}", "pypi-{53b}"]
        not ["pypi-AgExxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "rubygems-key": ["rubygems_"] [Run(Hex, 40, MANY)]
        trips ["rubygems_{43h}"] not ["rubygems_0000000000000000000000000000000000000000"];
    "crates-token": ["cio"] [Run(Alnum, 32, 32)]
        trips ["cio{32w}"] not ["cioxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "nuget-key": ["oy2"] [Run(Lower, 43, 43)]
        trips ["oy2{43l}"] not ["oy2xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "packagist-token": ["packagist_ack_", "packagist_uut_", "packagist_out_"] [Run(Hex, 40, MANY)]
        trips ["packagist_ack_{43h}", "packagist_out_{43h}"]
        not ["packagist_ack_0000000000000000000000000000000000000000"];
    "clojars-token": ["CLOJARS_"] [Run(Hex, 56, MANY)]
        trips ["CLOJARS_{59h}"]
        not ["CLOJARS_00000000000000000000000000000000000000000000000000000000"];
    "jfrog-key": ["AKCp"] [Run(Alnum, 60, MANY)]
        trips ["AKCp{63w}"]
        not ["AKCpxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "jfrog-reference-token": ["cmVmd"] [Run(Alnum, 50, MANY)]
        trips ["cmVmd{53w}"] not ["cmVmdxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "dockerhub-token": ["dckr_pat_", "dckr_oat_"] [Run(Url, 20, MANY)]
        trips ["dckr_pat_{23b}", "dckr_oat_{23b}"] not ["dckr_pat_xxxxxxxxxxxxxxxxxxxx"];
    "snyk-token": ["snyk_uat.", "snyk_sat."] [Run(Joined, 20, MANY)]
        trips ["snyk_uat.{23w}", "snyk_sat.{23w}"] not ["snyk_uat.xxxxxxxxxxxxxxxxxxxx"];
    "sonar-token": ["squ_", "sqp_", "sqa_"] [Run(Hex, 40, 40)]
        trips ["squ_{40h}", "sqa_{40h}"] not ["squ_0000000000000000000000000000000000000000"];
    "circleci-token": ["CCIPAT_", "CCIPRJ_"] [Run(Url, 30, MANY)]
        trips ["CCIPAT_{33b}", "CCIPRJ_{33b}"] not ["CCIPAT_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "buildkite-token": ["bkua_", "bkct_", "bkaj_", "bkat_", "bkpt_"] [Run(Alnum, 30, MANY)]
        trips ["bkua_{33w}", "bkpt_{33w}"] not ["bkua_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "harness-token": ["pat.", "sat."]
        [Run(Url, 20, 24), Text("."), Run(Hex, 24, 24), Text("."), Run(Alnum, 18, MANY)]
        trips ["pat.{20b}.{24h}.{21w}", "sat.{20b}.{24h}.{21w}"]
        not ["pat.xxxxxxxxxxxxxxxxxxxx.000000000000000000000000.xxxxxxxxxxxxxxxxxx"];
    "readme-key": ["rdme_"] [Run(Lower, 50, MANY)]
        trips ["rdme_{53l}"] not ["rdme_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "prefect-key": ["pnu_", "pnb_"] [Run(Alnum, 30, MANY)]
        trips ["pnu_{33w}", "pnb_{33w}"] not ["pnu_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "dbt-token": ["dbtc_", "dbtu_"] [Run(Url, 20, MANY)]
        trips ["dbtc_{23b}", "dbtu_{23b}"] not ["dbtc_xxxxxxxxxxxxxxxxxxxx"];
    "deno-token": ["ddp_", "dds_", "ddo_"] [Run(Alnum, 30, MANY)]
        trips ["ddp_{33w}", "ddo_{33w}"] not ["ddp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "ionic-token": ["ion_"] [Run(Alnum, 40, MANY)]
        trips ["ion_{43w}"] not ["ion_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "sourcegraph-token": ["sgp_", "slk_"] [Run(Joined, 40, MANY)]
        trips ["sgp_{43w}", "slk_{43w}"] not ["sgp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
};
