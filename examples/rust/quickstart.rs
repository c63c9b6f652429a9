//! The five lines that every quickstart shows, and what they print.

use nudge::{Bump, Context, GetHint, Nudge, Query, SetHint};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), nudge::Error> {
    let nudge = Nudge::default();
    nudge.set_hint(
        SetHint::new("http-proxy", "build", "docker compose build router")
            .tags(["build", "docker"])
            .priority(7)
            .cwd_glob("**/http-proxy*")
            .branch("dev"),
    )?;

    let here = Context::new().cwd("/work/http-proxy").branch("dev");
    let found = nudge.get_hint(GetHint::new("http-proxy", "build").context(&here))?;
    println!("value: {}", found.hint.value.text());
    for reason in found.match_explain.reasons() {
        println!("  {reason}");
    }

    let used = nudge.bump(Bump::new("http-proxy", "build"))?;
    println!("used: {}", used.hint.use_count);

    let known = nudge.query(Query::new().tag("build").context(&here))?;
    println!("hints about building: {}", known.total);

    let elsewhere = Context::new().cwd("/work/http-proxy/src").branch("dev");
    if let Err(error) = nudge.get_hint(GetHint::new("http-proxy", "build").context(elsewhere)) {
        println!("elsewhere: {error}");
    }
    Ok(())
}
