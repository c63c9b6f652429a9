//! GitHub workflows: the commands that they run.

use super::blocks::indent;
use super::files::Look;
use super::folder::{join, moved};

const FOLDER: &str = ".github/workflows";

const MOST: usize = 20;

/// Words in the name of a workflow that is not about the code at hand.
const OTHER: &str = "release publish deploy stale label docs codeql bench nightly";

/// What the workflows of a project run in a folder, one command each.
pub(super) fn commands(look: &Look<'_>, folder: &str) -> Vec<String> {
    let is_workflow = |name: &String| {
        let is_yaml = matches!(name.rsplit('.').next(), Some("yml" | "yaml"));
        is_yaml && !OTHER.split(' ').any(|word| name.contains(word))
    };
    let files = look.entries(FOLDER).unwrap_or_default().into_iter();
    let files = files.map(|(name, _)| name).filter(is_workflow);
    let texts = files.filter_map(|name| look.text(&join(FOLDER, &name)));
    let runs = texts.take(MOST).flat_map(|text| runs(&text, folder));
    runs.collect()
}

/// The commands of a workflow that run in a folder. Its lines tell, as people write them:
/// what is written otherwise is not understood, and decides nothing.
pub(super) fn runs(text: &str, folder: &str) -> Vec<String> {
    let mut steps: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        let is_next = line.trim_start().starts_with("- ");
        match steps.last_mut().filter(|_| !is_next) {
            Some(step) => step.push(line),
            None => steps.push(vec![line]),
        }
    }
    // Where a job as a whole runs elsewhere, what does not say its folder is left out.
    let is_parent = |line: &&str| key(&[line], "run") == Some("");
    let has_default = steps.iter().any(|step| step.iter().any(is_parent));
    let mut found = Vec::new();
    for step in steps {
        let own = key(&step, "working-directory").or((!has_default).then_some(""));
        let is_here = own.and_then(|own| moved("", own)).as_deref() == Some(folder);
        let is_run = |line: &&str| key(&[line], "run").is_some_and(|value| !value.is_empty());
        let mut rest = step.into_iter().skip_while(|line| !is_run(line));
        let Some(run) = rest.next().filter(|_| is_here) else {
            continue;
        };
        let depth = indent(&run.replacen("- ", "  ", 1));
        let below = rest.take_while(|line| line.trim().is_empty() || indent(line) > depth);
        let below: Vec<&str> = below.map(str::trim).collect();
        let script = match key(&[run], "run").unwrap_or_default() {
            "|" | "|-" | "|+" => below.join("\n"),
            ">" | ">-" => below.join(" "),
            value => unquoted(value),
        };
        let parts = script.lines().flat_map(|line| line.split(" && "));
        let here = parts.take_while(|part| !part.trim_start().starts_with("cd "));
        found.extend(here.map(|part| part.trim().to_owned()));
    }
    found
}

/// The value of a key in some lines.
fn key<'a>(lines: &[&'a str], name: &str) -> Option<&'a str> {
    lines.iter().find_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("- ").unwrap_or(line);
        Some(line.strip_prefix(name)?.strip_prefix(':')?.trim())
    })
}

/// A value without its quotes, where they are those of JSON or single ones.
fn unquoted(value: &str) -> String {
    let double = serde_json::from_str(value).ok();
    double.unwrap_or_else(|| value.trim_matches('\'').to_owned())
}
