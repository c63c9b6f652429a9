//! `nudge completions`, in the shells that it is for. What is stored is hostile.

mod keyboard;

use std::borrow::BorrowMut;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::Folder as TempDir;
use nudge::Config;

use self::keyboard::Keyboard;
use crate::conformance::adapter::file;
use crate::folder_server::FolderServer;
use crate::need::need;
use crate::process::{NO_HOME, within};
use crate::slow_server::slow_server;
use crate::watch::follower::set;

const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "powershell"];

/// Names that every shell takes for what they are, each with how a person begins
/// to type it and a key that no other has.
const PLAIN: [(&str, &str, &str); 2] = [
    ("git:org/repo", "gi", "colon"),
    ("http_proxy-2.0+x@1", "ht", "marks"),
];

/// Names that mean something to a shell, in the same way.
const HOSTILE: [(&str, &str, &str); 8] = [
    ("$(touch pwned)", r"\$", "dollar"),
    ("`touch pwned`", r"\`", "backquote"),
    ("two; touch pwned", "tw", "semicolon"),
    ("it's a quote", "it", "single"),
    ("say \"touch\"", "say", "double"),
    ("star*?[a]", "star", "glob"),
    ("~root", r"\~", "home"),
    ("-dash", "-da", "dash"),
];

/// A server that holds hostile names, and an empty folder to sit in.
struct Desk {
    server: FolderServer,
    home: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk {
            server: FolderServer::start(Config::default(), "2025-11-04T10:00:00Z"),
            home: crate::process::folder(),
        };
        let folder = desk.server.folder();
        for (component, _, key) in PLAIN.into_iter().chain(HOSTILE) {
            set(folder, component, key, "x");
        }
        set(folder, "api", "build", "make");
        set(folder, "api", "$(touch pwned)", "make");
        set(folder, "api", "test", "make test");
        desk
    }

    /// A program in whose environment `nudge` is found, and little else.
    fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_nudge"));
        let path = format!("{}:/usr/bin:/bin", binary.parent().unwrap().display());
        command
            .env_clear()
            .env("PATH", path)
            .env("TERM", "dumb")
            .env("HOME", self.home.path())
            .env("NUDGE_RUNTIME_DIR", self.server.folder())
            .env("NUDGE_AUTOSTART", "0")
            .current_dir(self.home.path());
        command
    }

    /// What a shell is told after some words, as its script asks it.
    fn told(&self, shell: &str, line: &str) -> Vec<String> {
        lines(asking(self.program("nudge"), shell, line))
    }

    /// Types every name in a shell, as far as a person would, and takes what is
    /// offered: the key shows that it was the name and nothing else.
    fn types_names(&self, mut keyboard: Keyboard) {
        for (name, start, key) in PLAIN {
            let shown = keyboard.typed(&format!("nudge ls {start}\t\n"));
            assert!(shown.contains(&format!("\n{key}\r\n")), "{name}: {shown}");
        }
        let shown = keyboard.typed("nudge get ap\tte\t--raw\n");
        assert!(shown.contains("\nmake test\r\n"), "{shown}");
        for (name, start, key) in HOSTILE {
            let shown = keyboard.typed(&format!("nudge ls {start}\t\n"));
            assert!(!shown.contains(&format!("\n{key}\r\n")), "{name}: {shown}");
        }
        self.is_untouched();
    }

    fn is_untouched(&self) {
        let left = fs::read_dir(self.home.path()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name == "pwned"), "{left:?}");
    }
}

/// Asks as the script of a shell does, after a line without quotes.
fn asking(mut nudge: Command, shell: &str, line: &str) -> Command {
    let words = line.split(' ');
    let index = words.clone().count() - 1;
    nudge
        .env("_NUDGE_COMPLETE", shell)
        .env("_CLAP_COMPLETE_INDEX", index.to_string())
        .arg("--")
        .args(words);
    nudge
}

fn lines(mut command: impl BorrowMut<Command>) -> Vec<String> {
    let output = command.borrow_mut().output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn commands_flags_values_and_names_are_offered() {
    let desk = Desk::new();
    let git = desk.home.path().join(".git");
    fs::create_dir_all(git.join("refs/heads/feature")).unwrap();
    for (name, text) in [
        ("HEAD", "ref: refs/heads/dev\n"),
        ("refs/heads/dev", "1\n"),
        ("refs/heads/feature/x", "1\n"),
        ("refs/heads/$(touch pwned)", "1\n"),
        (
            "packed-refs",
            "# pack-refs\n1 refs/heads/old\n1 refs/tags/v1\n",
        ),
    ] {
        fs::write(git.join(name), text).unwrap();
    }
    for (tag, source) in [("slow,docker", "user"), ("$(touch pwned)", "agent")] {
        let mut nudge = desk.program("nudge");
        nudge.args(["set", "api", "build", "make all", "--everywhere"]);
        nudge.args(["--tags", tag, "--source", source]);
        assert!(nudge.output().unwrap().status.success());
    }
    for name in ["hints.json", "hints of mine.json", "hi$(touch pwned)"] {
        fs::write(desk.home.path().join(name), "").unwrap();
    }
    for (line, offered) in [
        ("ge", "get"),
        ("l", "ls log learn"),
        ("search --type command_", "command_error"),
        ("get ap", "api"),
        ("get api ", "build test"),
        ("get --json api t", "test"),
        ("query --component api --key b", "build"),
        ("get api build --ra", "--raw"),
        ("get --os ", "linux darwin windows"),
        ("set --type c", "command"),
        ("set --format j", "jinja"),
        ("export --format ", "json"),
        ("import --mode r", "replace"),
        ("import --mode=r", "--mode=replace"),
        ("watch --component ap", "api"),
        ("completions ", "bash zsh fish powershell"),
        ("get --branch ", "dev feature/x old"),
        ("set --scope-branch fe", "feature/x"),
        ("query --tags ", "docker slow"),
        ("accept ", "1"),
        ("reject 1 ", "1"),
        ("import hi", "hints.json"),
        ("history hi", "hints.json"),
    ] {
        let told = desk.told("bash", &format!("nudge {line}"));
        assert_eq!(told.join(" "), offered, "{line}");
    }
}

#[test]
fn the_help_and_the_guide_install_it_in_the_same_way() {
    let mut nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
    let help = lines(nudge.args(["completions", "--help"]));
    let ways = help
        .iter()
        .filter_map(|line| Some(line.split_once("nudge completions ")?.1));
    let ways: Vec<&str> = ways
        .filter_map(|way| way.split("      (").next())
        .filter(|way| way.contains("> "))
        .collect();
    assert_eq!(ways.len(), 4, "{ways:?}");
    let guide = fs::read_to_string(file("docs/completions.md")).unwrap();
    for way in ways {
        assert!(
            guide.contains(&format!("nudge completions {way}`")),
            "{way}"
        );
    }
}

#[test]
fn a_name_that_means_something_to_a_shell_is_not_offered() {
    let desk = Desk::new();
    for shell in SHELLS {
        let mut offered = desk.told(shell, "nudge get ");
        offered.sort();
        let colon = ["git:org/repo", r"git\:org/repo"][usize::from(shell == "zsh")];
        assert_eq!(offered, ["api", colon, "http_proxy-2.0+x@1"], "{shell}");
        assert_eq!(desk.told(shell, "nudge get api "), ["build", "test"]);
        let flags = desk.told(shell, "nudge get -");
        assert!(!flags.iter().any(|flag| flag.contains("dash")), "{flags:?}");
    }
}

/// What bash is told after a line where nothing is but a session folder.
fn alone(runtime: &Path, line: &str) -> Vec<String> {
    let mut nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
    nudge.env_clear().env("HOME", NO_HOME);
    // A setting that means nothing must not stand in the middle of a line.
    nudge
        .env("NUDGE_RUNTIME_DIR", runtime)
        .env("NUDGE_MAX_HINTS", "many");
    lines(asking(nudge, "bash", line))
}

#[test]
fn without_a_server_there_are_no_names_and_none_is_started() {
    let home = crate::process::folder();
    let absent = home.path().join("absent");
    let flags = alone(&absent, "nudge get ");
    assert!(flags.iter().all(|word| word.starts_with('-')), "{flags:?}");
    assert_eq!(alone(&absent, "nudge get ap"), [""; 0]);
    assert_eq!(alone(&absent, "nudge stat"), ["status", "statusline"]);
    assert!(!absent.exists());
}

#[test]
fn a_server_that_hangs_is_not_waited_for() {
    let folder = crate::process::folder();
    slow_server(&folder.path().join("nudge.sock"));
    let offered = within(move || alone(folder.path(), "nudge get a"));
    assert_eq!(offered, [""; 0]);
}

#[test]
fn a_shell_takes_every_name_for_a_name() {
    let functions = crate::process::folder();
    let fpath = format!("fpath=({} $fpath)\n", functions.path().display());
    let compinit = "autoload -U compinit; compinit -u -D\n";
    for (shell, flags, lines) in [
        (
            "bash",
            "--norc --noprofile",
            &["source <(nudge completions bash)\n"][..],
        ),
        (
            "zsh",
            "-f",
            &[compinit, "source <(nudge completions zsh)\n"],
        ),
        // It finds the script in a folder of functions as well.
        ("zsh", "-f", &[&fpath, compinit]),
    ] {
        if !need(shell, shell) || !need("script", "bsdutils") {
            continue;
        }
        let desk = Desk::new();
        let script = self::lines(desk.program("nudge").args(["completions", "zsh"]));
        fs::write(functions.path().join("_nudge"), script.join("\n")).unwrap();
        let mut keyboard = Keyboard::at(desk.program("script"), &format!("{shell} {flags} -i"));
        for line in lines {
            keyboard.typed(line);
        }
        desk.types_names(keyboard);
    }
}

#[test]
fn fish_takes_every_name_for_a_name() {
    if !need("fish", "fish") {
        return;
    }
    let desk = Desk::new();
    let fish = |line: &str| {
        let ask = "nudge completions fish | source; complete -C --escape $line";
        let mut fish = desk.program("fish");
        lines(fish.args(["--no-config", "-c", ask]).env("line", line))
    };
    for (name, start, _) in PLAIN {
        assert_eq!(fish(&format!("nudge ls {start}")), [name]);
    }
    for (name, start, _) in HOSTILE {
        let offered = fish(&format!("nudge ls {start}"));
        assert!(!offered.iter().any(|it| it == name), "{name}: {offered:?}");
        // What begins as a flag does may be one.
        assert!(offered.is_empty() || name == "-dash", "{name}: {offered:?}");
    }
    assert_eq!(fish("nudge get api t"), ["test"]);
    let about = "watch\tWatch changes as they happen";
    assert_eq!(fish("nudge wat"), [about]);
    desk.is_untouched();
}

/// PowerShell is in no package of Debian, so only its script is looked at.
#[test]
fn powershell_gets_a_script() {
    let mut nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
    let script = lines(nudge.args(["completions", "powershell"])).join("\n");
    assert!(script.contains("Register-ArgumentCompleter -Native -CommandName nudge"));
}
