//! Lets built and installed binaries find the DuckDB library without `LD_LIBRARY_PATH`.
//!
//! Shared by every crate whose binaries or tests link DuckDB. Installed binaries look beside
//! themselves and in `../lib`; binaries in the build folder look where the library was linked from.
#![allow(clippy::print_stdout, reason = "cargo reads a build script's output")]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let origin = match os.as_str() {
        "linux" => "$ORIGIN",
        "macos" => "@loader_path",
        _ => return,
    };
    for dir in [origin.to_owned(), format!("{origin}/../lib")] {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{dir}");
    }
    if let Ok(dir) = std::env::var("DUCKDB_LIB_DIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{dir}");
    }
}
