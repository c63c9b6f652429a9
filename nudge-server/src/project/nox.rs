//! `noxfile.py`: its sessions, read and not executed.

use super::blocks::blocks;
use super::manifest::Manifest;

pub(super) const FILE: &str = "noxfile.py";

/// Reads a `noxfile.py`.
pub(super) fn read(text: &str) -> Manifest {
    // A session that is made in a loop or a function may have any name.
    let is_inner = |line: &str| line.starts_with([' ', '\t']) && is_session(line.trim_start());
    let is_open = text.contains("import *") || text.lines().any(is_inner);
    let mut manifest = Manifest::open(is_open);
    // What the decorators before a function say, once one of them makes it a session.
    let mut decorators = String::new();
    for (line, body) in blocks(text) {
        let function = line.trim_start_matches("async ").strip_prefix("def ");
        match function.and_then(|function| function.split_once('(')) {
            Some((name, _)) if !decorators.is_empty() => {
                let said = said_name(&decorators);
                manifest.is_open |= said == Some("");
                let body = format!("{decorators}{body}");
                manifest.declare(said.unwrap_or(name), body.trim_end());
                decorators.clear();
            }
            _ if is_session(line) || !decorators.is_empty() => {
                decorators.extend([line, "\n", &body]);
            }
            _ => {}
        }
    }
    manifest
}

/// Whether a line begins the decorator that makes a session.
fn is_session(line: &str) -> bool {
    let path = line.split(['(', ' ', '#']).next().unwrap_or_default();
    path.starts_with('@') && path.ends_with("session")
}

/// The name that a decorator gives; empty for one that is not written out.
fn said_name(decorators: &str) -> Option<&str> {
    let mut values = decorators.split("name").skip(1);
    let value = values.find_map(|rest| rest.trim_start().strip_prefix('='))?;
    let quote = value.trim_start().chars().next();
    let quote = quote.filter(|quote| "'\"".contains(*quote));
    let name = quote.and_then(|quote| value.split(quote).nth(1));
    Some(name.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::manifest::names_of;
    use super::*;

    #[test]
    fn sessions_are_read_by_their_decorators() {
        for (text, expected) in [
            ("@nox.session\ndef tests(session):\n    pass\n", "tests"),
            (
                "@nox.session(python=['3.11'])\ndef tests(session): ...\n",
                "tests",
            ),
            (
                "@session(name='type-check')\ndef mypy(s):\n  pass\n",
                "type-check",
            ),
            (
                "@nox.session(\n    reuse_venv=True,\n    name = \"lint\",\n)\ndef x(s):\n  1\n",
                "lint",
            ),
            (
                "@nox.session\n@nox.parametrize('v', [1])\ndef unit(session, v):\n  1\n",
                "unit",
            ),
            (
                "@nox.session\nasync def a(session):\n  1\n\n\ndef b():\n  2\n",
                "a",
            ),
            ("def helper():\n    pass\n", ""),
            (
                "from shared import *\n@nox.session\ndef a(s):\n  1\n",
                "a …",
            ),
            (
                "for x in y:\n    @nox.session\n    def a(s):\n      1\n",
                " …",
            ),
            ("@nox.session(name=f\"{x}\")\ndef a(s):\n  1\n", " …"),
        ] {
            assert_eq!(names_of(&read(text)), expected, "{text}");
        }
    }

    #[test]
    fn what_a_session_does_is_hashed_with_its_decorators() {
        let slice = |text: &str| read(text).named("a").unwrap().slice.clone();
        let one = slice("@nox.session\ndef a(s):\n    s.run('x')\n");
        assert_eq!(
            one,
            slice("@nox.session\ndef a(s):\n    s.run('x')\n\n\nB = 1\n")
        );
        assert_ne!(one, slice("@nox.session\ndef a(s):\n    s.run('y')\n"));
        assert_ne!(
            one,
            slice("@nox.session(python='3')\ndef a(s):\n    s.run('x')\n")
        );
    }
}
