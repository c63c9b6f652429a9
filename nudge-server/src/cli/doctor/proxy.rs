//! Proxies: programs such as curl send calls to this machine away to one, unless
//! they are told not to. Nudge itself never asks a proxy.

use std::ffi::OsString;

use super::finding::Finding;

const ABOUT: &str = "proxy";

/// The variables that name a proxy for `http://` addresses.
const PROXIES: [&str; 4] = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];

/// Where programs look for what is not for the proxy.
const EXCEPTIONS: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// Looks at the variables, and shows no value: one may hold a password.
pub(super) fn look(variable: impl Fn(&str) -> Option<OsString>) -> Option<Finding> {
    let value = |name: &str| variable(name).filter(|value| !value.is_empty());
    let proxy = PROXIES.into_iter().find(|name| value(name).is_some())?;
    let exceptions = EXCEPTIONS.iter().filter_map(|name| value(name));
    let exceptions: Vec<String> = exceptions
        .map(|list| list.to_string_lossy().into_owned())
        .collect();
    if exceptions.iter().any(|list| spares_loopback(list)) {
        let words = format!("{proxy} is set, and calls to this machine do not use it");
        return Some(Finding::good(ABOUT, words));
    }
    let words = format!(
        "{proxy} is set, so programs such as curl send calls to 127.0.0.1 away; nudge itself does not"
    );
    let fix = "export NO_PROXY=127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY} \
                no_proxy=127.0.0.1,localhost${no_proxy:+,$no_proxy}";
    Some(Finding::odd(ABOUT, words).fixed_by(fix))
}

/// Whether a list names this machine by both of its names.
fn spares_loopback(list: &str) -> bool {
    let entries = || list.split([',', ' ']).map(str::trim);
    let names = |wanted: &[&str]| entries().any(|entry| wanted.contains(&entry));
    names(&["*"]) || (names(&["127.0.0.1", "127.0.0.0/8"]) && names(&["localhost", ".localhost"]))
}

#[cfg(test)]
mod tests {
    use super::super::finding::State;
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<State> {
        let found = look(|name| {
            let mut variables = variables.iter();
            let (_, value) = variables.find(|(known, _)| *known == name)?;
            Some(OsString::from(value))
        });
        found.map(|found| {
            assert!(!found.words.contains("swordfish"), "{}", found.words);
            found.state
        })
    }

    #[test]
    fn a_proxy_is_odd_unless_this_machine_is_spared() {
        let proxy = "http://me:swordfish@proxy:3128";
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("http_proxy", "")]), None);
        for name in PROXIES {
            assert_eq!(found(&[(name, proxy)]), Some(State::Odd));
            for (list, state) in [
                ("127.0.0.1,localhost", State::Good),
                ("example.com, localhost, 127.0.0.0/8", State::Good),
                ("*", State::Good),
                ("localhost", State::Odd),
                ("127.0.0.1", State::Odd),
                ("127.0.0.1.example.com,localhost", State::Odd),
            ] {
                assert_eq!(
                    found(&[(name, proxy), ("NO_PROXY", list)]),
                    Some(state),
                    "{list}"
                );
                assert_eq!(
                    found(&[(name, proxy), ("no_proxy", list)]),
                    Some(state),
                    "{list}"
                );
            }
        }
    }
}
