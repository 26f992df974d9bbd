//! The files of a world.

use std::collections::BTreeMap;
use std::fs;
use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use plantune_domain::paths::create_private_dir;
use serde_json::{Value, json};

use super::{World, call_of, question, unwrapped};

/// Files and folders by their paths: the mode, and the content.
pub(crate) type Files = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl World {
    /// Writes the file `name`, below the folder or by its whole path, as plantune writes its own.
    pub(crate) fn put(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.root.path().join(name);
        create_private_dir(path.parent().unwrap()).unwrap();
        plantune_domain::atomic_file::replace(&path, content.as_ref(), 0o600).unwrap();
    }

    /// The text of the file `name`, below the folder or by its whole path.
    pub(crate) fn text(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.root.path().join(name)).unwrap()
    }

    /// Writes a program.
    pub(crate) fn put_program(&self, name: impl AsRef<Path>, script: &str) {
        let path = self.root.path().join(name);
        self.put(&path, script);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The names in a folder, sorted; none if it is missing.
    pub(crate) fn names(&self, folder: impl AsRef<Path>) -> Vec<String> {
        let entries = fs::read_dir(self.root.path().join(folder));
        let entries = entries.into_iter().flatten().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Every file and folder below `folder` but those in `except`, with its mode and content.
    pub(crate) fn everything(&self, folder: impl AsRef<Path>, except: &[&str]) -> Files {
        let mut found = Files::new();
        let mut folders = vec![self.root.path().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if except.iter().any(|name| path == self.path(name)) {
                    continue;
                }
                let metadata = fs::symlink_metadata(&path).unwrap();
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                let content = fs::read(&path).unwrap_or_default();
                found.insert(path, (metadata.permissions().mode() & 0o7777, content));
            }
        }
        found
    }

    /// Makes the log the same as another world's.
    pub(crate) fn copy_log(&self, other: &Self) {
        let events = self.paths().events();
        create_private_dir(&events).unwrap();
        for segment in fs::read_dir(other.paths().events()).unwrap() {
            let segment = segment.unwrap();
            let copy = events.join(segment.file_name());
            fs::copy(segment.path(), &copy).unwrap();
            let modified = segment.metadata().unwrap().modified().unwrap();
            File::open(copy).unwrap().set_modified(modified).unwrap();
        }
    }

    /// `text` without where the world lies.
    pub(crate) fn without_root(&self, text: &str) -> String {
        text.replace(self.root.path().to_str().unwrap(), "ROOT")
    }
}

// One question that is asked every hour, in the project `shop`.

/// The project of [`World::shop`].
pub(crate) const SHOP: &str = "example.org/dev/shop";

const LAYOUT: &str = "<plantune:layout> Which layout?";

/// The question.
pub(crate) fn layout() -> Value {
    question(LAYOUT, "Layout", &["Grid (Recommended)", "List"])
}

impl World {
    pub(crate) fn shop() -> Self {
        Self::with_checkout("shop", "git@example.org:dev/shop.git")
            .on("2026-10-20T09:00:00Z")
            .with("USER", "ann")
    }

    /// The one preference in the report.
    pub(crate) fn standing(&self) -> Value {
        self.json(&["report", "--json"])["standing_preferences"][0].clone()
    }

    /// One call, an hour after the one before. True when the person was asked, who said `answer`.
    pub(crate) fn ask(&mut self, answer: &str) -> bool {
        self.ask_where(answer, &[])
    }

    pub(crate) fn ask_where(&mut self, answer: &str, environment: &[(&str, &str)]) -> bool {
        let (asked, said) = self.one_call(answer, environment);
        // That an answer is no consent is said of those that nobody was asked for.
        let context = &said["hookSpecificOutput"]["classifierContext"];
        assert_eq!(context.is_null(), asked, "{said}");
        asked
    }

    /// Whether the person was asked, and what the hook said when the answer came.
    fn one_call(&mut self, answer: &str, environment: &[(&str, &str)]) -> (bool, Value) {
        self.calls += 1;
        self.now += TimeDelta::hours(1);
        let mut call = call_of(&format!("toolu_{}", self.calls), &[layout()]);
        call["session_id"] = json!(format!("s{}", self.calls / 4));
        let decision = self.hook_with("PreToolUse", call.clone(), environment);
        let given = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        let (asked, answers) = match given {
            Value::Null => (true, json!({LAYOUT: answer})),
            given => (false, given.clone()),
        };
        self.now += TimeDelta::seconds(20);
        call["tool_response"] =
            json!({"questions": call["tool_input"]["questions"], "answers": answers});
        (asked, self.hook_with("PostToolUse", call, environment))
    }

    /// Calls until the person is asked, who says `answer`.
    pub(crate) fn until_asked(&mut self, answer: &str) {
        assert!((0..40).any(|_| self.ask(answer)), "never none of forty");
    }

    /// The same; what the hook said when the answer came.
    pub(crate) fn until_checked(&mut self, answer: &str) -> Value {
        let mut calls = (0..60).map(|_| self.one_call(answer, &[]));
        calls.find(|(asked, _)| *asked).unwrap().1
    }

    pub(crate) fn last_change(&self) -> Value {
        let is_change = |event: &Value| event["kind"] == "preference_changed";
        self.events().into_iter().rfind(is_change).unwrap()
    }

    pub(crate) fn evidence(&self) -> Value {
        let found = self.json(&["suggest", "--json"]);
        let lists = [&found["suggestions"], &found["rejected"]];
        let mut all = lists.into_iter().flat_map(|list| list.as_array().unwrap());
        all.find(|one| one["question_key"] == "layout").unwrap()["evidence"].clone()
    }
}

// What `doctor` finds.

impl World {
    /// The output of `doctor`, with wrapped lines joined again.
    pub(crate) fn doctor(&self, words: &[&str]) -> String {
        unwrapped(&self.run(&[&["doctor"], words].concat()).stdout)
    }

    /// The findings called `name`: status, message and remedy.
    pub(crate) fn findings(&self, name: &str) -> Vec<(String, String, String)> {
        let ran = self.run(&["doctor", "--json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(json["schema_version"], 1);
        let checks = json["checks"].as_array().unwrap();
        let failed = checks.iter().any(|check| check["status"] == "failed");
        assert_eq!(ran.code, i32::from(failed));
        let named = checks.iter().filter(|check| check["name"] == name);
        let found = named.map(|check| {
            let text = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
            (text("status"), text("message"), text("remedy"))
        });
        found.collect()
    }

    /// The only finding called `name`.
    pub(crate) fn finding(&self, name: &str) -> (String, String, String) {
        let mut found = self.findings(name);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }
}
