//! Links lead to a file that is there, and to a heading that is in it.

use super::page::{Page, pages};
use crate::conformance::adapter::file;

/// A link that does not lead away from the repository.
pub(super) struct Link {
    pub(super) to: String,
    line: usize,
}

/// The links of a page, as they are written.
pub(super) fn of(page: &Page) -> Vec<Link> {
    let prose = page.prose().into_iter();
    let links = prose.flat_map(|(line, text)| {
        let targets = text.split("](").skip(1);
        targets.filter_map(move |rest| {
            let (to, _) = rest.split_once(')')?;
            let is_away = to.contains("://") || to.starts_with("mailto:");
            (!is_away).then(|| Link {
                to: to.to_owned(),
                line,
            })
        })
    });
    links.collect()
}

/// What a heading is called in a link, by GitHub's rule.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    });
    kept.flat_map(char::to_lowercase).collect()
}

fn has_heading(page: &Page, wanted: &str) -> bool {
    let headings = page.prose().into_iter();
    let mut headings = headings.filter(|(_, line)| line.starts_with('#'));
    headings.any(|(_, line)| anchor(line.trim_start_matches('#')) == wanted)
}

/// What is wrong with a link, if anything is.
fn wrong(page: &Page, link: &Link) -> Option<String> {
    let (path, heading) = link.to.split_once('#').unwrap_or((&link.to, ""));
    let folder = page.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !["", "."].contains(part)) {
        if part == ".." {
            parts.pop()?;
        } else {
            parts.push(part);
        }
    }
    let target = if path.is_empty() {
        page.name.clone()
    } else {
        parts.join("/")
    };
    if !file(&target).exists() {
        return Some(format!("there is no `{target}`"));
    }
    let is_there = heading.is_empty() || has_heading(&Page::read(&target), heading);
    (!is_there).then(|| format!("`{target}` has no heading `#{heading}`"))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let links = pages
        .iter()
        .flat_map(|page| of(page).into_iter().map(move |link| (page, link)));
    let wrong = links.filter_map(|(page, link)| {
        let words = wrong(page, &link)?;
        Some(format!("{}:{}: {words}", page.name, link.line))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let page = Page {
        name: "docs/scoping.md".to_owned(),
        text: "# A `b`, c\n[1](#a-b-c) [2](#a-b) [3](../README.md) [4](../NOPE.md) [5](https://x.y/z)\n".to_owned(),
    };
    let dead: Vec<String> = of(&page)
        .into_iter()
        .filter(|link| {
            // The page that a test makes up cannot be read for its own headings.
            match link.to.strip_prefix('#') {
                Some(heading) => !has_heading(&page, heading),
                None => wrong(&page, link).is_some(),
            }
        })
        .map(|link| link.to)
        .collect();
    assert_eq!(dead, ["#a-b", "../NOPE.md"]);
}
