//! Commands as agents run them: their parts, the step they take, how two of them
//! differ, and who ran which.

pub(crate) mod book;
pub(crate) mod breadth;
pub(crate) mod client;
pub(crate) mod ending;
mod evidence;
pub(crate) mod form;
mod invocation;
pub(crate) mod line;
pub(crate) mod pitfall;
pub(crate) mod programs;
pub(crate) mod proven;
pub(crate) mod safety;
mod signs;
pub(crate) mod step;
#[cfg(test)]
mod tests;

use self::line::CommandLine;
use self::proven::parts;
use self::step::Step;

/// What a command does for a project: `build`, `test`, `lint`, `format`, `typecheck`, `run`,
/// `install`, `deploy` or `migrate`; `None` for anything else, and for more than one command.
///
/// # Examples
///
/// ```
/// assert_eq!(nudge::kind_of_command("pnpm run test:unit"), Some("test"));
/// assert_eq!(nudge::kind_of_command("ls -l"), None);
/// ```
#[must_use]
pub fn kind_of_command(command: &str) -> Option<&'static str> {
    let line = CommandLine::read(command).filter(|line| line.is_simple)?;
    Step::of(&line.words).map(Step::name)
}

/// The words of a single command, the program first, without variables and redirections;
/// `None` for more than one command, and for what is not understood.
///
/// # Examples
///
/// ```
/// let words = nudge::command_words("npm run 'test unit' 2>&1").unwrap();
/// assert_eq!(words, ["npm", "run", "test unit"]);
/// ```
#[must_use]
pub fn command_words(command: &str) -> Option<Vec<String>> {
    let line = CommandLine::read(command).filter(|line| line.is_simple)?;
    Some(line.words)
}

/// Whether a command only looks around: it changes nothing, and what it says is for whoever
/// reads it.
///
/// # Examples
///
/// ```
/// assert!(nudge::only_looks("git diff -- src"));
/// assert!(!nudge::only_looks("sed -i s/a/b/ src/a.rs") && !nudge::only_looks("echo a > b"));
/// ```
#[must_use]
pub fn only_looks(command: &str) -> bool {
    let words = command_words(command).unwrap_or_default();
    programs::only_looks(&words) && !words.iter().any(|word| word == "-i") && !command.contains('>')
}

/// The programs that a command line may run, each once.
///
/// # Examples
///
/// ```
/// let programs = nudge::programs_of("cd web && time pnpm test && make lint");
/// assert_eq!(programs, ["pnpm", "make"]);
/// ```
#[must_use]
pub fn programs_of(command: &str) -> Vec<String> {
    let mut programs = Vec::new();
    for part in parts(command) {
        let first = part.line.words.into_iter().next();
        programs.extend(first.filter(|first| !programs.contains(first)));
    }
    programs
}
