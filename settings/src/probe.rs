//! Trying a hook out: a plantune home of its own, and a call with a known answer.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use plantune_agents::claude_code;
use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
use plantune_domain::atomic_file;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Policy, Preference, PreferenceFile, Setter};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::programs::{LIMIT, run, words};

/// The key of the question that a planted preference answers, and its answer.
const PLANTED: (&str, &str) = ("plantune-doctor", "Blue");

/// A folder with preferences of its own, gone when it is dropped.
pub struct ProbeHome(TempDir);

impl ProbeHome {
    /// A home with the planted preference.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn new() -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.permissions(Permissions::from_mode(0o700));
        let home = builder.prefix("plantune-doctor-").tempdir()?;
        let mut file = PreferenceFile::empty(None);
        let (key, answer) = PLANTED;
        file.preferences.insert(key.to_owned(), never_ask(answer));
        let path = Paths::below(home.path().to_owned()).global_preferences();
        atomic_file::replace(&path, &file.to_bytes()?, 0o600)?;
        Ok(Self(home))
    }

    /// `program`, to be run with this home and nothing else of the environment.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PLANTUNE_HOME", self.0.path())
            .env(claude_code::ENTRYPOINT, "cli")
            .current_dir(self.0.path());
        command
    }

    /// The call before a question that the planted preference answers.
    pub fn planted_call(&self) -> Vec<u8> {
        let call = json!({
            "session_id": "plantune-doctor",
            "transcript_path": "",
            "cwd": self.0.path(),
            "permission_mode": "default",
            "hook_event_name": claude_code::ASKING,
            "tool_name": claude_code::TOOL,
            "tool_use_id": "toolu_planted",
            "tool_input": tool_input(PLANTED.0),
        });
        call.to_string().into_bytes()
    }
}

fn question(key: &str) -> String {
    format!("<plantune:{key}> Which colour shall the picture have?")
}

fn tool_input(key: &str) -> Value {
    json!({"questions": [{
        "question": question(key),
        "header": "Colour",
        "options": [
            {"label": "Green (Recommended)", "description": "like grass"},
            {"label": PLANTED.1, "description": "like the sky"},
        ],
        "multiSelect": false,
    }]})
}

fn never_ask(answer: &str) -> Preference {
    let options = vec!["Green (Recommended)".to_owned(), answer.to_owned()];
    let asking = Asking {
        text: "Which colour shall the picture have?",
        header: "Colour",
        options: &options,
        descriptions: &["like grass", "like the sky"].map(str::to_owned),
        ..Asking::default()
    };
    Preference {
        answer: Some(answer.to_owned()),
        key_source: Some("marker".to_owned()),
        question: Some(asking.text.to_owned()),
        agreement: Agreement::exactly(&[Given {
            asking,
            label: answer,
            session: "",
        }]),
        options: Some(options.clone()),
        set_by: Some(Setter::Prefs.to_string()),
        ..Preference::of(Policy::NeverAsk)
    }
}

/// True when what the hook `printed` makes Claude Code answer the planted call as planted: allowed,
/// the input as it was, and the answer by the question's text.
pub fn is_planted_answer(printed: &[u8]) -> bool {
    let (key, answer) = PLANTED;
    let mut wanted = tool_input(key);
    if let Some(input) = wanted.as_object_mut() {
        input.insert("answers".to_owned(), json!({question(key): answer}));
    }
    serde_json::from_slice::<Value>(printed).is_ok_and(|printed| {
        let output = |name: &str| printed.get("hookSpecificOutput")?.get(name);
        output("hookEventName") == Some(&json!(claude_code::ASKING))
            && output("permissionDecision") == Some(&json!("allow"))
            && output("updatedInput") == Some(&wanted)
    })
}

// Whether a hook starts at all.

/// A call that it has no opinion on: `hook` must say nothing and exit with 0, whatever it is sent.
///
/// # Errors
/// Its behaviour, in words that follow its name.
pub fn alive(hook: &Path, home: &ProbeHome) -> Result<(), String> {
    let call = br#"{"hook_event_name":"Stop"}"#;
    match run(&mut home.command(hook), call, LIMIT) {
        Ok(ended) if !ended.status.success() => Err(format!("ends with {}", ended.status)),
        Ok(ended) if !ended.stdout.is_empty() => {
            Err("prints something where it has nothing to say".to_owned())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(words(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::session_kind::SessionKind;
    use plantune_hooks::hook::{Environment, handle};

    #[test]
    fn the_hook_answers_the_planted_question_and_no_other() {
        let home = ProbeHome::new().unwrap();
        let environment = Environment {
            agent: &claude_code::ClaudeCode,
            paths: Paths::below(home.0.path().to_owned()),
            now: plantune_domain::clock::now(),
            session_kind: SessionKind::Interactive,
            entrypoint: None,
            project_root: None,
            disabled: false,
            by_plugin: false,
        };
        let printed = handle(&home.planted_call(), &environment).unwrap();
        assert!(is_planted_answer(printed.as_bytes()), "{printed}");
        for wrong in [
            printed.replace("\"allow\"", "\"defer\""),
            printed.replace("Blue", "Green"),
            printed.replace("grass", "moss"),
            String::new(),
        ] {
            assert!(!is_planted_answer(wrong.as_bytes()), "{wrong}");
        }
    }
}
