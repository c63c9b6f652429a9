//! Forks: they wait for the calls of other threads, so that a child can use its copy.

use nudge_core::fork_lock::CallUnderWay;

/// Begins a call that a fork waits for.
pub(crate) fn begin() -> CallUnderWay {
    #[cfg(unix)]
    {
        use nudge_core::fork_lock::{after_fork, before_fork};
        use std::ffi::c_int;
        use std::sync::Once;

        unsafe extern "C" {
            fn pthread_atfork(
                before: extern "C" fn(),
                parent: extern "C" fn(),
                child: extern "C" fn(),
            ) -> c_int;
        }
        extern "C" fn before() {
            before_fork();
        }
        extern "C" fn after() {
            after_fork();
        }
        static REGISTERED: Once = Once::new();
        // SAFETY: the handlers are functions that live as long as this library. Where there
        // is no memory for them, forks are as they would be without.
        REGISTERED.call_once(|| _ = unsafe { pthread_atfork(before, after, after) });
    }
    CallUnderWay::begin()
}
