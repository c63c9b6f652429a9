"""What is made from the table of operations is as the table is now."""

import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).parents[2] / "nudge-py/generate"


def test_what_is_generated_is_fresh() -> None:
    check = [sys.executable, str(GENERATOR), "--check"]
    told = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
