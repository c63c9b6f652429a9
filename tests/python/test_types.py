"""What a type checker says about a program that uses the package."""

import json
import subprocess
import sys
from pathlib import Path

# Right as it stands. Where a line has a comment, what is in that is the typo to be found there.
PROGRAM = """
from datetime import timedelta
from pathlib import Path
from nudge import Context, HintMatch, Nudge

store = Nudge(limits={"hints": 1})
here = Context(cwd=Path("/work"), files_open={Path("/work/a")})
store.set_hint("a", "b", "c", meta={"priority": 7})  # priority -> priorty
store.set_hint("a", "b", "c", meta={"scope": {"branch": "dev"}})  # branch -> barnch
store.set_hint("a", "b", {"type": "command", "cmd": "c"})  # cmd -> cmdd
store.set_hint("a", "b", "c", tags={"x"}, branch="dev", ttl=timedelta(1))  # branch -> barnch
store.set_hint("a", "b", "c", context={"cwd": Path("/work")})  # cwd -> cwdd
store.set_hint("a", "b", "c", os="linux")  # linux -> linus
store.set_hint("a", "b", Path("/work"), reason="r")  # reason -> reasn
store.propose("a", "b", "c", why="w", tags="x")  # tags -> tagz
store.query(tags="x", context={"branch": "dev"})  # branch -> barnch
store.delete_hint("a", "b", scope={"os": "linux"})  # os -> oss
Nudge(weights={"recency": 0.5})  # recency -> recensy
sure: HintMatch = store.get_hint("a", "b")
perhaps: HintMatch | None = store.get_hint("a", "b", default=None)
text: str = perhaps.text if perhaps else ""  # perhaps.text if perhaps else "" -> perhaps.text
print(sure, text, here, len(store))
"""


def test_a_type_checker_finds_typos(tmp_path: Path) -> None:
    lines = PROGRAM.splitlines()
    typos = [number for number, line in enumerate(lines) if "  # " in line]
    (tmp_path / "right.py").write_text(PROGRAM)
    for number in typos:
        code, _, typo = lines[number].partition("  # ")
        lines[number] = code.replace(*typo.split(" -> "))
    (tmp_path / "wrong.py").write_text("\n".join(lines))
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    pyright = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    told = subprocess.run(pyright, cwd=tmp_path, capture_output=True, text=True, check=False)
    found: dict[str, set[int]] = {"right.py": set(), "wrong.py": set()}
    for fault in json.loads(told.stdout)["generalDiagnostics"]:
        found[Path(fault["file"]).name].add(fault["range"]["start"]["line"])
    assert found == {"right.py": set(), "wrong.py": {*typos}}
