//! The modes of what plantune makes and finds.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::home::*;

fn modes(home: &Home) -> Vec<(PathBuf, u32)> {
    let all = home.everything().into_iter();
    all.map(|(path, (mode, _))| (path, mode)).collect()
}

/// Every verb that writes.
fn use_everything(home: &Home, from: &Path) {
    home.prefer();
    assert!(home.decides(1));
    append_as_found(&home.folder.join(TODAY), b"{torn\n");
    for words in [
        &["ingest"][..],
        &["import", "claude-code", from.to_str().unwrap()],
        &["report"],
        &["suggest"],
        &["doctor", "--quarantine"],
        &["ingest", "--rebuild"],
        &["prefs", "clear", "layout", "--global", "--yes"],
    ] {
        let ran = home.plantune(words);
        assert_eq!(ran.code, 0, "{words:?} {ran:?}");
    }
    home.plantune(&["doctor"]);
}

/// Appends to a file that is there.
fn append_as_found(path: &Path, bytes: &[u8]) {
    let mut file = File::options().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn what_plantune_makes_is_private_whatever_the_umask() {
    let from = tempfile::tempdir().unwrap();
    transcripts(from.path(), 3);
    for umask in ["000", "022", "077"] {
        let folder = tempfile::tempdir().unwrap();
        let mut home = Home::at(&folder.path().join("home"));
        fs::set_permissions(&home.folder, fs::Permissions::from_mode(0o700)).unwrap();
        let with_umask = format!("umask {umask}; exec \"$@\"");
        home.before = ["sh", "-c", &with_umask, "sh"].map(str::to_owned).into();
        use_everything(&home, from.path());
        let found = modes(&home);
        assert!(found.len() > 6, "{found:?}");
        for (path, mode) in found {
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "umask {umask}: {}", path.display());
        }
    }
}

#[test]
#[ignore = "takes long: make test-long"]
fn what_is_there_keeps_its_mode_and_doctor_tells() {
    let from = tempfile::tempdir().unwrap();
    transcripts(from.path(), 3);
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("home"));
    use_everything(&home, from.path());
    let set_modes = |folder: u32, file: u32| {
        for (path, _) in modes(&home).into_iter().chain([(home.folder.clone(), 0)]) {
            let mode = if path.is_dir() { folder } else { file };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    for (of_folders, of_files) in [(0o755, 0o644), (0o700, 0o600), (0o750, 0o600)] {
        set_modes(of_folders, of_files);
        let before = modes(&home);
        use_everything(&home, from.path());
        let after = modes(&home);
        for (path, mode) in before {
            // The hook's marks and counts come and go.
            let is_count = path
                .parent()
                .is_some_and(|folder| folder.ends_with("checks"));
            if path.ends_with("plantune.duckdb") {
                // Computed again, it is a new file.
                assert!(after.contains(&(path, 0o600)));
            } else if path.exists() && !is_count {
                assert!(after.contains(&(path.clone(), mode)), "{}", path.display());
            }
        }
        let mode = fs::metadata(&home.folder).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, of_folders);
    }
    set_modes(0o755, 0o644);
    let findings = || -> Vec<Value> {
        let doctor = home.plantune(&["doctor", "--json"]);
        let doctor: Value = serde_json::from_str(&doctor.stdout).unwrap();
        let checks = doctor["checks"].as_array().unwrap().iter();
        let of_folder = checks.filter(|check| check["name"] == "data_folder");
        of_folder.cloned().collect()
    };
    let found = findings();
    let [finding] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(finding["status"], "warning");
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("has mode 0755, and "), "{finding}");
    assert!(message.contains(" others are as open"), "{finding}");
    let remedy = finding["remedy"].as_str().unwrap();
    assert_eq!(remedy, "run `chmod -R go= HOME`");
    let mut chmod = Command::new("chmod");
    let chmod = chmod.args(["-R", "go="]).arg(&home.folder);
    assert!(chmod.status().unwrap().success());
    assert_eq!(findings()[0]["status"], "ok");
}
