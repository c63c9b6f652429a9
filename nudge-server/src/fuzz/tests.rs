//! Each reader over examples that were harmed at random, the same in every run.

use std::panic::catch_unwind;
use std::thread;

use super::*;

/// How often each example is harmed.
const ROUNDS: u64 = 100;

const EXPORT: &str = include_str!("../../../tests/exports/v1.1.json");

/// What each reader takes as it is.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "body",
        r#"[{"jsonrpc":"2.0","method":"nudge.set_hint","params":{"component":"api","key":"build","value":"make","meta":{"ttl":"PT2H","scope":{"cwd_glob":"**/api/{a,b}*"}}},"id":1}]"#,
    ),
    (
        "request",
        r#"{"component":"api","key":"build","value":{"type":"json","data":[1e9]},"meta":{"scope":{"branch":["dev"]}},"context":{"cwd":"/work/api"}}"#,
    ),
    (
        "request",
        r#"{"event":"after_command","command":"cd api && make -j2 | tail","exit_code":0,"context":{"cwd":"/work/api"}}"#,
    ),
    (
        "payload",
        r#"{"mode":"merge","payload":{"schema_version":"1.0","components":{"api":{"hints":{"build":{"value":"make"}}}}}}"#,
    ),
    ("duration", "P1DT2H30M"),
    ("glob", "**/{api,web-[0-9]}/!(x|y)*\n/work/api/a"),
    (
        "hook_event",
        r#"{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/work/api","tool_name":"Bash","tool_input":{"command":"make \ud83d\ude00"},"tool_response":{"stdout":"x","interrupted":false}}"#,
    ),
    (
        "hook_event",
        r#"{"hook_event_name":"PostToolUse","cwd":"/work","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a.rs\n*** End Patch"}}"#,
    ),
    (
        "hook_event",
        r#"{"hook_event_name":"AfterTool","cwd":"/work","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Exit Code: 2"}}"#,
    ),
    (
        "hook_event",
        r#"{"event":"after_command","cwd":"/work","tool":"bash","command":"make","exit_code":1,"hookEventName":"postToolUse","toolName":"bash","toolArgs":"{\"command\":\"make\"}"}"#,
    ),
    (
        "hook_transcript",
        "{\"type\":\"event_msg\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":\"CommandExecution\",\"id\":\"call_1\",\"status\":\"failed\",\"exit_code\":2}}}\n",
    ),
    (
        "past_claude",
        r#"{"type":"assistant","sessionId":"s","cwd":"/","gitBranch":"main","timestamp":"2026-10-01T10:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}
{"type":"user","sessionId":"s","cwd":"/","timestamp":"2026-10-01T10:00:01Z","toolUseResult":{"stdout":"x"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":false,"content":"x"}]}}
"#,
    ),
    (
        "past_codex",
        r#"{"timestamp":"2026-10-01T10:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/","git":{"branch":"main"}}}
{"timestamp":"2026-10-01T10:00:01Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}","call_id":"c"}}
{"timestamp":"2026-10-01T10:00:02Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}"}}
"#,
    ),
    ("project_file", EXPORT),
    (
        "config",
        "# mine\nkeep = true\nlinger = \"2h\"\nmax_hints = 5000\nlog_level = 'warn'\n",
    ),
    (
        "git_config",
        "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@github.com:acme/api.git ; x\n\tfetch = +refs/*\n[include]\n\tpath = x\n",
    ),
    ("git_head", "ref: refs/heads/feature/x\n"),
    (
        "npm",
        r#"{"name":"web","scripts":{"test":"vitest run","build":"npm run test && tsc -b"},"packageManager":"pnpm@9"}"#,
    ),
    (
        "make",
        "CC ?= cc\n.PHONY: test\ntest: build ## x\n\t@cargo test \\\n\t  --all\nbuild lint:\n\t$(CC) x.c\ninclude *.mk\n",
    ),
    (
        "just",
        "set shell := [\"sh\"]\nalias t := test\n[private]\ntest *args: build\n    cargo test {{args}}\nbuild:\n    #!/bin/sh\n    make\n",
    ),
    (
        "tox",
        "[tox]\nenvlist = py3{10,11}-{a,b}, lint\n[testenv:lint]\ncommands =\n    ruff check .\n",
    ),
    (
        "pyproject",
        "[project]\nname = \"x\"\n[tool.poe.tasks]\ntest = \"pytest\"\nlint = { cmd = \"ruff check\" }\n[tool.pdm.scripts]\nrun = \"x\"\n[tool.tox]\nenv_list = [\"a\"]\n",
    ),
    (
        "taskfile",
        "version: '3'\ntasks:\n  test:\n    desc: x\n    cmds: [go test ./...]\n  build: &b\n    - go build\n",
    ),
    (
        "mise",
        "[tasks.test]\nrun = [\"cargo test\"]\nalias = \"t\"\n[tools]\nnode = \"20\"\n",
    ),
    (
        "nox",
        "import nox\n@nox.session(name=\"tests\", python=[\"3.12\"])\n@nox.parametrize(\"x\", [1])\ndef tests(session):\n    session.run(\"pytest\")\n",
    ),
    (
        "workflow",
        "on: push\njobs:\n  test:\n    runs-on: x\n    steps:\n      - uses: a/b@v1\n      - name: t\n        run: |\n          cargo test --all\n          echo ${{ matrix.x }}\n",
    ),
];

/// Pieces that mean something to one of the readers.
const PIECES: [&str; 26] = [
    "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\n", "\r\n", "\t", "  ", "#", "=", "null",
    "1e999", "-1", "\\ud800", "\u{feff}", "\0", "é", "{{", "}}", "${", "***",
];

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).unwrap()
    }

    /// Does one to four things to an example.
    fn harm(&mut self, example: &[u8]) -> Vec<u8> {
        let mut bytes = example.to_vec();
        for _ in 0..=self.roll(4) {
            let from = self.roll(bytes.len() + 1);
            let to = (from + self.roll(40)).min(bytes.len());
            match self.roll(5) {
                0 => drop(bytes.drain(from..to)),
                1 => {
                    let part = bytes[from..to].repeat(1 + self.roll(50));
                    bytes.splice(from..from, part);
                }
                2 if from < bytes.len() => bytes[from] ^= 1 << self.roll(8),
                3 => bytes.truncate(from),
                _ => {
                    let piece = PIECES[self.roll(PIECES.len())].repeat(1 + self.roll(3));
                    bytes.splice(from..from, piece.bytes());
                }
            }
        }
        bytes
    }
}

fn examples(name: &str) -> Vec<Vec<u8>> {
    let named = EXAMPLES.iter().filter(|(known, _)| *known == name);
    let mut found: Vec<Vec<u8>> = named.map(|(_, text)| text.as_bytes().to_vec()).collect();
    if name == "store" {
        let folder = tempdir().unwrap();
        let (memory, _) = Memory::open(folder.path(), DateTime::UNIX_EPOCH).unwrap();
        let nudge = nudge::Nudge::default().with_sink(memory);
        nudge
            .set_hint(SetHint::new("api", "build", "make"))
            .unwrap();
        drop(nudge);
        found.push(fs::read(folder.path().join("nudge.db")).unwrap());
    }
    if name == "past_atuin" {
        let file = tempfile::NamedTempFile::new().unwrap();
        let history = rusqlite::Connection::open(file.path()).unwrap();
        let made = history.execute_batch(
            "CREATE TABLE history (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL,
                duration INTEGER NOT NULL, exit INTEGER NOT NULL, command TEXT NOT NULL,
                cwd TEXT NOT NULL, session TEXT NOT NULL, hostname TEXT NOT NULL,
                deleted_at INTEGER);
            INSERT INTO history VALUES ('1', 1790000000000000000, 5, 0, 'make', '/', 's', 'h', NULL);",
        );
        made.unwrap();
        history.close().unwrap();
        found.push(fs::read(file.path()).unwrap());
    }
    found
}

#[test]
fn no_reader_of_foreign_text_panics() {
    let read_all = |(name, read): Target| {
        let examples = examples(name);
        assert!(!examples.is_empty(), "{name} has no example");
        for example in examples {
            read(&example);
            let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
            for _ in 0..ROUNDS {
                let harmed = dice.harm(&example);
                let read = catch_unwind(|| read(&harmed));
                let shown = String::from_utf8_lossy(&harmed);
                assert!(read.is_ok(), "{name}: {shown:?}");
            }
        }
    };
    // Most of them wait for the disk.
    thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(move || read_all(target));
        }
    });
}

#[test]
fn cargo_fuzz_has_every_reader() {
    let manifest = include_str!("../../../fuzz/Cargo.toml");
    let bins: Vec<&str> = manifest.matches("[[bin]]").collect();
    assert_eq!(bins.len(), TARGETS.len());
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
    }
}
