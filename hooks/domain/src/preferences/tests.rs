use super::*;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const FILE: &str = r#"{"version":1,"note":"mine","preferences":{
    "a":{"preference":"never-ask","answer":"Skip","colour":"red"},
    "b":{"preference":"always-ask"},
    "b":{"preference":"never-ask"}}}"#;

fn write(text: &str, mode: u32) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("preferences.json");
    crate::atomic_file::replace(&path, text.as_bytes(), mode).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    (folder, path)
}

#[test]
fn only_wanted_entries_are_read() {
    let (_folder, path) = write(FILE, 0o600);
    let found = lookup(&path, &["b", "c", "a"]).unwrap();
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0, 1]);
    assert_eq!(found[2][0].answer.as_deref(), Some("Skip"));
    assert!(
        PreferenceFile::load(&path)
            .unwrap_err()
            .contains("b stands in it more than once")
    );
}

#[test]
fn entries_are_found_under_their_set_too() {
    let set = "fam-0123456789abcdef";
    let entry = r#"{"preference":"always-ask"}"#;
    let other = "fam-0123456789abcdee-00000000";
    let text = format!(
        r#"{{"version":1,"preferences":{{"{set}":{entry},"{set}-01234567":{entry},"{other}":{entry}}}}}"#
    );
    let template = format!("{set}-01234567");
    let (_folder, path) = write(&text, 0o600);
    let found = lookup(&path, &[set, &template, "fam-0123456789abcde"]).unwrap();
    let keys = |at: usize| -> Vec<Option<&str>> {
        found[at].iter().map(|entry| entry.key.as_deref()).collect()
    };
    assert_eq!(keys(0), [Some(set), Some(template.as_str())]);
    assert_eq!(keys(1), [None]);
    assert_eq!(found[2], []);
}

#[test]
fn invalid_file_is_an_error_with_its_path() {
    for text in [
        "{",
        "[]",
        r#"{"preferences":{"a":{}}}"#,
        r#"{"version":2,"preferences":{"a":{"preference":"never-ask"}}}"#,
    ] {
        let (_folder, path) = write(text, 0o600);
        assert!(
            PreferenceFile::load(&path)
                .unwrap_err()
                .contains("preferences.json"),
            "{text}"
        );
    }
    let (_folder, path) = write(FILE, 0o666);
    assert!(
        lookup(&path, &["a"])
            .unwrap_err()
            .contains("others may write it")
    );
}

#[test]
fn escapes_in_keys_are_read_as_json_reads_them() {
    let mut file = PreferenceFile::empty(None);
    for (key, policy) in [
        ("colour", Policy::NeverAsk),
        ("layout", Policy::AlwaysAsk),
        ("top-10", Policy::AlwaysAsk),
    ] {
        let entry = serde_json::json!({"preference": policy.as_str()});
        let entry = serde_json::from_value(entry).unwrap();
        file.preferences.insert(key.to_owned(), entry);
    }
    let text = String::from_utf8(file.to_bytes().unwrap()).unwrap();
    for (key, escaped) in [
        ("layout", "layou\\u0074"),
        ("layout", "\\u006Cayout"),
        ("top-10", "top\\u002d10"),
        ("top-10", "top-1\\u0030"),
    ] {
        let text = text.replace(&format!("\"{key}\""), &format!("\"{escaped}\""));
        let (_folder, path) = write(&text, 0o600);
        let found = lookup(&path, &[key, "colour"]).unwrap();
        let policies =
            |at: usize| -> Vec<Policy> { found[at].iter().map(|entry| entry.preference).collect() };
        assert_eq!(policies(0), [Policy::AlwaysAsk], "{escaped}");
        assert_eq!(policies(1), [Policy::NeverAsk], "{escaped}");
        // Of two that JSON reads as one key, both are found.
        let twice = text.replace("\"colour\"", &format!("\"{key}\""));
        let (_folder, path) = write(&twice, 0o600);
        assert_eq!(lookup(&path, &[key]).unwrap()[0].len(), 2, "{escaped}");
        let error = PreferenceFile::load(&path).unwrap_err();
        assert!(error.contains("more than once"), "{error}");
    }
}

#[test]
fn unknown_fields_survive_a_rewrite() {
    let text = FILE.replace("\"b\":{\"preference\":\"always-ask\"},", "");
    let file: PreferenceFile = serde_json::from_str(&text).unwrap();
    let again: serde_json::Value = serde_json::to_value(&file).unwrap();
    assert_eq!(
        again,
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    );
}
