//! The lines of `docs/completions.md` by which a shell shows what is known where one goes.

use std::fs;

use crate::docs::page::Page;
use crate::need::need;
use crate::transcripts::Session;

#[test]
fn a_shell_shows_what_is_known_once_for_a_project() {
    if !need("git", "git") {
        return;
    }
    for (shell, flags, after) in [
        ("bash", "--norc --noprofile", "; eval \"$PROMPT_COMMAND\""),
        ("zsh", "-f", ""),
        ("fish", "--no-config", ""),
    ] {
        if !need(shell, shell) {
            continue;
        }
        let session = Session::start();
        session.typed("mkdir -p .git/objects .git/refs empty && git -C empty init -q");
        session.typed("nudge set api build 'make $(touch pwned)'");
        let page = Page::read("docs/completions.md");
        let block = page.blocks().into_iter().find(|it| it.language == shell);
        let lines = block.unwrap().text;
        let moves = ["$HOME", "$START", "src", "..", "empty", "$START"];
        let moves = moves.map(|to| format!("echo to '{to}'\ncd {to}{after}\n"));
        let script = session.path().join("script");
        fs::write(&script, lines + &moves.concat()).unwrap();
        let said = session.typed(&format!(
            "START=$PWD; export START; {shell} {flags} {}",
            script.display()
        ));
        let told = "- [user] api/build: make $(touch pwned)";
        let parts: Vec<&str> = said.split("to ").collect();
        let shows: Vec<bool> = parts.iter().map(|part| part.contains(told)).collect();
        // Where the script begins is where the shell is already.
        assert_eq!(
            shows,
            [false, false, true, false, false, false, true],
            "{shell}: {said}"
        );
        assert!(!said.contains("no hint applies"), "{shell}: {said}");
        assert!(!said.contains("rror"), "{shell}: {said}");
        assert!(!session.path().join("http-proxy/pwned").exists());
    }
}
