//! Full, read-only and forbidden folders: the hook stays silent and ends well, plantune says what
//! is wrong and changes nothing by half, and afterwards everything goes on.
//!
//! A full file system is a small one in memory, mounted in a namespace of its own that is gone with
//! the test, whatever happens to it. Where none can be had, such tests say so and are skipped.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use duckdb::AccessMode;
use serde_json::{Value, json};

use crate::world::{Files, PLANTUNE, Ran, World, call_of, programs, question, run};

mod forbidden;
mod full;
mod lost;

// plantune's folder, what is run in it, and what it is filled with.

pub(crate) const TODAY: &str = "events/2026-11-20.jsonl";

/// The text of the question, without its marker.
pub(crate) fn text() -> String {
    format!("Which layout? {}", "x".repeat(300))
}

/// plantune's folder, which is the home as well, and how it is called there.
pub(crate) struct Home {
    world: World,
    pub(crate) folder: PathBuf,
    /// The words before every program.
    pub(crate) before: Vec<String>,
}

impl Home {
    pub(crate) fn at(folder: &Path) -> Self {
        fs::create_dir_all(folder).unwrap();
        // What others may write to is not obeyed; a file system for tests lets all.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
        let world = World::at("work")
            .with("PATH", std::env::var_os("PATH").unwrap_or_default())
            .with("HOME", folder)
            .with("PLANTUNE_HOME", folder);
        Self {
            world,
            folder: folder.to_owned(),
            before: Vec::new(),
        }
    }

    /// A home whose calls are not those of an almighty user.
    pub(crate) fn without_powers(folder: &Path) -> Option<Self> {
        let mut home = Self::at(folder);
        let closed = folder.join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
        let powers = "-dac_override,-dac_read_search";
        let bounds = [
            format!("--bounding-set={powers}"),
            format!("--inh-caps={powers}"),
        ];
        for before in [
            vec![],
            [vec!["setpriv".to_owned()], bounds.to_vec()].concat(),
        ] {
            home.before = before;
            let tried = home.command("touch", &[]).arg(closed.join("it")).output();
            if tried.is_ok_and(|tried| String::from_utf8_lossy(&tried.stderr).contains("denied")) {
                fs::remove_dir(&closed).unwrap();
                return Some(home);
            }
            let _ = fs::remove_file(closed.join("it"));
        }
        None
    }

    pub(crate) fn command(&self, program: &str, words: &[&str]) -> Command {
        let all: Vec<&str> = self.before.iter().map(String::as_str).collect();
        let all = [&all, &[program][..], words].concat();
        self.world.start(all[0], &all[1..])
    }

    pub(crate) fn plantune(&self, words: &[&str]) -> Ran {
        self.run(&mut self.command(PLANTUNE, words))
    }

    /// The result of `command`, without the folder's name.
    pub(crate) fn run(&self, command: &mut Command) -> Ran {
        let folder = self.folder.to_str().unwrap();
        let ran = run(command);
        Ran {
            stdout: ran.stdout.replace(folder, "HOME"),
            stderr: ran.stderr.replace(folder, "HOME"),
            ..ran
        }
    }

    /// One call of the hook about the question that a preference answers: it never fails and never says what is no
    /// decision. True when it decided.
    pub(crate) fn decides(&self, number: u32) -> bool {
        let text = format!("<plantune:layout> {}", text());
        let question = question(&text, "H", &["Grid", "List"]);
        let call = call_of(&format!("toolu_{number}"), &[question]);
        let mut hook = self.command(programs::hook().to_str().unwrap(), &[]);
        let printed = self.world.call(&mut hook, "PreToolUse", call);
        let decision = &printed["hookSpecificOutput"]["permissionDecision"];
        assert!(printed.is_null() || decision == "allow", "{printed}");
        !printed.is_null()
    }

    /// The answer to the question is always the grid.
    pub(crate) fn prefer(&self) {
        // No call is asked as a check.
        self.world
            .put(self.folder.join("config.toml"), "spot_check = 0\n");
        let words = ["prefs", "set", "layout", "never-ask", "--answer", "Grid"];
        let ran = self.plantune(&[&words[..], &["--global", "--force", "--yes"]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        // The question was never asked, so the preference does not say what it was given for.
        let path = self.folder.join("preferences.json");
        let mut file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let preference = &mut file["preferences"]["layout"];
        preference["question"] = json!(text());
        preference["options"] = json!(["Grid", "List"]);
        let mut same = File::create(path).unwrap();
        same.write_all(file.to_string().as_bytes()).unwrap();
    }

    /// The content of the store.
    pub(crate) fn dump(&self) -> Vec<String> {
        let store = self.folder.join("plantune.duckdb");
        let store = plantune_migrations::open(&store, AccessMode::ReadOnly).unwrap();
        let mut all = Vec::new();
        for table in [
            "questions",
            "sessions",
            "preference_changes",
            "permission_events",
            "hook_errors",
            "quarantine",
        ] {
            let sql = format!("SELECT row_of::VARCHAR FROM {table} AS row_of ORDER BY ALL");
            let mut statement = store.prepare(&sql).unwrap();
            let found = statement
                .query_map([], |row| row.get::<_, String>(0))
                .unwrap();
            all.extend(found.map(|row| format!("{table}: {}", row.unwrap())));
        }
        all
    }

    /// The names of the files in the folder itself.
    pub(crate) fn files(&self) -> Vec<String> {
        let names = self.world.names(&self.folder).into_iter();
        names
            .filter(|name| self.folder.join(name).is_file())
            .collect()
    }

    /// The content of a store that was computed from this log in one go.
    pub(crate) fn dump_of_undisturbed(&self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let other = Self::at(folder.path());
        other.world.copy_log(&self.world);
        assert_eq!(other.plantune(&["ingest"]).code, 0);
        other.dump()
    }

    pub(crate) fn auto_decided(&self) -> BTreeSet<u32> {
        let store = self.folder.join("plantune.duckdb");
        let store = plantune_migrations::open(&store, AccessMode::ReadOnly).unwrap();
        let sql = "SELECT tool_use_id FROM questions WHERE auto_decided_at IS NOT NULL";
        let mut statement = store.prepare(sql).unwrap();
        let found = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        let number = |id: String| id.strip_prefix("toolu_").unwrap().parse().unwrap();
        found.map(|id| number(id.unwrap())).collect()
    }

    /// Every file and folder with its mode, and the files' contents, but for the summaries that any verb leaves.
    pub(crate) fn everything(&self) -> Files {
        let summaries = self.folder.join("summaries");
        self.world
            .everything(&self.folder, &[summaries.to_str().unwrap()])
    }
}

/// Events of the hook's, as lines.
pub(crate) fn lines(numbers: std::ops::Range<u32>) -> Vec<u8> {
    let line = |number: u32| {
        format!(
            r#"{{"v":1,"id":"{number:032x}","ts":"2026-11-{:02}T10:00:00.000Z","kind":"asked","session_id":"s{number}","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k{}","key_source":"marker","question":"Question {number:064x}?","door":"two-way"}}"#,
            1 + number % 19,
            number % 7,
        ) + "\n"
    };
    numbers.map(line).collect::<String>().into()
}

pub(crate) fn append(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut options = File::options();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

/// Transcripts of `calls` questions.
pub(crate) fn transcripts(folder: &Path, calls: u32) {
    let mut lines = String::new();
    for call in 0..calls {
        let day = 1 + call % 19;
        let text = format!("Question {call}, {}?", "long ".repeat(40));
        let input = json!({"questions": [question(&text, "H", &["Grid", "List"])]});
        let id = format!("toolu_{call}");
        let line = |kind: &str, second: u32, rest: Value| {
            let mut line = json!({"type": kind, "sessionId": "s", "cwd": "/p",
                "timestamp": format!("2026-11-{day:02}T10:00:{second:02}.000Z")});
            line.as_object_mut()
                .unwrap()
                .extend(rest.as_object().unwrap().clone());
            line
        };
        let asked = json!({"message": {"role": "assistant", "content":
            [{"type": "tool_use", "id": id, "name": "AskUserQuestion", "input": input}]}});
        let answers = json!({"questions": [], "answers": {text: "Grid"}});
        let answered = json!({"message": {"role": "user", "content":
            [{"type": "tool_result", "tool_use_id": id, "content": "…"}]}, "toolUseResult": answers});
        lines += &format!(
            "{}\n{}\n",
            line("assistant", 0, asked),
            line("user", 5, answered)
        );
    }
    append(&folder.join("s.jsonl"), lines.as_bytes());
}

/// The same question, answered alike day after day.
pub(crate) fn habit() -> Vec<u8> {
    let mut text = String::new();
    for day in 1..20 {
        for (kind, second, more) in [
            ("asked", 0, json!({"ask_reason": "no_preference"})),
            (
                "answered",
                9,
                json!({"answer": ["Grid"], "was_auto_decided": false}),
            ),
        ] {
            let mut event = json!({"v": 1, "id": format!("{day:030x}{second:02}"), "kind": kind,
                "ts": format!("2026-11-{day:02}T10:00:{second:02}.000Z"), "session_id": format!("s{day}"),
                "session_kind": "interactive", "project": "p", "cwd": "/p", "source": "hook",
                "tool_name": "AskUserQuestion", "tool_use_id": format!("h{day}"), "question_index": 0,
                "question_count": 1, "question_key": "habit", "key_source": "marker",
                "question": "Which layout?", "options": ["Grid", "List"], "door": "two-way"});
            event
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            text += &format!("{event}\n");
        }
    }
    text.into()
}
