//! `nudge ls`

use clap::Args;
use nudge::Operation;
use serde_json::{Map, Value};

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::Exit;
use super::pretty;
use super::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct Ls {
    /// The component whose keys to list
    component: Option<String>,
    /// Count only what applies here
    #[arg(long)]
    here: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Ls {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default().with("component", self.component.as_deref());
        let here = || self.here.then(|| Value::Object(Map::new()));
        let context = self.context.given().or_else(here);
        let asked = terminal.choose(Operation::ListComponents, &params, context.as_ref());
        terminal.out.asked(&asked, |page, components| {
            pretty::components(page, components, self.component.as_deref())
        })
    }
}
