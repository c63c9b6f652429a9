"""A context is prepared once, and hides the values of variables."""

import copy
import json
import pickle
from pathlib import Path

import pytest

from nudge import Context, NotFoundError, Nudge


def test_the_facts_come_back_in_their_normal_form() -> None:
    context = Context(
        cwd="C:\\code\\api\\",
        root="C:\\code\\",
        repo="git@github.com:acme/api.git",
        branch="dev",
        os="windows",
        env={"CI": "1", "DEBUG": None},
        files_open=["/work/./a.py"],
    )
    assert context.to_dict() == {
        "cwd": "c:/code/api",
        "root": "c:/code",
        "repo": ["git:github.com/acme/api"],
        "branch": "dev",
        "os": "windows",
        "env": {"CI": "1", "DEBUG": None},
        "files_open": ["/work/a.py"],
    }
    assert Context(**json.loads(json.dumps(context.to_dict()))) == context


def test_contexts_are_equal_by_their_facts() -> None:
    assert Context(cwd="/work/") == Context(cwd="/work")
    assert Context(cwd="/work") != Context(cwd="/other")
    assert Context() != {}
    assert hash(Context(cwd="/work/", env={"B": "1", "A": "2"})) == hash(
        Context(env={"A": "2", "B": "1"}, cwd="/work")
    )
    assert len({Context(cwd="/work"), Context(cwd="/work/"), Context(cwd="/other")}) == 2


def test_repr_shows_which_variables_are_stated_and_never_their_values() -> None:
    context = Context(cwd="/work", env={"TOKEN": "s3cr3t", "CI": None}, branch="d'ev")
    shown = """Context(cwd='/work', branch="d'ev", env={'CI': ..., 'TOKEN': ...})"""
    assert repr(context) == shown
    assert repr(Context()) == "Context()"


def test_a_context_and_its_dict_choose_the_same() -> None:
    store = Nudge()
    for branch in ("dev", "main"):
        store.set_hint("api", "build", f"make {branch}", meta={"scope": {"branch": [branch]}})
    for branch in ("dev", "main"):
        for context in (Context(branch=branch), {"branch": branch}):
            assert store.get_hint("api", "build", context=context).value == f"make {branch}"
            assert store.query(context=context).hints[0].value == f"make {branch}"
            assert store.list_components(context=context).components[0]["hint_count"] == 1
            assert store.bump("api", "build", context=context).hint.value == f"make {branch}"
    assert store.delete_hint("api", "build", context=Context(branch="dev")).deleted
    with pytest.raises(NotFoundError):
        store.get_hint("api", "build", context=Context(branch="dev"))


def git_config(folder: Path, remote: str) -> None:
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref: refs/heads/dev\n")
    (folder / ".git/config").write_text(f'[remote "origin"]\n\turl = {remote}\n')


def test_a_prepared_context_keeps_a_host_without_a_dot(tmp_path: Path) -> None:
    git_config(tmp_path, "ssh://git@forge/acme/api.git")
    here = Context.here(cwd=str(tmp_path))
    store = Nudge()
    store.set_hint("api", "build", "make", meta={"scope": {"repo": ["ssh://git@forge/acme/api"]}})
    assert store.get_hint("api", "build", context=here).value == "make"
    assert store.get_hint("api", "build", context=here, alternatives=1).value == "make"
    assert store.query(context=here).hints[0].value == "make"
    assert store.bump("api", "build", context=here).hint.value == "make"


def test_here_gathers_what_is_left_out(tmp_path: Path) -> None:
    git_config(tmp_path, "https://github.com/acme/api")
    facts = Context.here(cwd=str(tmp_path)).to_dict()
    assert (facts["repo"], facts["branch"]) == (["git:github.com/acme/api"], "dev")
    assert "env" not in facts
    assert Context.here(cwd=str(tmp_path), branch="main").to_dict()["branch"] == "main"
    assert Context.here().to_dict()["cwd"] == str(Path.cwd()).replace("\\", "/")


def test_a_store_asks_only_for_the_variables_that_its_hints_mention(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STAGE", "test")
    store = Nudge()
    assert "env" not in store.here().to_dict()
    store.set_hint("api", "port", "8081", meta={"scope": {"env_match": {"STAGE": ["test"]}}})
    assert store.here().to_dict()["env"] == {"STAGE": "test"}
    assert store.here(env={"STAGE": None}).to_dict()["env"] == {"STAGE": None}
    assert store.get_hint("api", "port", context=store.here()).value == "8081"


def test_a_context_is_a_value(tmp_path: Path) -> None:
    git_config(tmp_path, "ssh://git@forge/acme/api.git")
    stated = Context(cwd="C:\\code", os="windows", env={"TOKEN": "s3cr3t", "CI": None})
    for context in (Context(), stated, Context.here(cwd=str(tmp_path))):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(context, protocol)) == context
        for made in (copy.copy(context), copy.deepcopy({"here": context})["here"]):
            assert (made, hash(made)) == (context, hash(context))
