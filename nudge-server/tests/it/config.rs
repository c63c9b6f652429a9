//! What flags, variables and the file say, and whose word counts.

use std::ffi::OsString;
use std::fs;

use clap::{Args, Command, FromArgMatches};
use nudge::{Config, Ttl};
use nudge_server::config::{Before, Flags, LogLevel, SessionSettings, Settings, VARIABLES};

use crate::conformance::adapter::file;

fn settings(flags: &[&str], variables: &[(&str, &str)]) -> Result<Settings, String> {
    with_file("", flags, variables)
}

fn with_file(text: &str, flags: &[&str], variables: &[(&str, &str)]) -> Result<Settings, String> {
    let parser = Flags::augment_args(Command::new("serve").no_binary_name(true));
    let flags = parser.try_get_matches_from(flags).unwrap();
    let flags = Flags::from_arg_matches(&flags).unwrap();
    let said = |name: &str| {
        let mut variables = variables.iter();
        let (_, value) = variables.find(|(known, _)| *known == name)?;
        Some(OsString::from(value))
    };
    Settings::of(&flags, said, text)
}

#[test]
fn nothing_said_is_the_default() {
    let empty = [("NUDGE_MAX_HINTS", ""), ("NUDGE_AUTOSTART", "")];
    assert_eq!(settings(&[], &empty), Ok(Settings::default()));
}

#[test]
fn every_variable_is_heard() {
    let variables = [
        ("NUDGE_MAX_COMPONENTS", "1"),
        ("NUDGE_MAX_HINTS_PER_COMPONENT", "2"),
        ("NUDGE_MAX_HINTS", "1000000"),
        ("NUDGE_MAX_VALUE_BYTES", "4"),
        ("NUDGE_MAX_BYTES", "5"),
        ("NUDGE_SECRET_GUARD", "0"),
        ("NUDGE_DEFAULT_TTL", "1h"),
        ("NUDGE_LINGER", "PT8H"),
        ("NUDGE_KEEP", "on"),
        ("NUDGE_OBSERVE", "on"),
        ("NUDGE_LOG_LEVEL", "debug"),
        ("NUDGE_RUNTIME_DIR", "/run/nudge"),
        ("NUDGE_AUTOSTART", "0"),
        ("NUDGE_SCOPE_WRITES", "off"),
        ("NUDGE_PRIME_TOKENS", "200"),
        ("NUDGE_REMIND", "20"),
        ("NUDGE_BEFORE", "stop"),
        ("NUDGE_HOOK_MS", "1000"),
    ];
    assert_eq!(variables.map(|(name, _)| name), VARIABLES);
    let said = settings(&[], &variables).unwrap();
    let session = SessionSettings {
        max_components: 1,
        max_hints_per_component: 2,
        max_hints: 1_000_000,
        max_value_bytes: 4,
        max_bytes: 5,
        secret_guard: false,
        default_ttl: "PT1H".parse().unwrap(),
        linger: "PT8H".parse().unwrap(),
        keep: true,
        observe: true,
    };
    let expected = Settings {
        runtime_dir: Some("/run/nudge".into()),
        port: None,
        session,
        session_of_file: SessionSettings::default(),
        log_level: Some(LogLevel::Debug),
        autostart: false,
        scope_writes: false,
        prime_tokens: Some(200),
        remind: Some(20),
        before: Before::Stop,
        hook_ms: 1000,
        flags: said.flags.clone(),
        is_users_own: false,
    };
    assert_eq!(said, expected);
}

#[test]
fn a_flag_goes_before_its_variable() {
    let said = settings(
        &["--max-hints=7", "--no-secret-guard"],
        &[("NUDGE_MAX_HINTS", "9"), ("NUDGE_SECRET_GUARD", "1")],
    );
    let session = said.unwrap().session;
    assert_eq!((session.max_hints, session.secret_guard), (7, false));
}

#[test]
fn the_defaults_that_the_file_shows_are_the_defaults() {
    let text = fs::read_to_string(file("nudge-server/src/config/config.toml")).unwrap();
    assert_eq!(with_file(&text, &[], &[]), Ok(Settings::default()));
    let lines = text.lines().filter(|line| line.contains(" = "));
    let said: Vec<&str> = lines.map(|line| line.trim_start_matches("# ")).collect();
    assert_eq!(said.len(), VARIABLES.len() - 1);
    let expected = Settings {
        log_level: Some(LogLevel::Warn),
        prime_tokens: Some(400),
        ..Settings::default()
    };
    let said = with_file(&said.join("\n"), &[], &[]);
    assert_eq!(said, Ok(expected));
    // A store in a program keeps nothing.
    let mut config = SessionSettings::default().config();
    assert!(std::mem::take(&mut config.keep));
    assert_eq!(config, Config::default());
}

#[test]
fn a_variable_goes_before_the_file_and_a_flag_before_both() {
    let text = "max_hints = 7_0\nmax_components = 8\nautostart = false\nlinger = \"2h\"";
    let flags = ["--max-components=9"];
    let said = with_file(
        text,
        &flags,
        &[("NUDGE_AUTOSTART", "1"), ("NUDGE_LINGER", "")],
    );
    let said = said.unwrap();
    let session = said.session;
    assert_eq!((session.max_hints, session.max_components), (70, 9));
    assert_eq!((said.autostart, session.linger.as_str()), (true, "PT2H"));
}

#[test]
fn a_variable_tightens_what_a_session_begins_with_and_the_user_changes_it_at_will() {
    // The name, what the file says, what the variable says, and what a session begins with.
    for (name, file, variable, begins) in [
        ("max_hints", "100", "7", "7"),
        ("max_hints", "100", "900", "100"),
        ("max_components", "", "900", "500"),
        ("max_value_bytes", "", "9", "9"),
        ("max_bytes", "", "9", "9"),
        ("max_hints_per_component", "5", "", "5"),
        ("secret_guard", "true", "0", "true"),
        ("secret_guard", "false", "1", "true"),
        ("secret_guard", "false", "", "false"),
        ("secret_guard", "", "0", "true"),
        ("default_ttl", "", "2h", "\"PT2H\""),
        ("default_ttl", "\"2h\"", "session", "\"PT2H\""),
        ("default_ttl", "\"2h\"", "30m", "\"PT30M\""),
        ("linger", "", "session", "\"P4D\""),
        ("linger", "\"session\"", "1w", "\"P1W\""),
        ("linger", "\"1h\"", "1w", "\"PT1H\""),
        ("keep", "true", "", "true"),
        ("keep", "true", "off", "false"),
        ("keep", "false", "on", "false"),
        ("keep", "", "on", "true"),
        ("keep", "", "", "true"),
        ("keep", "", "off", "false"),
    ] {
        let text = match file {
            "" => String::new(),
            file => format!("{name} = {file}"),
        };
        let upper = format!("NUDGE_{}", name.to_uppercase());
        let variables = [(upper.as_str(), variable)];
        let said = with_file(&text, &[], &variables).unwrap();
        let of =
            |session: &SessionSettings| serde_json::to_value(session).unwrap()[name].to_string();
        assert_eq!(
            of(&said.session_of_file_tightened()),
            begins,
            "{name} {file} {variable}"
        );
        if !variable.is_empty() {
            let alone = settings(&[], &variables).unwrap();
            assert_eq!(of(&said.session), of(&alone.session), "{name} {variable}");
        }
    }
}

#[test]
fn the_settings_of_a_store_are_read_whichever_version_wrote_them() {
    let said = r#"{"max_hints": 7, "linger": "session", "of_tomorrow": [1]}"#;
    let said: SessionSettings = serde_json::from_str(said).unwrap();
    let expected = SessionSettings {
        max_hints: 7,
        linger: Ttl::SESSION,
        ..SessionSettings::default()
    };
    assert_eq!(said, expected);
    let written = serde_json::to_string(&said).unwrap();
    let again: SessionSettings = serde_json::from_str(&written).unwrap();
    assert_eq!(again, said);
}
