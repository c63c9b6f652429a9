//! `Invocation`: a command without what only changes where or how it runs.

use super::line::is_variable;
use super::programs::{
    INTERPRETERS, MANAGERS, MANY_NAMES, NAMING, OPENERS, TWO_WORDS, VALUED, WRAPPERS, action, has,
    has_subcommands, is_known, is_runner, lists,
};
use super::step::Step;

/// How many words are looked at: wrappers around wrappers have an end.
const MOST_WORDS: usize = 64;

/// The program that does the work, and what it is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Invocation<'w> {
    /// Without its folder and version.
    pub(crate) program: &'w str,
    pub(crate) step: Step,
    /// The script, target, recipe or environment of the project that it runs, if it runs one.
    pub(crate) declared: Option<&'w str>,
    /// Its other plain words, without a subcommand.
    pub(crate) plain: Vec<&'w str>,
    /// All words behind it, and from where on they are for what it runs.
    pub(crate) words: Vec<&'w str>,
    pub(crate) passed: usize,
}

/// A plain word is no flag, value, number or variable; this is one and where it stands.
type Plain<'w> = (usize, &'w str);

type Match<'w> = Option<Invocation<'w>>;

impl<'w> Invocation<'w> {
    /// What a command comes down to, by its words without variables; `None` if it takes no step.
    pub(crate) fn of(words: &'w [String]) -> Match<'w> {
        let words = words.iter().map(String::as_str).take(MOST_WORDS);
        resolve(&words.collect::<Vec<_>>())
    }
}

fn resolve<'w>(words: &[&'w str]) -> Match<'w> {
    if let Some(count) = wrapper(words, WRAPPERS) {
        return resolve(from(words, count));
    }
    let (first, rest) = words.split_first()?;
    let call = Call::new(base(first), rest);
    let (at, second) = call.plain.first().copied().unwrap_or_default();
    if has(TWO_WORDS, &format!("{}-{second}", call.program)) {
        let rest = without_settings(from(rest, at + 1), true);
        let name = base(rest.first()?);
        let step = Step::of_name(name).filter(|_| !is_known(name));
        let by_name = || Call::new(call.program, rest).takes(step, Some(0), Some(name));
        return resolve(rest).or_else(by_name).or_else(|| call.acts());
    }
    // In a container of the project runs what stands behind the name of the service.
    let is_composed = call.program == "docker-compose" || call.at("compose").is_some();
    if let [(_, "run" | "exec"), _, (at, _), ..] = call.plain[..]
        && is_composed
    {
        return resolve(from(rest, at));
    }
    let known = match call.program {
        program if has(INTERPRETERS, interpreter(program)) => return call.interprets(),
        program if has(MANAGERS, program) => call.manages(),
        "cargo" if let Some(at) = call.at("xtask").or(call.at("make")) => resolve(from(rest, at)),
        program if is_runner(program) => call.runs_by_name(),
        _ => call.acts(),
    };
    let is_script = first.contains('/') || first.split('.').nth(1) == Some("sh");
    let is_script = is_script && !is_hidden(first);
    known.or_else(|| call.is_script().filter(|_| is_script))
}

/// A program with the words after it.
struct Call<'a, 'w> {
    program: &'w str,
    words: &'a [&'w str],
    plain: Vec<Plain<'w>>,
}

impl<'a, 'w> Call<'a, 'w> {
    fn new(program: &'w str, words: &'a [&'w str]) -> Call<'a, 'w> {
        let mut plain = plain_words(program, words);
        let opens = |(_, word): &&Plain<'_>| lists(OPENERS, program, word);
        plain.drain(..plain.iter().take_while(opens).count());
        Call {
            program,
            words,
            plain,
        }
    }

    fn at(&self, word: &str) -> Option<usize> {
        self.words.iter().position(|other| *other == word)
    }

    /// A plain word; empty if there are fewer.
    fn word(&self, index: usize) -> &'w str {
        self.plain.get(index).map_or("", |(_, word)| word)
    }

    /// Takes a step: by the word at a place or by itself, and maybe by a name that the project
    /// declares.
    fn takes(&self, step: Option<Step>, by: Option<usize>, declared: Option<&'w str>) -> Match<'w> {
        let others = self.plain.iter().filter(|(at, _)| Some(*at) != by);
        let passed = declared.map(|_| by.unwrap_or_default());
        let passed = passed.or(self.at("--").filter(|_| is_runner(self.program)));
        Some(Invocation {
            program: self.program,
            step: step?,
            declared,
            plain: others.map(|(_, word)| *word).collect(),
            words: self.words.to_vec(),
            passed: passed.unwrap_or(self.words.len()),
        })
    }

    fn is_script(&self) -> Match<'w> {
        self.takes(Step::of_name(self.program), None, Some(self.program))
    }

    /// Acts by its subcommand, or as it always does.
    fn acts(&self) -> Match<'w> {
        let is_action = |word: &&&str| lists("cmake : --build\nnode : --test", self.program, word);
        let flag = self.words.iter().find(is_action);
        let step = action(self.program, flag.unwrap_or(&self.word(0)));
        // Certain packages are not a step of the project, but its own folder is.
        let is_package = |word: &str| has(MANAGERS, self.program) || !word.starts_with('.');
        let mut more = self.plain.iter().skip(1);
        if step == Some(Step::Install) && more.any(|(_, word)| is_package(word)) {
            return None;
        }
        let is_by_word = flag.is_none() && has_subcommands(self.program);
        let first = self.plain.first().filter(|_| is_by_word);
        self.takes(step, first.map(|(at, _)| *at), None)
    }

    /// Runs a module, a script or a text.
    fn interprets(&self) -> Match<'w> {
        if let Some(at) = self.at("-m") {
            return match from(self.words, at + 1) {
                ["build", rest @ ..] => Call::new("pyproject-build", rest).acts(),
                module => resolve(module),
            };
        }
        let is_flag = |word: &&&str| word.starts_with(['-', '+']);
        let count = self.words.iter().take_while(is_flag).count();
        let (flags, rest) = self.words.split_at_checked(count)?;
        let (script, more) = rest.split_first().unwrap_or((&"", &[]));
        let text = if self.program.ends_with("sh") {
            "-c -lc -ec"
        } else {
            "-c -e"
        };
        match base(script) {
            _ if flags.iter().any(|flag| has(text, flag)) => None,
            _ if flags.contains(&"--check") || is_hidden(rest.first().unwrap_or(&"")) => None,
            _ if flags.contains(&"--test") => self.acts(),
            script if is_known(script) => resolve(rest),
            script => Call::new(script, more).is_script(),
        }
    }

    /// Manages packages: acts itself, or runs a script or a program of the project.
    fn manages(&self) -> Match<'w> {
        let skipped = if self.word(0) == "workspace" { 2 } else { 0 };
        let is_run = has("run run-script", self.word(skipped));
        let (at, word) = *self.plain.get(skipped + usize::from(is_run))?;
        if has("exec dlx x", word) {
            return resolve(without_settings(from(self.words, at + 1), true));
        }
        if !is_run && action(self.program, word).is_some() {
            return self.acts();
        }
        // All but npm run the programs of the packages like scripts.
        if !is_run && self.program != "npm" && is_known(word) {
            return resolve(from(self.words, at));
        }
        let mut found = self.takes(Step::of_name(word), Some(at), Some(word))?;
        found.plain.retain(|word| !has("run run-script", word));
        Some(found)
    }

    /// Runs, of the names that it is given, the first that stands for a step.
    fn runs_by_name(&self) -> Match<'w> {
        let by_flags = has("tox nox", self.program);
        let given = named_by_flags(self.program, self.words);
        let given = Some(&given).filter(|given| by_flags || !given.is_empty());
        let names = given.unwrap_or(&self.plain);
        let alone = action(self.program, "");
        let Some((first, _)) = names.first() else {
            return self.takes(alone, None, None);
        };
        let is_counted = |(at, _): &&Plain<'_>| at == first || has(MANY_NAMES, self.program);
        names.iter().take_while(is_counted).find_map(|(at, name)| {
            let step = action(self.program, name).or_else(|| Step::of_name(name));
            // `py312`, `pypy3` and `ci-py` are for tests.
            let is_python = |part: &str| {
                let version = part.trim_start_matches("py");
                version != part && !version.starts_with(char::is_alphabetic)
            };
            let is_tests = by_flags && name.split('-').any(is_python);
            let step = step.or(alone.filter(|_| is_tests));
            self.takes(step, Some(*at), Some(name))
        })
    }
}

/// The names that a runner is given by flags: `-e lint`, `-elint`, `--session=lint`.
fn named_by_flags<'w>(program: &str, words: &[&'w str]) -> Vec<Plain<'w>> {
    let mut named = Vec::new();
    let mut is_name = false;
    for (at, word) in words.iter().copied().enumerate() {
        if std::mem::take(&mut is_name) {
            named.push((at, word));
            continue;
        }
        let short = || word.split_at_checked(2).filter(|_| !word.starts_with("--"));
        let (flag, value) = word.split_once('=').or_else(short).unwrap_or((word, ""));
        let is_naming = lists(NAMING, program, flag);
        is_name = is_naming && value.is_empty();
        if is_naming && !value.is_empty() {
            named.push((at, value));
        }
    }
    named
}

/// A program's name without its folder and version.
pub(crate) fn base(program: &str) -> &str {
    let name = program.rsplit('/').next().unwrap_or(program);
    let version = name.find('@').filter(|at| *at > 0);
    version.and_then(|at| name.get(..at)).unwrap_or(name)
}

/// Whether a script is in a dot folder: it is a tool's, not the project's.
fn is_hidden(path: &str) -> bool {
    let mut folders = path.rsplit('/').skip(1);
    folders.any(|folder| folder.starts_with('.') && !has(". ..", folder))
}

/// An interpreter's name without its version: `python3.12` is `python`.
fn interpreter(program: &str) -> &str {
    program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
}

/// How many words in front only change where or how the rest runs, if one of these does.
pub(super) fn wrapper(words: &[&str], wrappers: &str) -> Option<usize> {
    let (first, rest) = words.split_first().filter(|(_, rest)| !rest.is_empty())?;
    // `command -v make` asks for a program and does not run it.
    let asks = *first == "command" && rest.first().is_some_and(|word| word.starts_with('-'));
    let takes_values = !has("time nohup nice exec", first);
    let count = || words.len() - without_settings(rest, takes_values).len();
    (has(wrappers, first) && !asks).then(count)
}

/// The words from the program on.
fn without_settings<'a, 'w>(words: &'a [&'w str], takes_values: bool) -> &'a [&'w str] {
    let mut rest = words;
    while let [word, more @ ..] = rest
        && is_setting(word)
    {
        let is_valued = has("-p -s -k -u", word) || is_valued("", word);
        rest = from(more, usize::from(takes_values && is_valued));
    }
    rest
}

/// Whether a word is a flag, a variable or a number.
fn is_setting(word: &str) -> bool {
    word.starts_with(|l: char| "-+".contains(l) || l.is_ascii_digit()) || is_variable(word)
}

/// Whether the next word is this one's value.
fn is_valued(program: &str, word: &str) -> bool {
    !word.contains('=') && lists(VALUED, program, word)
}

fn plain_words<'w>(program: &str, words: &[&'w str]) -> Vec<Plain<'w>> {
    let mut is_value = false;
    let words = words.iter().copied().enumerate();
    let plain = words.filter(|(_, word)| {
        let was_value = is_value;
        is_value = !was_value && is_valued(program, word);
        !was_value && !is_setting(word)
    });
    plain.collect()
}

/// The rest of a list; empty where it is shorter.
fn from<T>(list: &[T], at: usize) -> &[T] {
    list.get(at..).unwrap_or_default()
}
