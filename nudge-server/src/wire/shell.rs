//! The shells of agents, which their hosts mark by variables.

use std::ffi::OsString;

use nudge::{Actor, Host, Via};
use nudge_client::platform::parent_programs;

use super::identity::{PRODUCT, VERSION};
use super::sender::Sender;

/// The longest session, in bytes, that the store takes.
const MAX_SESSION: usize = 128;

/// The programs in which a user types.
const TERMINALS: &str = "alacritty code containerd-shim cursor emacs foot ghostty gnome-terminal- \
    idea init kitty konsole login mosh-server nvim ptyxis-agent screen sshd sshd-session \
    sublime_text systemd terminator tilix tmux vim warp wezterm-gui windsurf xfce4-terminal xterm \
    zed zed-editor zellij";

/// Has nobody look for agents among the parents: who runs the tests is not whom they are about.
const ANY_PARENT: &str = "NUDGE_ANY_PARENT";

/// The shell of an agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shell {
    pub(crate) host: &'static Host,
    /// The variable that says so; none where a parent does.
    variable: Option<&'static str>,
    /// The agent's session, where the host tells.
    session: Option<String>,
}

impl Shell {
    /// The agent whose shell this process runs in, as its environment says or, where the kernel
    /// tells, one of its parents.
    pub(crate) fn this() -> Option<Shell> {
        let by_variable = Shell::of(|name| std::env::var_os(name));
        by_variable.or_else(|| {
            let is_asked = std::env::var_os(ANY_PARENT).is_none();
            let parents = is_asked.then(parent_programs);
            Shell::below(parents.into_iter().flatten())
        })
    }

    /// The agent whose shell has this environment; `None` is the user, in CI too.
    fn of(env: impl Fn(&str) -> Option<OsString>) -> Option<Shell> {
        let is_set = |name: &&&str| env(name).is_some_and(|value| !value.is_empty());
        let mut hosts = Host::ALL.iter();
        let (host, variable) = hosts.find_map(|host| {
            let variable = *host.shell.iter().find(is_set)?;
            Some((host, variable))
        })?;
        let named = env(Host::NAMED).filter(|_| variable == Host::NAMED);
        let named = named.and_then(|name| Host::named(name.to_str()?));
        let host = named.unwrap_or(host);
        Some(Shell {
            host,
            variable: Some(variable),
            session: session(host, &env),
        })
    }

    /// The agent that is among the parents of a process, each by all its names, the nearest
    /// first. Above a terminal or an editor nobody is looked for: there the user types.
    fn below(parents: impl Iterator<Item = Vec<String>>) -> Option<Shell> {
        let is_agent = |name: &String| Host::PARENTS.contains(&&**name);
        let is_near = |names: &Vec<String>| {
            let mut terminals = TERMINALS.split_whitespace();
            !terminals.any(|terminal| names.iter().any(|name| name == terminal))
        };
        let mut near = parents.take_while(is_near);
        let agent = near.find_map(|names| names.into_iter().find(is_agent))?;
        Some(Shell {
            host: Host::named(&agent)?,
            variable: None,
            session: None,
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
        let id = self.host.id;
        match self.variable {
            Some(variable) => format!("this is {id}'s shell (`{variable}` is set)"),
            None => format!("this is {id}'s shell (`{id}` is a parent of this process)"),
        }
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
            Some((shell.host.id, shell.variable?, shell.session))
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
        for (variable, value, id) in [
            ("AI_AGENT", "claude-code_2-1-325", "claude"),
            ("AI_AGENT", "devin", "agent"),
            ("CODEX_SANDBOX", "seatbelt", "codex"),
            ("AUGMENT_AGENT", "1", "auggie"),
            ("AMP_CURRENT_THREAD_ID", "T-1", "amp"),
        ] {
            assert_eq!(of(&[(variable, value)]), Some((id, variable, None)));
        }
        // Editors, and what users set themselves.
        for variable in [
            "CURSOR_TRACE_ID",
            "AGENT",
            "REPL_ID",
            "COPILOT_MODEL",
            "TERM_PROGRAM",
        ] {
            assert_eq!(of(&[(variable, "1")]), None, "{variable}");
        }
    }

    #[test]
    fn a_shell_is_known_by_its_parents_up_to_a_terminal() {
        let below = |parents: &[&[&str]]| {
            let names = |of: &&[&str]| of.iter().map(|name| (*name).to_owned()).collect();
            Shell::below(parents.iter().map(names)).map(|shell| shell.host.id)
        };
        assert_eq!(below(&[]), None);
        assert_eq!(below(&[&["bash"], &["make"], &["claude"]]), Some("claude"));
        assert_eq!(
            below(&[&["bash"], &["node", "gemini"], &["bash"]]),
            Some("gemini")
        );
        // The user works in a terminal that an agent has opened, or in an editor.
        assert_eq!(
            below(&[&["bash"], &["tmux: server", "tmux"], &["claude"]]),
            None
        );
        assert_eq!(below(&[&["zsh"], &["code"], &["claude"]]), None);
        assert_eq!(below(&[&["bash"], &["claude-desktop"], &["systemd"]]), None);
    }
}
