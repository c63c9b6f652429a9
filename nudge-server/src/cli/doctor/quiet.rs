//! Hooks that are silent although their host is used, and hooks of which nothing comes. The user
//! is told once, with the cause where a file says it.

use super::trust::codex_hooks;
use crate::install::hooks::Hooks;
use crate::install::machine::Machine;
use crate::install::table::{Host, Scope};
use crate::past::{Source, day};
use crate::primary::Primary;

/// After how many days on which a host was used its silence is told.
const DAYS: u64 = 7;

/// Looks at each host that has hooks of ours and whose transcripts say when it is used.
pub(crate) fn look(primary: &Primary) {
    let Ok(machine) = Machine::here() else {
        return;
    };
    for host in machine.hosts() {
        let mut sources = Source::usual();
        let source = sources.find(|source| source.name() == host.name);
        if let Some((told, words)) = source.and_then(|it| alarm(primary, &machine, it, host)) {
            primary.tell_of_silence(host.id, told, words);
        }
    }
}

/// What the user is to know of a host, and up to which day.
fn alarm(
    primary: &Primary,
    machine: &Machine,
    source: Source,
    host: &Host,
) -> Option<(u64, String)> {
    let hooks = Hooks::of(host)?;
    let file = hooks.file(Scope::User, machine).ok()?;
    if !hooks.is_wired(&file.text) {
        return None;
    }
    let (heard, name) = (primary.heard(host.id), host.name);
    // Hooks that are new were not silent before.
    let since = heard.last.max(day(&file.path)?);
    let is_over = primary.today() >= since + DAYS && heard.told < since;
    let days = if is_over {
        source.days_used(machine, since) as u64
    } else {
        0
    };
    if days >= DAYS {
        let since_when = match heard.last {
            0 => "since its hooks are there, and none of them was heard",
            _ => "since a hook of it was last heard",
        };
        // As far as the files of the user say.
        let untrusted = codex_hooks(host, Scope::User, machine).filter(|_| host.id == "codex");
        let cause = untrusted.map(|finding| finding.words);
        let cause = cause.as_deref();
        let cause = cause.unwrap_or("type `nudge doctor` in a project where you use it");
        let words = format!("{name} was used on {days} days {since_when}: {cause}");
        return Some((since, words));
    }
    if heard.days < DAYS || heard.told > 0 || primary.has_learned() {
        return None;
    }
    let cause = if primary.settings.keep {
        "only commands in a repository that has a remote teach anything"
    } else {
        "nothing is kept; `nudge config` says where `keep` is off"
    };
    let words = format!(
        "hooks of {name} were heard on {} days and nothing was learned: {cause}",
        heard.days
    );
    Some((heard.last, words))
}
