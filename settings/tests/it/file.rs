//! Changing a file: what is kept, what is recorded, and when nothing is changed. The machine is a temporary folder.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_domain::atomic_file;
use plantune_domain::paths::Paths;
use plantune_settings::SettingsError;
use plantune_settings::file::{Host, SettingsFile, SettingsScope, lock};
use plantune_settings::journal::{JournalEntry, OurRules};

/// A machine with a home and a project, both of them empty.
struct Machine {
    root: tempfile::TempDir,
    paths: Paths,
}

impl Machine {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["home/.claude", "project/.git"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let paths = Paths::below(root.path().join("data"));
        Self { root, paths }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        atomic_file::replace(&self.path(name), text.as_bytes(), 0o600).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// What `ask` finds out where the current folder is `here`.
    fn at<T>(&self, here: &str, ask: impl FnOnce(&Host<'_>) -> T) -> T {
        let home = self.path("home");
        let variable = |name: &str| (name == "HOME").then(|| OsString::from(&home));
        ask(&Host {
            paths: &self.paths,
            variable: &variable,
            here: Some(self.path(here)),
        })
    }

    fn open(&self, scope: SettingsScope) -> Result<SettingsFile, SettingsError> {
        self.at("project", |host| SettingsFile::open(host, scope))
    }
}

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

fn ours() -> OurRules {
    OurRules {
        deny: vec!["Bash(*plantune undo*)".to_owned()],
        allow: vec!["Bash(npm test)".to_owned()],
        notify: true,
        ..OurRules::default()
    }
}

/// Replaces `file` by `after`, as `plantune install` does.
fn change(file: &SettingsFile, after: Option<&str>) -> Result<Option<PathBuf>, SettingsError> {
    let backup = file.back_up(now())?;
    let entry = JournalEntry::of(
        now(),
        "plantune install",
        backup.clone(),
        &ours(),
        String::new(),
    );
    file.replace(after, Some(entry))?;
    Ok(backup)
}

const USER: &str = "home/.claude/settings.json";

#[test]
fn a_change_is_kept_and_undone_to_the_byte() {
    let machine = Machine::new();
    machine.write(USER, "{ }\r\n");
    let file = machine.open(SettingsScope::User).unwrap();
    let backup = change(&file, Some("{\"a\":1}")).unwrap().unwrap();
    assert_eq!(machine.read(USER), "{\"a\":1}");
    assert_eq!(fs::read_to_string(&backup).unwrap(), "{ }\r\n");

    let file = machine.open(SettingsScope::User).unwrap();
    assert_eq!(file.ours().unwrap(), ours());
    let journal = file.journal().unwrap();
    assert_eq!(journal.since("Bash(npm test)"), Some(now()));
    let last = journal.last().unwrap();
    assert!(last.left(file.before.as_deref()));
    let before = last.before().unwrap();
    file.replace(before.as_deref(), None).unwrap();
    assert_eq!(machine.read(USER), "{ }\r\n");
    let file = machine.open(SettingsScope::User).unwrap();
    assert!(file.journal().unwrap().last().is_none());
    // Its backup is still known as plantune's.
    assert_eq!(machine.at("project", SettingsFile::all_backups), [backup]);

    // A backup that was touched is no way back.
    change(&file, None).unwrap();
    assert!(!machine.path(USER).exists());
    let file = machine.open(SettingsScope::User).unwrap();
    let journal = file.journal().unwrap();
    let last = journal.last().unwrap();
    atomic_file::replace(last.backup.as_ref().unwrap(), b"{}", 0o600).unwrap();
    assert!(matches!(last.before(), Err(SettingsError::Backup(..))));
}

/// A process that is killed between the record and the file leaves nothing to believe.
#[test]
fn a_change_that_was_not_made_is_not_believed() {
    let machine = Machine::new();
    machine.write(USER, "{}");
    let file = machine.open(SettingsScope::User).unwrap();
    change(&file, Some("{\"a\":1}")).unwrap();
    assert_eq!(
        machine.open(SettingsScope::User).unwrap().ours().unwrap(),
        ours()
    );
    machine.write(USER, "{}");
    let file = machine.open(SettingsScope::User).unwrap();
    assert_eq!(file.ours().unwrap(), OurRules::default());
    // Where the person changed the file since, it was made.
    machine.write(USER, "{\"b\":1}");
    assert_eq!(
        machine.open(SettingsScope::User).unwrap().ours().unwrap(),
        ours()
    );
}

/// What two commands could not log is logged by a third, once.
#[test]
fn what_was_not_logged_stays_on_record_until_it_is() {
    let machine = Machine::new();
    machine.write(USER, "{}");
    for (text, line) in [("{\"a\":1}", "one\n"), ("{\"a\":2}", "two\n")] {
        let file = machine.open(SettingsScope::User).unwrap();
        let entry = JournalEntry::of(now(), "x", None, &ours(), line.to_owned());
        file.replace(Some(text), Some(entry)).unwrap();
    }
    let unlogged = || machine.at("project", SettingsFile::unlogged);
    let [file] = &unlogged()[..] else {
        panic!("{}", unlogged().len());
    };
    assert_eq!(file.journal().unwrap().unlogged(), "one\ntwo\n");
    file.logged(file.before.as_deref()).unwrap();
    assert!(unlogged().is_empty());
    assert_eq!(
        machine.open(SettingsScope::User).unwrap().ours().unwrap(),
        ours()
    );
}

#[test]
fn the_journal_has_the_form_that_every_version_reads() {
    let machine = Machine::new();
    let file = machine.open(SettingsScope::User).unwrap();
    change(&file, Some("{}")).unwrap();
    let folder = machine.path("data/installed");
    let journal = fs::read_dir(folder).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(journal.path()).unwrap();
    let root = machine.root.path().to_str().unwrap();
    insta::assert_snapshot!(text.replace(root, "ROOT"), @r#"
    {
      "version": 1,
      "settings": "ROOT/home/.claude/settings.json",
      "changes": [
        {
          "at": "2026-11-20T10:00:00Z",
          "command": "plantune install",
          "backup": null,
          "before": null,
          "after": "fe5a74ffdf0ea31c5bb932e9b643833b",
          "rules": [
            "Bash(*plantune undo*)"
          ],
          "allow": [
            "Bash(npm test)"
          ],
          "notify": true
        }
      ]
    }
    "#);
}

#[test]
fn what_somebody_else_changed_meanwhile_stays() {
    let machine = Machine::new();
    let file = machine.open(SettingsScope::User).unwrap();
    machine.write(USER, "{\"theirs\":1}");
    let refused = change(&file, Some("{}")).unwrap_err();
    assert!(matches!(refused, SettingsError::ChangedMeanwhile(_)));
    assert_eq!(machine.read(USER), "{\"theirs\":1}");
    assert!(file.journal().unwrap().last().is_none());
}

#[test]
fn each_scope_has_its_file_and_its_mode() {
    let machine = Machine::new();
    for (scope, name, mode) in [
        (SettingsScope::User, USER, 0o600),
        (
            SettingsScope::Project,
            "project/.claude/settings.json",
            0o644,
        ),
        (
            SettingsScope::Local,
            "project/.claude/settings.local.json",
            0o600,
        ),
    ] {
        let file = machine.open(scope).unwrap();
        assert_eq!(file.path, machine.path(name));
        change(&file, Some("{}")).unwrap();
        let metadata = fs::metadata(machine.path(name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{name}");
        // Backups of a project's settings would be committed.
        let file = machine.open(scope).unwrap();
        let backup = change(&file, Some("{ }")).unwrap().unwrap();
        let is_beside = backup.parent() == machine.path(name).parent();
        assert_eq!(is_beside, scope == SettingsScope::User, "{name}");
    }
    let in_home = machine.at("home", |host| {
        SettingsFile::open(host, SettingsScope::Project)
    });
    assert!(matches!(in_home, Err(SettingsError::AreUsers)));
    assert_eq!(
        machine
            .at("project", |host| SettingsFile::on_record(host, |_| true))
            .len(),
        3
    );
}

#[test]
fn what_is_no_file_of_text_is_neither_read_nor_replaced() {
    let machine = Machine::new();
    let path = machine.path(USER);
    fs::create_dir(&path).unwrap();
    let folder = machine.open(SettingsScope::User).unwrap_err();
    assert!(folder.to_string().ends_with("this is not a file"));
    fs::remove_dir(&path).unwrap();
    symlink(Path::new("settings.json"), &path).unwrap();
    let circle = machine.open(SettingsScope::User).unwrap_err();
    assert!(circle.to_string().ends_with("lead in a circle"));
    fs::remove_file(&path).unwrap();
    atomic_file::replace(&path, b"{}\n\xff", 0o600).unwrap();
    let bytes = machine.open(SettingsScope::User).unwrap_err();
    assert!(bytes.to_string().ends_with("line 2: not UTF-8"));
}

#[test]
fn one_installer_at_a_time() {
    let machine = Machine::new();
    let held = lock(machine.paths.data()).unwrap();
    assert!(matches!(
        lock(machine.paths.data()),
        Err(SettingsError::Busy)
    ));
    drop(held);
    lock(machine.paths.data()).unwrap();
}
