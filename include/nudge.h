// Nudge: a small memory for coding agents, in the process.
//
// A program stores small facts ("how do I build `http-proxy` on this branch?")
// and gets back the one that fits where it is now, with the reason why. Nothing
// that is stored is ever executed. With `nudge_new` nothing leaves the process;
// `nudge_connect` joins the store that all programs of this user share.
//
//     nudge *store;
//     char *found;
//     nudge_error *error = nudge_new(NULL, &store);
//     if (!error)
//         error = nudge_set_hint(store, NULL,
//             "{\"component\": \"api\", \"key\": \"build\", \"value\": \"make\"}", NULL);
//     if (!error)
//         error = nudge_get_hint(store, NULL,
//             "{\"component\": \"api\", \"key\": \"build\"}", &found);
//     if (error) {
//         fprintf(stderr, "%s\n", nudge_error_message(error));
//         nudge_error_free(error);
//     } else {
//         puts(found);
//         nudge_string_free(found);
//     }
//     nudge_free(store);
//
// This holds for every function, and is said here once:
//
// Text     All text is UTF-8 and ends with a NUL byte; requests and answers are
//          JSON objects with the same words in every language. A request that is
//          not UTF-8, not JSON or has a field too many is NUDGE_E_INVALID.
// Errors   A function that can fail returns a `nudge_error *`, NULL when it is
//          done. A call that fails has changed nothing, and leaves NULL in the
//          place for its result. The error is the caller's to free, with
//          `nudge_error_free`.
// Owning   What a function writes to a `**` belongs to the caller, who frees a
//          text with `nudge_string_free`, a store with `nudge_free` and a context
//          with `nudge_context_free`. What comes back as `const` is borrowed: it
//          lives as long as what it was asked of.
// NULL     Passing NULL is never undefined. Without the `store` that it needs a
//          call is NUDGE_E_INVALID; a `context` that is NULL says nothing, a JSON
//          argument is `{}`, a place for a result says that it is not wanted.
//          Every freeing function takes NULL.
// Threads  All functions may be called from any thread, also on one store at the
//          same time; don't free an object while another thread uses it.
// Panics   A bug in Nudge ends as NUDGE_E_INTERNAL and never unwinds into C.

#ifndef NUDGE_H
#define NUDGE_H

// Made from nudge-ffi by `make header`; do not edit.

#include <stddef.h>
#include <stdint.h>

// The version of this header.
#define NUDGE_VERSION "0.1.0"

// The first number of the version; another one breaks programs.
#define NUDGE_VERSION_MAJOR 0

// The second number of the version.
#define NUDGE_VERSION_MINOR 1

// The third number of the version.
#define NUDGE_VERSION_PATCH 0

// A field is missing, of the wrong type, out of range, or ambiguous.
#define NUDGE_E_INVALID 40001

// The secret guard refused to store something.
#define NUDGE_E_SECRET_REJECTED 40002

// A glob does not compile or climbs out of its root.
#define NUDGE_E_SCOPE_INVALID 40003

// Only the user may do this.
#define NUDGE_E_FORBIDDEN 40301

// No such slot, it has expired, or nothing in it applies here.
#define NUDGE_E_NOT_FOUND 40401

// The version is not the expected one, or there is nothing to propose.
#define NUDGE_E_CONFLICT 40901

// A limit of the store was reached; what was there stays.
#define NUDGE_E_QUOTA 42901

// A bug in Nudge; nothing was half-written.
#define NUDGE_E_INTERNAL 50001

// The server cannot be reached; of a store in the program, what only the server can do.
#define NUDGE_E_UNAVAILABLE 50301

// Why a call failed.
//
// It is never changed, so threads may read it together. Its texts live as long as it
// does.
typedef struct nudge_error nudge_error;

// Where a caller is, read and brought into its normal form once.
//
// It is never changed, so threads may use it together, with any store.
typedef struct nudge_context nudge_context;

// A store of hints.
//
// Any number of threads may use it at the same time; it does its own locking.
typedef struct nudge nudge;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library that the program runs with, such as "0.1.0".
//
// Compare it with `NUDGE_VERSION` to find out that a program was compiled for
// another one. The text is static: do not free it.
const char *nudge_version(void);

// Makes an empty store.
//
// `config` is a JSON object, or NULL for the defaults: `{"limits":
// {"components": 500, "hints_per_component": 200, "hints": 5000,
// "value_bytes": 8192, "bytes": 67108864}, "secret_guard": true, "default_ttl": "kept",
// "keep": false, "in_container": false, "weights": {…}, "session_id": …}`.
nudge_error *nudge_new(const char *config, nudge **store);

// Joins the session of this machine, the store that all programs of this user share.
//
// Every function takes its handle, and asks the server of the session, which is started where
// none answers. `options` is a JSON object, or NULL: `{"runtime_dir": …, "program": …,
// "start": true, "client": "my-tool/1"}`, all optional. `program` is the path of `nudge`, the
// one on the `PATH` when absent, `start` whether it may be started, and `client` who joins.
// By this handle a program calls and not the user; `nudge_as` makes it an agent or a hook. An
// answer may be `NUDGE_E_UNAVAILABLE`.
nudge_error *nudge_connect(const char *options, nudge **store);

// Gives a second handle on the same store, by which somebody else calls.
//
// By the handle of `nudge_new` the user calls, who may do everything. `caller` is a
// JSON object, `{"actor": "agent", "client": "codex/1", "session": "s-1"}`, all
// optional; `actor` is "user", "agent", "hook" or "program", and NULL is the user. What
// an agent sets says so, and never takes the place of what the user has set; what is
// the user's alone is `NUDGE_E_FORBIDDEN`. Every function takes either handle, and each is
// freed by itself.
nudge_error *nudge_as(const nudge *store, const char *caller, nudge **as);

// Frees a handle, and with its last one the store and all its hints. No
// other thread may be using it; what it has answered stays valid.
void nudge_free(nudge *store);

// Removes expired hints.
//
// Reads never show them in any case; this frees their memory. The server of a shared store
// does so by itself, and the count in `*swept` is 0.
nudge_error *nudge_sweep(const nudge *store, size_t *swept);

// Stops the store's clock at a time such as "2025-11-04T10:00:00Z", for tests
// and replay; NULL for `time` lets it run again.
//
// Time still never runs backwards, so pin the clock before the first call.
nudge_error *nudge_pin_clock(const nudge *store, const char *time);

// Frees the text of an answer.
void nudge_string_free(char *text);

// Reads a context once, to be used for many calls.
//
// `facts` is a JSON object: `{"cwd": "/work/api/src", "root": "/work/api",
// "repo": "git:acme/api", "branch": "dev", "os": "linux", "env": {"CI": "1"},
// "files_open": […]}`, all optional.
nudge_error *nudge_context_new(const char *facts, nudge_context **context);

// Finds out where this process is.
//
// What `facts` (JSON as above, or NULL) states stays; what it leaves out is
// filled in: the current folder, the root, repository and branch there, read
// from git's files without starting a process, and the operating system. Of
// the environment only the variables that some hint of `store` asks for are
// read; with a NULL `store`, none.
nudge_error *nudge_here(const nudge *store, const char *facts, nudge_context **context);

// Writes a context as JSON, each fact in its normal form.
//
// Here `context` is needed.
nudge_error *nudge_context_json(const nudge_context *context, char **result);

// Frees a context. No other thread may be using it.
void nudge_context_free(nudge_context *context);

// Runs an operation by its name, such as `get_hint` or `nudge.get_hint`.
//
// `context` is where the caller is, for an operation that takes a `context` and
// `params` that state none. On a handle of `nudge_connect`, every method of the
// session's server can be called, such as `nudge.search`; on one of `nudge_new` that is
// `NUDGE_E_UNAVAILABLE`.
nudge_error *nudge_call(const nudge *store,
                        const nudge_context *context,
                        const char *operation,
                        const char *params,
                        char **result);

// The number of an error, one of `NUDGE_E_…`; 0 if `error` is NULL.
int32_t nudge_error_code(const nudge_error *error);

// The name of an error, such as `E_NOT_FOUND`; empty if `error` is NULL.
const char *nudge_error_reason(const nudge_error *error);

// What to tell a person: one sentence that says what to do next; empty if
// `error` is NULL.
const char *nudge_error_message(const nudge_error *error);

// What a program may want to know, as a JSON object: `reason`, `detail`, and
// what applies of the other fields that `docs/reference.md` lists of
// `ErrorData`; empty if `error` is NULL.
const char *nudge_error_data(const nudge_error *error);

// The whole error as JSON-RPC has it, `{"code": …, "message": …, "data": {…}}`,
// to be passed on; empty if `error` is NULL.
const char *nudge_error_json(const nudge_error *error);

// Frees an error and its texts.
void nudge_error_free(nudge_error *error);

// Every operation of a store. A field with `?` may be left out.

// Sets a hint: a new one, or a variant that is there already.
// Params: component, key, value, meta?, context?, if_match_version?, from_scope?; in `meta`:
// reason?, tags?, priority?, confidence?, pin?, ttl?, sensitivity?, scope?, source?, added_by?,
// anchors?.
// Answer: component, key, hint, created, variants, replaced?, proposal?, note?.
static inline nudge_error *nudge_set_hint(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.set_hint", params, result);
}

// Gives the hint of a slot that fits best, and why.
// Params: component, key, context?, alternatives?.
// Answer: component, key, hint, match_explain, alternatives?, proposal?.
static inline nudge_error *nudge_get_hint(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.get_hint", params, result);
}

// Searches the hints that apply, best first.
// Params: component?, keys?, tags?, tags_mode?, regex?, text?, context?, limit?, max_tokens?,
// include_ineligible?, anywhere?.
// Answer: hints, total, scoped_out, ineligible?, left_out?, nearest?.
static inline nudge_error *nudge_query(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.query", params, result);
}

// Deletes a variant of a slot, or all of them.
// Params: component, key, scope?, context?, all?, everywhere?.
// Answer: component, key, deleted, previous, remaining, proposal?.
static inline nudge_error *nudge_delete_hint(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.delete_hint", params, result);
}

// Lists the components, sorted; of one that is named, its keys too.
// Params: component?, context?.
// Answer: components.
static inline nudge_error *nudge_list_components(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.list_components", params, result);
}

// Says that a hint proved useful, so that it ranks higher.
// Params: component, key, delta?, outcome?, scope?, context?.
// Answer: component, key, hint, counted, use_count.
static inline nudge_error *nudge_bump(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.bump", params, result);
}

// Gives the store, or a part of it, as one payload.
// Params: format?, component?, tags?, include_secrets?, context?, seed?.
// Answer: payload, secrets_left_out.
static inline nudge_error *nudge_export(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.export", params, result);
}

// Loads the hints of a payload.
// Params: payload, mode?, dry_run?.
// Answer: imported, skipped, problems.
static inline nudge_error *nudge_import(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.import", params, result);
}

// Merges what another machine keeps with what this one does.
// Params: machine, payload?, brief?.
// Answer: taken, deleted, refused?, problems?, left_out?, files?.
static inline nudge_error *nudge_merge(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.merge", params, result);
}

// Says what is being worked on, in named sets.
// Params: sets, mode?, context?.
// Answer: sets, dropped?, nearest?, gone?, others?.
static inline nudge_error *nudge_set_context(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.set_context", params, result);
}

// Tells what is being worked on in the repository of `context`: the caller's own in `sets`, then
// that of `others`.
// Params: name?, context?.
// Answer: sets, dropped?, nearest?, gone?, others?.
static inline nudge_error *nudge_get_context(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.get_context", params, result);
}

// Proposes a hint: it is never served until it is accepted.
// Params: component, key, value, meta?, why; in `meta`: reason?, tags?, priority?, confidence?,
// pin?, ttl?, sensitivity?, scope?, source?, added_by?, anchors?.
// Answer: proposal.
static inline nudge_error *nudge_propose(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.propose", params, result);
}

// Lists the hints that wait to be accepted.
// Params: nothing.
// Answer: proposals.
static inline nudge_error *nudge_list_proposals(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.list_proposals", params, result);
}

// Sets the hint of a proposal, as the user's own.
// Params: id.
// Answer: component, key, hint, created, variants, replaced?, proposal?, note?.
static inline nudge_error *nudge_accept(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.accept", params, result);
}

// Drops a proposal.
// Params: id.
// Answer: proposal.
static inline nudge_error *nudge_reject(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.reject", params, result);
}

// Writes the hints that apply as text for a prompt, within a budget.
// Params: context?, budget?, prompt?, max_tokens?.
// Answer: text, shown, left_out, entries?.
static inline nudge_error *nudge_prompt_block(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.prompt_block", params, result);
}

// Takes an event of a host's hook, and says what the agent should be told.
// Params: event, host?, session?, reason?, call?, command?, prompt?, file?, ok?, exit_code?,
// output?, duration_ms?, size?, budget?, remind_after?, programs?, hold_back?, context?.
// Answer: text?, hold_back?, did?.
static inline nudge_error *nudge_on_event(const nudge *store, const nudge_context *context,
    const char *params, char **result) {
    return nudge_call(store, context, "nudge.on_event", params, result);
}

// Counts what the store holds, and says which tags are on most hints.
// Params: nothing.
// Answer: components, slots, hints, uses, used_hints, top_tags.
static inline nudge_error *nudge_stats(const nudge *store,
    const char *params, char **result) {
    return nudge_call(store, NULL, "nudge.stats", params, result);
}

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NUDGE_H */
