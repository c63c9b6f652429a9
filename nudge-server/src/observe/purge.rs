//! Which observations a request deletes.

use nudge::{Error, ErrorKind, Repo};
use serde_json::json;

use super::observer::no_repository;
use super::requests::Purge;
use crate::store::Meant;

pub(super) fn meant(asked: &Purge) -> Result<Meant, Error> {
    let invalid = |words: &str| Error::new(ErrorKind::Invalid, words);
    let here = asked.context.as_ref().map(nudge::Context::facts);
    let here = here.and_then(|facts| facts.repos.first().cloned());
    let repo = match (&asked.repo, asked.here) {
        (Some(name), _) => {
            let words = "repo: this is not a repository; write a remote, or git:org/repo";
            Some(Repo::parse(name).ok_or_else(|| invalid(words)))
        }
        (None, Some(true)) => Some(here.ok_or_else(no_repository)),
        _ => None,
    };
    let repo = repo.transpose()?.map(|repo| repo.to_string());
    let ids = asked.ids.as_ref().map(|ids| json!(ids).to_string());
    if asked.before.is_none() && repo.is_none() && ids.is_none() {
        return Err(invalid(
            "say what to delete: `before`, `repo`, `here` or `ids`",
        ));
    }
    let before = asked.before;
    Ok(Meant {
        before,
        repo,
        ids,
        text: None,
    })
}
