//! Gives the shared library the name under which programs ask for it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let major = env!("CARGO_PKG_VERSION_MAJOR");
    if os == "linux" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnudge.so.{major}");
    }
}
