//! Learning: what failed and then worked in another form is proposed as a hint.

use super::command_hints::same_command;
use super::location::Location;
use crate::api::caller::Caller;
use crate::api::proposals::Propose;
use crate::api::request::Query;
use crate::api::set_hint::SetHint;
use crate::command::client::CommandRun;
use crate::command::form::is_other_form;
use crate::command::step::Step;
use crate::hint::{Command, Source};
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::scope::glob::escape;
use crate::secret::redact;

/// The longest command that is proposed.
const LONGEST: usize = 400;

/// Proposes the command that worked where another form of the same step failed,
/// and says under which name.
///
/// Both must be whole simple commands: of `make | tail` nobody knows whether
/// `make` worked.
pub(super) fn learn(
    nudge: &Nudge,
    by: &Caller<'_>,
    location: &Location,
    worked: &CommandRun,
    failures: &[CommandRun],
) -> Option<String> {
    let step = worked.step?;
    // What redaction has changed may no longer be that command.
    let is_whole = |run: &CommandRun| {
        let is_step = Step::of(&run.line.words) == Some(step);
        is_step && run.line.is_simple && run.line.text.len() <= LONGEST
    };
    let is_form = |run: &&CommandRun| is_whole(run) && is_other_form(&worked.line, &run.line);
    let failed = failures.iter().find(is_form).filter(|_| is_whole(worked))?;
    let why = format!(
        "`{}` failed, `{}` worked",
        failed.line.text, worked.line.text
    );
    let why = redact(&why).into_owned();
    let (component, key) = name(nudge, location, failed, step)?;
    let hint = SetHint::new(
        component.as_str(),
        key.as_str(),
        Command::new(worked.line.text.as_str()),
    )
    .source(Source::ToolOutput)
    .scope(scope(location)?)
    .tags([step.name()])
    .reason(why.as_str());
    let proposed = nudge.ask(by, Propose::new(hint, why)).ok()?;
    let proposal = proposed.proposal;
    Some(format!("{}/{}", proposal.component, proposal.key))
}

/// The name of the hint that would be corrected; else that of a component that
/// this location has, or of the location.
fn name(
    nudge: &Nudge,
    location: &Location,
    failed: &CommandRun,
    step: Step,
) -> Option<(String, String)> {
    let corrected = same_command(nudge, location, &failed.line).into_iter();
    let mut corrected = corrected.filter(|known| Step::of_key(&known.hint.key) == Some(step));
    if let Some(known) = corrected.next() {
        return Some((known.hint.component.to_string(), known.hint.key.to_string()));
    }
    let names = location.names();
    let is_known = |name: &&&str| {
        let query = Query::new().component(**name).limit(1);
        nudge
            .query(query)
            .is_ok_and(|found| found.total + found.scoped_out > 0)
    };
    let component = names.iter().find(is_known).or(names.first())?;
    Some(((*component).to_owned(), step.name().to_owned()))
}

/// Where the hint would apply: in the repository, or else in this folder.
fn scope(location: &Location) -> Option<Scope> {
    if let Some(repo) = location.repo() {
        return Some(Scope::new().repo(repo));
    }
    let cwd = location.context.facts().cwd.as_deref()?;
    Some(Scope::new().cwd_glob(escape(cwd)))
}
