//! Trials, and what is typed instead of an answer: what the person is shown, what the model reads, and
//! what is logged.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::home::{Home, Turn, answers, ask, assert_fields, kinds, nobody, question};
use super::{claude_code, client};
use crate::claude_code::plugin;

const TEXT: &str = "<plantune:next> Continue with this area or go on?";
const LABELS: &[&str] = &["More questions (Recommended)", "Next area", "Stop here"];

fn next() -> Value {
    question(TEXT, LABELS)
}

impl Home {
    /// The preference `entry` for [`next`], everywhere, with no spot checks.
    fn prefer_next(&self, entry: &Value) {
        self.put(".config/plantune/config.toml", "spot_check = 0\n");
        let mut entry = entry.clone();
        let (text, question) = ("Continue with this area or go on?", next());
        let options = question["options"].as_array().unwrap().iter();
        let described: Vec<&Value> = options.map(|option| &option["description"]).collect();
        entry["question"] = json!(text);
        entry["options"] = json!(LABELS);
        entry["binding"] = json!([{"text": text, "descriptions": described}]);
        let file = json!({"version": 1, "preferences": {"next": entry}});
        let path = ".config/plantune/preferences.json";
        self.put(path, &file.to_string());
        for name in [path, ".config/plantune/config.toml"] {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    /// The preferences of the project and the global ones, as `prefs list --json` has them.
    fn preferences(&self) -> Vec<Value> {
        let listed = self.done(&["prefs", "list", "--json"]);
        let listed: Value = serde_json::from_str(&listed).unwrap();
        listed["preferences"].as_array().unwrap().clone()
    }
}

fn labels(question: &Value) -> Vec<&str> {
    let options = question["options"].as_array().unwrap().iter();
    options
        .map(|option| option["label"].as_str().unwrap())
        .collect()
}

/// The answer that the person gives.
fn chooses(label: &str) -> impl Fn(&Value) -> Value {
    let given = json!({TEXT: label});
    move |request| answers(request, given.clone())
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_trial_answers_is_checked_and_ends_with_one_disagreement() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer_next(&json!({
        "preference": "never-ask", "answer": "Next area", "level": "trial",
        "set_at": "2026-11-20T10:00:00.000Z",
    }));
    // Two checks at least are among twelve calls, wherever the draw falls; the first one disagrees.
    let ids: Vec<String> = (0..12).map(|number| format!("toolu_{number}")).collect();
    let mut script: Vec<Turn> = ids.iter().map(|id| ask(id, &[next()])).collect();
    script.push(Turn::says("done"));
    let session = home.session(script, |request| {
        // A check is asked as the model asked it.
        assert_eq!(labels(&request["input"]["questions"][0]), LABELS);
        answers(request, json!({TEXT: "Stop here"}))
    });
    let kinds: Vec<String> = ids
        .iter()
        .map(|id| kinds(&home.events_of(id)).remove(0))
        .collect();
    let first = kinds
        .iter()
        .position(|kind| kind == "asked: spot_check")
        .unwrap();
    assert!(first <= 6, "{kinds:?}");
    for (number, kind) in kinds.iter().enumerate() {
        let wanted = match number < first {
            true => "auto_decided: allow",
            false => "asked: spot_check",
        };
        assert_eq!(kind, wanted, "{kinds:?}");
    }
    assert_eq!(session.asked.len(), 12 - first);
    let said: Vec<String> = session.hook_printed("PostToolUse");
    let ended = said.iter().filter(|said| said.contains("is stopped"));
    assert_eq!(ended.count(), 1, "{said:?}");
    let listed = home.done(&["prefs", "list"]);
    assert!(
        listed.contains("next: ") && listed.contains("stopped"),
        "{listed}"
    );
}

/// A program drives these sessions (`sdk-cli`), and what it answers teaches nothing; what a person types in the dialog
/// is taught with the hook alone (`hooks/tests/it/taught/`).
#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_a_program_answers_teaches_nothing() {
    let home = Home::installed(claude_code());
    for typed in ["always: Next area", "always ask"] {
        let script = vec![ask("toolu_t", &[next()]), Turn::says("going on")];
        let session = home.session(script, chooses(typed));
        let said = session.hook_printed("PostToolUse").concat();
        assert!(!said.contains("from now on"), "{typed}: {said}");
        assert_eq!(home.preferences(), Vec::<Value>::new(), "{typed}");
    }
    let event = home.events_of("toolu_t").remove(1);
    assert_fields(&event, json!({"free_text": "always: Next area"}));
}

// Away and back with the real client: what is answered, what waits, and how the model learns that the
// person changed an answer.

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn recommendations_are_taken_and_a_changed_answer_is_told_in_the_next_turn() {
    let client = claude_code();
    let home = Home::installed(client);
    home.done(&["away", "3h", "--yes"]);
    let tables = "Drop the old tables?";
    let script = vec![
        ask(
            "toolu_a",
            &[question(
                "Review the layout?",
                &["Later (Recommended)", "Now"],
            )],
        ),
        ask("toolu_b", &[question(tables, &["Yes (Recommended)", "No"])]),
        Turn::says("done"),
    ];
    let session = home.session(script, |request| answers(request, json!({tables: "No"})));
    assert_eq!(session.asked.len(), 1, "what cannot be taken back waits");
    assert!(
        session
            .result_of("toolu_a")
            .contains("\"Later (Recommended)\"")
    );
    assert!(session.model_reads("as recommended, because the user is away"));
    let events = home.events_of("toolu_a");
    assert_eq!(kinds(&events), ["auto_decided: allow", "answered"]);
    assert_fields(&events[0], json!({"level": "away"}));
    assert_fields(&events[1], json!({"was_auto_decided": true}));

    let list = home.done(&["away", "off"]);
    assert!(
        list.contains("plantune undo toolu_a --answer LABEL"),
        "{list}"
    );
    home.done(&["undo", "toolu_a", "--yes", "--answer", "Now"]);
    // The same session, taken up again.
    let id = events[0]["session_id"].as_str().unwrap();
    let mut client = home.claude();
    client.args(["--resume", id]);
    let session = client::run(client, vec![Turn::says("I see")], |request| {
        panic!("{request}")
    });
    assert!(
        session.model_reads(
            "has changed the answer to \"Review the layout?\" from \"Later\" to \"Now\""
        )
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_running_session_is_told_at_its_next_prompt() {
    let client = claude_code();
    let home = Home::installed(client);
    home.done(&["away", "3h", "--yes"]);
    let script = vec![
        ask(
            "toolu_a",
            &[question(
                "Review the layout?",
                &["Later (Recommended)", "Now"],
            )],
        ),
        Turn::says("done"),
        Turn::says("I see"),
    ];
    let mut has_changed = false;
    let session = client::run_prompts(
        home.claude(),
        script,
        |request| panic!("{request}"),
        || {
            let first = !has_changed;
            if first {
                home.done(&["undo", "toolu_a", "--yes", "--answer", "Now"]);
                has_changed = true;
            }
            first.then_some("go on")
        },
    );
    let printed = session.hook_printed("UserPromptSubmit");
    assert_eq!(printed.len(), 2);
    assert_eq!(printed[0], "", "nothing to say at first");
    assert!(
        printed[1].contains("has changed the answer"),
        "{}",
        printed[1]
    );
    assert!(
        session.model_reads(
            "has changed the answer to \"Review the layout?\" from \"Later\" to \"Now\""
        )
    );
}

// What the person and the model learn beside the answer itself: at the end of a turn, at the
// start of a session, and when a question failed.

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_turn_ends_with_a_line_about_what_was_answered() {
    let client = claude_code();
    let home = Home::installed(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    let script = vec![ask("toolu_q", &[colour]), Turn::says("blue it is")];
    let session = home.session(script, nobody);
    let printed = session.hook_printed("Stop");
    let said: Value = serde_json::from_str(&printed[0]).unwrap();
    let said = said["systemMessage"].as_str().unwrap();
    assert!(
        said.starts_with("plantune answered a question for you"),
        "{said}"
    );
    assert!(said.contains("Blue"), "{said}");
    assert_eq!(session.requests.len(), 2, "and the turn ends there");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_model_gets_the_standing_preferences_when_they_are_announced() {
    let client = claude_code();
    let home = Home::installed(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    home.put(".config/plantune/config.toml", "announce = true\n");
    let session = home.session(vec![Turn::says("I need not ask")], nobody);
    assert!(session.model_reads("You need not ask these"));
    assert!(session.model_reads("\"colour\": \"Blue\""));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_failed_question_gives_the_model_the_directive_of_the_session_kind() {
    let client = claude_code();
    let home = Home::installed(client);
    for (set, words) in [
        (None, "retry the call once"),
        (Some(("CI", "1")), "BLOCKED — AskUserQuestion unavailable"),
        (
            Some(("OPENCLAW_SESSION", "s")),
            "Choose the recommended option yourself",
        ),
    ] {
        for way in ["error", "lost"] {
            let mut client = plugin::with_asker(&home);
            client.envs(set);
            let script = vec![
                plugin::ask_by_server("toolu_r", "Which?", way),
                Turn::says("enough"),
            ];
            let session = client::run(client, script, plugin::allowed);
            assert!(session.model_reads(words), "{set:?}, {way}");
        }
        let mut client = plugin::with_asker(&home);
        client.envs(set);
        let script = vec![
            plugin::ask_by_server("toolu_s", "Which?", "answer"),
            Turn::says("enough"),
        ];
        let session = client::run(client, script, plugin::allowed);
        assert!(!session.model_reads("AskUserQuestion failed"), "{set:?}");
    }
    let failed = home
        .events()
        .iter()
        .filter(|event| event["kind"] == "failed")
        .count();
    assert_eq!(failed, 6, "each of them is on record");
}

// What a session that is running makes of a hook that is replaced, or goes.

const FIRST: &str = "Which size?";
const SECOND: &str = "Which colour?";

/// A home with the copy installed, and a session that asks twice; `between` is done while the person thinks
/// about the first question. Returns what was logged.
fn session(between: impl Fn(&Home)) -> Vec<String> {
    let home = Home::new(claude_code());
    let said = home.done(&["install", "--yes"]);
    assert!(said.contains("copied the hook"), "{said}");
    let script = vec![
        ask("toolu_a", &[question(FIRST, &["S", "L"])]),
        ask("toolu_b", &[question(SECOND, &["Red", "Blue"])]),
        Turn::says("thank you"),
    ];
    let mut is_first = true;
    let session = home.session(script, |request| {
        if std::mem::take(&mut is_first) {
            between(&home);
            return answers(request, json!({FIRST: "S"}));
        }
        answers(request, json!({SECOND: "Red"}))
    });
    // Whatever became of the hook, the person was asked and the session went on.
    assert_eq!((session.result(), session.asked.len()), ("thank you", 2));
    assert!(session.result_of("toolu_b").contains("\"Red\""));
    kinds(&home.events())
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_running_session_calls_the_hook_that_took_the_place() {
    let logged = session(|home| {
        let copy = home.path(".local/share/plantune/bin/plantune-hook");
        let copy = copy.canonicalize().unwrap();
        let mut other = fs::read(&copy).unwrap();
        other.push(0);
        plantune_domain::atomic_file::replace(&copy, &other, 0o700).unwrap();
        let said = home.done(&["doctor", "--fix"]);
        assert!(said.contains("updated the hook"), "{said}");
    });
    let wanted = [
        "session_started",
        "asked: no_preference",
        "answered",
        "asked: no_preference",
        "answered",
        "session_ended",
    ];
    assert_eq!(logged, wanted);
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_running_session_goes_on_without_the_hook() {
    let logged = session(|home| {
        let said = home.done(&["uninstall", "--yes"]);
        assert!(said.contains("removed "), "{said}");
    });
    assert_eq!(logged, ["session_started", "asked: no_preference"]);
}
