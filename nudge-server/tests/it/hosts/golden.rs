//! One config a host, and the file of its hooks: before, after an install, and after an uninstall
//! that knows nothing of what was before. `UPDATE=1` updates the last two.

use std::fs;

use super::home::{HOSTS, Home};
use crate::conformance::adapter::file;
use crate::golden::is_as_written_down;
use crate::hooks::wiring::HOOKS;

#[test]
fn each_host_s_config_and_hooks_are_changed_as_written_down() {
    let configs = HOSTS.map(|(host, _, name)| ("hosts", host, name, ""));
    let hooks = HOOKS.map(|(host, name)| ("hooks", host, name, " --hooks"));
    for (what, host, name, flag) in configs.into_iter().chain(hooks) {
        let end = name.rsplit('.').next().unwrap();
        let path = |state: &str| format!("tests/{what}/golden/{host}/{state}.{end}");
        let before = fs::read(file(&path("before")));
        let home = Home::with_hosts();
        if let Ok(before) = &before {
            home.write(name, before);
        }
        let untouched = home.everything();
        home.nudge(&format!("install {host}{flag}")).done();
        is_as_written_down(&path("after"), &home.as_installed(name));
        let installed = home.read(name);

        // A second time changes no byte.
        let once = home.everything();
        let said = home.nudge(&format!("install {host}{flag}")).done();
        assert!(said.contains("already in"), "{said}");
        assert_eq!(home.everything(), once, "{host}");

        // Whoever knows what was before gives it back, to the byte.
        home.nudge(&format!("uninstall {host}")).done();
        assert_eq!(home.everything(), untouched, "{host}");

        // And without that knowledge all else stays.
        home.write(name, installed);
        home.nudge(&format!("uninstall {host}")).done();
        if before.is_ok() {
            is_as_written_down(&path("uninstalled"), &home.read(name));
        }
    }
}
