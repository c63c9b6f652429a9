//! `nudge week` and `nudge log --told`: what agents were told and heeded, and nothing that
//! somebody only looked at.

use std::fs;

use serde_json::{Value, json};

use crate::kept::Desk;

/// A repository in which a script was renamed, with a hint for the old one.
fn desk() -> (Desk, std::path::PathBuf) {
    let desk = Desk::new();
    let scripts = r#"{"scripts": {"test": "vitest", "lint:ci": "eslint ."}}"#;
    let shop = desk.repository("shop", &[("package.json", scripts), ("pnpm-lock.yaml", "")]);
    desk.printed(&shop, &["set", "shop", "lint", "pnpm lint"]);
    desk.printed(&shop, &["set", "shop", "test", "pnpm test"]);
    (desk, shop)
}

fn week(desk: &Desk, cwd: &std::path::Path, words: &[&str]) -> Value {
    let words = [&["week", "--json"], words].concat();
    serde_json::from_slice(&desk.run(cwd, &words).stdout).unwrap()
}

#[test]
fn the_week_counts_what_hooks_told_and_agents_heeded() {
    let (desk, shop) = desk();
    let nothing = desk.run(&shop, &["log", "--told"]);
    assert_eq!(nothing.status.code(), Some(1));
    desk.starts(&shop, "s1");
    desk.ran(&shop, "s1", "pnpm test");
    desk.ran(&shop, "s1", "make build");
    desk.printed(
        &shop,
        &["set", "shop", "test", "npm t", "--source", "agent"],
    );

    // What somebody only looks at is told to no agent.
    for words in [&["prime"][..], &["doctor"], &[], &["why", "shop", "lint"]] {
        desk.run(&shop, words);
    }
    let printed = desk.printed(&shop, &["week"]);
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
    let alone = desk.printed(&shop, &[]);
    let line = format!("{expected}; `nudge week` tells more");
    assert!(alone.lines().any(|it| it == line), "{alone}");

    // Today is the last of the reader's seven days.
    let all = week(&desk, &shop, &[]);
    let of_shop = &all["repositories"][0];
    assert_eq!(all["days"].as_array().unwrap().len(), 7);
    assert_eq!(of_shop["repo"], "git:github.com/acme/shop");
    let today = json!({"told": 4, "heeded": 1, "stopped": 0});
    assert_eq!(of_shop["days"].as_array().unwrap().last(), Some(&today));
    assert_eq!(
        of_shop["days"][5],
        json!({"told": 0, "heeded": 0, "stopped": 0})
    );

    // Mended, it is broken no more.
    fs::write(
        shop.join("package.json"),
        r#"{"scripts": {"lint": "eslint .", "test": "vitest"}}"#,
    )
    .unwrap();
    assert_eq!(
        week(&desk, &shop, &[])["repositories"][0]["gone"],
        json!([])
    );
}

#[test]
fn what_was_told_is_listed_for_the_user_of_the_repository_alone() {
    let (desk, shop) = desk();
    let api = desk.repository("api", &[]);
    desk.starts(&shop, "s1");
    desk.ran(&shop, "s1", "pnpm test");
    let told = desk.printed(&shop, &["log", "--told"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].contains("claude    s1        session_start   - ["),
        "{told}"
    );
    assert!(
        lines.last().unwrap().ends_with("heeded          pnpm test"),
        "{told}"
    );
    assert_eq!(
        desk.printed(&shop, &["log", "--told", "-n", "1"])
            .lines()
            .count(),
        1
    );
    assert_eq!(desk.run(&api, &["log", "--told"]).status.code(), Some(1));
    assert_eq!(week(&desk, &api, &["--here"])["repositories"], json!([]));
    let why = desk.printed(&shop, &["why", "shop", "test"]);
    assert!(why.contains("told 1 time in 30 days, last "), "{why}");
    // An agent's shell is not the user.
    for words in [&["week"][..], &["log", "--told"]] {
        let mut asked = desk.command(&shop, words);
        let refused = asked.env("CODEX_THREAD_ID", "t").output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(
            String::from_utf8(refused.stderr)
                .unwrap()
                .contains("only the user")
        );
    }
}

#[test]
fn proposals_are_counted_in_their_own_repository_only() {
    let (desk, shop) = desk();
    let web = desk.repository("web", &[]);
    let mut agent = desk.command(&shop, &["set", "shop", "test", "npm t"]);
    let proposed = agent.env("CLAUDECODE", "1").output().unwrap();
    assert!(proposed.status.success(), "{proposed:?}");
    let heard = |cwd: &std::path::Path| {
        let said = desk.run(cwd, &["ls"]).stderr;
        String::from_utf8(said).unwrap()
    };
    let counted = |cwd: &std::path::Path| {
        let status: Value =
            serde_json::from_str(&desk.printed(cwd, &["status", "--json"])).unwrap();
        (
            status["proposals"].clone(),
            desk.printed(cwd, &[]).contains("1 waiting"),
        )
    };
    // Whoever is elsewhere first hears nothing of it, and is told at home all the same.
    for elsewhere in [&web, &desk.home()] {
        assert_eq!(heard(elsewhere), "");
        assert_eq!(counted(elsewhere), (json!(0), false));
    }
    let told = heard(&shop);
    assert!(told.contains("proposes shop/test: npm t"), "{told}");
    assert_eq!(heard(&shop), "");
    assert_eq!(counted(&shop), (json!(1), true));
    // Who asks for all of them is told of all.
    assert!(desk.printed(&web, &["proposals"]).contains("npm t"));
    assert!(desk.printed(&web, &["week"]).contains("npm t"));
}
