//! Payments, shops, shipping and mail.

use crate::secret::rule::Alphabet::{Alnum, Base64, Digit, Hex, Joined, Lower, Url};
use crate::secret::rule::Part::{Run, Text};
use crate::secret::rule::{MANY, Rule, UUID, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "stripe-key": ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_",
            "sk_sbox_", "sk_org_"]
        [Run(Url, 16, MANY)]
        trips ["sk_live_{19b}", "sk_org_{19b}"] not ["sk_live_xxxxxxxxxxxxxxxx"];
    "stripe-webhook-secret": ["whsec_"] [Run(Base64, 24, MANY)]
        trips ["whsec_{27B}"] not ["whsec_xxxxxxxxxxxxxxxxxxxxxxxx"];
    "square-token": ["sq0atp-", "sq0csp-", "sq0acp-"] [Run(Url, 20, MANY)]
        trips ["sq0atp-{23b}", "sq0acp-{23b}"] not ["sq0atp-xxxxxxxxxxxxxxxxxxxx"];
    "square-access-token": ["EAAA"] [Run(Url, 56, 90)]
        trips ["EAAA{56b}"] not ["EAAAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "braintree-token": ["access_token$production$", "access_token$sandbox$"]
        [Run(Lower, 16, 16), Text("$"), Run(Hex, 32, 32)]
        trips ["access_token$production${16l}${32h}", "access_token$sandbox${16l}${32h}"]
        not ["access_token$production$xxxxxxxxxxxxxxxx$00000000000000000000000000000000"];
    "plaid-token": ["access-sandbox-", "access-production-", "access-development-"] UUID
        trips ["access-sandbox-{8h}-{4h}-{4h}-{4h}-{12h}",
            "access-development-{8h}-{4h}-{4h}-{4h}-{12h}"]
        not ["access-sandbox-00000000-0000-0000-0000-000000000000"];
    "razorpay-key": ["rzp_live_", "rzp_test_"] [Run(Alnum, 14, 14)]
        trips ["rzp_live_{14w}", "rzp_test_{14w}"] not ["rzp_live_xxxxxxxxxxxxxx"];
    "test-live-key": ["test_", "live_"] [Run(Alnum, 28, MANY)]
        trips ["test_{31w}", "live_{31w}"] not ["test_xxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "gocardless-token": ["sandbox_"] [Run(Url, 40, MANY)]
        trips ["sandbox_{43b}"] not ["sandbox_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "flutterwave-key": ["FLWSECK-", "FLWSECK_TEST-"] [Run(Alnum, 12, MANY)]
        trips ["FLWSECK-{18w}", "FLWSECK_TEST-{18w}"] not ["FLWSECK-xxxxxxxxxxxx"];
    "adyen-key": ["AQE"] [Run(Joined, 60, MANY)]
        trips ["AQE{63w}"] not ["AQExxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "easypost-key": ["EZAK", "EZTK"] [Run(Alnum, 50, MANY)]
        trips ["EZAK{53w}", "EZTK{53w}"]
        not ["EZAKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "shippo-token": ["shippo_live_", "shippo_test_"] [Run(Hex, 40, 40)]
        trips ["shippo_live_{40h}", "shippo_test_{40h}"]
        not ["shippo_live_0000000000000000000000000000000000000000"];
    "duffel-token": ["duffel_test_", "duffel_live_"] [Run(Url, 40, MANY)]
        trips ["duffel_test_{43b}", "duffel_live_{43b}"]
        not ["duffel_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "paddle-key": ["pdl_live_", "pdl_sdbx_"] [Run(Joined, 30, MANY)]
        trips ["pdl_live_{33w}", "pdl_sdbx_{33w}"] not ["pdl_live_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "shopify-token": ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shprt_", "shpua_"]
        [Run(Hex, 32, 32)]
        trips ["shpat_{32h}", "shpua_{32h}"] not ["shpat_00000000000000000000000000000000"];
    "woocommerce-key": ["ck_", "cs_"] [Run(Hex, 40, 40)]
        trips ["ck_{40h}", "cs_{40h}"] not ["ck_0000000000000000000000000000000000000000"];
    "lob-key": ["live_pub_", "test_pub_"] [Run(Hex, 31, 31)]
        trips ["live_pub_{31h}", "test_pub_{31h}"] not ["live_pub_0000000000000000000000000000000"];
    "sendgrid-key": ["SG."] [Run(Url, 16, 32), Text("."), Run(Url, 32, MANY)]
        trips ["SG.{16b}.{35b}"] not ["SG.xxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "mailgun-key": ["key-"] [Run(Hex, 32, 32)]
        trips ["key-{32h}"] not ["key-00000000000000000000000000000000"];
    "mailchimp-key" after [Run(Hex, 32, 32)]: ["-us"] [Run(Digit, 1, 2)]
        trips ["{32h}-us{1d}"] not ["00000000000000000000000000000000-us0"];
    "brevo-key": ["xkeysib-", "xsmtpsib-"] [Run(Hex, 60, MANY), Text("-"), Run(Alnum, 16, 16)]
        trips ["xkeysib-{63h}-{16w}", "xsmtpsib-{63h}-{16w}"]
        not ["xkeysib-000000000000000000000000000000000000000000000000000000000000-xxxxxxxxxxxxxxxx"];
    "resend-key": ["re_"] [Run(Alnum, 6, 10), Text("_"), Run(Alnum, 16, MANY)]
        trips ["re_{6w}_{19w}"] not ["re_xxxxxx_xxxxxxxxxxxxxxxx"];
    "mailersend-token": ["mlsn."] [Run(Hex, 60, MANY)]
        trips ["mlsn.{63h}"]
        not ["mlsn.000000000000000000000000000000000000000000000000000000000000"];
    "klaviyo-key": ["pk_"] [Run(Hex, 34, 34)]
        trips ["pk_{34h}"] not ["pk_0000000000000000000000000000000000"];
    "nylas-key": ["nyk_v0_", "nyk_"] [Run(Alnum, 30, MANY)]
        trips ["nyk_v0_{33w}", "nyk_{33w}"] not ["nyk_v0_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "stytch-secret": ["secret-live-", "secret-test-"] [Run(Url, 30, MANY)]
        trips ["secret-live-{33b}", "secret-test-{33b}"]
        not ["secret-live-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "statsig-secret": ["secret-"] [Run(Alnum, 40, MANY)]
        trips ["secret-{43w}"] not ["secret-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
};
