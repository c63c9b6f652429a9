"""The Python surface for the conformance driver: lines of `word TAB json` in, answers out.

It holds no expectation: it looks up the word, calls, and prints what came back.
"""

import json
import sys
from inspect import signature
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
            # What no method takes, a program that forwards calls hands on by name.
            known = signature(method).parameters
            takes = params.keys() <= known.keys() and all(
                name in params for name, one in known.items() if one.default is one.empty
            )
            try:
                answer = method(**params) if takes else store.call(word, params)
                say("ok", answer)
            except NudgeError as error:
                say("error", error.to_dict())


if __name__ == "__main__":
    main()
