"""Nudge is a small, fast memory for coding agents.

An agent, a person or a program stores small facts ("how do I build `http-proxy`
on this branch?") and gets back the one that fits where it is now, with the reason why.

    >>> from nudge import Context, Nudge
    >>> store = Nudge()
    >>> _ = store.set_hint("http-proxy", "build", "docker compose build router",
    ...                    meta={"tags": ["build"], "scope": {"branch": ["dev"]}})
    >>> found = store.get_hint("http-proxy", "build", context=Context(branch="dev"))
    >>> found.value
    'docker compose build router'
    >>> found.match_explain.reasons
    ['branch=dev allowed']

`help(nudge.Nudge)` is the manual; `nudge.errors` has the exceptions, `nudge.types` the shapes.
"""

from nudge._nudge import Context, __version__
from nudge.agent import tools
from nudge.answer import Answer
from nudge.answers import (
    Block,
    Bumped,
    Components,
    ContextSets,
    Deleted,
    Exported,
    Found,
    Hint,
    HintMatch,
    HintSet,
    Imported,
    MatchExplain,
    Merged,
    Proposal,
    Proposals,
    Proposed,
    Ranked,
    Reaction,
    Stats,
)
from nudge.errors import (
    ConflictError,
    ForbiddenError,
    InternalError,
    InvalidError,
    NotFoundError,
    NudgeError,
    QuotaError,
    ScopeInvalidError,
    SecretRejectedError,
    UnavailableError,
)
from nudge.session import connect
from nudge.store import Nudge, prompt_block

__all__ = [
    "Answer",
    "Block",
    "Bumped",
    "Components",
    "ConflictError",
    "Context",
    "ContextSets",
    "Deleted",
    "Exported",
    "ForbiddenError",
    "Found",
    "Hint",
    "HintMatch",
    "HintSet",
    "Imported",
    "InternalError",
    "InvalidError",
    "MatchExplain",
    "Merged",
    "NotFoundError",
    "Nudge",
    "NudgeError",
    "Proposal",
    "Proposals",
    "Proposed",
    "QuotaError",
    "Ranked",
    "Reaction",
    "ScopeInvalidError",
    "SecretRejectedError",
    "Stats",
    "UnavailableError",
    "__version__",
    "connect",
    "prompt_block",
    "tools",
]
