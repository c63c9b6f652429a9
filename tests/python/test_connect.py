"""A store that is connected to the session of this machine has all that the session can do."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import nudge
from nudge import ForbiddenError, InvalidError, Nudge, UnavailableError, connect
from nudge.operations import Operations

BINARY = os.environ.get("NUDGE_BIN", str(Path(__file__).parents[2] / "target/debug/nudge"))
needs_server = pytest.mark.skipif(
    not Path(BINARY).is_file(), reason="there is no server; `cargo build --bin nudge` makes one"
)


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nudge]:
    repository = tmp_path / "api"
    (repository / ".git").mkdir(parents=True)
    (repository / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (repository / ".git/config").write_text(
        '[remote "origin"]\n\turl = git@github.com:acme/api.git\n'
    )
    monkeypatch.chdir(repository)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = tmp_path / "home/.config/nudge-hints/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("observe = true\n")
    monkeypatch.delenv("CI", raising=False)
    folder = tmp_path / "session"
    try:
        yield connect(runtime_dir=folder, program=BINARY, client="my-tool/1")
    finally:
        environment = {**os.environ, "NUDGE_RUNTIME_DIR": str(folder)}
        subprocess.run([BINARY, "stop", "--purge"], env=environment, capture_output=True)


@needs_server
def test_every_row_of_the_session_can_be_called(shared: Nudge) -> None:
    assert shared.status().product == "nudge"
    assert shared.call("nudge.status")["product"] == "nudge"
    assert shared.call("nudge.kept")["hints"] == []
    for is_the_users in (shared.undo, shared.restart):
        with pytest.raises(ForbiddenError):
            is_the_users()


@needs_server
def test_a_harness_of_ones_own_teaches_the_session(shared: Nudge) -> None:
    host = shared.as_caller("hook", "my-harness/1", "s-1")
    here = host.here()
    told = host.on_event("after_command", command="make test", exit_code=0, context=here)
    assert told.did == [{"learned": "api/test"}]
    assert host.get_hint("api", "test", context=here).text == "make test"
    start = host.on_event("session_start", session="s-2", context=here)
    assert "make test" in (start.text or "")


@needs_server
def test_an_agent_can_search_where_that_is_on(shared: Nudge) -> None:
    host = shared.as_caller("hook", "my-harness/1", "s-1")
    host.on_event("after_command", command="make flaky-tests", exit_code=1, context=host.here())
    call = {tool.__name__: tool for tool in nudge.tools(shared)}
    found = call["nudge_search"]("flaky")["observations"]
    assert "make flaky-tests" in str(found)
    assert "nudge_search" not in [tool.__name__ for tool in nudge.tools(Nudge())]


def test_what_needs_the_server_says_so_in_process() -> None:
    store = Nudge()
    with pytest.raises(UnavailableError, match=r"connect\(\)"):
        store.search("make")
    with pytest.raises(UnavailableError, match=r"`nudge.status` needs .* `connect\(\)`"):
        store.call("status")
    with pytest.raises(InvalidError, match=r"there is no operation `nudge\.nope`"):
        store.call("nope")


def test_without_a_server_to_start_it_says_what_it_looked_for(tmp_path: Path) -> None:
    for missing in ("nudge-is-not-here", str(tmp_path / "nudge")):
        with pytest.raises(UnavailableError, match=rf"no program `{missing}`.*install Nudge"):
            connect(runtime_dir=tmp_path / "session", program=missing)


def test_every_method_of_the_table_is_a_method_here() -> None:
    for name in ("search", "fix", "status", "keep", "mv", "undo", "delete_hints", "pitfalls"):
        assert name in vars(Operations)
