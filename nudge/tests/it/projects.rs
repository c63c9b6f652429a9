//! Projects that a store can ask about, made up.

use nudge::{Anchor, AnchorState, FoundCommand, Projects};

/// Every root below `/work`, with a package in `web`. Each declares these commands by their kinds,
/// and a Makefile in which the name that is most like `tset` is `test`.
pub(crate) struct MadeUp(pub(crate) &'static [(&'static str, &'static str)]);

impl Projects for MadeUp {
    fn folder(&self, _: &str, cwd: &str) -> String {
        let package = cwd.ends_with("/web").then_some("web");
        package.unwrap_or_default().to_owned()
    }

    fn found(&self, _: &str, folder: &str) -> Vec<FoundCommand> {
        let declared = self.0.iter();
        let found = declared.map(|(kind, command)| FoundCommand::new(folder, kind, command, "x"));
        found.collect()
    }

    fn anchors(&self, _: &str, _: &str, _: &str) -> Vec<Anchor> {
        Vec::new()
    }

    fn states(&self, _: &str, anchors: &[Anchor]) -> Vec<AnchorState> {
        vec![AnchorState::Unknown; anchors.len()]
    }

    fn missing(&self, _: &str, _: &str, command: &str) -> Option<(String, Option<String>)> {
        let missing = || ("Makefile#tset".to_owned(), Some("test".to_owned()));
        (command == "make tset").then(missing)
    }

    fn has_branch(&self, _: &str, _: &str) -> Option<bool> {
        None
    }

    fn knows(&self, root: &str, _: &str) -> bool {
        root.starts_with("/work")
    }
}
