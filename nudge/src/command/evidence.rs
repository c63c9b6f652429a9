//! What the runs of a repository say about the command of a kind in a folder.

use super::book::{Book, End, Run, count};
use super::ending::Ending;

impl Book {
    /// In how many sessions a kind was run in a folder and on a branch without a success of the
    /// known command, since that last ended ok there.
    pub(crate) fn sessions_without(
        &self,
        (folder, branch): (&str, u64),
        kind: &str,
        known: Option<&str>,
    ) -> usize {
        let all = self.ends_of_kind(folder, kind);
        let known = known.into_iter().flat_map(|id| self.ends_of(folder, id));
        let is_ok = |end: &&End| end.ending == Ending::Ok && end.branch == branch;
        let ok: Vec<&End> = known.filter(is_ok).collect();
        let since = ok.iter().map(|end| end.at).max();
        let is_without = |end: &&End| {
            let is_later = Some(end.at) >= since && end.branch == branch;
            is_later && !ok.iter().any(|known| known.session == end.session)
        };
        count(all.filter(is_without))
    }

    /// How the commands of a kind ended in a folder.
    pub(super) fn ends_of_kind(&self, folder: &str, kind: &str) -> impl Iterator<Item = &End> {
        let is_kind = move |run: &&Run| run.folder == folder && run.kind.as_deref() == Some(kind);
        self.runs.iter().filter(is_kind).flat_map(|run| &run.ends)
    }

    /// How what is run ended in a folder.
    fn ends_of(&self, folder: &str, id: &str) -> impl Iterator<Item = &End> {
        let runs = self.runs.iter();
        let runs = runs.filter(move |run| run.id == id && run.folder == folder);
        runs.flat_map(|run| &run.ends)
    }

    /// Whether what is run ended ok when it last told in a folder and on a branch.
    pub(crate) fn works(&self, (folder, branch): (&str, u64), id: &str) -> Option<bool> {
        let ends = self.ends_of(folder, id);
        let told = ends.filter(|end| end.branch == branch && end.ending != Ending::Unknown);
        let last = told.max_by_key(|end| end.at)?;
        Some(last.ending == Ending::Ok)
    }

    /// Whether what is run ended ok on another branch than this one after the known one last did.
    pub(crate) fn is_common(
        &self,
        (folder, branch): (&str, u64),
        id: &str,
        known: Option<&str>,
    ) -> bool {
        let known = known.into_iter().flat_map(|id| self.ends_of(folder, id));
        let known = known.filter(|end| end.ending == Ending::Ok);
        let since = known.map(|end| end.at).max();
        let mut ends = self.ends_of(folder, id);
        ends.any(|end| end.ending == Ending::Ok && end.branch != branch && Some(end.at) > since)
    }

    /// In how many sessions what is run ended ok in a folder and on a branch; and whether those
    /// are few of the sessions in which its kind was run there since the first of them.
    pub(crate) fn sessions_ok(
        &self,
        (folder, branch): (&str, u64),
        kind: &str,
        id: &str,
    ) -> (usize, bool) {
        let is_ok = |end: &&End| end.ending == Ending::Ok && end.branch == branch;
        let first = self.ends_of(folder, id).filter(is_ok).map(|end| end.at);
        let first = first.min();
        let all = self.ends_of_kind(folder, kind);
        let all = all.filter(|end| end.branch == branch && Some(end.at) >= first);
        let ok = count(self.ends_of(folder, id).filter(is_ok));
        (ok, ok * 2 < count(all))
    }
}
