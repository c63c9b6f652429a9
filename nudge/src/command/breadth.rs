//! How much of a project a command is about, and whether anything is learned from it.

use super::invocation::{Invocation, base};
use super::line::{CommandLine, is_variable};
use super::programs::{MANY_NAMES, has, lists};
use super::safety::is_plain_word;
use super::step::{Step, parts};
use crate::scope::path::is_windows;

/// How much of a project a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// What the project declares by a name, or a tool over all of a folder.
    Whole,
    /// A part, such as a package or one target, or one that also changes files.
    Narrow,
    /// One file, one test, or those of a pattern.
    Spot,
}

use Breadth::{Narrow, Spot, Whole};

/// The longest command that is learned.
const LONGEST: usize = 200;

/// Flags with which a command watches, updates snapshots or only shows something.
const NEVER: &str = "
* : --watch --watchAll --watch-all --update --updateSnapshot --update-snapshots --snapshot-update --version --help -h \
    --list --list-tests --listTests --collect-only --co --no-run --dry-run --fixtures --markers --showConfig --show-config \
    --print-config --show-files --show-settings --clearCache --init
tsc vue-tsc vitest mocha rollup webpack tsup : -w --ui
tsc vue-tsc eslint prettier jest vitest stylelint : -v
make gmake ninja : -n -p -q -t --just-print --recon --question
just : -n -l --summary --show --evaluate --choose --edit
task : -n -l -a --list-all --dry --summary
tox nox : -l -a --listenvs --showconfig
go : -n -c -list
";

/// Flags that choose files, tests, packages, targets or another folder, or that change files.
const NARROWING: &str = "
* : --filter --package --scope --grep --only --changed --since --affected --shard --last-failed --lf --failed-first --ff \
    --stepwise --sw --testNamePattern --testPathPattern --testPathPatterns --test-name-pattern --findRelatedTests \
    --onlyChanged --files --package-path --directory --prefix --cwd --manifest-path --fix --fix-only --write --in-place \
    --apply --autofix --autocorrect
npm jest vitest playwright nx : -w -p --workspace --project --projects
pnpm turbo lerna bun : -F -C
make gmake ninja just task : -C -f -d
cargo cross : -p -E --lib --doc --test --bin --example --bench --exact --skip --ignored
pytest py.test unittest : -k -m --deselect
jest vitest mocha ava bun playwright rspec : -t -g -o -f -e
go gotestsum : -run -skip -fuzz -bench
ctest : -R -E -L
gradle gradlew mvn mvnw : --tests -pl -Dtest
mypy : -p -m -c
gofmt gofumpt goimports prettier shfmt : -w
clang-format yapf autopep8 : -i
rubocop : -a -A
";

/// Those of them that choose a test or a file.
const CHOOSING_TESTS: &str = "--grep --only --last-failed --lf --failed-first --ff --stepwise --sw --testNamePattern --testPathPattern \
    --testPathPatterns --test-name-pattern --findRelatedTests --files --exact --skip --ignored -k -m --deselect -t -g -o -e \
    -run -skip -fuzz -bench -R -L --tests -Dtest --test --example --bench";

/// Programs whose plain words choose a test, a hook, a service or a project.
const CHOOSING: &str = "cargo cross pre-commit prek docker podman docker-compose manage.py nx";

/// What kind of command it is and how broad, if it is one that can be learned.
pub(crate) fn learnable(line: &CommandLine) -> Option<(Step, Breadth)> {
    // Where a program lies is about one machine.
    let is_anywhere = |word: &String| !word.starts_with('/') && !is_windows(word);
    let is_one = line.is_simple
        && line.variables.is_empty()
        && line.words.first().is_some_and(is_anywhere)
        && line.words.iter().all(|word| is_plain_word(word));
    let is_short = line.text.len() <= LONGEST && !line.text.contains(['\n', '\r']);
    let (step, breadth) = breadth(line).filter(|_| is_one && is_short)?;
    let is_kind = !matches!(step, Step::Deploy | Step::Migrate);
    // A test that leaves its report there is a test all the same.
    let mut starts = TEMPORARY.iter();
    let is_temporary = starts.any(|start| line.text.contains(start)) || line.text.ends_with("/tmp");
    let is_kept = step == Step::Test || !is_temporary;
    (is_kind && is_kept).then_some((step, breadth))
}

/// Folders whose files are gone tomorrow.
const TEMPORARY: [&str; 4] = ["/tmp/", "/var/folders/", "/var/tmp/", "/private/"];

/// Parts of a name that leave it the name of all of a step, endings of scripts among them.
const NEUTRAL: &str = "all check ci dev run start full sh bash js mjs ts py rb";

/// The step of which the first command of a line does all: it is no part by its arguments,
/// nor by the name that the project has for it, as `test-docs` or `check_size.py`.
pub(crate) fn whole_step(line: &CommandLine) -> Option<Step> {
    let (step, _) = breadth(line).filter(|(_, breadth)| *breadth == Whole)?;
    let name = Invocation::of(&line.words)?.declared.map(parts);
    let says_step = |part: &String| has(NEUTRAL, part) || Step::of_name(part) == Some(step);
    name.is_none_or(|name| name.iter().all(says_step))
        .then_some(step)
}

/// What kind of command the first one of a line is and how broad; `None` where it does
/// nothing of a kind, watches, or only shows something.
fn breadth(line: &CommandLine) -> Option<(Step, Breadth)> {
    let found = Invocation::of(&line.words)?;
    let name = parts(found.declared.unwrap_or_default());
    let is_named = |words: &str| name.iter().any(|part| has(words, part));
    let is_flag = |word: &&&str| word.starts_with('-') && !word.ends_with("=false");
    let shows = |flag: &&str| {
        let is_version = *flag == "-V" && !has("ctest mvn mvnw", found.program);
        let updates = *flag == "-u" && found.step == Step::Test;
        is_version || updates || lists(NEVER, found.program, flag)
    };
    let watches = is_named("watch update snapshot snapshots")
        || found.plain.iter().any(|word| has("watch list", word));
    if watches || found.words.iter().filter(is_flag).any(shows) {
        return None;
    }
    // What a script is given may be for any program; what a wrapper is given moves all of it.
    let mut passed = found.words.iter().skip(found.passed).filter(is_flag);
    let mut words = found.words.iter();
    let is_flagged = |flag: &&str| lists(NARROWING, found.program, flag);
    let is_spot = found.plain.iter().any(|word| is_one_spot(word))
        || found.step == Step::Run && found.plain.len() > 1
        || words
            .clone()
            .any(|flag| is_flagged(flag) && has(CHOOSING_TESTS, without_value(flag)))
        || passed
            .clone()
            .any(|flag| has(CHOOSING_TESTS, without_value(flag)));
    let is_narrow = is_named("fix write")
        || found.plain.iter().any(|word| chooses(&found, word))
        || found.declared.is_some() && found.words.iter().any(|word| is_variable(word))
        || words.any(|flag| lists(NARROWING, found.program, flag))
        || line.words.iter().any(|flag| lists(NARROWING, "", flag))
        || passed.any(|flag| has(NARROWING, flag));
    let breadth = match (is_narrow, is_spot) {
        (true, true) => Spot,
        (true, false) => Narrow,
        _ => Whole,
    };
    Some((found.step, breadth))
}

fn without_value(flag: &str) -> &str {
    flag.split('=').next().unwrap_or(flag)
}

/// Whether a plain word means a file, a test, or those of a pattern.
fn is_one_spot(word: &str) -> bool {
    let file = base(word.trim_end_matches('/'));
    let is_file = file.trim_start_matches('.').contains('.') && !word.ends_with("...");
    is_file || word.contains("::") || word.contains('*') && !word.contains("**")
}

/// Whether a plain word means less than a folder.
fn chooses(found: &Invocation<'_>, word: &str) -> bool {
    let file = base(word.trim_end_matches('/'));
    let is_file = file.trim_start_matches('.').contains('.') || word.contains("::");
    let is_pattern = word.contains('*') && !word.contains("**");
    if found.declared.is_some() {
        // What follows a recipe of just may be its argument.
        let is_sure = found.program != "just" || Step::of_name(word).is_some();
        return !has(MANY_NAMES, found.program) || !is_sure || word.contains('/') || is_file;
    }
    if word.contains("**") || has(". ... ./... //...", word) {
        return false;
    }
    let is_package = has(
        "go golangci-lint gotestsum staticcheck bazel buck2",
        found.program,
    );
    let is_part = has("jest vitest bun ava", found.program)
        && !word.contains('/')
        && !has("run src", word)
        && Step::of_name(word).is_none();
    // `src/app` may be all there is; what lies deeper is a part of it.
    let deep = word.trim_start_matches("./").trim_end_matches('/');
    let is_part = is_part || is_package || deep.matches('/').count() > 1;
    is_file || is_pattern || is_part || has(CHOOSING, found.program) && word != "run"
}

/// Whether a command is a known one with more flags: the same words in order, and more that
/// are flags or their values.
pub(crate) fn is_with_more_flags(new: &CommandLine, known: &CommandLine) -> bool {
    let mut rest = known.words.iter().peekable();
    let mut takes_value = false;
    let mut has_more = false;
    for word in &new.words {
        if rest.next_if_eq(&word).is_some() {
            takes_value = false;
            continue;
        }
        let is_flag = word.starts_with('-');
        if !is_flag && !takes_value {
            return false;
        }
        has_more = true;
        takes_value = is_flag && word != "--" && !word.contains('=');
    }
    has_more && rest.next().is_none() && new.variables == known.variables
}

/// Whether a command runs a name of the project that another one qualifies: `test:ci` of `test`.
pub(crate) fn is_qualified(new: &CommandLine, known: &CommandLine) -> bool {
    let name = |line: &CommandLine| {
        Invocation::of(&line.words).and_then(|it| it.declared.map(str::to_owned))
    };
    let (Some(new), Some(known)) = (name(new), name(known)) else {
        return false;
    };
    let rest = new.strip_prefix(&*known);
    rest.is_some_and(|rest| rest.starts_with([':', '-', '.', '_']))
}

#[cfg(test)]
mod tests {
    use super::{is_with_more_flags, learnable};
    use crate::command::line::CommandLine;
    use crate::command::tests::rows;

    /// What is learned, and from which command.
    const CASES: &str = include_str!("../../../tests/hooks/breadth.tsv");

    fn read(command: &str) -> CommandLine {
        CommandLine::read(command).unwrap()
    }

    #[test]
    fn a_command_is_as_broad_as_the_table_says() {
        for [expected, command] in rows(CASES) {
            let actual = match learnable(&read(&command)) {
                Some((step, breadth)) => format!("{} {breadth:?}", step.name()).to_lowercase(),
                None => "never".to_owned(),
            };
            assert_eq!(actual, expected, "{command}");
        }
    }

    #[test]
    fn a_long_command_and_one_of_several_lines_are_not_learned() {
        let long = format!("pytest {}", "tests ".repeat(40));
        assert_eq!(learnable(&read(&long)), None);
        assert_eq!(learnable(&read("make test '\n'")), None);
        assert_eq!(learnable(&read("make test | tail")), None);
    }

    #[test]
    fn more_flags_are_flags_and_their_values() {
        let more = "make test -j 4 | make -k test | make test -- --quiet";
        let other = "make test | make | make test lint | make test -- one | make -k lint | A=1 make test -k";
        for (commands, expected) in [(more, true), (other, false)] {
            for command in commands.split(" | ") {
                let actual = is_with_more_flags(&read(command), &read("make test"));
                assert_eq!(actual, expected, "{command}");
            }
        }
    }
}
