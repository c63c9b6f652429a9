//! What a get of context sets shows.

use std::collections::BTreeMap;
use std::path::Path;

use crate::api::context_sets::{ContextSets, GetContext};
use crate::hint::working_set::{KNOWN, WorkingSet};
use crate::model::error::{Error, ErrorData, ErrorKind};
use crate::model::name::Name;
use crate::scope::here::is_there;

/// The set whose items are files, which may be gone.
const FILES: &str = "files";

impl GetContext {
    /// The sets that are asked for, without the files that are gone.
    pub(crate) fn answer(&self, working_set: &WorkingSet) -> Result<ContextSets, Error> {
        let mut sets = working_set.by_name();
        if let Some(name) = &self.name {
            let known = KNOWN.contains(&name.as_str()) || sets.contains_key(name);
            if !known {
                return Err(unknown(name, working_set.nearest(name)));
            }
            sets.retain(|set, _| set == name);
        }
        let mut gone = BTreeMap::new();
        if let Some(files) = sets.get_mut(FILES) {
            let listed = files.len();
            // A relative path is somebody's who knows where it is from.
            files.retain(|file| !Path::new(&**file).is_absolute() || is_there(file));
            let missing = listed - files.len();
            if missing > 0 {
                gone.insert(Name::from(FILES), missing);
            }
        }
        sets.retain(|_, items| !items.is_empty());
        Ok(ContextSets {
            sets,
            gone,
            ..ContextSets::default()
        })
    }
}

fn unknown(name: &Name, nearest: Option<Name>) -> Error {
    let way_out = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "ask without a name to see all".to_owned(),
    };
    let shown = crate::secret::shown(name);
    let data = ErrorData {
        detail: Some("no_set"),
        field: Some("name".into()),
        ..ErrorData::default()
    };
    let words = format!("there is no context set `{shown}`; {way_out}");
    Error::with(ErrorKind::NotFound, words, data)
}
