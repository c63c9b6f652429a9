//! Which step a command takes.

use super::line::CommandLine;
use super::step::Step;

/// Commands, and the step that each takes.
const STEPS: &str = include_str!("../../../tests/hooks/steps.tsv");

/// The rows of a table: no comments, cells between tabs, `\n` for a new line.
pub(super) fn rows<const CELLS: usize>(text: &str) -> Vec<[String; CELLS]> {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    let cells = |line: &str| {
        line.split('\t')
            .map(|cell| cell.replace("\\n", "\n"))
            .collect()
    };
    let rows = lines.map(|line| Vec::try_into(cells(line)).unwrap());
    rows.collect()
}

#[test]
fn a_command_takes_the_step_that_the_table_says() {
    let wrong = rows(STEPS).into_iter().filter_map(|[command, step]| {
        let line = CommandLine::read(&command);
        let step_of = line.and_then(|line| Step::of(&line.words));
        let actual = step_of.map_or("-", Step::name);
        (actual != step).then(|| format!("{command}: {actual} and not {step}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn wrappers_around_wrappers_have_an_end() {
    for wrapper in ["env ", "uv run ", "pnpm exec ", "python -m ", "bash "] {
        let line = CommandLine::read(&(wrapper.repeat(300) + "pytest")).unwrap();
        assert_eq!(Step::of(&line.words), None, "{wrapper}");
    }
}
