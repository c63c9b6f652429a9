//! One config a host: before, after an install, and after an uninstall that
//! knows nothing of what was before. `UPDATE=1` updates the last two.

use std::fs;

use super::home::{HOSTS, Home};
use crate::conformance::adapter::file;
use crate::golden::is_as_written_down;

#[test]
fn each_host_s_config_is_changed_as_written_down() {
    for (host, _, name) in HOSTS {
        let end = name.rsplit('.').next().unwrap();
        let path = |state: &str| format!("tests/hosts/golden/{host}/{state}.{end}");
        let before = fs::read(file(&path("before"))).unwrap();
        let home = Home::with_hosts();
        home.write(name, &before);
        let untouched = home.everything();
        home.nudge(&format!("install {host}")).done();
        is_as_written_down(&path("after"), &home.as_installed(name));
        let installed = home.read(name);

        // Whoever knows what was before gives it back, to the byte.
        home.nudge(&format!("uninstall {host}")).done();
        assert_eq!(home.everything(), untouched, "{host}");

        // And without that knowledge all else stays.
        home.write(name, installed);
        home.nudge(&format!("uninstall {host}")).done();
        is_as_written_down(&path("uninstalled"), &home.read(name));
    }
}
