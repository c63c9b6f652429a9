//! Path globs, in the dialect of micromatch with dot folders taken.
//!
//! Most patterns hold nothing but literals, `?`, `*` and `**`. Those are kept as their text alone
//! and walked as they stand, so that a store of a million of them costs little more than the
//! letters. Anything richer is turned once into a short list of steps.

mod case;
mod class;
mod effort;
mod number;
mod parse;
mod plain;
mod steps;
mod text;
mod walk;

use case::{Case, Exact, Fold};
use effort::Effort;
use plain::Plan;
use steps::Steps;

pub(crate) use effort::Allowance;
pub(crate) use text::escape;

/// The longest pattern taken, in bytes.
const LONGEST: usize = 256;

/// The most braces and groups taken, nested or not. Each makes a match
/// against a long path take longer; with this many, the worst is some
/// milliseconds.
const MOST_GROUPS: usize = 16;

#[derive(Debug, Clone)]
pub(crate) struct Glob(Form);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GlobError {
    /// A whole segment is, or can be, `..`.
    Traversal,
    /// The pattern cannot be read; the text says why.
    Syntax(&'static str),
}

/// The two ways a pattern is kept.
#[derive(Debug, Clone)]
enum Form {
    /// Only literals, `?`, `*` and `**`: the text, and where its `**` stand.
    Plain(Box<str>, Plan),
    /// Everything else, read once.
    Rich(Box<Steps>),
}

impl Glob {
    /// Reads a pattern and brings it to its normal form.
    pub(crate) fn new(pattern: &str) -> Result<Glob, GlobError> {
        if pattern.is_empty() {
            return Err(GlobError::Syntax(
                "it is empty; write `**` to match everything",
            ));
        }
        if pattern.len() > LONGEST {
            return Err(GlobError::Syntax(
                "it is longer than 256 bytes; use `*` for a part of it",
            ));
        }
        if pattern.chars().any(char::is_control) {
            return Err(GlobError::Syntax("it holds a control character; remove it"));
        }
        let text = text::normalise(pattern).into_boxed_str();
        if !text::is_plain(&text) {
            if text::groups(&text) > MOST_GROUPS {
                return Err(GlobError::Syntax("it has more than 16 groups; use fewer"));
            }
            return parse::steps(text).map(|steps| Glob(Form::Rich(Box::new(steps))));
        }
        if text
            .trim_start_matches('!')
            .split('/')
            .any(|segment| segment == "..")
        {
            return Err(GlobError::Traversal);
        }
        let plan = Plan::new(&text);
        Ok(Glob(Form::Plain(text, plan)))
    }

    /// Tells whether the pattern begins with `./`, and so is for paths below a root.
    pub(crate) fn is_rooted(&self) -> bool {
        matches!(&self.0, Form::Rich(steps) if steps.is_rooted)
    }

    /// Tells whether the pattern takes a path from a root on; it takes none that is not below it.
    /// Gives nothing where that would take too long to tell.
    pub(crate) fn tried_below(&self, root: &str, path: &str, caseless: bool) -> Option<bool> {
        let lead = root.strip_suffix('/').unwrap_or(root).as_bytes();
        let literal = if caseless {
            Fold::literal
        } else {
            Exact::literal
        };
        let rest = literal(lead, path.as_bytes()).and_then(|end| path.get(end..));
        let below = rest.and_then(|rest| match rest {
            "" => Some(rest),
            _ => rest.strip_prefix('/'),
        });
        match below.filter(|_| !root.is_empty()) {
            Some(below) => self.tried(below, caseless),
            None => Some(false),
        }
    }

    /// Gives what it takes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Glob>()
            + match &self.0 {
                Form::Plain(text, _) => text.len(),
                Form::Rich(steps) => steps.bytes(),
            }
    }

    pub(crate) fn as_str(&self) -> &str {
        match &self.0 {
            Form::Plain(text, _) => text,
            Form::Rich(steps) => &steps.text,
        }
    }

    /// Tells whether the pattern takes a path, which must be normalised already.
    pub(crate) fn matches(&self, path: &str, caseless: bool) -> bool {
        self.tried(path, caseless) == Some(true)
    }

    /// The same; nothing where that would take too long to tell.
    pub(crate) fn tried(&self, path: &str, caseless: bool) -> Option<bool> {
        let effort = Effort::new(match &self.0 {
            Form::Plain(text, plan) => plan.effort(text),
            Form::Rich(_) => 0,
        });
        if !effort.is_enough() {
            return None;
        }
        let takes = match (&self.0, caseless) {
            (Form::Plain(text, plan), false) => plan.matches::<Exact>(text, path, &effort),
            (Form::Plain(text, plan), true) => plan.matches::<Fold>(text, path, &effort),
            (Form::Rich(steps), false) => steps.matches::<Exact>(path, &effort),
            (Form::Rich(steps), true) => steps.matches::<Fold>(path, &effort),
        };
        effort.is_enough().then_some(takes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #[test]
        fn an_escaped_path_is_a_pattern_for_that_path_alone(
            path in "(/|[a-z]:/)([a-c*?!@+,|^~# (){}\\[\\]\\\\-]{1,4}/){0,4}[a-c*?!(){}\\[\\]é.]{0,3}x",
            others in vec(select(&["a", "b", "/", "*", "(", ""][..]), 0..4),
            caseless: bool,
        ) {
            let below = format!("{path}/{}", others.concat());
            let beside = format!("{path}{}", others.concat());
            let alone = Glob::new(&escape(&path)).unwrap();
            prop_assert!(alone.matches(&path, caseless), "{}", alone.as_str());
            prop_assert_eq!(alone.matches(&beside, caseless), beside == path);
            let tree = Glob::new(&format!("{}/**", escape(&path))).unwrap();
            prop_assert!(tree.matches(&path, caseless) && tree.matches(&below, caseless));
            let is_below = beside == path || beside.starts_with(&format!("{path}/"));
            prop_assert_eq!(tree.matches(&beside, caseless), is_below);
        }

        #[test]
        fn what_is_escaped_takes_no_other_path(one in "/[ab*?!({\\[\\]})|,]{1,6}", other in "/[ab*?!(/]{1,6}") {
            let glob = Glob::new(&escape(&one)).unwrap();
            prop_assert_eq!(glob.matches(&other, false), one == other);
        }
    }

    #[test]
    fn a_root_is_escaped_too() {
        for (path, below) in [
            ("/", "/a"),
            ("c:", "c:/a"),
            ("!", "!/a"),
            ("/a/!(b)", "/a/!(b)/c"),
        ] {
            assert!(
                Glob::new(&escape(path)).unwrap().matches(path, false),
                "{path}"
            );
            let tree = Glob::new(&format!("{}/**", escape(path))).unwrap();
            assert!(
                tree.matches(path, false) && tree.matches(below, false),
                "{path}"
            );
        }
    }

    #[test]
    fn a_glob_is_three_words() {
        assert_eq!(size_of::<Glob>(), 24);
    }

    #[test]
    fn too_many_groups_are_refused() {
        assert!(Glob::new(&"{a,b}".repeat(16)).is_ok());
        assert!(Glob::new(&"{a,b}".repeat(17)).is_err());
        assert!(Glob::new(&r"\\{a,b}".repeat(17)).is_err());
        assert!(Glob::new(&r"\{a,b\}".repeat(17)).is_ok());
    }

    #[test]
    fn a_whole_segment_of_two_dots_is_traversal() {
        for pattern in [
            "/a/../b",
            "..",
            "/a/{..,b}/c",
            "/a/\\.\\./b",
            "/a/@(x|..)",
            "/a/{.,b}./c",
            "!../a",
        ] {
            let error = Glob::new(pattern).err();
            assert_eq!(error, Some(GlobError::Traversal), "{pattern}");
        }
        for pattern in [
            "/{1..3}", "/a..b", "/..x", "/x..", "/x{..,a}", "/..*", "/{a,..b}",
        ] {
            assert!(Glob::new(pattern).is_ok(), "{pattern}");
        }
    }
}
