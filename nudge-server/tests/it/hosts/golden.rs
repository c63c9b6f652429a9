//! One config a host: before, after an install, and after an uninstall that
//! knows nothing of what was before. `UPDATE=1` updates the last two.

use std::fs;

use super::home::{BINARY, HOSTS, Home};
use crate::conformance::adapter::file;

/// The path that the binary has in the files.
const INSTALLED: &str = "/usr/local/bin/nudge";

fn golden(host: &str, name: &str, got: &str) {
    let end = if host == "codex" { "toml" } else { "json" };
    let path = file(&format!("tests/hosts/golden/{host}/{name}.{end}"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, got).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        expected, got,
        "{host}: {name} is another one; `UPDATE=1` writes it down"
    );
}

#[test]
fn each_host_s_config_is_changed_as_written_down() {
    for (host, _, name) in HOSTS {
        let end = name.rsplit('.').next().unwrap();
        let before = fs::read(file(&format!("tests/hosts/golden/{host}/before.{end}"))).unwrap();
        let home = Home::with_hosts();
        home.write(name, &before);
        let untouched = home.everything();
        home.nudge(&format!("install {host}")).done();
        golden(host, "after", &home.read(name).replace(BINARY, INSTALLED));
        let installed = home.read(name);

        // Whoever knows what was before gives it back, to the byte.
        home.nudge(&format!("uninstall {host}")).done();
        assert_eq!(home.everything(), untouched, "{host}");

        // And without that knowledge all else stays.
        home.write(name, installed);
        home.nudge(&format!("uninstall {host}")).done();
        golden(host, "uninstalled", &home.read(name));
    }
}
