//! `Staging`: payloads on their way, which are longer than one request may be.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use nudge::{Caller, Error, ErrorKind, Import, ImportMode, Imported, Via};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;

/// The most uploads at a time.
const MAX_UPLOADS: usize = 4;

/// The most bytes of all uploads together: as long as the longest answer that a client takes.
const MAX_BYTES: usize = 2 << 30;

/// How long an upload is kept without another piece.
const KEPT: Duration = Duration::from_mins(1);

/// Sends a piece of a payload.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    /// What the sender calls the payload; nobody else should know it.
    upload: String,
    /// How many bytes came before.
    offset: usize,
    /// The next part of its text.
    text: String,
}

/// A piece is there.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Staged {
    /// How many bytes of the payload are there.
    bytes: usize,
}

/// Asks for a payload to be loaded that was sent in pieces.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportStaged {
    /// What its pieces call it.
    upload: String,
    /// As of `nudge.import`.
    mode: Option<ImportMode>,
    /// As of `nudge.import`.
    dry_run: Option<bool>,
}

/// The payloads that are on their way.
#[derive(Debug, Default)]
pub(super) struct Staging(Mutex<HashMap<String, Upload>>);

#[derive(Debug)]
struct Upload {
    text: String,
    last: Instant,
}

impl Primary {
    /// Takes a piece of a payload, from whoever shows the client key: the memory of the
    /// server is for its user.
    pub(super) fn stage(&self, by: &Caller<'_>, piece: Stage) -> Result<Staged, Error> {
        if !by.is_user() && by.via != Via::Cli {
            let words = "payloads in pieces are for `nudge import`; send a smaller one with \
                         `nudge.import`";
            return Err(Error::new(ErrorKind::Forbidden, words));
        }
        self.staging.add(piece, Instant::now())
    }

    /// Loads a payload whose pieces are there, as `nudge.import` does.
    pub(super) fn import_staged(
        &self,
        by: &Caller<'_>,
        request: &ImportStaged,
    ) -> Result<Imported, Error> {
        let mut import = Import::new(self.staging.take(&request.upload)?);
        import.mode = request.mode.unwrap_or_default();
        import.dry_run = request.dry_run.unwrap_or_default();
        self.nudge.ask(by, import)
    }
}

impl Staging {
    /// Adds a piece. One that is sent again, because its answer was lost, is there already.
    fn add(&self, piece: Stage, now: Instant) -> Result<Staged, Error> {
        self.forget_old(now);
        let mut uploads = self.0.lock();
        let bytes: usize = uploads.values().map(|upload| upload.text.len()).sum();
        let is_new = !uploads.contains_key(&piece.upload);
        if bytes + piece.text.len() > MAX_BYTES || (is_new && uploads.len() == MAX_UPLOADS) {
            let words = "too much is being imported at a time; try again in a minute";
            return Err(Error::new(ErrorKind::Quota, words));
        }
        if is_new && piece.offset > 0 {
            return Err(gone());
        }
        let upload = uploads.entry(piece.upload).or_insert_with(|| Upload {
            text: String::new(),
            last: now,
        });
        match upload.text.get(piece.offset..) {
            Some("") => upload.text.push_str(&piece.text),
            Some(there) if there.starts_with(&piece.text) => {}
            _ => return Err(gone()),
        }
        upload.last = now;
        let bytes = upload.text.len();
        Ok(Staged { bytes })
    }

    fn take(&self, upload: &str) -> Result<String, Error> {
        let upload = self.0.lock().remove(upload);
        upload.map(|upload| upload.text).ok_or_else(gone)
    }

    /// Drops what nobody has added to for a while.
    pub(super) fn forget_old(&self, now: Instant) {
        let is_young = |upload: &Upload| now.duration_since(upload.last) < KEPT;
        self.0.lock().retain(|_, upload| is_young(upload));
    }
}

/// The error for a piece without those before it: another PRIMARY may have had them.
fn gone() -> Error {
    let words = "what came before is not here any more; send the payload again from its start";
    Error::new(ErrorKind::NotFound, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(upload: &str, offset: usize, text: &str) -> Stage {
        Stage {
            upload: upload.to_owned(),
            offset,
            text: text.to_owned(),
        }
    }

    #[test]
    fn pieces_come_in_their_order_and_count_once() {
        let (staging, now) = (Staging::default(), Instant::now());
        let add = |offset, text| {
            let staged = staging.add(piece("a", offset, text), now);
            staged
                .map(|staged| staged.bytes)
                .map_err(|error| error.kind())
        };
        assert_eq!(add(2, "x"), Err(ErrorKind::NotFound));
        assert_eq!(add(0, "ab"), Ok(2));
        assert_eq!(add(0, "ab"), Ok(2));
        assert_eq!(add(2, "é"), Ok(4));
        for (offset, text) in [(0, "ac"), (3, "d"), (5, "d"), (2, "éé")] {
            assert_eq!(add(offset, text), Err(ErrorKind::NotFound), "{offset}");
        }
        assert_eq!(staging.take("a").unwrap(), "abé");
        assert!(staging.take("a").is_err());
    }

    #[test]
    fn uploads_are_few_and_none_is_kept_for_long() {
        let (staging, now) = (Staging::default(), Instant::now());
        for name in ["a", "b", "c", "d"] {
            staging.add(piece(name, 0, "x"), now).unwrap();
        }
        let fifth = staging.add(piece("e", 0, "x"), now).unwrap_err();
        assert_eq!(fifth.kind(), ErrorKind::Quota);
        let later = now + KEPT / 2;
        staging.add(piece("a", 1, "y"), later).unwrap();
        staging.add(piece("e", 0, "x"), now + KEPT).unwrap();
        assert_eq!(staging.take("a").unwrap(), "xy");
        assert!(staging.take("b").is_err());
    }
}
