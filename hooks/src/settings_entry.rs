//! Whether Claude Code's settings start the hook as well as the plugin. If so, the settings' entry acts, and the hook
//! that the plugin started does nothing.
//!
//! Only settings unchanged for a few seconds count: Claude Code uses the old ones until it has noticed the change. The
//! entry must also be exactly as `plantune install` writes it, for the current event, and with a program that can be
//! run. When in doubt, both act: a call that both handle is still logged once, but a call that neither handles is lost.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::{env, fs};

use plantune_agents::claude_code;
use plantune_agents::claude_code::QUESTIONS;
use plantune_domain::json::lenient_json;
use plantune_domain::private_file;
use serde_json::Value;

/// The size limit of a settings file, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Seconds after which Claude Code uses changed settings. It waits until a file's size is stable for one second
/// (2.1.329), and polls every two seconds where the system does not report changes.
const SETTLED: i64 = 5;

/// Keys that make Claude Code call an entry late, only sometimes, or through a shell.
const HINDERING: [&str; 5] = ["async", "asyncRewake", "if", "once", "shell"];

/// True when the settings in force for a session started in `project` call the hook for `event`. `now` is in seconds
/// since 1970.
pub(crate) fn takes(event: &str, project: Option<&Path>, now: i64) -> bool {
    let user = claude_code::folder(|name| env::var_os(name));
    let project = project.map(|folder| folder.join(claude_code::FOLDER));
    let project = project.as_deref();
    let files = [
        (user.as_deref(), "settings.json"),
        (project, "settings.json"),
        (project, "settings.local.json"),
    ];
    files.iter().any(|(folder, name)| {
        folder
            .and_then(|folder| read(&folder.join(name), now))
            .is_some_and(|settings| has_entry(&settings, event))
    })
}

/// The settings at `path`, which may be a link; `None` when they are missing or cannot be read.
fn read(path: &Path, now: i64) -> Option<Value> {
    let path = fs::canonicalize(path).ok()?;
    let age = now - fs::metadata(&path).ok()?.mtime();
    if (0..SETTLED).contains(&age) {
        return None;
    }
    let bytes = private_file::read(&path, LONGEST)?;
    let text = str::from_utf8(&bytes).ok()?;
    lenient_json(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()
}

/// True when `settings` contain our entry for `event`.
fn has_entry(settings: &Value, event: &str) -> bool {
    let wanted = match event {
        claude_code::ASKING | "PostToolUse" | "PostToolUseFailure" => Some(QUESTIONS),
        _ => None,
    };
    let groups = settings.get("hooks").and_then(|hooks| hooks.get(event));
    list(groups).iter().any(|group| {
        group.get("matcher").and_then(Value::as_str) == wanted
            && list(group.get("hooks")).iter().any(is_ours)
    })
}

fn is_ours(entry: &Value) -> bool {
    let text = |key| entry.get(key).and_then(Value::as_str);
    let args = entry.get("args").and_then(Value::as_array);
    text("type") == Some("command")
        && args.is_some_and(Vec::is_empty)
        && HINDERING.iter().all(|key| entry.get(key).is_none())
        && text("command").is_some_and(can_be_run)
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// True when `command` is our hook and Claude Code would find it: at that path, or by that name in `PATH`.
fn can_be_run(command: &str) -> bool {
    if command.ends_with("/plantune-hook") {
        return is_program(Path::new(command));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    command == "plantune-hook" && any_folder(&path, |folder| is_program(&folder.join(command)))
}

fn is_program(path: &Path) -> bool {
    path.is_absolute()
        && fs::metadata(path).is_ok_and(|kind| kind.is_file() && kind.mode() & 0o111 != 0)
}

/// Whether `is_it` is true of one of the folders in `path`, the value of `PATH`.
fn any_folder(path: &OsStr, is_it: impl Fn(&Path) -> bool) -> bool {
    let mut folders = path.as_bytes().split(|byte| *byte == b':');
    folders.any(|folder| is_it(Path::new(OsStr::from_bytes(folder))))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const MATCHER: &str = r#""matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)", "#;
    const ENTRY: &str =
        r#"{"type": "command", "command": "FOLDER/plantune-hook", "args": [], "timeout": 5}"#;

    fn with_program() -> tempfile::TempDir {
        let folder = tempfile::Builder::new().prefix("a b").tempdir().unwrap();
        let path = folder.path().join("plantune-hook");
        fs::File::create(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    /// Whether settings count when their only group, for `event`, has `matcher` and `entry`.
    fn counts(event: &str, matcher: &str, entry: &str) -> bool {
        let folder = with_program();
        let entry = entry.replace("FOLDER", folder.path().to_str().unwrap());
        let text = format!(r#"{{"hooks": {{"{event}": [{{{matcher}"hooks": [{entry}]}}]}}}}"#);
        let settings = serde_json::from_str(&text).unwrap();
        assert!(!has_entry(&settings, "SessionEnd"));
        has_entry(&settings, event)
    }

    #[test]
    fn what_install_writes_counts() {
        for event in ["PreToolUse", "PostToolUse", "PostToolUseFailure"] {
            assert!(counts(event, MATCHER, ENTRY), "{event}");
            assert!(!counts(event, "", ENTRY), "{event}");
        }
        for event in ["PermissionRequest", "SessionStart", "Stop"] {
            assert!(counts(event, "", ENTRY), "{event}");
            assert!(
                !counts(event, r#""matcher": "startup", "#, ENTRY),
                "{event}"
            );
        }
        let shown = ENTRY.replace('}', r#", "statusMessage": "plantune"}"#);
        assert!(counts("Stop", "", &shown));
        let second = format!(r#"{{"type": "prompt", "prompt": "x"}}, {ENTRY}"#);
        assert!(counts("Stop", "", &second));
    }

    #[test]
    fn another_form_or_program_does_not() {
        for (this, other) in [
            ("plantune-hook", "my-plantune-hook"),
            ("plantune-hook\"", "plantune-hook --statusline\""),
            ("plantune-hook\"", "plantune-hook/plantune-hook\""),
            ("FOLDER/", "./"),
            ("FOLDER", "/nonexistent"),
            (r#", "args": []"#, ""),
            ("[]", r#"["--plugin"]"#),
            ("}", r#", "async": true}"#),
            ("}", r#", "if": "Bash(git *)"}"#),
            (r#""command", "#, r#""prompt", "#),
        ] {
            let entry = ENTRY.replacen(this, other, 1);
            assert_ne!(entry, ENTRY);
            assert!(!counts("Stop", "", &entry), "{entry}");
        }
        for odd in [
            "7",
            "[]",
            r#"{"hooks": 7}"#,
            r#"{"hooks": {"Stop": [7, {"hooks": [7]}]}}"#,
            r#"{"statusLine": {"type": "command", "command": "/opt/plantune-hook --statusline"}}"#,
        ] {
            let odd = serde_json::from_str(odd).unwrap();
            assert!(!has_entry(&odd, "Stop"));
        }
    }

    #[test]
    fn a_file_without_permission_to_run_is_no_program() {
        let folder = with_program();
        let path = folder.path().join("plantune-hook");
        assert!(can_be_run(path.to_str().unwrap()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(!can_be_run(path.to_str().unwrap()));
    }
}
