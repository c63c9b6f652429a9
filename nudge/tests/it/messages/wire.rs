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
        read::<GetHint>("7"),
        read::<Query>("[]"),
        read::<Context>("null"),
        read::<GetHint>("{"),
        read::<GetHint>(""),
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
    E_INVALID missing_field key
      `key` is missing; give it
    E_INVALID unknown_field kye
      unknown field `kye`; did you mean `key`?
    E_INVALID type component
      `component` cannot be `7`; give a string
    E_INVALID type -
      this is not an object; give the fields by name
    E_INVALID type -
      this is not an object; give the fields by name
    E_INVALID type -
      this is not an object; give the fields by name
    E_INVALID type -
      this is not an object; give the fields by name
    E_INVALID json -
      this is not JSON: EOF while parsing an object at line 1 column 1
    E_INVALID json -
      this is not JSON: EOF while parsing a value at line 1 column 0
    E_INVALID unknown_value tags_mode
      tags_mode: unknown value `some`; it is one of `any`, `all`
    E_INVALID type limit
      `limit` cannot be the text `ten`; give an integer
    E_INVALID type limit
      `limit` cannot be `2.5`; give an integer
    E_INVALID unknown_field context.barnch
      unknown field `context.barnch`; did you mean `branch`?
    E_INVALID unknown_value os
      os: unknown value `linus`; it is one of `darwin`, `mac`, `macos`, `osx`, `linux`, `windows`; did you mean `linux`?
    E_INVALID unknown_field x
      unknown field `x`; leave it out
    "#);
}

#[test]
fn about_hints() {
    let table = [
        set(r#""value": 7"#),
        set(r#""value": null"#),
        set(r#""value": {"cmd": "make"}"#),
        set(r#""value": {"type": "comand", "cmd": "make"}"#),
        set(r#""value": {"type": "command"}"#),
        set(r#""value": {"type": "command", "cmd": "make", "shel": "bash"}"#),
        set(r#""value": {"type": "command", "cmd": "make", "body": "make"}"#),
        set(r#""value": {"type": "command", "cmd": "make", "shell": "tcsh"}"#),
        set(
            r#""value": {"type": "template", "format": "jinja", "body": "", "defaults": {"a": 1}}"#,
        ),
        set(r#""value": "make", "meta": {"priority": "7"}"#),
        set(r#""value": "make", "meta": {"prority": 7}"#),
        set(r#""value": "make", "meta": {"ttl": 60}"#),
        set(r#""value": "make", "meta": {"source": "me"}"#),
        set(r#""value": "make", "meta": {"scope": {"cwd": "/work"}}"#),
        set(r#""value": "make", "meta": {"scope": {"branch": 7}}"#),
        set(r#""value": "make", "if_match_version": -1"#),
        set(r#""meta": {}"#),
    ];
    insta::assert_snapshot!(table.concat(), @r#"
    E_INVALID type value
      `value` cannot be `7`; give a string, or an object with `type` `command`, `path`, `template` or `json`
    E_INVALID type value
      `value` cannot be null; give a string, or an object with `type` `command`, `path`, `template` or `json`
    E_INVALID missing_field value.type
      `value.type` is missing; give it
    E_INVALID unknown_value value.type
      value.type: unknown value `comand`; it is one of `command`, `path`, `template`, `json`; did you mean `command`?
    E_INVALID missing_field value.cmd
      `value.cmd` is missing; give it
    E_INVALID unknown_field value.shel
      unknown field `value.shel`; did you mean `shell`?
    E_INVALID unknown_field value.body
      unknown field `value.body`; the fields are `type`, `shell`, `cmd`
    E_INVALID unknown_value value.shell
      value.shell: unknown value `tcsh`; it is one of `bash`, `sh`, `zsh`, `fish`, `powershell`, `cmd`
    E_INVALID type value.defaults.a
      `value.defaults.a` cannot be `1`; give a string
    E_INVALID type meta.priority
      `meta.priority` cannot be the text `7`; give an integer
    E_INVALID unknown_field meta.prority
      unknown field `meta.prority`; did you mean `priority`?
    E_INVALID type meta.ttl
      `meta.ttl` cannot be `60`; give a string
    E_INVALID unknown_value meta.source
      meta.source: unknown value `me`; it is one of `user`, `agent`, `tool-output`, `file-import`
    E_INVALID unknown_field meta.scope.cwd
      unknown field `meta.scope.cwd`; did you mean `cwd_glob`?
    E_INVALID type meta.scope.branch
      `meta.scope.branch` cannot be `7`; give a string or a list of strings
    E_INVALID type if_match_version
      `if_match_version` cannot be `-1`; give an integer from 0
    E_INVALID missing_field value
      `value` is missing; give it
    "#);
}

#[test]
fn about_payloads() {
    let import = |payload: &str| said(store().0.import(Import::new(payload).replace()));
    let table = [
        import("not JSON"),
        import("[]"),
        import("{}"),
        import(r#"{"components": {}}"#),
        import(r#"{"schema_version": "2.0", "components": {}}"#),
        import(r#"{"schema_version": 1.0, "components": {}}"#),
        import(r#"{"schema_version": "1.0", "components": []}"#),
        import(r#"{"schema_version": "1.0", "components": {"api": {}}}"#),
        import(r#"{"schema_version": "1.0", "components": {"api": {"hints": {"build": 7}}}}"#),
        hint(r#"{"value": 7}"#, import),
        hint(r#"{"value": "make", "meta": {"ttl": "soon"}}"#, import),
        hint(r#"{"value": "make", "updated_at": "yesterday"}"#, import),
        hint(
            r#"{"value": "make", "meta": {"scope": {"planet": "mars"}}}"#,
            import,
        ),
        hint(
            r#"{"value": "make", "meta": {"scope": {"cwd_glob": "../x"}}}"#,
            import,
        ),
        hint(r#"{"value": "make", "meta": {"priority": 300}}"#, import),
        hint(r#"{"value": "make", "meta": {"priority": 0}}"#, import),
    ];
    insta::assert_snapshot!(table.concat(), @"
    E_INVALID json payload
      payload is not JSON: expected ident at line 1 column 2
    E_INVALID type payload
      `payload` cannot be a list; give an object with `schema_version` and `components`
    E_INVALID schema_version payload.schema_version
      schema_version is missing; give `1.0`, or `1.1` where a slot has several variants
    E_INVALID schema_version payload.schema_version
      schema_version is missing; give `1.0`, or `1.1` where a slot has several variants
    E_INVALID schema_version payload.schema_version
      schema_version `2.0` is not known here; export as `1.0` or `1.1`, or update Nudge
    E_INVALID type payload.schema_version
      `payload.schema_version` cannot be `1.0`; give a string
    E_INVALID type payload.components
      `payload.components` cannot be a list; give an object of components
    E_INVALID missing_field payload.components.hints
      `payload.components.hints` is missing; give it
    E_INVALID type -
      this is not an object; give the fields by name
    E_INVALID type value
      `value` cannot be `7`; give a string, or an object with `type` `command`, `path`, `template` or `json`
    E_INVALID duration meta.ttl
      ttl `soon` is not a duration; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    E_INVALID type updated_at
      updated_at: `yesterday` is not a time; write one as `2025-11-04T10:00:00.000Z`
    E_INVALID unknown_field meta.scope.planet
      unknown field `meta.scope.planet`; the fields are `cwd_glob`, `repo`, `branch`, `os`, `env_required`, `env_match`
    E_SCOPE_INVALID traversal meta.scope.cwd_glob
      glob `../x` climbs out of its root; write it from the root, as in `**/x`
    E_INVALID type meta.priority
      `meta.priority` cannot be `300`; give an integer from 1 to 10
    E_INVALID range meta.priority
      meta.priority is out of range; give an integer from 1 to 10
    ");
}

fn hint(hint: &str, import: impl Fn(&str) -> String) -> String {
    import(&format!(
        r#"{{"schema_version": "1.0", "components": {{"api": {{"hints": {{"build": {hint}}}}}}}}}"#
    ))
}
