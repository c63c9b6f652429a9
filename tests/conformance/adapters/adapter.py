"""The Python surface for the conformance driver: lines of `word TAB json` in, answers out.

It holds no expectation: it looks up the word, calls, and prints what came back.
"""

import json
import sys
from typing import Any

from nudge import Nudge, NudgeError, connect


def say(word: str, answer: dict[str, Any]) -> None:
    """Answer one line."""
    print(word, json.dumps(answer), sep="\t", flush=True)


def main() -> None:
    """Speak the protocol until the driver has had enough."""
    # One vector nests its JSON deeper than Python reads by default.
    sys.setrecursionlimit(10_000)
    store = Nudge()
    for line in sys.stdin:
        word, _, text = line.partition("\t")
        params = json.loads(text)
        if word == "open":
            store = Nudge(**params)
        elif word == "connect":
            store = connect(**params)
        elif word == "as":
            store = store.as_caller(**params)
        elif word == "at":
            store.pin_clock(params)
        else:
            method = getattr(store, "import_" if word == "import" else word, None)
            if method is None:
                print("error", '"no such method"', sep="\t", flush=True)
                continue
            try:
                say("ok", method(**params).to_dict())
            except NudgeError as error:
                say("error", error.to_dict())
            except TypeError as misuse:
                # Python's word for an argument too few or too many; the contract's is behind it.
                if not isinstance(misuse.__context__, NudgeError):
                    raise
                say("error", misuse.__context__.to_dict())


if __name__ == "__main__":
    main()
