//! The process that started this one.

use winsafe::{HPROCESS, HPROCESSLIST, co};

/// Waits for the end of the process that started us. Hosts that die forget to
/// tell, and the pipe may be held open by another of their children.
pub(crate) async fn parent_gone() {
    let waited = tokio::task::spawn_blocking(wait_for_parent).await;
    if !matches!(waited, Ok(Some(()))) {
        // Nobody tells which it is, or it was gone before we looked.
        std::future::pending::<()>().await;
    }
}

/// Waits for the end of the parent, where it is known. It blocks its thread.
fn wait_for_parent() -> Option<()> {
    let mut all = HPROCESSLIST::CreateToolhelp32Snapshot(co::TH32CS::SNAPPROCESS, None).ok()?;
    let mut all = all.iter_processes().map_while(Result::ok);
    let this = all.find(|process| process.th32ProcessID == std::process::id())?;
    let parent = this.th32ParentProcessID;
    let parent = HPROCESS::OpenProcess(co::PROCESS::SYNCHRONIZE, false, parent).ok()?;
    parent.WaitForSingleObject(None).ok().map(drop)
}
