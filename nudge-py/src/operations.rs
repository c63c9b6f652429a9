//! The methods of the store that are operations of the core's table.

use pyo3::prelude::*;

use crate::answer::object;
use crate::answer_classes as answers;
use crate::arguments::{Arg, Arguments, Request};
use crate::store::{Named, Store};

/// Makes a method of each row: its arguments that have a place, its request and its
/// answer. The signature is what `help` shows; `generate` writes it.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident($($placed:ident),*) $request:ident -> $answer:ident
            $(, with a $context:ident)? $(, with its $meta:ident)?, $signature:literal
    )*) => {
        #[pymethods]
        impl Store {
            $(
                $(#[$doc])*
                #[pyo3(signature = ($($placed=Arg::Missing,)* **named), text_signature = $signature)]
                fn $name<'py>(
                    &self,
                    py: Python<'py>,
                    $($placed: Arg<'_, 'py>,)*
                    named: Option<Named<'_, 'py>>,
                ) -> PyResult<Bound<'py, answers::$answer>> {
                    let placed = [$((stringify!($placed), $placed)),*];
                    let call = concat!("Nudge.", stringify!($name));
                    let arguments = Arguments { call, placed, named };
                    let answer = self.call::<nudge::$request, _>(py, &arguments)?;
                    object(py, answers::$answer(answer))
                }
            )*
        }

        $(impl Request for nudge::$request {
            $(const HAS_META: bool = !stringify!($meta).is_empty();)?

            $(fn at(self, $context: nudge::Context) -> Self {
                self.context($context)
            })?
        })*
    };
}

operations! {
    /// Sets a hint: a new one, or a variant that is there already.
    ///
    /// `value` is a string, or a dict with `type` `command`, `path`, `template` or
    /// `json`. What is in `meta`, and in its `scope`, may be given by keywords as well, but
    /// not the same in both. What is left out stays; `None` in `meta` clears, and as a
    /// keyword is as good as left out. `context` is where the writer is: without a scope the
    /// hint applies there, and without both everywhere. `if_match_version` is the version
    /// that must be there, 0 for none.
    ///
    /// Raises `InvalidError`, `SecretRejectedError`, `ScopeInvalidError`, `ForbiddenError`,
    /// `ConflictError` (another version) and `QuotaError`. A refused call changes nothing.
    ///
    ///     >>> store.set_hint("api", "build", "make", tags="build", priority=7).created
    ///     True
    ///     >>> store.set_hint("api", "build", "make all").hint.version
    ///     2
    set_hint(component, key, value) SetHint -> HintSet, with a context, with its meta,
        "($self, component, key, value, *, meta=None, context=None, if_match_version=None, reason=None, tags=None, priority=None, confidence=None, pin=None, ttl=None, sensitivity=None, scope=None, source=None, added_by=None, anchors=None, cwd_glob=None, repo=None, branch=None, os=None, env_required=None, env_match=None)"

    /// Finds all hints that fit some filters, the best first.
    ///
    /// The filters combine by AND; of `keys` and `tags` one is enough, unless
    /// `tags_mode` is `"all"`. `regex` is looked for in key, value, tags and reason,
    /// every word of `text` in the component too. `limit` is from 1 to 100, 10 when
    /// left out; `max_tokens` leaves out what has no room. `include_ineligible` also
    /// lists the hints that are out of scope, without their values.
    ///
    /// Raises `InvalidError`. Finding nothing is not an error.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make", tags=["build"])
    ///     >>> [hint.value for hint in store.query(tags=["build"]).hints]
    ///     ['make']
    query() Query -> Found, with a context,
        "($self, *, component=None, keys=None, tags=None, tags_mode=None, regex=None, text=None, context=None, limit=None, max_tokens=None, include_ineligible=None, anywhere=None)"

    /// Deletes a hint.
    ///
    /// Of several variants it takes the one with this `scope`, the one that a get
    /// would choose in this `context`, or `all` of them.
    ///
    /// Raises `NotFoundError`, and `InvalidError` when there are several and none is
    /// chosen.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> store.delete_hint("api", "build").previous.value
    ///     'make'
    delete_hint(component, key) DeleteHint -> Deleted, with a context,
        "($self, component, key, *, scope=None, context=None, all=None, everywhere=None)"

    /// Lists the components, or the keys of one.
    ///
    /// With a `context`, only what applies there is counted. Raises `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> store.list_components(component="api").components
    ///     [{'name': 'api', 'hint_count': 1, 'keys': ['build']}]
    list_components() ListComponents -> Components, with a context,
        "($self, *, component=None, context=None)"

    /// Counts a use of a hint, which makes it come first more often.
    ///
    /// With the `outcome` "fail" a failure is counted, which makes it come later.
    /// `delta` is from 1 to 1000. Which variant is meant, `scope` or `context` says,
    /// as for `delete_hint`. Raises `NotFoundError` and `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> store.bump("api", "build").hint.use_count
    ///     1
    bump(component, key) Bump -> Bumped, with a context,
        "($self, component, key, *, delta=None, outcome=None, scope=None, context=None)"

    /// Gives the store, or a part of it, as a payload.
    ///
    /// Hints that are marked as secret are left out unless `include_secrets` is
    /// true. Raises `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> store.export().payload["components"]["api"]["hints"]["build"]["value"]
    ///     'make'
    export() Export -> Exported,
        "($self, *, format=None, component=None, tags=None, include_secrets=None, context=None, seed=None)"

    /// Loads the hints of a payload, as `export` gives it.
    ///
    /// With `mode="merge"` the newer one of two hints wins, and a bad one is skipped
    /// and listed; with `mode="replace"` the payload takes the place of the store, if
    /// all of it is good. `dry_run` only says what would happen.
    ///
    /// Raises `InvalidError`, and what a set raises when it replaces.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> Nudge().import_(store.export().payload).imported
    ///     1
    import_(payload) Import -> Imported,
        "($self, payload, *, mode=None, dry_run=None)"

    /// Says what is being worked on, in named sets.
    ///
    /// `sets` has the items of each set, the newest last: strings or integers, none to
    /// take a set away. With `mode="merge"` a set keeps what it has. A set has 10 items
    /// at most and all have 50; the newest stay, and `dropped` says what went.
    ///
    /// Raises `InvalidError` and `SecretRejectedError`.
    ///
    ///     >>> store.set_context({"files": ["src/proxy.rs"], "ports": [8080]}).sets
    ///     {'files': ['src/proxy.rs'], 'ports': ['8080']}
    set_context(sets) SetContext -> ContextSets,
        "($self, sets, *, mode=None, context=None)"

    /// Tells what is being worked on, or what is in one set.
    ///
    /// Files that no longer exist on this machine are counted in `gone` and not listed.
    /// Raises `NotFoundError`, which names the nearest set, and `InvalidError`.
    ///
    ///     >>> _ = store.set_context({"ports": [8080]})
    ///     >>> store.get_context().sets
    ///     {'ports': ['8080']}
    get_context(name) GetContext -> ContextSets,
        "($self, name=None, *, context=None)"

    /// Proposes a hint: it is never served until it is accepted.
    ///
    /// As `set_hint`, with a reason. Raises `ConflictError` when the hint says so
    /// already, and what a set raises.
    ///
    ///     >>> proposed = store.propose("api", "test", "make test JOBS=1", why="it failed without")
    ///     >>> proposed.proposal.id, store.query().total
    ///     (1, 0)
    propose(component, key, value) Propose -> Proposed, with its meta,
        "($self, component, key, value, *, why, meta=None, reason=None, tags=None, priority=None, confidence=None, pin=None, ttl=None, sensitivity=None, scope=None, source=None, added_by=None, anchors=None, cwd_glob=None, repo=None, branch=None, os=None, env_required=None, env_match=None)"

    /// Lists the proposals that wait.
    ///
    /// The oldest comes first, and there are 100 at most.
    ///
    ///     >>> _ = store.propose("api", "test", "make test", why="it worked")
    ///     >>> [proposal.hint.value for proposal in store.list_proposals().proposals]
    ///     ['make test']
    list_proposals() ListProposals -> Proposals,
        "($self)"

    /// Sets the hint of a proposal, as the user's own.
    ///
    /// Raises `NotFoundError` when it does not wait, and what a set raises.
    ///
    ///     >>> _ = store.propose("api", "test", "make test", why="it worked")
    ///     >>> store.accept(1).hint.meta["source"]
    ///     'user'
    accept(id) Accept -> HintSet,
        "($self, id)"

    /// Drops a proposal.
    ///
    /// The answer has it once more. Raises `NotFoundError` when it does not wait.
    ///
    ///     >>> _ = store.propose("api", "test", "make test", why="it worked")
    ///     >>> store.reject(1).proposal.why
    ///     'it worked'
    reject(id) Reject -> Proposed,
        "($self, id)"

    /// Takes an event of a program that runs an agent, and says what the agent should be told.
    ///
    /// `event` is `"session_start"`, `"before_command"`, `"after_command"` or
    /// `"session_end"`; nothing follows from any other. `host` and `session` say whose
    /// it is, `reason` why a session starts, `command`, `ok` or `exit_code` and
    /// `output` what was run and how it ended. What cannot be read counts as absent.
    ///
    /// A command that equals a hint counts as a use of it or as a failure; what failed
    /// and then worked in another form is proposed. Raises `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> here = Context(cwd="/work/api")
    ///     >>> store.on_event("before_command", command="ninja", context=here).text
    ///     'Nudge: [user] api/build here is "make"'
    ///     >>> store.on_event("after_command", command="make", exit_code=0, context=here).did
    ///     [{'bumped': 'api/build'}]
    on_event(event) Event -> Reaction, with a context,
        "($self, event, *, host=None, session=None, reason=None, call=None, command=None, prompt=None, file=None, ok=None, exit_code=None, output=None, duration_ms=None, size=None, budget=None, remind_after=None, programs=None, hold_back=None, context=None)"

    /// Writes the hints that apply here as a block of text for a prompt.
    ///
    /// The best ones are taken until `budget`, in tokens, is used up (400 when left out).
    /// The same hints give the same bytes, so that prompt caches survive. The text is
    /// empty when nothing applies. Each line says first who says so; a secret is never shown.
    ///
    /// Raises `InvalidError`.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make")
    ///     >>> store.prompt_block(budget=100).shown
    ///     1
    prompt_block(context) PromptBlock -> Block, with a context,
        "($self, context=None, *, budget=None)"

    /// Counts what the store holds, and says which tags are on most hints.
    ///
    /// Only live hints count.
    ///
    ///     >>> _ = store.set_hint("api", "build", "make", meta={"tags": ["build"]})
    ///     >>> stats = store.stats()
    ///     >>> stats.hints, stats.top_tags
    ///     (1, [{'tag': 'build', 'hints': 1}])
    stats() GetStats -> Stats,
        "($self)"
}
