//! `NUDGE_SCOPE_WRITES=repo`: projects that share a machine do not share `api/build`.

use nudge::Context;

use super::failure::Failure;
use super::flags::Params;
use super::terminal::Terminal;
use crate::door::rpc::Fault;

/// The repository that a write is scoped to: it names no scope, is made in a
/// repository, and would be the first of its slot.
pub(crate) fn repo(terminal: &Terminal, slot: &Params) -> Result<Option<String>, Fault> {
    let here = Context::here();
    let Some(repo) = here.facts().repos.first() else {
        return Ok(None);
    };
    match terminal.call("nudge.get_hint", &slot.to_json()) {
        Ok(_) => Ok(None),
        Err(fault) => match Failure::of(&fault) {
            failure if failure.is_empty_slot() => Ok(Some(repo.as_str().to_owned())),
            failure if failure.is_out_of_scope() => Ok(None),
            _ => Err(fault),
        },
    }
}
