//! `nudge query`

use super::flags::{List, items};
use super::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge query docker build
  nudge query --component api
  nudge query --tags build,docker --all-tags
  nudge query --regex 'make (all|test)' --include-ineligible")]
pub(crate) struct Query {
    /// Only hints that have every one of these words, or words that begin with them
    words: Vec<String>,
    /// Only hints of this component; `*` in it is any text, `?` a character
    #[arg(long)]
    component: Option<String>,
    /// Only hints with one of these keys; patterns as for components
    #[arg(long = "key", value_name = "KEYS")]
    keys: Vec<List>,
    /// Only hints with one of these tags
    #[arg(short, long, visible_alias = "tag")]
    tags: Vec<List>,
    /// Only hints with every tag
    #[arg(long)]
    all_tags: bool,
    /// Only hints in whose key, value, tags or reason this is found
    #[arg(long, allow_hyphen_values = true)]
    regex: Option<String>,
    /// The most hints to show, up to 100; 10 when left out
    #[arg(short = 'n', long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    limit: Option<Value>,
    /// The most tokens that they may have, at three bytes each
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    max_tokens: Option<Value>,
    /// Show as well what is out of scope here, without values
    #[arg(long)]
    include_ineligible: bool,
    /// Show hints wherever they apply
    #[arg(long)]
    anywhere: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Query {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = Params::default()
            .with("component", self.component.as_deref())
            .with("keys", items(&self.keys))
            .with("tags", items(&self.tags))
            .with("tags_mode", self.all_tags.then_some("all"))
            .with("regex", self.regex.as_deref())
            .with(
                "text",
                (!self.words.is_empty()).then(|| self.words.join(" ")),
            )
            .with("limit", self.limit.clone())
            .with("max_tokens", self.max_tokens.clone())
            .with_switch("include_ineligible", self.include_ineligible)
            .with_switch("anywhere", self.anywhere);
        let given = self.context.given();
        terminal.tell(Operation::Query, &params, given, |page, found| {
            pretty::found(page, found, self.anywhere)
        })
    }
}
