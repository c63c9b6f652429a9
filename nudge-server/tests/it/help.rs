//! `--help` of every command, byte for byte. `UPDATE=1` updates it.

use std::process::Command;

use crate::golden::is_as_written_down;

/// Every command that is shown, and `nudge` itself as an empty word.
pub(crate) fn commands() -> Vec<String> {
    let nudge = nudge_server::cli::command();
    let shown = nudge.get_subcommands().filter(|it| !it.is_hide_set());
    let names = shown.map(|it| it.get_name().to_owned());
    [String::new()].into_iter().chain(names).collect()
}

fn help(command: &str) -> String {
    asked(command, "--help")
}

fn asked(command: &str, flag: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nudge"))
        .args(command.split_whitespace())
        .arg(flag)
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_help_is_as_written_down() {
    let commands = commands();
    let short = ["", "get"].map(|command| (command, "-h"));
    let long = commands.iter().map(|command| (&**command, "--help"));
    let pages = short.into_iter().chain(long).map(|(command, flag)| {
        let typed = format!("$ nudge {command} {flag}").replace("  ", " ");
        format!("{typed}\n{}", asked(command, flag))
    });
    let pages: Vec<String> = pages.collect();
    is_as_written_down("tests/transcripts/help.txt", &pages.join("\n"));
}

#[test]
fn the_short_flag_says_less_and_nothing_else_and_no_line_is_too_long() {
    for command in &commands() {
        let (short, long) = (asked(command, "-h"), help(command));
        let hint = if command.is_empty() {
            "`nudge --help` lists all"
        } else {
            "`--help` shows"
        };
        for line in short.lines().filter(|line| !line.starts_with(hint)) {
            assert!(long.contains(line), "{command}: {line}");
        }
        assert!(short.lines().count() < long.lines().count(), "{command}");
        for line in long.lines() {
            assert!(line.chars().count() <= 110, "{command}: {line}");
        }
    }
    let screen = asked("", "-h");
    assert!(screen.lines().count() < 24, "{screen}");
    assert!(
        screen
            .lines()
            .skip(1)
            .all(|line| line.chars().count() <= 80),
        "{screen}"
    );
}

#[test]
fn help_has_color_where_it_is_wanted() {
    let colored = |words: &[&str], name: &str, value: &str| {
        let mut nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
        let output = nudge.args(words).env_clear().env(name, value).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let always = colored(&["-h", "--color", "always"], "TERM", "dumb");
    assert!(always.contains("\n\u{1b}[1mHints:\u{1b}[0m\n"), "{always}");
    assert!(always.contains("\u{1b}[36m  set\u{1b}[0m  "), "{always}");
    for words in [
        &["-h"][..],
        &["-h", "--color=never"],
        &["--color", "auto", "-h"],
    ] {
        assert!(
            !colored(words, "NO_COLOR", "1").contains('\u{1b}'),
            "{words:?}"
        );
    }
}

#[test]
fn every_command_has_its_page() {
    let listed = help("");
    let listed = listed.lines().skip_while(|line| *line != "Hints:");
    let listed = listed.take_while(|line| *line != "Options:");
    let listed = listed.filter(|line| line.starts_with(' '));
    let mut listed: Vec<&str> = listed
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    listed.sort_unstable();
    let mut known = commands().split_off(1);
    known.push("help".to_owned());
    known.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn what_to_type_is_nudge_whatever_the_file_is_called() {
    let folder = crate::process::folder();
    // As it is on Windows.
    let program = folder.path().join("nudge.exe");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_nudge"), &program).unwrap();
    let output = Command::new(program).arg("get").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("type `nudge get <COMPONENT>"), "{said}");
}
