//! Lets built and installed binaries find the DuckDB library without `LD_LIBRARY_PATH`.
//!
//! Shared by every crate whose binaries or tests link DuckDB. Installed binaries look beside
//! themselves, in `../lib` and in `../lib/plantune`; binaries in the build folder look where the
//! library was linked from. With `PLANTUNE_DIST` (scripts/dist/) they are built to be given away:
//! the build folder is left out, and they look where package managers of Node.js put the library.
//! Builds for tests are also linked so that they start sooner.
#![allow(clippy::print_stdout, reason = "cargo reads a build script's output")]

/// From `<modules>/@plantune/cli-<platform>/bin`: the package's own dependencies, those beside it
/// (hoisted by npm, in the store of pnpm), and those beside the package that asked for it.
const MODULES: [&str; 3] = ["../node_modules", "../../..", "../../../../.."];

fn main() {
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PLANTUNE_DIST");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let origin = match os.as_str() {
        "linux" => "$ORIGIN",
        "macos" => "@loader_path",
        _ => return,
    };
    let mut dirs: Vec<String> = ["", "/../lib", "/../lib/plantune"]
        .iter()
        .map(|dir| format!("{origin}{dir}"))
        .collect();
    if std::env::var_os("PLANTUNE_DIST").is_some() {
        let library = format!("@duckdb/node-bindings-{}", node_platform(&os));
        dirs.extend(MODULES.map(|modules| format!("{origin}/{modules}/{library}")));
    } else {
        dirs.extend(std::env::var("DUCKDB_LIB_DIR"));
        // Tests start thousands of processes: without 180,000 addresses to move, each starts in four fifths of the time.
        if os == "linux" && std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
            println!("cargo:rustc-link-arg=-no-pie");
        }
    }
    for dir in dirs {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{dir}");
    }
}

/// The target as Node.js packages name it: `linux-x64-musl`, `darwin-arm64`.
fn node_platform(os: &str) -> String {
    let target = |name| std::env::var(name).unwrap_or_default();
    let os = if os == "macos" { "darwin" } else { os };
    let arch = match target("CARGO_CFG_TARGET_ARCH").as_str() {
        "x86_64" => "x64".to_owned(),
        "aarch64" => "arm64".to_owned(),
        other => other.to_owned(),
    };
    let musl = target("CARGO_CFG_TARGET_ENV") == "musl";
    format!("{os}-{arch}{}", if musl { "-musl" } else { "" })
}
