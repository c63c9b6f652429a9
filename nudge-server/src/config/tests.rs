use super::*;

fn settings(flags: &Flags, variables: &[(&str, &str)]) -> Result<Settings, String> {
    Settings::from(flags, |name| {
        let mut variables = variables.iter();
        let (_, value) = variables.find(|(known, _)| *known == name)?;
        Some(OsString::from(value))
    })
}

#[test]
fn nothing_said_is_the_default() {
    let empty = [("NUDGE_MAX_HINTS", ""), ("NUDGE_AUTOSTART", "")];
    assert_eq!(settings(&Flags::default(), &empty), Ok(Settings::default()));
}

#[test]
fn every_variable_is_heard() {
    let variables = [
        ("NUDGE_MAX_COMPONENTS", "1"),
        ("NUDGE_MAX_HINTS_PER_COMPONENT", "2"),
        ("NUDGE_MAX_HINTS", "1000000"),
        ("NUDGE_MAX_VALUE_BYTES", "4"),
        ("NUDGE_SECRET_GUARD", "0"),
        ("NUDGE_DEFAULT_TTL", "PT1H"),
        ("NUDGE_LOG_LEVEL", "debug"),
        ("NUDGE_RUNTIME_DIR", "/run/nudge"),
        ("NUDGE_AUTOSTART", "0"),
        ("NUDGE_LINGER", "PT8H"),
        ("NUDGE_SCOPE_WRITES", "off"),
        ("NUDGE_PRIME_TOKENS", "200"),
        ("NUDGE_HOOK_MS", "1000"),
    ];
    assert_eq!(variables.map(|(name, _)| name), VARIABLES);
    let said = settings(&Flags::default(), &variables).unwrap();
    let limits = nudge::Limits {
        components: 1,
        hints_per_component: 2,
        hints: 1_000_000,
        value_bytes: 4,
    };
    let expected = Settings {
        runtime_dir: Some("/run/nudge".into()),
        port: None,
        store: Config {
            limits,
            secret_guard: false,
            default_ttl: "PT1H".parse().unwrap(),
            ..Config::default()
        },
        log_level: Some(LogLevel::Debug),
        linger: Some(Duration::from_hours(8)),
        autostart: false,
        scope_writes: false,
        prime_tokens: Some(200),
        hook_ms: 1000,
    };
    assert_eq!(said, expected);
}

#[test]
fn a_flag_goes_before_its_variable() {
    let flags = Flags {
        max_hints: Some("7".into()),
        no_secret_guard: true,
        ..Flags::default()
    };
    let said = settings(
        &flags,
        &[("NUDGE_MAX_HINTS", "9"), ("NUDGE_SECRET_GUARD", "1")],
    );
    let store = said.unwrap().store;
    assert_eq!((store.limits.hints, store.secret_guard), (7, false));
}

#[test]
fn a_value_that_means_nothing_is_named_with_the_way_out() {
    let said = |name, value| settings(&Flags::default(), &[(name, value)]).unwrap_err();
    for (name, value, sentence) in [
        (
            "NUDGE_MAX_HINTS",
            "many",
            "NUDGE_MAX_HINTS is `many`; make it a whole number above 0",
        ),
        (
            "NUDGE_SECRET_GUARD",
            "maybe\u{1b}",
            "NUDGE_SECRET_GUARD is `maybe\\u{1b}`; make it `1` or `0`",
        ),
        (
            "NUDGE_DEFAULT_TTL",
            "P1M",
            "NUDGE_DEFAULT_TTL is `P1M`; make it `session` or a duration such as `PT2H`, `P7D`",
        ),
        (
            "NUDGE_RUNTIME_DIR",
            "run",
            "NUDGE_RUNTIME_DIR is `run`; make it an absolute path, for every process to mean the same folder",
        ),
    ] {
        assert_eq!(said(name, value), sentence);
    }
    let flags = Flags {
        log_level: Some("loud".into()),
        ..Flags::default()
    };
    assert_eq!(
        settings(&flags, &[]).unwrap_err(),
        "--log-level is `loud`; make it `error`, `warn`, `info` or `debug`"
    );
}
