//! One spelling for every git remote.
//!
//! A repository is known under many remotes: with and without a user, a port, a
//! `.git`, over https and over ssh. Scopes compare repositories, so every
//! spelling is read into one before anything is compared or shown.

mod host;
mod path;

use std::borrow::Cow;
use std::fmt;

use host::{authority_host, has_inner_at, host_name, ipv6, is_group, is_host};
use path::{azure, drive, path_parts, resolve, unescape};

/// The longest text that is read or written, in bytes.
const LONGEST: usize = 1024;

/// What the spelling of a repository on a host begins with.
const GIT: &str = "git:";

/// One spelling for a repository: `git:host/org/repo`, or `file:///path` for a local one.
///
/// Scheme, user, password, port and a final `.git` are no part of it; the host
/// is in lower case and the path as it was written. Reading a spelling again
/// gives the same spelling.
///
/// ```
/// use nudge::Repo;
///
/// let https = Repo::parse("https://mara:secret@GitHub.com:443/globex/mailer.git").unwrap();
/// let ssh = Repo::parse("git@github.com:globex/mailer").unwrap();
/// assert_eq!(https.as_str(), "git:github.com/globex/mailer");
/// assert_eq!(https, ssh);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repo {
    /// The whole spelling.
    text: Box<str>,
    /// Where the path begins: after the host, after `git:` without one, 0 for a local repository.
    path: u16,
}

impl Repo {
    /// Reads a git remote, a local path, one of our own spellings or a bare `org/repo`.
    ///
    /// `None` when the text names no repository: a relative path, a remote
    /// helper, a host without a path, control characters, over 1,024 bytes.
    ///
    /// ```
    /// use nudge::Repo;
    ///
    /// let text = |remote| Repo::parse(remote).map(|repo| repo.to_string());
    /// assert_eq!(text("ssh://git@git.hooli.dev:7022/a/b.git").unwrap(), "git:git.hooli.dev/a/b");
    /// assert_eq!(text("globex/mailer").unwrap(), "git:globex/mailer");
    /// assert_eq!(text(r"e:\dev\chat").unwrap(), "file:///E:/dev/chat");
    /// assert_eq!(text("../chat.git"), None);
    /// assert_eq!(text("ssh://"), None);
    /// ```
    #[must_use]
    pub fn parse(remote: &str) -> Option<Repo> {
        if remote.len() > LONGEST || remote.chars().any(char::is_control) {
            return None;
        }
        if let Some((scheme, rest)) = split_scheme(remote) {
            return match scheme.to_ascii_lowercase().as_str() {
                "file" => Repo::file_url(rest),
                "ssh" | "git" | "git+ssh" | "ssh+git" => Repo::url(rest, false),
                "https" | "http" | "ftps" | "ftp" | "git+https" | "git+http" => {
                    Repo::url(rest, true)
                }
                _ => None,
            };
        }
        if is_helper(remote) {
            return None;
        }
        if let Some(rest) = strip_word(remote, GIT) {
            return Repo::spelled(rest);
        }
        if let Some(rest) = strip_word(remote, "file:") {
            return rest.starts_with('/').then(|| Repo::file_url(rest))?;
        }
        if remote.starts_with(['/', '\\']) || drive(remote).is_some() {
            return Repo::local(&unescape(remote)?);
        }
        match remote.split_once(':') {
            Some((head, _)) if !head.contains('/') => Repo::scp(remote),
            _ => Repo::bare(remote),
        }
    }

    /// The spelling, fit to be stored, shown and compared; no credential is left in it.
    ///
    /// ```
    /// use nudge::Repo;
    ///
    /// let repo = Repo::parse("https://dev.azure.com/initech/Tools/_git/kit").unwrap();
    /// assert_eq!(repo.as_str(), "git:dev.azure.com/initech/Tools/kit");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A text that is read into this very repository. It is the spelling, but for a
    /// host that would be taken for a group when the spelling is read again.
    pub(crate) fn remote(&self) -> Cow<'_, str> {
        let on_host = self.text.get(GIT.len()..).unwrap_or_default();
        match on_host.split_once('/') {
            Some((host, _)) if usize::from(self.path) > GIT.len() && is_group(host) => {
                format!("ssh://{on_host}").into()
            }
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// Whether a scope that names `self` holds for a context that names `fact`.
    ///
    /// A scope without a host holds on every host, and a context without one is on any.
    ///
    /// ```
    /// use nudge::Repo;
    ///
    /// let repo = |text| Repo::parse(text).unwrap();
    /// let fact = repo("git@github.com:globex/mailer.git");
    /// assert!(repo("git:globex/mailer").allows(&fact));
    /// assert!(repo("git:github.com/globex/mailer").allows(&fact));
    /// assert!(!repo("git:gitlab.com/globex/mailer").allows(&fact));
    /// assert!(repo("git:github.com/globex/mailer").allows(&repo("git:globex/mailer")));
    /// ```
    #[must_use]
    pub fn allows(&self, fact: &Repo) -> bool {
        // Equal texts suffice although one may have been read with a host and the
        // other without: `ssh://gitbox/a/b` is spelled `git:gitbox/a/b`, and read
        // from that spelling `gitbox` is a group.
        let is_on_any = self.is_without_host() || fact.is_without_host();
        self.text == fact.text || is_on_any && self.path() == fact.path()
    }

    /// The path on the host; `None` for a local repository.
    pub(crate) fn path(&self) -> Option<&str> {
        (self.path > 0).then(|| self.text.get(usize::from(self.path)..))?
    }

    /// Whether the path is all that is known.
    pub(crate) fn is_without_host(&self) -> bool {
        usize::from(self.path) == GIT.len()
    }

    /// Keeps a finished spelling whose path begins at `path`, unless it is too long to be read again.
    fn new(text: String, path: usize) -> Option<Repo> {
        if text.len() > LONGEST {
            return None;
        }
        Some(Repo {
            text: text.into_boxed_str(),
            path: u16::try_from(path).ok()?,
        })
    }

    /// Reads what follows the `scheme://` of a remote; on the `web` a query and a fragment are dropped.
    fn url(rest: &str, web: bool) -> Option<Repo> {
        let (authority, path) = rest.split_once('/')?;
        let host = authority_host(authority)?;
        let end = if web { path.find(['?', '#']) } else { None };
        let path = end.map_or(Some(path), |end| path.get(..end))?;
        // A password with a raw `/` in it moves the `@` into what looks like the
        // path. Such a remote works nowhere, and spelling it would show the password.
        if is_group(&host) && has_inner_at(path) {
            return None;
        }
        Repo::hosted(&host, path)
    }

    /// Reads `user@host:path` and `host:path`, which has no port: `h:22/a` is the folder `22`.
    fn scp(remote: &str) -> Option<Repo> {
        let (user, host, path) = match remote.split_once('[') {
            // Brackets hold an IPv6 address, or a host with a port after all.
            Some((before, inner))
                if before.is_empty() || (before.ends_with('@') && !before.contains(':')) =>
            {
                let (inside, path) = inner.split_once("]:")?;
                let name = inside.rsplit_once('@').map_or(inside, |(_, name)| name);
                (true, ipv6(name).or_else(|| authority_host(name))?, path)
            }
            _ => {
                let (head, path) = remote.split_once(':')?;
                let (user, name) = head
                    .rsplit_once('@')
                    .map_or((None, head), |(user, name)| (Some(user), name));
                if user == Some("") {
                    return None;
                }
                (user.is_some(), host_name(name)?, path)
            }
        };
        // Git takes each of these for a host, but nobody means one: `https:/x`,
        // `localhost:3000`, `C:dev`, `note: text`, `ola:password@host:x`.
        let no_host = matches!(host.as_str(), "http" | "https" | "ssh" | "ftp" | "ftps")
            || host.len() == 1
            || path.bytes().all(|byte| byte.is_ascii_digit())
            || has_inner_at(path);
        let login = is_group(&host) && has_inner_at(path);
        if (!user && no_host) || login || path.starts_with(' ') {
            return None;
        }
        Repo::hosted(&host, path)
    }

    /// Reads what follows `git:` in one of our own spellings.
    fn spelled(rest: &str) -> Option<Repo> {
        // Decoded and resolved first: an escape or a dot must not make another
        // first part when the spelling is read again.
        let rest = unescape(rest)?;
        let parts = resolve(&rest, false)?;
        let (first, tail) = parts.split_first()?;
        let tail = tail.join("/");
        let first = match first.rsplit_once('@') {
            Some((user, name)) if !user.is_empty() && !name.is_empty() => name,
            _ => first,
        };
        let name = first.split(':').next().unwrap_or_default();
        let host = if tail.is_empty() {
            // One part is a repository's name, whatever it looks like.
            None
        } else if first.starts_with('[') || is_host(name) {
            Some(authority_host(first)?)
        } else {
            ipv6(first)
        };
        if let Some(host) = host {
            return Repo::hosted(&host, &tail);
        }
        let login = first.contains(':') && tail.contains('@');
        if login || first.starts_with(':') || matches!(first, "." | "..") {
            return None;
        }
        Repo::on_host(GIT.to_owned(), &path_parts(&format!("{first}/{tail}"))?)
    }

    /// Reads a bare `org/repo`, of which no part may be mistaken for a path or a sentence.
    fn bare(text: &str) -> Option<Repo> {
        let mut parts = text.trim_end_matches('/').split('/');
        let plain = |part: &str| {
            !matches!(part, "" | "." | ".." | "~")
                && part
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+' | '%'))
        };
        let named = text.contains('/') && !text.starts_with('.') && parts.all(plain);
        named.then(|| Repo::spelled(text))?
    }

    /// Spells the repository at `path` on `host`, without Azure's route words.
    fn hosted(host: &str, path: &str) -> Option<Repo> {
        let path = unescape(path)?;
        let parts = path_parts(&path)?;
        let (host, parts) = match azure(host, &parts) {
            Some(parts) => ("dev.azure.com", parts),
            None => (host, parts),
        };
        Repo::on_host(format!("{GIT}{host}/"), &parts)
    }

    /// Spells a path of at least one part after `start`.
    fn on_host(start: String, parts: &[&str]) -> Option<Repo> {
        let at = start.len();
        let mut text = start;
        text.push_str(&parts.join("/"));
        // Reading drops one `.git`, so a name that still has one needs another
        // for the spelling to be read back as it is.
        if parts.last()?.strip_suffix(".git").is_some() {
            text.push_str(".git");
        }
        Repo::new(text, at)
    }

    /// Reads what follows `file://`.
    fn file_url(rest: &str) -> Option<Repo> {
        let rest = unescape(rest)?;
        if rest.starts_with(['/', '\\']) || drive(&rest).is_some() {
            return Repo::local(&rest);
        }
        Repo::share(&rest)
    }

    /// Spells an absolute path of a POSIX or Windows machine; `.` and `..` go by their text alone.
    fn local(path: &str) -> Option<Repo> {
        if let Some(rest) = path.strip_prefix(r"\\?\UNC\") {
            return Repo::share(rest);
        }
        let path = path.strip_prefix(r"\\?\").unwrap_or(path);
        if let Some(rest) = path.strip_prefix(r"\\") {
            return Repo::share(rest);
        }
        // Resolved before a drive is looked for, or `/./C:\x` would be spelled as
        // what is read as a drive the next time.
        let mut path = path.to_owned();
        if path.starts_with('/') {
            path = format!("/{}", resolve(&path, true)?.join("/"));
        }
        if let Some((letter, rest)) = drive(&path) {
            let rest = rest.replace('\\', "/");
            path = format!("/{letter}:/{}", resolve(&rest, true)?.join("/"));
        }
        path.starts_with('/')
            .then(|| Repo::new(format!("file://{path}"), 0))?
    }

    /// Spells `server/share/path`, which is a path of this machine when the server is.
    fn share(rest: &str) -> Option<Repo> {
        let rest = rest.replace('\\', "/");
        let (server, path) = rest.split_once('/')?;
        if server.eq_ignore_ascii_case("localhost") {
            return Repo::local(&format!("/{path}"));
        }
        let fit = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '$');
        if !server.contains(char::is_alphanumeric) || !server.chars().all(fit) {
            return None;
        }
        let parts = resolve(path, true).filter(|parts| !parts.is_empty())?;
        Repo::new(
            format!("file://{}/{}", server.to_lowercase(), parts.join("/")),
            0,
        )
    }
}

impl fmt::Display for Repo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Splits `scheme://rest`.
fn split_scheme(remote: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = remote.split_once("://")?;
    is_scheme(scheme).then_some((scheme, rest))
}

/// Whether git would hand the remote to a helper program, as `bzr::lp:chat`.
fn is_helper(remote: &str) -> bool {
    remote
        .split_once("::")
        .is_some_and(|(name, _)| is_scheme(name))
}

/// Whether the text has only the characters of a scheme.
fn is_scheme(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// The text after `word`, which is matched in any letter case.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_is_read_back_as_it_is() {
        for remote in [
            "https://h.test/a/b.git.git",
            "https://h.test/a/50%2525",
            "ssh://gitbox/a/%FF b",
            "git:a%2Eb%2Fc/d",
            "git:./localhost/d",
            r"/./c:\x",
            r"\\localhost\c:\x",
            "ssh://git@[::1%25eth0]:22/~/x",
        ] {
            let repo = Repo::parse(remote).unwrap();
            let again = Repo::parse(repo.as_str()).unwrap();
            assert_eq!(again.as_str(), repo.as_str(), "{remote}");
            assert!(again.allows(&repo), "{remote}");
        }
    }

    #[test]
    fn the_longest_text_is_read_and_a_longer_one_is_not() {
        let path = |length: usize| "a".repeat(length - "git:h.test/".len());
        let remote = |length| Repo::parse(&format!("git:h.test/{}", path(length)));
        assert!(remote(LONGEST).is_some());
        assert_eq!(remote(LONGEST + 1), None);
        assert_eq!(Repo::parse(&format!("h.test:{}", path(LONGEST + 1))), None);
    }
}
