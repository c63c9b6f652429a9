//! Setup: how a fresh clone becomes ready, in order.

use nudge::FoundCommand;
use serde_json::{Deserializer, Value};

use super::ecosystem::Place;
use super::has;
use super::workflow::runs;

/// Programs that a project may ask for, and how each is got where there is one way.
const GOT_BY: [(&str, &str); 8] = [
    ("pnpm", "npm install -g pnpm"),
    ("yarn", "corepack enable"),
    ("uv", "pip install uv"),
    ("poetry", "pipx install poetry"),
    ("pdm", "pipx install pdm"),
    ("pipenv", "pip install pipenv"),
    ("tox", "pip install tox"),
    ("bundle", "gem install bundler"),
];

/// Files that say how a clone becomes ready, each with the names under which they do.
const SAID_IN: [(&str, &str); 3] = [
    (".cursor/environment.json", "install"),
    (
        DEVCONTAINER,
        "onCreateCommand updateContentCommand postCreateCommand",
    ),
    (".devcontainer.json", "postCreateCommand"),
];
const DEVCONTAINER: &str = ".devcontainer/devcontainer.json";
const STEPS: &str = ".github/workflows/copilot-setup-steps.yml";
const DOCKERFILE: &str = "Dockerfile";

/// What makes a clone ready; anything else that such a file does is its own affair.
const KINDS: &str = "install setup build";

const MOST: usize = 3;

/// Files that start services, and those that are known by their images.
const COMPOSE: &str = "compose.yaml compose.yml docker-compose.yml docker-compose.yaml";
const SERVICES: &str = "postgres mysql mariadb mongo redis valkey memcached rabbitmq kafka nats \
    elasticsearch opensearch clickhouse cassandra minio localstack";

/// Says of what was found how a fresh clone becomes ready, where that is more than one command.
pub(super) fn add(place: &Place<'_>, found: &mut Vec<FoundCommand>) {
    let at = found.iter().position(|one| one.kind == "setup");
    let declared = at.map(|at| found.remove(at)).or_else(|| said(place));
    let of_kind = |kind: &str| found.iter().find(|one| one.kind == kind);
    let Some(base) = declared.as_ref().or_else(|| of_kind("install")) else {
        return;
    };
    let asked = [Some(base), of_kind("install"), of_kind("test")];
    let programs = asked
        .iter()
        .flatten()
        .filter_map(|one| one.command.split(' ').next());
    let is_missing = |(program, _): &&(&str, &str)| {
        programs.clone().any(|asked| asked == *program) && place.look.lacks(program)
    };
    let got = GOT_BY.iter().find(is_missing).map(|(_, got)| *got);
    let needs = services(place);
    if declared.is_none() && got.is_none() && needs.is_none() {
        return;
    }
    let steps: Vec<&str> = got.into_iter().chain([&*base.command]).collect();
    let setup = FoundCommand::new(&base.folder, "setup", &steps.join(" && "), &base.from);
    let setup = needs.into_iter().fold(setup, FoundCommand::with_note);
    found.push(setup);
}

/// What a file says that makes such a clone elsewhere, if all of it are commands that do.
fn said(place: &Place<'_>) -> Option<FoundCommand> {
    let mut values = SAID_IN.iter().flat_map(|(file, names)| {
        let text = place.text(file);
        let value = move |name| value(&text, name);
        names
            .split(' ')
            .rev()
            .filter_map(value)
            .map(move |value| (*file, value))
    });
    let whole = values.find_map(|(file, value)| {
        let steps: Vec<&str> = value.split(" && ").map(str::trim).collect();
        let is_whole = steps.iter().all(|step| place.is_step(step, KINDS));
        is_whole.then(|| (file, steps.join(" && ")))
    });
    let (file, command) = whole.or_else(|| {
        let run = |line: &str| Some(line.strip_prefix("RUN ")?.to_owned());
        let image = place.text(DOCKERFILE);
        let image = image.lines().filter_map(run).flat_map(|line| {
            let steps = line.split(" && ").map(str::trim);
            steps.map(str::to_owned).collect::<Vec<_>>()
        });
        let lines = [
            (STEPS, runs(&place.text(STEPS), "")),
            (DOCKERFILE, image.collect()),
        ];
        lines.into_iter().find_map(|(file, lines)| {
            let mut steps: Vec<String> = lines;
            steps.retain(|step| place.is_step(step, KINDS));
            steps.truncate(MOST);
            (!steps.is_empty()).then(|| (file, steps.join(" && ")))
        })
    })?;
    let from = file.rsplit('/').next().unwrap_or(file);
    Some(FoundCommand::new("", "setup", &command, from))
}

/// The text under a name in a file of JSON that may have comments and commas.
fn value(text: &str, name: &str) -> Option<String> {
    let (before, rest) = text.split_once(&format!("\"{name}\""))?;
    if before.matches("/*").count() > before.matches("*/").count() {
        return None;
    }
    let rest = rest.trim_start().strip_prefix(':')?;
    match Deserializer::from_str(rest)
        .into_iter::<Value>()
        .next()?
        .ok()?
    {
        Value::String(value) => Some(value),
        _ => None,
    }
}

/// The services that a project starts beside itself, as far as their names are known.
fn services(place: &Place<'_>) -> Option<String> {
    COMPOSE.split(' ').find_map(|file| {
        let text = place.text(file);
        let images = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("image:"));
        let names = images.filter_map(|image| {
            let image = image.trim().trim_matches(['"', '\'']);
            let name = image.split([':', '@']).next()?.rsplit('/').next()?;
            has(SERVICES, name).then_some(name)
        });
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| format!("needs: {} ({file})", names.join(", ")))
    })
}
