"""The Python blocks of the README and the docs run as they are written."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
ALL = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
PAGES = [page for page in ALL if BLOCK.search(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUDGE_RUNTIME_DIR", str(tmp_path))
    text = page.read_text("utf-8")
    # A block goes on where the one before it ended, as it does for a reader.
    names: dict[str, Any] = {"__name__": page.stem}
    for block in BLOCK.finditer(text):
        # With the lines before it, so that a traceback names the line of the page.
        before = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(before + block[1], str(page), "exec"), names)


def test_there_are_blocks_to_run() -> None:
    assert {"README.md", "library.md", "python.md"} <= {page.name for page in PAGES}
