//! `nudge week` and `nudge log --told`: what agents were told and heeded, and nothing that
//! somebody only looked at.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::kept::Desk;
use crate::says::Says;

/// A repository in which a script was renamed, with a hint for the old one.
fn desk() -> (Desk, PathBuf) {
    let desk = Desk::new();
    let scripts = r#"{"scripts": {"test": "vitest", "lint:ci": "eslint ."}}"#;
    let shop = desk.repository("shop", &[("package.json", scripts), ("pnpm-lock.yaml", "")]);
    desk.types(&shop, "set shop lint 'pnpm lint'");
    desk.types(&shop, "set shop test 'pnpm test'");
    (desk, shop)
}

fn week(desk: &Desk, cwd: &Path, words: &[&str]) -> Value {
    let words = [&["week", "--json"], words].concat();
    serde_json::from_slice(&desk.run(cwd, &words).stdout).unwrap()
}

#[test]
fn the_week_counts_what_hooks_told_and_agents_heeded() {
    let (desk, shop) = desk();
    assert_eq!(desk.status(&shop, "log --told"), 1);
    desk.starts(&shop, "s1");
    desk.ran(&shop, "s1", "pnpm test");
    desk.ran(&shop, "s1", "make build");
    desk.types(&shop, "set shop test 'npm t' --source agent");

    // What somebody only looks at is told to no agent.
    for line in ["prime", "doctor", "", "why shop lint"] {
        desk.ends(&shop, line);
    }
    let printed = desk.types(&shop, "week");
    let lines: Vec<&str> = printed.lines().collect();
    let expected = "this week: 4 lines told, 1 heeded, 1 learned, 1 broken, 1 waiting";
    assert_eq!(lines.first(), Some(&expected), "{printed}");
    for line in [
        "acme/shop: 4 lines told, 1 heeded",
        "  ✔ learned shop/build: make build",
        "  ✘ shop/lint: `pnpm lint` is gone from package.json; nearest is `lint:ci`",
        "  ? proposed 1 shop/test: npm t (repo=git:github.com/acme/shop)",
    ] {
        assert!(lines.contains(&line), "{line} is not in\n{printed}");
    }
    assert!(!printed.contains("avoided"));
    let alone = desk.types(&shop, "");
    let line = format!("{expected}; `nudge week` tells more");
    assert!(alone.lines().any(|it| it == line), "{alone}");

    let line = desk.types(&shop, "statusline");
    assert!(line.contains(" · 1 line heeded today"), "{line}");

    // Today is the last of the reader's seven days.
    let all = week(&desk, &shop, &[]);
    let of_shop = &all["repositories"][0];
    assert_eq!(all["days"].as_array().unwrap().len(), 7);
    assert_eq!(of_shop["repo"], "git:github.com/acme/shop");
    let today = json!({"told": 4, "heeded": 1, "stopped": 0});
    assert_eq!(of_shop["days"].as_array().unwrap().last(), Some(&today));
    let nothing = json!({"told": 0, "heeded": 0, "stopped": 0});
    assert_eq!(of_shop["days"][5], nothing);

    // Mended, it is broken no more.
    let scripts = r#"{"scripts": {"lint": "eslint .", "test": "vitest"}}"#;
    fs::write(shop.join("package.json"), scripts).unwrap();
    let mended = &week(&desk, &shop, &[])["repositories"][0];
    assert_eq!(mended["gone"], json!([]));
}

#[test]
fn what_was_told_is_listed_for_the_user_of_the_repository_alone() {
    let (desk, shop) = desk();
    let api = desk.repository("api", &[]);
    desk.starts(&shop, "s1");
    desk.ran(&shop, "s1", "pnpm test");
    let told = desk.types(&shop, "log --told");
    let first = told.lines().next().unwrap();
    first.says("claude    s1        session_start   - [");
    assert!(told.ends_with("heeded          pnpm test\n"), "{told}");
    assert_eq!(desk.types(&shop, "log --told -n 1").lines().count(), 1);
    assert_eq!(desk.status(&api, "log --told"), 1);
    assert_eq!(week(&desk, &api, &["--here"])["repositories"], json!([]));
    let why = desk.types(&shop, "why shop test");
    why.says("told 1 time in 30 days, last ");
    // An agent's shell is not the user.
    for line in ["week", "log --told"] {
        let (status, said) = desk.agent_ends(&shop, line);
        assert_eq!(status, 2, "{line}");
        said.says("only the user");
    }
}

#[test]
fn proposals_are_counted_in_their_own_repository_only() {
    let (desk, shop) = desk();
    let web = desk.repository("web", &[]);
    assert_eq!(desk.agent_ends(&shop, "set shop test 'npm t'").0, 0);
    let heard = |cwd: &Path| {
        let said = desk.run(cwd, &["ls"]).stderr;
        String::from_utf8(said).unwrap()
    };
    let counted = |cwd: &Path| {
        let status: Value = serde_json::from_str(&desk.types(cwd, "status --json")).unwrap();
        let waits = desk.types(cwd, "").contains("1 waiting");
        (status["proposals"].clone(), waits)
    };
    // Whoever is elsewhere first hears nothing of it, and is told at home all the same.
    for elsewhere in [&web, &desk.home()] {
        assert_eq!(heard(elsewhere), "");
        assert_eq!(counted(elsewhere), (json!(0), false));
    }
    let told = heard(&shop);
    told.says("proposes shop/test: npm t");
    assert_eq!(heard(&shop), "");
    assert_eq!(counted(&shop), (json!(1), true));
    // Who asks for all of them is told of all.
    assert!(desk.types(&web, "proposals").contains("npm t"));
    assert!(desk.types(&web, "week").contains("npm t"));
}
