//! The built hook, and the bytes of one of another release.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

/// The built `plantune-hook`. Cargo builds it beside `plantune` when it builds the whole
/// workspace; when that has not happened, it is built here, once.
pub(crate) fn hook() -> PathBuf {
    static HOOK: OnceLock<PathBuf> = OnceLock::new();
    HOOK.get_or_init(find_or_build).clone()
}

fn find_or_build() -> PathBuf {
    let beside = Path::new(env!("CARGO_BIN_EXE_plantune"));
    let hook = beside.with_file_name(format!("plantune-hook{}", std::env::consts::EXE_SUFFIX));
    if hook.is_file() {
        return hook;
    }
    // <target>/<profile>/plantune; the profile `dev` has the folder `debug`.
    let folder = beside.parent().unwrap();
    let profile = match folder.file_name().unwrap().to_str().unwrap() {
        "debug" => "dev",
        profile => profile,
    };
    let built = Command::new(env!("CARGO"))
        .args(["build", "-p", "plantune-hooks", "--bin", "plantune-hook"])
        .args(["--profile", profile, "--target-dir"])
        .arg(folder.parent().unwrap())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(built.success() && hook.is_file(), "no {}", hook.display());
    hook
}

/// Runs `hook` with `call` as its input.
pub(crate) fn call_hook(hook: &mut Command, call: &serde_json::Value) -> Output {
    call_with(hook, &call.to_string())
}

/// Runs `program` with `input`.
pub(crate) fn call_with(program: &mut Command, input: &str) -> Output {
    start_with(program, input).wait_with_output().unwrap()
}

/// Starts `program` with `input`; its output and errors are kept.
pub(crate) fn start_with(program: &mut Command, input: &str) -> Child {
    let mut process = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    process
}

/// The bytes of the built hook, stating another release, whose version is as long as this one's.
pub(crate) fn hook_of_release(version: &str) -> Vec<u8> {
    /// The hook, and where it states its release: looking for that takes a while.
    static STATEMENTS: OnceLock<(Vec<u8>, Vec<usize>)> = OnceLock::new();
    let ours = plantune_domain::release::STATEMENT.as_bytes();
    let theirs = format!("plantune-hook of release {version};");
    assert_eq!(theirs.len(), ours.len());
    let (bytes, statements) = STATEMENTS.get_or_init(|| {
        let bytes = std::fs::read(hook()).unwrap();
        let windows = bytes.windows(ours.len()).enumerate();
        let found = windows.filter(|(_, window)| *window == ours);
        let statements: Vec<usize> = found.map(|(at, _)| at).collect();
        assert!(!statements.is_empty(), "the hook states its release");
        (bytes, statements)
    });
    let mut bytes = bytes.clone();
    for at in statements {
        bytes[*at..at + theirs.len()].copy_from_slice(theirs.as_bytes());
    }
    bytes
}
