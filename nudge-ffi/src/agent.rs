//! What an agent is told: hints as text for its prompt, and what follows from what it does.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use nudge_core::Operation;

use crate::call::call;
use crate::context::PreparedContext;
use crate::error::NudgeError;
use crate::store::Store;

/// Writes the hints that apply as text for a prompt, within a budget.
///
/// `params`, all optional: `context` and `budget` (in tokens, 1 to 100,000; 400). The
/// answer: `{"text", "shown", "left_out"}`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_prompt_block(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, Ok(Operation::PromptBlock), params, result) }
}

/// Takes an event of a program that runs an agent, and says what the agent should be told.
///
/// `params`: `{"event": …, "host": …, "session": …, "reason": …, "command": …, "ok": …,
/// "exit_code": …, "output": …, "budget": …, "context": {…}}`, of which only `event` is
/// needed: `session_start`, `before_command`, `after_command` or `session_end`. What is
/// not known is ignored. The answer: `{"text", "did": [{"bumped": "api/build"}]}`, both
/// absent when there is nothing to say. A command that equals a hint counts as a use of
/// it or as a failure; what failed and then worked in another form is proposed.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_on_event(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, Ok(Operation::OnEvent), params, result) }
}
