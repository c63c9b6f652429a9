"""A get and a set from Python beside what a user would pick instead.

Interleaved rounds, medians, ratios to the first line of each block; `make bench` runs it.
"""

from __future__ import annotations

import fnmatch
import json
import shutil
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import cachetools
import diskcache
import floor

from nudge import Context, Nudge

COMPONENTS, KEYS, ROUNDS, BATCH = 25, 50, 15, 2_000
VARIANTS = [("dev", "linux"), ("dev", "darwin"), ("main", "linux"), ("release/*", "windows")]
Way = Callable[[int], Any]


def slots() -> list[tuple[str, str]]:
    return [(f"service-{c:04}", f"task-{k:02}") for c in range(COMPONENTS) for k in range(KEYS)]


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


class ByHand:
    """The same logic as one writes it in Python: a dict, the gate, the score, the reasons."""

    def __init__(self) -> None:
        self.slots: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.lock = threading.Lock()

    def set_hint(self, component: str, key: str, hint: dict[str, Any]) -> None:
        now = time.time()
        stored = {**hint, "version": 1, "updated_at": now, "use_count": 0, "last_used_at": None}
        with self.lock:
            self.slots.setdefault((component, key), []).append(stored)

    def get_hint(self, component: str, key: str, context: dict[str, Any]) -> dict[str, Any] | None:
        now = time.time()
        best, best_score, best_reasons = None, -1.0, []
        with self.lock:
            variants = self.slots.get((component, key), ())
            for hint in variants:
                scope = hint["meta"]["scope"]
                reasons = []
                globs = scope.get("cwd_glob")
                if globs:
                    glob = next((g for g in globs if fnmatch.fnmatchcase(context["cwd"], g)), None)
                    if glob is None:
                        continue
                    reasons.append(f"cwd matched {glob}")
                branches = scope.get("branch")
                if branches:
                    if not any(fnmatch.fnmatchcase(context["branch"], b) for b in branches):
                        continue
                    reasons.append(f"branch={context['branch']} allowed")
                systems = scope.get("os")
                if systems:
                    if context["os"] not in systems:
                        continue
                    reasons.append(f"os={context['os']} allowed")
                used = hint["last_used_at"]
                frecency = 0.0
                if used is not None:
                    frecency = (1 - 2 ** (-hint["use_count"] / 3)) * 2 ** ((used - now) / 86_400)
                score = (
                    0.30 * frecency
                    + 0.20 * hint["meta"].get("priority", 5) / 10
                    + 0.20 * hint["meta"].get("confidence", 0.5)
                    + 0.20 * len(scope) / 6
                    + 0.10 * 2 ** ((hint["updated_at"] - now) / 86_400)
                )
                if score > best_score:
                    best, best_score, best_reasons = hint, score, reasons
        if best is None:
            return None
        return {
            "hint": best,
            "match_explain": {"score": round(best_score, 4), "reasons": best_reasons},
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


def each(way: Way, numbers: list[int]) -> Callable[[], int]:
    def run() -> int:
        for number in numbers:
            way(number)
        return len(numbers)

    return run


def reads(folder: str) -> None:
    names = slots()
    store, by_hand, plain = Nudge(), ByHand(), {}
    ttl: cachetools.TTLCache[tuple[str, str], Any] = cachetools.TTLCache(10_000, 3600)
    disk = diskcache.Cache(folder)
    db = sqlite3.connect(":memory:")
    db.execute("create table hints (component text, key text, hint text)")
    for slot, (component, key) in enumerate(names):
        for variant in range(4):
            one = hint(component, key, variant, slot * 4 + variant)
            store.set_hint(component, key, one["value"], meta=one["meta"])
            by_hand.set_hint(component, key, one)
            db.execute("insert into hints values (?, ?, ?)", (component, key, json.dumps(one)))
            if variant == 0:
                plain[component, key] = ttl[component, key] = one
                disk[f"{component}/{key}"] = one
    db.execute("create index slot on hints (component, key)")
    facts = [
        {"cwd": f"/work/platform/service-{c:04}", "branch": "dev", "os": "linux"}
        for c in range(COMPONENTS)
    ]
    contexts = [Context(**fact) for fact in facts]
    empty = floor.Empty(hint(*names[0], 0, 0)["value"])
    floors = [floor.Context(fact["cwd"]) for fact in facts]
    sql = "select hint from hints where component = ? and key = ?"

    def by_sqlite(slot: int) -> Any:
        variants = [json.loads(row[0]) for row in db.execute(sql, names[slot])]
        return variants[0]["value"]

    def by_floor(slot: int) -> Any:
        component, key = names[slot]
        return empty.get_hint(component, key, context=floors[slot // KEYS]).value

    def prepared(slot: int) -> Any:
        component, key = names[slot]
        return store.get_hint(component, key, context=contexts[slot // KEYS]).value

    def with_dict(slot: int) -> Any:
        component, key = names[slot]
        return store.get_hint(component, key, context=facts[slot // KEYS]).value

    def whole(slot: int) -> Any:
        component, key = names[slot]
        return store.get_hint(component, key, context=contexts[slot // KEYS]).to_dict()

    def hand(slot: int) -> Any:
        component, key = names[slot]
        found = by_hand.get_hint(component, key, facts[slot // KEYS])
        return found["hint"]["value"] if found else None

    numbers = [number * 7919 % len(names) for number in range(BATCH)]
    race(
        f"get from Python, {len(names) * 4:,} hints, the value read",
        {
            "the same logic by hand in Python": each(hand, numbers),
            "nudge, a prepared context": each(prepared, numbers),
            "nudge, the context as a dict": each(with_dict, numbers),
            "nudge, the whole answer as dicts": each(whole, numbers),
            "floor: an empty call with the same arguments": each(by_floor, numbers),
            "dict, no scope and no score": each(lambda slot: plain[names[slot]]["value"], numbers),
            "cachetools.TTLCache, no scope and no score": each(
                lambda slot: ttl[names[slot]]["value"], numbers
            ),
            "sqlite3 in memory with json, the same four rows": each(by_sqlite, numbers),
            "diskcache": each(lambda slot: disk["/".join(names[slot])]["value"], numbers[:200]),
        },
    )
    disk.close()
    threads(store, prepared, numbers)


def threads(store: Nudge, prepared: Way, numbers: list[int]) -> None:
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

    gets = each(prepared, numbers)
    race(
        "a query over all hints by two Python threads",
        {"one thread": scan, "two threads (0.67 x is 1.5 times as much)": both(scan)},
    )
    race(
        "a get by two Python threads, which share the interpreter",
        {"one thread": gets, "two threads": both(gets)},
    )


def writes() -> None:
    names = slots()
    store = Nudge(limits={"hints": 10**9, "hints_per_component": 10**9})
    ttl: cachetools.TTLCache[tuple[str, str], Any] = cachetools.TTLCache(10_000, 3600)
    by_hand, plain = ByHand(), {}
    hints = [hint(*names[slot], 0, slot) for slot in range(len(names))]

    def into_store(slot: int) -> Any:
        component, key = names[slot]
        return store.set_hint(component, key, hints[slot]["value"], meta=hints[slot]["meta"])

    def into_ttl(slot: int) -> None:
        ttl[names[slot]] = hints[slot]

    def into_dict(slot: int) -> None:
        plain[names[slot]] = hints[slot]

    def by_hand_set(slot: int) -> None:
        by_hand.slots.pop(names[slot], None)
        by_hand.set_hint(*names[slot], hints[slot])

    numbers = [number * 7919 % len(names) for number in range(BATCH)]
    race(
        "set from Python, with a reason, tags and a scope",
        {
            "cachetools.TTLCache, the dict as it is": each(into_ttl, numbers),
            "nudge: checked, guarded, indexed": each(into_store, numbers),
            "the same dict by hand in Python, unchecked": each(by_hand_set, numbers),
            "dict": each(into_dict, numbers),
        },
    )


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    try:
        reads(folder)
        writes()
    finally:
        shutil.rmtree(folder)
