//! Payments, shops, shipping and mail.

use crate::secret::rule::Alphabet::{Alnum, Base64, Digit, Hex, Joined, Lower, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
    "stripe-key": ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_",
            "sk_sbox_", "sk_org_"]
        [Run(Url, 16, MANY)];
    "stripe-webhook-secret": ["whsec_"] [Run(Base64, 24, MANY)];
    "square-token": ["sq0atp-", "sq0csp-", "sq0acp-"] [Run(Url, 20, MANY)];
    "square-access-token": ["EAAA"] [Run(Url, 56, 90)];
    "braintree-token": ["access_token$production$", "access_token$sandbox$"]
        [Run(Lower, 16, 16), Text("$"), Run(Hex, 32, 32)];
    "plaid-token": ["access-sandbox-", "access-production-", "access-development-"] UUID;
    "razorpay-key": ["rzp_live_", "rzp_test_"] [Run(Alnum, 14, 14)];
    "test-live-key": ["test_", "live_"] [Run(Alnum, 28, MANY)];
    "gocardless-token": ["sandbox_"] [Run(Url, 40, MANY)];
    "flutterwave-key": ["FLWSECK-", "FLWSECK_TEST-"] [Run(Alnum, 12, MANY)];
    "adyen-key": ["AQE"] [Run(Joined, 60, MANY)];
    "easypost-key": ["EZAK", "EZTK"] [Run(Alnum, 50, MANY)];
    "shippo-token": ["shippo_live_", "shippo_test_"] [Run(Hex, 40, 40)];
    "duffel-token": ["duffel_test_", "duffel_live_"] [Run(Url, 40, MANY)];
    "paddle-key": ["pdl_live_", "pdl_sdbx_"] [Run(Joined, 30, MANY)];
    "shopify-token": ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shprt_", "shpua_"]
        [Run(Hex, 32, 32)];
    "woocommerce-key": ["ck_", "cs_"] [Run(Hex, 40, 40)];
    "lob-key": ["live_pub_", "test_pub_"] [Run(Hex, 31, 31)];
    "sendgrid-key": ["SG."] [Run(Url, 16, 32), Text("."), Run(Url, 32, MANY)];
    "mailgun-key": ["key-"] [Run(Hex, 32, 32)];
    "mailchimp-key" after [Run(Hex, 32, 32)]: ["-us"] [Run(Digit, 1, 2)];
    "brevo-key": ["xkeysib-", "xsmtpsib-"] [Run(Hex, 60, MANY), Text("-"), Run(Alnum, 16, 16)];
    "resend-key": ["re_"] [Run(Alnum, 6, 10), Text("_"), Run(Alnum, 16, MANY)];
    "mailersend-token": ["mlsn."] [Run(Hex, 60, MANY)];
    "klaviyo-key": ["pk_"] [Run(Hex, 34, 34)];
    "nylas-key": ["nyk_v0_", "nyk_"] [Run(Alnum, 30, MANY)];
    "stytch-secret": ["secret-live-", "secret-test-"] [Run(Url, 30, MANY)];
    "statsig-secret": ["secret-"] [Run(Alnum, 40, MANY)];
};
