//! Tags are matched without regard to case.

use crate::hint::Hint;
use crate::model::name::Name;

/// A tag as it is looked up: tags are matched without regard to case.
pub(crate) fn folded(tag: &Name) -> Name {
    if is_folded(tag) {
        return tag.clone();
    }
    Name::from(tag.to_lowercase())
}

/// Whether a tag is surely in lower case already.
fn is_folded(tag: &str) -> bool {
    let mut bytes = tag.bytes();
    bytes.all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
}

/// Whether a hint has a tag, which is given in lower case.
pub(crate) fn has_tag(hint: &Hint, wanted: &Name) -> bool {
    let mut tags = hint.meta.tags.iter();
    tags.any(|tag| tag == wanted || (!is_folded(tag) && folded(tag) == *wanted))
}
