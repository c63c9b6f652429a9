//! What was meant by a name that there is not: by meaning first, then as a slip of the hand.

/// Names, and what people call them elsewhere: fields and flags, then commands, then values. The
/// first name that is known counts.
const MEANT: &str = "\
text: query search words keywords match contains
component: service module package app
key: name field
value: command cmd content body hint
reason: message msg comment description desc note because why
tags: label labels topic
ttl: expires expire expiry expiration lifetime until
cwd: dir directory folder path working-directory workdir
repo: repository remote origin project
branch: ref head rev
os: platform system
env: environment variable var
priority: importance weight
limit: max count first top num number lines max-count
everywhere: global g system-wide user any
anywhere: everywhere global
all: recursive everything
long: verbose details wide
verbose: long details debug explain
raw: plain porcelain value-only no-pager
yes: force assume-yes no-confirm noconfirm non-interactive
dry_run: preview simulate what-if noop check
output: out outfile
file: input from-file filename
outcome: success result failed ok fail
keep: persist pin
json: output format o machine
sensitivity: secret private hidden
status: info ps start up stats health whoami
set: update put save new create change insert store write apply define note
get: read fetch lookup print cat which test build lint format fmt
why: explain describe inspect view blame
query: grep filter fzf q
ls: keys components all dir tree ll l la
bump: use used worked works ok vote upvote
install: setup enable connect link register plugin
proposals: pending review inbox suggestions pr
accept: approve confirm merge
log: logs recent activity timeline reflog
watch: tail follow monitor events
ui: web page browser gui dashboard
config: settings options env preferences alias
doctor: diagnose debug repair
restart: upgrade reload
export: dump backup share
import: load
undo: revert rollback back
run: execute
learn: scan discover
serve: server daemon
sync: push pull remote
ok: success succeeded successful passed worked true
fail: failed failure error broken false";

/// The known name that was meant by another: one of the same meaning, else one that is only a
/// slip away; none where that would be a guess.
#[must_use]
pub fn suggest<'k>(typed: &str, known: &[&'k str]) -> Option<&'k str> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let typed = plain(typed);
    let names: Vec<String> = known.iter().map(|name| plain(name)).collect();
    let at = |name: &str| names.iter().position(|known| known == name);
    let has = |words: &str| words.split_whitespace().any(|word| plain(word) == typed);
    let rows = MEANT.lines().filter_map(|row| row.split_once(": "));
    let mut meant = rows.filter(|(_, words)| has(words));
    let meant = at(&typed).or_else(|| meant.find_map(|(name, _)| at(name)));
    let slip = || {
        let slips = names.iter().enumerate();
        let slips = slips.filter_map(|(at, name)| Some((slips_to(&typed, name)?, at)));
        slips.min().map(|(_, at)| at)
    };
    // The start of one name, and of no other.
    let start = || {
        let is_start = |name: &&String| typed.len() > 2 && name.starts_with(&typed);
        let mut longer = names.iter().enumerate().filter(|(_, name)| is_start(name));
        let first = longer.next().map(|(at, _)| at);
        first.filter(|_| longer.next().is_none())
    };
    let found = meant.or_else(slip).or_else(start)?;
    known.get(found).copied()
}

/// How many slips of the hand make one name of another, if they are few. Of a short word another
/// letter makes another word.
fn slips_to(typed: &str, name: &str) -> Option<usize> {
    let slips = strsim::osa_distance(typed, name);
    let (long, other) = (typed.chars().count(), name.chars().count());
    let is_other_word = long < 5 && long == other && !is_swapped(typed, name);
    let most = if long < 8 { 1 } else { 2 };
    (slips <= most && long > 2 && !is_other_word).then_some(slips)
}

/// Whether two words have the same letters.
fn is_swapped(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    });
    one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaning_goes_before_letters_and_neither_is_a_guess() {
        let names = |names: &'static str| names.split(' ').collect::<Vec<_>>();
        let flags = names("component yes dry-run limit cwd tags mode");
        let commands = names("set get edit ls log history status");
        for (typed, known, expected) in [
            ("force", &flags[..], Some("yes")),
            ("preview", &flags, Some("dry-run")),
            ("dry_run", &flags, Some("dry-run")),
            ("dryrun", &flags, Some("dry-run")),
            ("directory", &flags, Some("cwd")),
            ("tag", &flags, Some("tags")),
            ("comp", &flags, Some("component")),
            ("componnet", &flags, Some("component")),
            ("files", &flags, None),
            ("colour", &flags, None),
            ("c", &flags, None),
            ("f", &flags, None),
            ("rf", &flags, None),
            ("", &flags, None),
            ("exit", &commands, None),
            ("quit", &commands, None),
            ("gte", &commands, Some("get")),
            ("lgo", &commands, Some("log")),
            ("net", &commands, None),
            ("histroy", &commands, Some("history")),
            ("stauts", &commands, Some("status")),
            ("update", &commands, Some("set")),
        ] {
            assert_eq!(suggest(typed, known), expected, "{typed}");
        }
    }

    #[test]
    fn no_name_is_said_to_mean_itself() {
        for (name, words) in MEANT.lines().map(|row| row.split_once(": ").unwrap()) {
            assert!(!words.split(' ').any(|word| word == name), "{name}");
        }
    }
}
