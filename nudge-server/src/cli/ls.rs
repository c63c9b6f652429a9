//! `nudge ls`

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use nudge::{Age, Clock, Components, Exported, Found, KnownPitfall, Lifetime, Scope, SystemClock};
use serde_json::Map;

use super::flags::{List, items};
use super::keep;
use super::lifetime::{local, place};
use super::prelude::*;
use super::terminal::here;
use crate::observe::answers::Pitfalls;
use crate::platform::stdio::columns;
use crate::primary::past::LearnedHint as Row;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Ls {
    /// The component whose keys to list; `*` in it is any text, `?` a character
    component: Option<String>,
    /// Show each hint: its value, where it applies, uses, age, and who says so
    #[arg(short, long)]
    long: bool,
    /// List what is for other repositories as well, which is only counted otherwise
    #[arg(short, long, conflicts_with = "here")]
    all: bool,
    /// Only what applies here
    #[arg(long)]
    here: bool,
    /// Only hints with one of these tags, each as with --long
    #[arg(short, long, visible_alias = "tag")]
    tags: Vec<List>,
    /// Only what outlives the session
    #[arg(long)]
    kept: bool,
    /// The commands that are known not to run here; agents are warned of them
    #[arg(long, conflicts_with_all = ["component", "long", "all", "kept", "tags"])]
    pitfalls: bool,
    #[command(flatten)]
    context: ContextFlags,
}

/// What comes last: what is for other places.
const ELSEWHERE: u8 = 2;

/// What is listed by where it is for, here first: names, each with how many hints it has.
type Places = BTreeMap<(u8, String), BTreeMap<String, usize>>;

impl Ls {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = Params::default()
            .with("component", self.component.as_deref().map(plain))
            .with("tags", items(&self.tags));
        let narrow = || self.here.then(|| Value::Object(Map::new()));
        let context = self.context.given().or_else(narrow);
        if self.pitfalls {
            let list = ServerOperation::GetPitfalls;
            return terminal.tell(list, &Params::default(), context, pitfalls);
        }
        let is_table = self.long || !self.tags.is_empty();
        if self.kept && !is_table && !self.all && self.component.is_none() {
            return keep::list(terminal, context);
        }
        if is_table || self.kept {
            return self.table(terminal, params, context);
        }
        // An agent, and who asks for a place, gets what is there.
        let is_whole = context.is_none() && terminal.shell().is_none() && !terminal.out.json;
        let list = Operation::ListComponents;
        terminal.tell(
            list,
            &params.clone(),
            context,
            |page, listed: &Components| {
                let all = is_whole.then(|| exported(terminal, params).ok()).flatten();
                let places = all.map(|all| self.by_place(&all)).unwrap_or_default();
                if places.len() < 2 && places.keys().all(|(rank, _)| *rank < ELSEWHERE) {
                    return pretty::components(page, listed, self.component.as_deref().map(plain));
                }
                self.groups(page, &places, listed)
            },
        )
    }

    fn by_place(&self, all: &Exported) -> Places {
        let context = here().unwrap_or_default();
        let facts = context.facts();
        let repo = facts.repos.first().map(|repo| vec![repo.to_string()]);
        let ours = place(Some(&Scope {
            cwd_glob: facts.cwd.as_ref().map(|cwd| vec![format!("{cwd}/**")]),
            repo,
            ..Scope::default()
        }));
        let mut places = Places::new();
        for (component, key, hint) in all.payload.hints() {
            let place = place(hint.scope());
            let scope = hint.meta.scope.as_ref();
            let applies = || scope.is_none_or(|scope| scope.holds(&context));
            let rank = match &place {
                place if *place == ours => 0,
                // That of a folder above is not elsewhere.
                place if place == "everywhere" || applies() => 1,
                _ => ELSEWHERE,
            };
            let mut name = shown(component).into_owned();
            if self.component.is_some() {
                name = format!("{name}/{}", shown(key));
            }
            *places
                .entry((rank, place))
                .or_default()
                .entry(name)
                .or_default() += 1;
        }
        places
    }

    /// What is for each place, the others as a count. What no export has is the project's.
    fn groups(&self, page: &mut Page, places: &Places, listed: &Components) -> Exit {
        let hints = |of: &BTreeMap<String, usize>| of.values().sum::<usize>();
        for ((rank, place), names) in places {
            if *rank == ELSEWHERE && !self.all {
                continue;
            }
            page.dim(&format!("{}:", place.trim_start_matches("for ")));
            for (name, number) in names {
                let number = pretty::count(*number, "hint");
                page.line(&match self.component {
                    Some(_) => format!("  {name}"),
                    None => format!("  {name} ({number})"),
                });
            }
        }
        let all: usize = listed.components.iter().map(|one| one.hint_count).sum();
        let projects = all.saturating_sub(places.values().map(hints).sum());
        of_project(page, projects);
        let others = places.iter().filter(|((rank, _), _)| *rank == ELSEWHERE);
        let others: Vec<usize> = others.map(|(_, names)| hints(names)).collect();
        if !self.all && !others.is_empty() {
            let number = pretty::count(others.iter().sum(), "hint");
            let places = pretty::count(others.len(), "place");
            page.line(&format!(
                "{number} in {places} elsewhere; `nudge ls --all` lists them"
            ));
        }
        Exit::Done
    }

    /// Every hint as a line; what it may not show is masked.
    fn table(
        &self,
        terminal: &Terminal,
        params: Params,
        context: Option<Value>,
    ) -> Result<Exit, Fault> {
        let is_all = context.is_none() && !self.kept && self.tags.is_empty();
        let is_here = context.is_some();
        let whole = params.clone();
        let mut rows: Vec<Row> = if is_here {
            let params = params.with("limit", Some(100));
            let found: Found = terminal.get(Operation::Query, &params, context)?;
            let hints = found.hints.iter();
            hints
                .map(|one| Row::new(&one.component, &one.key, &one.hint))
                .collect()
        } else {
            let all = exported(terminal, params)?;
            let hints = all.payload.hints();
            hints
                .map(|(component, key, hint)| Row::new(component, key, hint))
                .collect()
        };
        rows.retain(|row| !self.kept || row.hint.lifetime != Lifetime::Session);
        // What no export has is the project's.
        let projects = if is_all && terminal.shell().is_none() && !terminal.out.json {
            let all: Components = terminal.get(Operation::ListComponents, &whole, None)?;
            let all: usize = all.components.iter().map(|one| one.hint_count).sum();
            all.saturating_sub(rows.len())
        } else {
            0
        };
        let json = json!({ "hints": rows });
        Ok(terminal.out.value(&json, |page| {
            if !rows.is_empty() {
                write_table(page, &rows, columns());
            } else if projects == 0 && is_all {
                return pretty::nothing_listed(page, self.component.as_deref());
            } else if projects == 0 {
                page.line("no hint matches; `nudge ls -l` lists them all");
                return Exit::Nothing;
            }
            of_project(page, projects);
            Exit::Done
        }))
    }
}

/// How many hints the project's file has, which no list of the user's has.
fn of_project(page: &mut Page, hints: usize) {
    if hints > 0 {
        let number = pretty::count(hints, "hint");
        page.line(&format!(
            "{number} of projects' own files; `nudge ls -l --here` shows what applies"
        ));
    }
}

/// A component as a shell completes a folder.
fn plain(name: &str) -> &str {
    name.strip_suffix('/')
        .filter(|name| !name.is_empty())
        .unwrap_or(name)
}

/// Everything there is; secrets are masked, as in every answer that is read again.
fn exported(terminal: &Terminal, params: Params) -> Result<Exported, Fault> {
    let params = params.with_switch("include_secrets", terminal.shell().is_none());
    terminal.get(Operation::Export, &params, None)
}

fn pitfalls(page: &mut Page, found: &Pitfalls) -> Exit {
    for known in &found.pitfalls {
        page.line(&pitfall(known));
    }
    if found.pitfalls.is_empty() {
        page.dim("nothing is known not to run here");
    }
    Exit::Done
}

pub(super) fn pitfall(known: &KnownPitfall) -> String {
    let sessions = pretty::count(known.sessions, "session");
    let place = known.folder.as_deref().filter(|folder| !folder.is_empty());
    let place = place.map_or_else(String::new, |folder| format!(" in {}", shown(folder)));
    let worked = known.instead.as_deref().map(shown);
    let worked = worked.map_or_else(String::new, |it| format!("; `{it}` worked"));
    let command = shown(&known.command);
    format!("`{command}` could not run{place} in {sessions}{worked}")
}

const HEAD: [&str; 7] = ["NAME", "VALUE", "WHERE", "USES", "AGE", "LIFETIME", "WHO"];

const GAP: &str = "  ";

/// The least of a column that is cut, and the most that others are moved for where none is.
const LEAST: usize = 12;
const MOST: usize = 60;

fn cells(row: &Row, now: DateTime<Utc>) -> [String; 7] {
    let hint = &row.hint;
    let age = now.signed_duration_since(hint.updated_at).num_seconds();
    [
        pretty::slot(&row.component, &row.key),
        pretty::value(hint),
        pretty::scope(hint).replace("repo=", ""),
        hint.use_count.to_string(),
        format!("{} ago", Age(age.max(0))),
        match (hint.expires_at, hint.lifetime) {
            (Some(end), _) => format!("until {}", local(end, now)),
            (None, Lifetime::Kept) => "kept".to_owned(),
            (None, _) => "session".to_owned(),
        },
        pretty::who(hint),
    ]
}

/// Writes the table. Values are cut to the width of the terminal, if there is one, and then
/// where they apply.
fn write_table(page: &mut Page, rows: &[Row], columns: Option<usize>) {
    let now = SystemClock.now();
    let rows: Vec<_> = rows.iter().map(|row| cells(row, now)).collect();
    let mut widths = HEAD.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    if let Some(columns) = columns {
        let all = widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1);
        let mut over = all.saturating_sub(columns);
        let [_, value, place, ..] = &mut widths;
        for width in [value, place] {
            let less = over.min(width.saturating_sub(LEAST));
            (*width, over) = (*width - less, over - less);
        }
    } else {
        widths = widths.map(|width| width.min(MOST));
    }
    let line = |cells: [&str; 7]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| {
            let is_cut = columns.is_some() && cell.chars().count() > width;
            let rest = || cell.chars().take(width - 1).chain(['…']).collect();
            let cell: String = if is_cut { rest() } else { (*cell).to_owned() };
            format!("{cell:<width$}")
        });
        cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    page.dim(&line(HEAD));
    for row in &rows {
        page.line(&line(row.each_ref().map(String::as_str)));
    }
}
