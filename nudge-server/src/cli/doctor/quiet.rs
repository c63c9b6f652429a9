//! Hooks that are silent although their host is used, and hooks of which nothing comes. The user
//! is told once, with the cause where a file says it.

use super::trust;
use crate::install::hooks::Hooks;
use crate::install::machine::Machine;
use crate::install::table::{Host, Scope};
use crate::past::{Source, day};
use crate::primary::Primary;

/// How many days of use are too many.
const DAYS: u64 = 7;

/// Looks at each host that has hooks of ours and whose transcripts say when it is used.
pub(crate) fn look(primary: &Primary) {
    let Ok(machine) = Machine::here() else {
        return;
    };
    for source in Source::ALL {
        let host = machine
            .hosts()
            .into_iter()
            .find(|host| host.name == source.name());
        if let Some((host, told, words)) =
            host.and_then(|host| alarm(primary, &machine, source, host))
        {
            primary.tell_of_silence(host.id, told, words);
        }
    }
}

/// What the user is to know of a host, and up to which day.
fn alarm<'h>(
    primary: &Primary,
    machine: &Machine,
    source: Source,
    host: &'h Host,
) -> Option<(&'h Host, u64, String)> {
    let hooks = Hooks::of(host)?;
    let file = hooks.file(Scope::User, machine).ok()?;
    if hooks.found(&file.text).ok()?.is_empty() {
        return None;
    }
    let (heard, name) = (primary.heard(host.id), host.name);
    // Hooks that are new were not silent before.
    let since = heard.last.max(day(&file.path)?);
    let is_told = heard.told >= since;
    let days = source.days_used(machine, since) as u64;
    if days >= DAYS {
        let words = format!(
            "{name} was used on {days} days since a hook of it was heard: {}",
            cause(host, machine)
        );
        return (!is_told).then_some((host, since, words));
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
    Some((host, heard.last, words))
}

/// Why hooks are silent, as far as the host's files say.
fn cause(host: &Host, machine: &Machine) -> String {
    let trust = trust::of(host, machine).into_iter().next();
    trust.map_or_else(
        || "`nudge doctor` looks at its hooks".to_owned(),
        |finding| finding.words,
    )
}
