//! `nudge completions`, in the shells that it is for. What is stored is hostile.

mod keyboard;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use nudge::Config;
use tempfile::TempDir;

use self::keyboard::Keyboard;
use crate::conformance::adapter::file;
use crate::folder_server::FolderServer;
use crate::need::need;
use crate::process::within;
use crate::slow_server::slow_server;
use crate::watch::follower::set;

const BREAKS: &str = " \t\n\"'@><=;|&(:";

/// Names that mean something to a shell, each with how a person begins to type
/// it and a key that no other has.
const HOSTILE: [(&str, &str, &str); 8] = [
    ("$(touch pwned)", r"\$", "dollar"),
    ("`touch pwned`", r"\`", "backquote"),
    ("two; touch pwned", "tw", "semicolon"),
    ("it's a quote", "it", "single"),
    ("say \"touch\"", "say", "double"),
    ("git:org/repo", "git:", "colon"),
    ("star*?[a]", "star", "glob"),
    ("~root", r"\~", "home"),
];

/// A server that holds hostile names, and an empty folder to sit in.
struct WriteContext {
    server: FolderServer,
    home: TempDir,
}

impl WriteContext {
    fn new() -> WriteContext {
        let on = WriteContext {
            server: FolderServer::start(Config::default(), "2025-11-04T10:00:00Z"),
            home: tempfile::tempdir().unwrap(),
        };
        let folder = on.server.folder();
        for (component, _, key) in HOSTILE {
            set(folder, component, key, "x");
        }
        set(folder, "api", "build", "make");
        set(folder, "api", "test", "make test");
        set(folder, "-dash", "build", "make");
        on
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

    /// What `nudge completions` prints for what a script hands to it.
    fn asked(&self, shell: &str, typed: &[&str]) -> Vec<String> {
        let mut nudge = self.program("nudge");
        nudge.args(["completions", shell, "--"]).args(typed);
        lines(&mut nudge)
    }

    /// What bash would be told after a line.
    fn after(&self, line: &str) -> Vec<String> {
        self.asked("bash", &[BREAKS, line])
    }

    /// Types every hostile name in a shell, as far as a person would, and takes what
    /// is offered: the key shows that it was the name and nothing else.
    fn types_hostile_names(&self, mut keyboard: Keyboard) {
        for (name, start, key) in HOSTILE {
            let shown = keyboard.typed(&format!("nudge ls {start}\t\n"));
            assert!(shown.contains(&format!("\n{key}\r\n")), "{name}: {shown}");
        }
        let shown = keyboard.typed("nudge get ap\tte\t--raw\n");
        assert!(shown.contains("\nmake test\r\n"), "{shown}");
        let left = fs::read_dir(self.home.path()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name == "pwned"), "{left:?}");
    }
}

fn lines(command: &mut Command) -> Vec<String> {
    let output = command.output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn commands_flags_values_and_names_are_offered() {
    let on = WriteContext::new();
    assert_eq!(on.after("nudge ge"), ["get"]);
    assert_eq!(on.after("nudge l"), ["ls"]);
    assert_eq!(on.after("nudge get ap"), ["api"]);
    assert_eq!(on.after("nudge get api "), ["build", "test"]);
    assert_eq!(on.after("nudge get --json api t"), ["test"]);
    assert_eq!(on.after("nudge query --component api --key b"), ["build"]);
    assert_eq!(on.after("nudge get api build --ra"), ["--raw"]);
    assert_eq!(on.after("nudge get --os "), ["linux", "darwin", "windows"]);
    assert_eq!(on.after("nudge set --type c"), ["command"]);
    assert_eq!(on.after("nudge set --format j"), ["jinja"]);
    assert_eq!(on.after("nudge export --format "), ["json"]);
    assert_eq!(on.after("nudge import --mode=r"), ["replace"]);
    assert_eq!(on.after("nudge watch --component ap"), ["api"]);
    let shells = ["bash", "zsh", "fish", "powershell"];
    assert_eq!(on.after("nudge completions "), shells);
    fs::write(on.home.path().join("hints of mine.json"), "").unwrap();
    assert_eq!(on.after("nudge import hi"), [r"hints\ of\ mine.json"]);
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
fn a_name_that_would_be_a_flag_or_an_order_to_the_terminal_is_not_offered() {
    let on = WriteContext::new();
    let offered = on.after("nudge get ");
    assert_eq!(offered.len(), HOSTILE.len() + 1, "{offered:?}");
    assert!(!on.after("nudge get -").contains(&"-dash".to_owned()));
    set(on.server.folder(), "turn\u{202e}ed", "build", "make");
    assert!(on.after("nudge get turn").is_empty());
}

#[test]
fn without_a_server_there_are_no_names_and_none_is_started() {
    let home = tempfile::tempdir().unwrap();
    let absent = home.path().join("absent");
    let after = |line: &str| {
        let mut nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
        nudge.env_clear().env("NUDGE_RUNTIME_DIR", &absent);
        // A setting that means nothing must not stand in the middle of a line.
        nudge.env("NUDGE_MAX_HINTS", "many");
        nudge.args(["completions", "bash", "--", BREAKS, line]);
        lines(&mut nudge)
    };
    let flags = after("nudge get ");
    assert!(flags.iter().all(|word| word.starts_with('-')), "{flags:?}");
    assert_eq!(after("nudge get ap"), Vec::<String>::new());
    assert_eq!(after("nudge stat"), ["status"]);
    assert!(!absent.exists());
}

#[test]
fn a_server_that_hangs_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    slow_server(&folder.path().join("nudge.sock"));
    let mut nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
    nudge.env_clear().env("NUDGE_RUNTIME_DIR", folder.path());
    nudge.args(["completions", "bash", "--", BREAKS, "nudge get a"]);
    let offered = within(move || lines(&mut nudge));
    assert_eq!(offered, Vec::<String>::new());
}

#[test]
fn bash_takes_every_name_for_a_name() {
    if !need("bash", "bash") || !need("script", "bsdutils") {
        return;
    }
    let on = WriteContext::new();
    let mut keyboard = Keyboard::at(on.program("script"), "bash --norc --noprofile -i");
    keyboard.typed("source <(nudge completions bash)\n");
    let shown = keyboard.typed("nudge ls 'it\t\n");
    assert!(shown.contains("\nsingle\r\n"), "{shown}");
    let shown = keyboard.typed("nudge ls \"$(touch pwned)\t\n".replace('$', r"\$").as_str());
    assert!(shown.contains("\ndollar\r\n"), "{shown}");
    on.types_hostile_names(keyboard);
}

#[test]
fn zsh_takes_every_name_for_a_name() {
    if !need("zsh", "zsh") || !need("script", "bsdutils") {
        return;
    }
    let on = WriteContext::new();
    let mut keyboard = Keyboard::at(on.program("script"), "zsh -f -i");
    keyboard.typed("autoload -U compinit; compinit -u -D\n");
    keyboard.typed("source <(nudge completions zsh)\n");
    on.types_hostile_names(keyboard);
}

#[test]
fn zsh_finds_the_script_in_a_folder_of_functions() {
    if !need("zsh", "zsh") || !need("script", "bsdutils") {
        return;
    }
    let on = WriteContext::new();
    let script = lines(on.program("nudge").args(["completions", "zsh"]));
    let functions = tempfile::tempdir().unwrap();
    fs::write(functions.path().join("_nudge"), script.join("\n")).unwrap();
    let mut keyboard = Keyboard::at(on.program("script"), "zsh -f -i");
    let folder = functions.path().display();
    keyboard.typed(&format!("fpath=({folder} $fpath)\n"));
    keyboard.typed("autoload -U compinit; compinit -u -D\n");
    on.types_hostile_names(keyboard);
}

#[test]
fn fish_takes_every_name_for_a_name() {
    if !need("fish", "fish") {
        return;
    }
    let on = WriteContext::new();
    let fish = |line: &str| {
        let ask = "nudge completions fish | source; complete -C --escape $line";
        let mut fish = on.program("fish");
        lines(fish.args(["--no-config", "-c", ask]).env("line", line))
    };
    for (name, start, key) in HOSTILE {
        // Fish would leave this one unquoted, and then it is somebody's home.
        if name.starts_with('~') {
            assert!(fish(&format!("nudge ls {start}")).is_empty());
            continue;
        }
        let offered = fish(&format!("nudge ls {start}"));
        let [word] = offered.as_slice() else {
            panic!("{name}: {offered:?}");
        };
        let mut typed = on.program("fish");
        let typed = typed.args(["--no-config", "-c", &format!("nudge ls {word}")]);
        assert_eq!(lines(typed), [key], "{word}");
    }
    assert_eq!(fish("nudge get api t"), ["test"]);
    assert_eq!(fish("nudge get 'two"), ["'two; touch pwned'"]);
    let about = "watch\tShow what happens in the store, as it happens";
    assert_eq!(fish("nudge wat"), [about]);
    assert!(
        fs::read_dir(on.home.path())
            .unwrap()
            .all(|entry| { entry.unwrap().file_name() != "pwned" })
    );
}

/// PowerShell is in no package of Debian, so only what it is told is looked at.
#[test]
fn powershell_is_told_every_name_in_its_own_quotes() {
    let on = WriteContext::new();
    let told = on.asked("powershell", &["nudge", "get", ":"]);
    for line in [
        "'$(touch pwned)'\t$(touch pwned)\t",
        "'it''s a quote'\tit's a quote\t",
        "api\tapi\t",
        "git:org/repo\tgit:org/repo\t",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}: {told:?}");
    }
    assert_eq!(on.asked("powershell", &["nudge", ":ge"]).len(), 1);
    let script = lines(on.program("nudge").args(["completions", "powershell"])).join("\n");
    assert!(script.contains("Register-ArgumentCompleter -Native -CommandName nudge"));
    assert!(!script.contains("Invoke-Expression"), "{script}");
}
