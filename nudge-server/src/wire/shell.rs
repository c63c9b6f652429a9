//! The shells of agents, which their hosts mark by variables.

use std::ffi::OsString;

use nudge::{Actor, Host, Via};

use super::identity::{PRODUCT, VERSION};
use super::sender::Sender;

/// The longest session, in bytes, that the store takes.
const MAX_SESSION: usize = 128;

/// The shell of an agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shell {
    /// Whose agent it is.
    pub(crate) host: &'static Host,
    /// The variable that says so.
    pub(crate) variable: &'static str,
    /// The agent's session, where the host tells.
    pub(crate) session: Option<String>,
}

impl Shell {
    /// The agent whose shell this process runs in.
    pub(crate) fn this() -> Option<Shell> {
        Shell::of(|name| std::env::var_os(name))
    }

    /// The agent whose shell has this environment; `None` is the user, in CI too.
    pub(crate) fn of(env: impl Fn(&str) -> Option<OsString>) -> Option<Shell> {
        Host::ALL.iter().find_map(|host| {
            let is_set = |name: &&&str| env(name).is_some_and(|value| !value.is_empty());
            let variable = *host.shell.iter().find(is_set)?;
            let session = session(host, &env);
            Some(Shell {
                host,
                variable,
                session,
            })
        })
    }

    /// Who calls from a shell, which may be an agent's: the user, or that agent where it is.
    pub(crate) fn sender(shell: Option<&Shell>) -> Sender {
        let Some(Shell { host, session, .. }) = shell else {
            return Sender::new(Via::Cli, Some(format!("{PRODUCT}/{VERSION}")));
        };
        let sender = Sender::new(Via::Cli, Some(host.id.to_owned())).actor(Actor::Agent);
        sender.session(session.clone()).here(true)
    }

    /// What tells the agent why it is not taken for the user.
    pub(crate) fn describe(&self) -> String {
        let Shell { host, variable, .. } = self;
        format!("this is {}'s shell (`{variable}` is set)", host.id)
    }
}

/// The session of a host's agent, as an environment has it.
pub(crate) fn session(host: &Host, env: impl Fn(&str) -> Option<OsString>) -> Option<String> {
    let session = host.session.iter().find_map(|name| env(name))?;
    let session = session.into_string().ok();
    session.filter(|id| (1..=MAX_SESSION).contains(&id.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_known_by_its_variables() {
        let of = |set: &[(&str, &str)]| {
            let shell = Shell::of(|name| {
                let (_, value) = set.iter().find(|(known, _)| *known == name)?;
                Some(value.into())
            })?;
            Some((shell.host.id, shell.variable, shell.session))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("CI", "true"), ("CLAUDECODE", "")]), None);
        assert_eq!(
            of(&[("CLAUDECODE", "1")]),
            Some(("claude", "CLAUDECODE", None))
        );
        let codex = ("codex", "CODEX_THREAD_ID", Some("s-1".to_owned()));
        assert_eq!(
            of(&[("CI", "true"), ("CODEX_THREAD_ID", "s-1")]),
            Some(codex)
        );
    }
}
