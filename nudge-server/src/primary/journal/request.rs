//! Which request the call on this thread belongs to.

use std::cell::RefCell;

thread_local! {
    // A call of the store is synchronous, so that from the door to the sink it
    // stays on one thread.
    static CURRENT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes a call on this thread in the name of a request id. It must not be asynchronous.
pub(super) fn for_request<T>(id: &str, call: impl FnOnce() -> T) -> T {
    struct Restore(Option<String>);

    // Also when the call panics: the thread goes on to serve others.
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }

    let _restore = Restore(CURRENT.replace(Some(id.to_owned())));
    call()
}

/// The request id in whose name a call is being made.
pub(super) fn current() -> Option<String> {
    CURRENT.with_borrow(Clone::clone)
}
