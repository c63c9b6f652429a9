//! How `nudge ls -l` reads for people: a line for each hint.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use nudge::{Age, Clock, Hint, Lifetime, Name, SystemClock};
use serde::Serialize;

use super::lifetime::local;
use super::output::Page;
use super::pretty::{scope, value};
use crate::wire::escape::shown;

const HEAD: [&str; 7] = ["NAME", "VALUE", "WHERE", "USES", "AGE", "LIFETIME", "WHO"];

/// What is between two columns.
const GAP: &str = "  ";

/// The least of a column that is cut, and the most that others are moved for where none is.
const LEAST: usize = 12;
const MOST: usize = 60;

/// A hint with its names.
#[derive(Serialize)]
pub(crate) struct Row {
    component: Name,
    key: Name,
    hint: Arc<Hint>,
}

impl Row {
    pub(crate) fn new(component: &Name, key: &Name, hint: &Arc<Hint>) -> Row {
        Row {
            component: component.clone(),
            key: key.clone(),
            hint: Arc::clone(hint),
        }
    }

    fn cells(&self, now: DateTime<Utc>) -> [String; 7] {
        let hint = &self.hint;
        let age = now.signed_duration_since(hint.updated_at).num_seconds();
        let (place, who) = (scope(hint), hint.told_by());
        [
            format!("{}/{}", shown(&self.component), shown(&self.key)),
            value(hint),
            place.replace("repo=", ""),
            hint.use_count.to_string(),
            format!("{} ago", Age(age.max(0))),
            match (hint.expires_at, hint.lifetime) {
                (Some(end), _) => format!("until {}", local(end, now)),
                (None, Lifetime::Kept) => "kept".to_owned(),
                (None, _) => "session".to_owned(),
            },
            shown(who.split(',').next().unwrap_or_default()).into_owned(),
        ]
    }
}

/// Writes the table. Values are cut to the width of the terminal, if there is one, and then
/// where they apply.
pub(crate) fn write(page: &mut Page, rows: &[Row], columns: Option<usize>) {
    let now = SystemClock.now();
    let rows: Vec<_> = rows.iter().map(|row| row.cells(now)).collect();
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
