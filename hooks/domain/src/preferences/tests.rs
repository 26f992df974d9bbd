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
fn unknown_fields_survive_a_rewrite() {
    let text = FILE.replace("\"b\":{\"preference\":\"always-ask\"},", "");
    let file: PreferenceFile = serde_json::from_str(&text).unwrap();
    let again: serde_json::Value = serde_json::to_value(&file).unwrap();
    assert_eq!(
        again,
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    );
}
