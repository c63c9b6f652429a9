"""Threads, forks and the end of the interpreter."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from nudge import ConflictError, Context, InvalidError, Nudge


def together(count: int, work: Callable[[int], None]) -> None:
    """Runs `work` in threads that start at the same moment, and raises what they raise."""
    start, raised = threading.Barrier(count), list[BaseException]()

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []


def test_eight_threads_lose_no_update() -> None:
    store, here = Nudge(), Context(branch="dev")
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})

    def work(number: int) -> None:
        for turn in range(200):
            store.bump("api", "build")
            store.set_hint(f"c{number}", f"k{turn % 10}", f"v{turn}")
            assert store.get_hint("api", "build", context=here).value == "make"
            assert store.query(component=f"c{number}", limit=1).total == min(turn + 1, 10)

    together(8, work)
    assert store.get_hint("api", "build", context=here).hint.use_count == 8 * 200
    assert len(store.list_components().components) == 9


def test_one_of_eight_threads_wins_a_race_for_a_version() -> None:
    store, won = Nudge(), list[int]()

    def work(number: int) -> None:
        try:
            store.set_hint("api", "build", f"{number}", if_match_version=0)
            won.append(number)
        except ConflictError:
            pass

    together(8, work)
    assert [f"{number}" for number in won] == [store.get_hint("api", "build").value]


def test_a_store_may_be_closed_while_others_use_it() -> None:
    store, refused = Nudge(), list[str | None]()
    store.set_hint("api", "build", "make")

    def work(number: int) -> None:
        try:
            for turn in range(500):
                if number == 0 and turn == 250:
                    store.close()
                assert store.get_hint("api", "build").value == "make"
                assert store.query().total == 1
        except InvalidError as error:
            refused.append(error.detail)

    together(8, work)
    assert set(refused) == {"closed"}


def run(code: str) -> str:
    """What a Python of its own prints; anything but a clean end fails."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_has_a_copy_of_its_own() -> None:
    code = """
import os
from nudge import Nudge
store = Nudge()
store.set_hint("api", "build", "make")
child = os.fork()
store.set_hint("api", "build", "make child" if child == 0 else "make parent")
if child == 0:
    os._exit(0 if store.get_hint("api", "build").value == "make child" else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print(store.get_hint("api", "build").value)
"""
    assert run(code) == "make parent\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_beside_busy_threads_has_a_copy_it_can_use() -> None:
    code = """
import os, signal, threading, warnings
from nudge import Context, Nudge
warnings.simplefilter("ignore", DeprecationWarning)  # Python's own, of forks beside threads.
store, here, is_over = Nudge(), Context(branch="dev"), threading.Event()

def use(name):
    store.set_hint("api", name, "make", meta={"scope": {"branch": ["dev"]}})
    store.bump("api", name, context=here)
    store.query(regex="m.ke", context=here)
    assert store.get_hint("api", name, context=here).value == "make"

def work(name):
    while not is_over.is_set():
        use(name)

threads = [threading.Thread(target=work, args=[f"own-{n}"], daemon=True) for n in range(4)]
for thread in threads:
    thread.start()
for _ in range(150):
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # One that hangs is killed, and its status says so.
        use("child")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
is_over.set()
for thread in threads:
    thread.join()
print("done")
"""
    assert run(code) == "done\n"


def test_the_interpreter_ends_with_stores_alive_and_threads_at_work() -> None:
    code = """
import threading
from nudge import Context, Nudge
store, here, busy = Nudge(), Context(branch="dev"), threading.Semaphore(0)
store.set_hint("api", "build", "make")

def work():
    busy.release()
    while True:
        store.bump("api", "build")
        store.query(regex="m.ke", context=here)
        store.get_hint("api", "build", context=here).match_explain.reasons
        store.export().to_dict()

for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
for _ in range(4):
    busy.acquire()
kept = [store.get_hint("api", "build"), store.query(), here]
print("done")
"""
    for _ in range(5):
        assert run(code) == "done\n"
