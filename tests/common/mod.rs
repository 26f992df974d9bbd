//! What end-to-end tests share.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
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

/// What `doctor` wrote, each line that it wrapped in one again.
#[allow(dead_code, reason = "not every test reads it")]
pub(crate) fn unwrapped(text: &str) -> String {
    text.replace("\n           ", " ")
}

/// Runs `hook` with `call` as its input.
#[allow(dead_code, reason = "not every test calls the hook")]
pub(crate) fn call_hook(hook: &mut Command, call: &serde_json::Value) -> Output {
    let mut process = hook
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(call.to_string().as_bytes()).unwrap();
    drop(stdin);
    process.wait_with_output().unwrap()
}

/// The bytes of the built hook, stating another release, whose version is as long as this one's.
#[allow(dead_code, reason = "not every test installs the hook")]
pub(crate) fn hook_of_release(version: &str) -> Vec<u8> {
    let ours = plantune_domain::release::STATEMENT.as_bytes();
    let theirs = format!("plantune-hook of release {version};");
    assert_eq!(theirs.len(), ours.len());
    let mut bytes = std::fs::read(hook()).unwrap();
    let (mut at, mut found) = (0, 0);
    while let Some(window) = bytes.get_mut(at..at + ours.len()) {
        if window == ours {
            window.copy_from_slice(theirs.as_bytes());
            found += 1;
        }
        at += 1;
    }
    assert!(found > 0, "the hook states its release");
    bytes
}
