//! Hooks in lists of JSON: finding ours, adding them, taking them out.

use std::collections::HashSet;

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp};
use jsonc_parser::json;

use super::command::{line, program};
use super::{Found, Lists, SECONDS, Shape};
use crate::install::format::{Flaw, Tree};

const HOOKS: &str = "hooks";
const VERSION: &str = "version";
/// The most hooks in a file that Nudge adds one to. The tree breaks a list on one line into its parts
/// in a time that grows with the square of their number.
const MOST_HOOKS: usize = 1_000;

/// A hook in the tree of a file.
struct Hook {
    node: CstNode,
    group: Option<CstNode>,
    place: [usize; 2],
    matcher: Option<String>,
    line: String,
    program: String,
}

impl Lists {
    /// The tree of a text, whose lists are lists.
    fn tree(&self, text: &str) -> Result<Tree, Flaw> {
        let tree = self.format.tree(text, &[&[HOOKS], &[VERSION]])?;
        let hooks = tree.object().get(HOOKS);
        let is_object = |hooks: &CstObjectProp| hooks.object_value().is_some();
        if hooks.is_some_and(|hooks| !is_object(&hooks)) {
            // It is refused as the events below it would be.
            self.format.look(text, &[HOOKS, "SessionStart"])?;
        }
        let (mut names, mut count) = (HashSet::new(), 0);
        for property in events(&tree.object()) {
            let name = property.decoded_name().unwrap_or_default();
            let list = property.array_value();
            count += 1 + list.as_ref().map_or(0, |list| list.elements().len());
            let words = match list {
                Some(_) if count > MOST_HOOKS => format!("there are more than {MOST_HOOKS} hooks"),
                Some(_) if names.insert(name.clone()) => continue,
                _ => format!("`{name}` is not a list"),
            };
            // A key that is there twice is refused by this.
            let found = self.format.look(text, &[HOOKS, &name])?;
            let line = found.map_or(1, |found| found.line);
            let column = 1;
            return Err(Flaw {
                line,
                column,
                words,
            });
        }
        Ok(tree)
    }

    pub(super) fn found(&self, text: &str, host: &str) -> Result<Vec<Found>, Flaw> {
        let tree = self.tree(text)?;
        let mut all = Vec::new();
        for (event, list) in lists(&tree.object()) {
            let ours = self.ours(&list, host).into_iter();
            all.extend(ours.map(|hook| Found {
                event: event.clone(),
                place: hook.place,
                is_current: hook.line == self.line(host, &event, &hook.program),
                matcher: hook.matcher,
                program: hook.program,
            }));
        }
        Ok(all)
    }

    pub(super) fn wired(&self, text: &str, host: &str, program: &str) -> Result<String, Flaw> {
        // A list that ours go back into stays where it is.
        let is_wanted = |keys: &[&str]| match keys {
            [_, event] => self.events.iter().any(|(wanted, _)| wanted == event),
            _ => true,
        };
        let tree = self.tree(text)?;
        let object = tree.object();
        self.take_out(&object, host, &is_wanted);
        if self.shape.has_version() && object.get(VERSION).is_none() {
            object.insert(0, VERSION, json!(1));
        }
        let hooks = object.object_value_or_set(HOOKS);
        for (event, matcher) in self.events {
            let list = hooks.array_value_or_set(event);
            list.ensure_multiline();
            list.append(self.hook(host, event, *matcher, program));
        }
        Ok(tree.text())
    }

    pub(super) fn unwired(
        &self,
        text: &str,
        host: &str,
        had: &dyn Fn(&[&str]) -> bool,
    ) -> Result<String, Flaw> {
        let tree = self.tree(text)?;
        let object = tree.object();
        let is_other = self.take_out(&object, host, had);
        Ok(if is_other {
            tree.text()
        } else {
            text.to_owned()
        })
    }

    /// Takes ours out of a tree, and says whether there were any.
    fn take_out(&self, object: &CstObject, host: &str, had: &dyn Fn(&[&str]) -> bool) -> bool {
        let mut were_any = false;
        for (event, list) in lists(object) {
            let ours = self.ours(&list, host);
            let is_touched = !ours.is_empty();
            were_any |= is_touched;
            for hook in ours {
                hook.node.remove();
                let rest = hook.group.as_ref().and_then(CstNode::as_object);
                let rest = rest.and_then(|group| group.array_value(HOOKS));
                if let (Some(group), Some(rest)) = (hook.group, rest)
                    && rest.elements().is_empty()
                {
                    group.remove();
                }
            }
            if is_touched && list.elements().is_empty() && !had(&[HOOKS, &event]) {
                remove(&object.object_value_or_set(HOOKS), &event);
            }
        }
        if !were_any {
            return false;
        }
        let is_empty = |hooks: CstObject| hooks.properties().is_empty();
        if object.object_value(HOOKS).is_some_and(is_empty) && !had(&[HOOKS]) {
            remove(object, HOOKS);
        }
        if self.shape.has_version() && object.properties().len() == 1 && !had(&[VERSION]) {
            remove(object, VERSION);
        }
        true
    }

    /// Whether a text says nothing, but perhaps of which version it is.
    pub(super) fn is_empty(&self, text: &str) -> bool {
        let is_version = |name: Option<String>| name.as_deref() == Some(VERSION);
        self.tree(text).is_ok_and(|tree| {
            let mut properties = tree.object().properties().into_iter();
            properties.all(|property| is_version(property.decoded_name()))
        })
    }

    /// The hooks of ours in the list of an event.
    fn ours(&self, list: &CstArray, host: &str) -> Vec<Hook> {
        let ours = |node: CstNode, group: Option<CstNode>, place: [usize; 2]| {
            let object = node.as_object()?;
            let line = text(&object, self.shape.command())?;
            let program = program(&line, host)?;
            let holder = group.as_ref().map_or(Some(object), CstNode::as_object)?;
            Some(Hook {
                matcher: text(&holder, "matcher"),
                node,
                group,
                place,
                line,
                program,
            })
        };
        let elements = list.elements().into_iter().enumerate();
        if !matches!(self.shape, Shape::Grouped { .. }) {
            let single = |(at, node)| ours(node, None, [at, 0]);
            return elements.filter_map(single).collect();
        }
        let of_group = |(at, group): (usize, CstNode)| {
            let hooks = group.as_object().and_then(|it| it.array_value(HOOKS));
            let hooks = hooks.map(|hooks| hooks.elements()).unwrap_or_default();
            let hooks = hooks.into_iter().enumerate();
            hooks
                .filter_map(|(inner, node)| ours(node, Some(group.clone()), [at, inner]))
                .collect::<Vec<_>>()
        };
        elements.flat_map(of_group).collect()
    }

    fn line(&self, host: &str, event: &str, program: &str) -> String {
        let event = Some(event).filter(|_| self.shape == Shape::ForBash);
        line(program, host, event, self.guard)
    }

    /// What is added to the list of an event.
    fn hook(&self, host: &str, event: &str, matcher: Option<&str>, program: &str) -> CstInputValue {
        let line = self.line(host, event, program);
        let rest = match self.shape {
            Shape::Grouped { timeout } => {
                json!({"hooks": [{"type": "command", "command": line, "timeout": timeout}]})
            }
            Shape::Flat => json!({"command": line, "timeout": SECONDS}),
            Shape::ForBash => json!({"type": "command", "bash": line, "timeoutSec": SECONDS}),
        };
        match (matcher, rest) {
            (Some(matcher), CstInputValue::Object(mut fields)) => {
                fields.insert(0, ("matcher".to_owned(), json!(matcher)));
                CstInputValue::Object(fields)
            }
            (_, rest) => rest,
        }
    }
}

impl Shape {
    fn has_version(self) -> bool {
        !matches!(self, Shape::Grouped { .. })
    }

    fn command(self) -> &'static str {
        match self {
            Shape::ForBash => "bash",
            _ => "command",
        }
    }
}

fn events(object: &CstObject) -> Vec<CstObjectProp> {
    let hooks = object.object_value(HOOKS);
    hooks.map(|hooks| hooks.properties()).unwrap_or_default()
}

fn lists(object: &CstObject) -> Vec<(String, CstArray)> {
    let list = |property: CstObjectProp| Some((property.decoded_name()?, property.array_value()?));
    events(object).into_iter().filter_map(list).collect()
}

fn text(object: &CstObject, name: &str) -> Option<String> {
    let value = object.get(name)?.value()?;
    value.as_string_lit()?.decoded_value().ok()
}

fn remove(object: &CstObject, name: &str) {
    if let Some(property) = object.get(name) {
        property.remove();
    }
}
