"""Holds server.json against the schema of the MCP registry that it names."""

import json
import re
import sys
from importlib.resources import files
from pathlib import Path

from jsonschema import Draft7Validator

server = json.loads(Path(sys.argv[1]).read_text())
date = re.search(r"/schemas/(\d{4}-\d\d-\d\d)/", server["$schema"]).group(1)
folder = files("skillsaw") / "schemas" / "mcp_registry" / f"v{date.replace('-', '_')}"
schema = json.loads((folder / "server.schema.json").read_text())
assert schema["$id"] == server["$schema"], schema["$id"]

validator = Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)
wrong = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(server)]
assert not wrong, "\n".join(wrong)

# It can fail.
assert not validator.is_valid({**server, "name": "nudge"})
assert not validator.is_valid({**server, "packages": [{"registryType": "pypi"}]})
