"""A get and a set from Python beside the floor: a call with the same arguments that does nothing.

Interleaved rounds, medians, ratios to the first line of each block; `make bench` runs it.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import floor

from nudge import Context, Nudge

COMPONENTS, KEYS, ROUNDS, BATCH = 25, 50, 15, 2_000
VARIANTS = [("dev", "linux"), ("dev", "darwin"), ("main", "linux"), ("release/*", "windows")]
Way = Callable[[int], Any]
SLOTS = [(f"service-{c:04}", f"task-{k:02}") for c in range(COMPONENTS) for k in range(KEYS)]
NUMBERS = [number * 7919 % len(SLOTS) for number in range(BATCH)]


def hint(component: str, key: str, variant: int, number: int) -> dict[str, Any]:
    """One variant of a slot as the dicts that one writes first."""
    branch, system = VARIANTS[variant]
    return {
        "value": f"docker compose -f deploy/{component}.yml build {key} --pull --progress=plain",
        "meta": {
            "reason": f"the image of step {number} is rebuilt whenever its base changes",
            "tags": ["build", f"rare-{number % 100:02}"],
            "priority": 1 + number % 10,
            "confidence": 0.8,
            "added_by": "agent:bench",
            "scope": {"cwd_glob": [f"**/{component}*"], "branch": [branch], "os": [system]},
        },
    }


def race(title: str, ways: dict[str, Callable[[], int]]) -> None:
    """Runs all ways in turns and prints a line for each; the first round warms up."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS + 1):
        for name, run in ways.items():
            start = time.perf_counter()
            done = run()
            times[name].append((time.perf_counter() - start) / done)
    medians = {name: statistics.median(spent[1:]) for name, spent in times.items()}
    first = next(iter(medians.values()))
    print(f"\n{title}")
    for name, median in medians.items():
        print(f"  {name:<52} {median * 1e9:>7.0f} ns   {median / first:>7.2f} x")


def each(way: Way) -> Callable[[], int]:
    def run() -> int:
        for number in NUMBERS:
            way(number)
        return len(NUMBERS)

    return run


def reads() -> None:
    store = Nudge()
    for slot, (component, key) in enumerate(SLOTS):
        for variant in range(4):
            one = hint(component, key, variant, slot * 4 + variant)
            store.set_hint(component, key, one["value"], meta=one["meta"])
    facts = [
        {"cwd": f"/work/platform/service-{c:04}", "branch": "dev", "os": "linux"}
        for c in range(COMPONENTS)
    ]
    contexts = [Context(**fact) for fact in facts]
    empty = floor.Empty(hint(*SLOTS[0], 0, 0)["value"])
    floors = [floor.Context(fact["cwd"]) for fact in facts]

    def by_floor(slot: int) -> Any:
        component, key = SLOTS[slot]
        return empty.get_hint(component, key, context=floors[slot // KEYS]).value

    def prepared(slot: int) -> Any:
        component, key = SLOTS[slot]
        return store.get_hint(component, key, context=contexts[slot // KEYS]).value

    def with_dict(slot: int) -> Any:
        component, key = SLOTS[slot]
        return store.get_hint(component, key, context=facts[slot // KEYS]).value

    race(
        f"get from Python, {len(SLOTS) * 4:,} hints, the value read",
        {
            "floor: an empty call with the same arguments": each(by_floor),
            "nudge, a prepared context": each(prepared),
            "nudge, the context as a dict": each(with_dict),
        },
    )
    threads(store)


def threads(store: Nudge) -> None:
    def both(run: Callable[[], int]) -> Callable[[], int]:
        def run_both() -> int:
            other = threading.Thread(target=run)
            other.start()
            done = run()
            other.join()
            return 2 * done

        return run_both

    def scan() -> int:
        for _ in range(20):
            store.query(regex=r"build task-\d7 --pull .* e[5-9]", limit=1)
        return 20

    race(
        "a query over all hints by two Python threads",
        {"one thread": scan, "two threads (0.67 x is 1.5 times as much)": both(scan)},
    )


def writes() -> None:
    store = Nudge(limits={"hints": 10**9, "hints_per_component": 10**9})
    hints = [hint(*names, 0, slot) for slot, names in enumerate(SLOTS)]
    plain: dict[tuple[str, str], Any] = {}

    def into_dict(slot: int) -> None:
        plain[SLOTS[slot]] = hints[slot]

    def into_store(slot: int) -> Any:
        component, key = SLOTS[slot]
        return store.set_hint(component, key, hints[slot]["value"], meta=hints[slot]["meta"])

    race(
        "set from Python, with a reason, tags and a scope",
        {"dict": each(into_dict), "nudge: checked, guarded, indexed": each(into_store)},
    )


if __name__ == "__main__":
    reads()
    writes()
