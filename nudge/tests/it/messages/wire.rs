//! What is said about JSON that does not fit.

use nudge::{Context, Error, GetHint, Import, Query, SetHint, from_json, invalid_field};
use serde::de::DeserializeOwned;

use super::{said, store};

fn read<T: DeserializeOwned>(json: &str) -> String {
    said(from_json::<T>(json.as_bytes()))
}

fn set(json: &str) -> String {
    read::<SetHint>(&format!(
        r#"{{"component": "api", "key": "build", {json}}}"#
    ))
}

#[test]
fn a_fix_that_only_a_later_version_knows_stays_in_the_message() {
    let json = r#"{"code": 40001, "message": "it is odd; do so", "data": {"fix": "do_so"}}"#;
    let error: Error = serde_json::from_str(json).unwrap();
    assert_eq!(error.data().fix, None);
    assert_eq!(error.problem(), "it is odd; do so");
}

#[test]
fn about_requests() {
    let table = [
        read::<GetHint>(r#"{"component": "api"}"#),
        read::<GetHint>(r#"{"component": "api", "kye": "build"}"#),
        read::<GetHint>(r#"{"component": 7, "key": "build"}"#),
        read::<GetHint>("[1, 2]"),
        read::<GetHint>("{"),
        read::<Query>(r#"{"tags_mode": "some"}"#),
        read::<Query>(r#"{"limit": "ten"}"#),
        read::<Query>(r#"{"limit": 2.5}"#),
        read::<Query>(r#"{"context": {"barnch": "dev"}}"#),
        read::<Context>(r#"{"os": "linus"}"#),
        said(Err::<(), _>(invalid_field(
            "",
            "unknown field `x`, there are no fields",
        ))),
    ];
    insta::assert_snapshot!(table.concat(), @r#"
    `key` is missing; give it
    unknown field `kye`; did you mean `key`?
    `component` cannot be `7`; give a string
    this is not an object; give the fields by name
    this is not JSON: EOF while parsing an object at line 1 column 1
    tags_mode: unknown value `some`; it is one of `any`, `all`
    `limit` cannot be the text `ten`; give an integer
    `limit` cannot be `2.5`; give an integer
    unknown field `context.barnch`; did you mean `branch`?
    os: unknown value `linus`; it is one of `darwin`, `mac`, `macos`, `osx`, `linux`, `windows`; did you mean `linux`?
    unknown field `x`; leave it out
    "#);
}

#[test]
fn about_hints() {
    let table = [
        set(r#""value": 7"#),
        set(r#""value": null"#),
        set(r#""value": {"type": "comand", "cmd": "make"}"#),
        set(r#""value": {"type": "command", "cmd": "make", "body": "make"}"#),
        set(r#""value": {"type": "command", "cmd": "make", "shell": "tcsh"}"#),
        set(r#""value": "make", "meta": {"priority": "7"}"#),
        set(r#""value": "make", "meta": {"source": "me"}"#),
        set(r#""value": "make", "meta": {"scope": {"cwd": "/work"}}"#),
        set(r#""value": "make", "meta": {"scope": {"branch": 7}}"#),
        set(r#""value": "make", "if_match_version": -1"#),
    ];
    insta::assert_snapshot!(table.concat(), @r#"
    `value` cannot be `7`; give a string, or an object with `type` `command`, `path`, `template` or `json`
    `value` cannot be null; give a string, or an object with `type` `command`, `path`, `template` or `json`
    value.type: unknown value `comand`; it is one of `command`, `path`, `template`, `json`; did you mean `command`?
    unknown field `value.body`; the fields are `type`, `shell`, `cmd`
    value.shell: unknown value `tcsh`; it is one of `bash`, `sh`, `zsh`, `fish`, `powershell`, `cmd`
    `meta.priority` cannot be the text `7`; give an integer
    meta.source: unknown value `me`; it is one of `user`, `agent`, `tool-output`, `file-import`
    unknown field `meta.scope.cwd`; did you mean `cwd_glob`?
    `meta.scope.branch` cannot be `7`; give a string or a list of strings
    `if_match_version` cannot be `-1`; give an integer from 0
    "#);
}

#[test]
fn about_payloads() {
    let import = |payload: &str| said(store().0.import(Import::new(payload).replace()));
    let table = [
        import("not JSON"),
        import("[]"),
        import(r#"{"components": {}}"#),
        import(r#"{"schema_version": "2.0", "components": {}}"#),
        import(r#"{"schema_version": 1.0, "components": {}}"#),
        import(r#"{"schema_version": "1.0", "components": []}"#),
        import(r#"{"schema_version": "1.0", "components": {"api": {}}}"#),
        import(r#"{"schema_version": "1.0", "components": {"api": {"hints": {"build": 7}}}}"#),
        hint(r#"{"value": "make", "updated_at": "yesterday"}"#, import),
        hint(r#"{"value": "make", "meta": {"priority": 300}}"#, import),
    ];
    insta::assert_snapshot!(table.concat(), @"
    payload is not JSON: expected ident at line 1 column 2
    `payload` cannot be a list; give an object with `schema_version` and `components`
    schema_version is missing; give `1.0`, or `1.1` where a slot has several variants
    schema_version `2.0` is not known here; export as `1.0` or `1.1`, or update Nudge
    `payload.schema_version` cannot be `1.0`; give a string
    `payload.components` cannot be a list; give an object of components
    `payload.components.hints` is missing; give it
    this is not an object; give the fields by name
    updated_at: `yesterday` is not a time; write one as `2025-11-04T10:00:00.000Z`
    `meta.priority` cannot be `300`; give an integer from 1 to 10
    ");
}

fn hint(hint: &str, import: impl Fn(&str) -> String) -> String {
    import(&format!(
        r#"{{"schema_version": "1.0", "components": {{"api": {{"hints": {{"build": {hint}}}}}}}}}"#
    ))
}
