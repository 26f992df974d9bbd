//! Questions of the native tool: what is logged, what is answered, and what the model reads.

use plantune_domain::event::{Kind, question_event_id};
use serde_json::{Value, json};

use super::client::Session;
use super::home::{
    Home, PROJECT, Script, Turn, answers, ask, assert_fields, kinds, nobody, question,
};
use super::permissions::{TESTS, deciding_client, one_command, version};
use super::{claude_code, client};
use crate::shared::skipped;
use crate::world::unwrapped;

/// The first version that calls hooks for the commands of a skill's text.
const WITH_SKILL_COMMANDS: [u32; 3] = [2, 1, 332];

const COLOUR: &str = "<plantune:colour> Which colour?";

fn colour() -> Value {
    question(COLOUR, &["Red", "Blue (Recommended)"])
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_persons_answer_is_logged_field_by_field() {
    let client = claude_code();
    let home = Home::installed(client);
    let script = vec![ask("toolu_a", &[colour()]), Turn::says("thank you")];
    let session = home.session(script, |request| answers(request, json!({COLOUR: "Red"})));
    assert_eq!(session.result(), "thank you");
    assert_eq!(session.asked.len(), 1);
    assert!(session.result_of("toolu_a").contains("\"Red\""));

    let events = home.events();
    let wanted = [
        "session_started",
        "asked: no_preference",
        "answered",
        "session_ended",
    ];
    assert_eq!(kinds(&events), wanted);
    let cwd = home.path("shop").canonicalize().unwrap();
    for event in &events {
        assert_fields(
            event,
            json!({
                "v": 1, "session_id": events[0]["session_id"], "session_kind": "interactive",
                "project": PROJECT, "cwd": cwd, "entrypoint": "sdk-cli", "source": "hook",
            }),
        );
        assert_eq!(event["id"].as_str().unwrap().len(), 32);
        let ts = event["ts"].as_str().unwrap();
        assert!(ts.len() == 24 && ts.ends_with('Z'), "{ts}");
    }
    for event in &events[1..3] {
        assert_fields(
            event,
            json!({
                "permission_mode": "default", "tool_name": "AskUserQuestion",
                "tool_use_id": "toolu_a", "question_index": 0, "question_count": 1,
                "question_key": "colour", "key_source": "marker", "question": "Which colour?",
                "header": "Choice", "options": ["Red", "Blue (Recommended)"],
                "recommended": "Blue", "multi_select": false, "door": "two-way",
            }),
        );
    }
    assert_fields(
        &events[1],
        json!({"id": question_event_id(Kind::Asked, "toolu_a", 0)}),
    );
    assert_fields(
        &events[2],
        json!({
            "id": question_event_id(Kind::Answered, "toolu_a", 0), "answer": ["Red"],
            "was_auto_decided": false, "followed_recommendation": false,
        }),
    );
    assert!(events[1]["ts"].as_str() <= events[2]["ts"].as_str());
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn several_labels_and_a_persons_own_words_are_distinguished() {
    let client = claude_code();
    let home = Home::installed(client);
    let mut checks = question("Which checks?", &["Lint", "Tests, unit", "Docs"]);
    checks["multiSelect"] = json!(true);
    let place = question("Where does it go?", &["Here", "There"]);
    let script = vec![ask("toolu_b", &[checks, place]), Turn::says("thank you")];
    home.session(script, |request| {
        let given = json!({"Which checks?": "Lint, Tests, unit", "Where does it go?": "beside it"});
        answers(request, given)
    });
    let events = home.events_of("toolu_b");
    assert_fields(&events[2], json!({"answer": ["Lint", "Tests, unit"]}));
    assert_fields(&events[3], json!({"free_text": "beside it"}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_preference_answers_without_a_prompt_and_the_model_reads_the_answer() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(&colour(), "Blue");
    let script = vec![ask("toolu_c", &[colour()]), Turn::says("blue it is")];
    let session = home.session(script, nobody);
    assert_eq!(session.result(), "blue it is");
    // The model: the answer as sent, and where it comes from.
    let answer = session.result_of("toolu_c");
    assert!(answer.contains("\"Blue (Recommended)\""), "{answer}");
    assert!(session.model_reads("was given by a standing preference of the user's"));
    // The person: at that moment, with the way back.
    let said = session.hook_printed("PreToolUse");
    let said: Value = serde_json::from_str(&said[0]).unwrap();
    let said = said["systemMessage"].as_str().unwrap();
    let words = "plantune answered \"Which colour?\" with \"Blue (Recommended)\"";
    assert!(said.starts_with(words), "{said}");
    assert!(said.contains("plantune undo toolu_c"), "{said}");

    let events = home.events_of("toolu_c");
    assert_eq!(kinds(&events), ["auto_decided: allow", "answered"]);
    assert_fields(
        &events[0],
        json!({"answer": ["Blue (Recommended)"], "preference": "never-ask", "preference_scope": "global"}),
    );
    assert_fields(
        &events[1],
        json!({"was_auto_decided": true, "followed_recommendation": true}),
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_one_way_question_is_asked_whatever_the_preference_says() {
    let client = claude_code();
    let home = Home::installed(client);
    let text = "<plantune:tidy-up> Delete all production tables?";
    let tables = question(text, &["Yes", "No"]);
    home.prefer(&tables, "Yes");
    let script = vec![ask("toolu_d", &[tables]), Turn::says("left")];
    let session = home.session(script, |request| answers(request, json!({text: "No"})));
    assert_eq!(session.asked.len(), 1);
    assert!(session.result_of("toolu_d").contains("\"No\""));
    let events = home.events_of("toolu_d");
    assert_eq!(kinds(&events), ["asked: one_way", "answered"]);
    assert_fields(&events[1], json!({"door": "one-way", "answer": ["No"]}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn one_undecidable_question_leaves_the_whole_call_to_the_person() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(&colour(), "Blue");
    let size = question("Which size?", &["S", "L"]);
    let script = vec![ask("toolu_e", &[colour(), size]), Turn::says("thank you")];
    let session = home.session(script, |request| {
        assert!(request["input"]["answers"].is_null(), "{request}");
        answers(request, json!({COLOUR: "Red", "Which size?": "L"}))
    });
    assert_eq!(session.asked.len(), 1);
    let events = home.events_of("toolu_e");
    let wanted = [
        "asked: partial_call",
        "asked: no_preference",
        "answered",
        "answered",
    ];
    assert_eq!(kinds(&events), wanted);
    for (event, answer) in events[2..].iter().zip(["Red", "L"]) {
        assert_fields(
            event,
            json!({"answer": [answer], "was_auto_decided": false}),
        );
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_refused_question_is_no_answer() {
    let client = claude_code();
    let home = Home::installed(client);
    let script = vec![ask("toolu_f", &[colour()]), Turn::says("as you like")];
    let session = home.session(
        script,
        |_| json!({"behavior": "deny", "message": "not now"}),
    );
    assert_eq!(session.asked.len(), 1);
    assert_eq!(
        kinds(&home.events_of("toolu_f")),
        ["asked: no_preference"],
        "what was only asked is found to be dismissed when it is read"
    );
}

// Whose answer it was: what the model and the classifier of auto mode read about answers that
// plantune gave, and that they read nothing about the person's own.

/// A session in auto mode, with the classifier in the client: a question, then a command for it to judge.
fn in_auto_mode(home: &Home, person: impl FnMut(&Value) -> Value) -> Session {
    let test = json!({"command": "make check", "description": "Check it"});
    let script = vec![
        ask("toolu_q", &[question(COLOUR, &["Red", "Blue"])]),
        Turn::call("toolu_b", "Bash", test),
        Turn::says("done"),
    ];
    client::run(home.in_auto_mode(), script, person)
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn an_answer_of_plantunes_is_no_consent_to_the_classifier() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(&question(COLOUR, &["Red", "Blue"]), "Blue");
    let session = in_auto_mode(&home, |request| panic!("{request}"));
    assert!(session.model_reads("It never counts as permission for anything"));
    let read = session.classifier_reads();
    let read = read.first().expect("the classifier is asked");
    // The client tells it of the answer as of a person's, and of ours beside it.
    assert!(read.contains("[User answered AskUserQuestion]"), "{read}");
    let note = read
        .lines()
        .find(|line| line.contains("host_context"))
        .unwrap_or_else(|| panic!("{read}"));
    assert!(
        note.contains("did not answer it. It is not consent"),
        "{note}"
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn nothing_is_said_about_the_persons_own_answer() {
    let client = claude_code();
    let home = Home::installed(client);
    let session = in_auto_mode(&home, |request| answers(request, json!({COLOUR: "Red"})));
    assert_eq!(session.asked.len(), 1);
    assert_eq!(session.hook_printed("PostToolUse"), [""]);
    let read = session.classifier_reads();
    let read = read.first().expect("the classifier is asked");
    assert!(read.contains("[User answered AskUserQuestion]"), "{read}");
    assert!(!read.contains("host_context"), "{read}");
}

// What nobody is asked about: a rule allows it, or the classifier of auto mode decides.

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_a_rule_allows_is_neither_asked_nor_logged() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let rules = json!({"permissions": {"allow": ["Bash(npm test)"]}});
    home.put("shop/.claude/settings.local.json", &rules.to_string());
    let session = home.session(one_command(), nobody);
    assert!(session.result_of("toolu_a").contains("3 passing"));
    assert!(!session.hook_events().contains("PermissionRequest"));
    home.done(&["ingest"]);
    let log = home.log();
    let is_about_it = |event: &&Value| event["kind"].as_str().unwrap().starts_with("permission");
    assert_eq!(log.iter().find(is_about_it), None);
    // An import counts it: of the turn, and not call by call.
    home.done(&["import", "claude-code"]);
    home.reports(json!({"auto_calls": 1}));
    let auto = home.of_kind("permission_auto");
    assert_eq!(auto.len(), 1);
    assert_fields(&auto[0], json!({"calls": 1, "input": null}));
}

/// The text of a command runs a command by itself: it is logged under its name, and runs with or without the hook.
#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_command_of_a_skill_is_logged_and_runs() {
    let client = claude_code();
    if version(&client).as_slice() < WITH_SKILL_COMMANDS.as_slice() {
        skipped(
            "claude_code::native",
            "the client has no PreSkillShellCommand",
        );
        return;
    }
    let home = Home::installed(client);
    let text = "---\nallowed-tools: Bash(echo:*)\n---\nThe sum is !`echo SUM$((40+2))`.\n";
    home.put("shop/.claude/commands/deploy.md", text);
    let deploy = || {
        let script = vec![Turn::says("Ready."), Turn::says("All done.")];
        let mut prompts = ["/deploy"].into_iter();
        client::run_prompts(home.claude(), script, nobody, || prompts.next())
    };
    let session = deploy();
    assert!(session.model_reads("The sum is SUM42."));
    assert_eq!(session.hook_printed("PreSkillShellCommand"), [""]);
    let logged = home.of_kind("skill_command");
    assert_eq!(logged.len(), 1, "{logged:?}");
    let expected = json!({"skill": "deploy", "tool_name": "Bash", "input": "echo SUM$((40+2))"});
    assert_fields(&logged[0], expected);
    let report = home.done(&["report", "--prompts", "--json"]);
    let report: Value = report.parse().unwrap();
    assert_eq!(
        report["permissions"]["skill_commands"],
        json!([{"skill": "deploy", "commands": 1}])
    );
    for registered in [
        home.hook(),
        home.path(".local/share/plantune/bin/plantune-hook"),
    ] {
        let _ = std::fs::remove_file(registered);
    }
    assert!(
        deploy().model_reads("The sum is SUM42."),
        "without the hook"
    );
}

/// A session in auto mode, whose classifier says `verdict`.
fn auto_session(home: &Home, verdict: Option<&'static str>) -> Session {
    let script = Script {
        verdict,
        ..one_command().into()
    };
    let session = client::run(home.in_auto_mode(), script, nobody);
    assert!(!session.classifier_reads().is_empty());
    session
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_classifier_denies() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let verdict =
        "<thinking>no</thinking><severity>90</severity><category>Production Deploy</category>";
    let session = auto_session(&home, Some(verdict));
    assert!(session.result_of("toolu_a").contains("denied"));
    home.done(&["ingest"]);
    let denied = home.of_kind("permission_denied");
    assert_eq!(denied.len(), 1);
    assert_fields(
        &denied[0],
        json!({
            "tool_name": "Bash", "subject": TESTS, "reach": "reads", "input": TESTS, "permission_mode": "auto",
            "tool_use_id": "toolu_a", "reason": "[Production Deploy]", "source": "hook",
        }),
    );
    assert_eq!(home.prompts_logged(), 0);
    home.reports(json!({"denied": 1}));
    home.done(&["import", "claude-code"]);
    home.reports(json!({"denied": 1}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_the_classifier_allows_is_not_logged() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let session = auto_session(&home, None);
    assert!(session.result_of("toolu_a").contains("3 passing"));
    home.done(&["ingest"]);
    let log = home.log();
    let is_about_it = |event: &&Value| event["kind"].as_str().unwrap().starts_with("permission");
    assert_eq!(log.iter().find(is_about_it), None);
}

// What concerns a session as a whole: its kind, which hooks are called, a hook that is gone, and
// the transcript it leaves.

const REFUSAL: &str = "The user doesn't want to proceed with this tool use. The tool use was \
    rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_kind_of_the_session_follows_its_surroundings() {
    let client = claude_code();
    let home = Home::installed(client);
    for (set, kind) in [
        (None, "interactive"),
        (Some(("CI", "true")), "headless"),
        (Some(("CI", "")), "interactive"),
        (Some(("OPENCLAW_SESSION", "s-1")), "spawned"),
    ] {
        let mut client = home.claude();
        client.envs(set);
        client::run(client, vec![Turn::says("hello")], |request| {
            panic!("{request}")
        });
        let events = home.events();
        assert_eq!(events[events.len() - 2]["session_kind"], kind, "{set:?}");
        assert_eq!(
            kinds(&events[events.len() - 2..]),
            ["session_started", "session_ended"]
        );
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_hook_is_called_for_what_is_registered_and_ends_well_each_time() {
    let client = claude_code();
    let home = Home::installed(client);
    let text = "Which colour?";
    let script = vec![
        // Tools that are no questions do not start the hook.
        Turn::call(
            "toolu_g",
            "Bash",
            json!({"command": "true", "description": "nothing"}),
        ),
        ask("toolu_h", &[question(text, &["Red", "Blue"])]),
        Turn::says("thank you"),
    ];
    let session = home.session(script, |request| answers(request, json!({text: "Red"})));
    let settings = std::fs::read_to_string(home.path(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    for event in session.hook_events() {
        assert!(!settings["hooks"][&event].is_null(), "{event} is called");
    }
    for event in ["SessionStart", "PreToolUse", "PostToolUse", "Stop"] {
        let printed = session.hook_printed(event);
        assert_eq!(printed, [""], "{event}: once, and without an opinion");
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_hook_that_is_gone_stops_nobody() {
    let client = claude_code();
    let home = Home::installed(client);
    let ask = |id, text| ask(id, &[question(text, &["Red", "Blue"])]);
    let script = vec![
        ask("toolu_i", "First?"),
        ask("toolu_j", "Second?"),
        Turn::says("thank you"),
    ];
    let session = home.session(script, |request| {
        let text = request["input"]["questions"][0]["question"]
            .as_str()
            .unwrap();
        if text == "First?" {
            std::fs::remove_file(home.hook()).unwrap();
        }
        answers(request, json!({text: "Blue"}))
    });
    assert_eq!(session.result(), "thank you");
    assert_eq!(session.asked.len(), 2);
    for id in ["toolu_i", "toolu_j"] {
        assert!(session.result_of(id).contains("\"Blue\""));
    }
    assert_eq!(
        kinds(&home.events()),
        ["session_started", "asked: no_preference"]
    );
    let doctor = home.plantune(&["doctor"]);
    let found = unwrapped(&String::from_utf8(doctor.stdout).unwrap());
    assert!(found.contains("which doesn't exist"), "{found}");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_transcript_says_what_the_hook_said() {
    let client = claude_code();
    let home = Home::installed(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    let script = vec![
        ask("toolu_k", &[colour]),
        ask("toolu_l", &[question("Which size?", &["S", "L"])]),
        ask("toolu_m", &[question("Which shape?", &["Round", "Square"])]),
        Turn::says("thank you"),
    ];
    home.session(
        script,
        |request| match request["input"]["questions"][0]["question"].as_str() {
            Some("Which size?") => answers(request, json!({"Which size?": "L"})),
            // As the terminal words it; what a host of its own says instead cannot be said from an
            // error in a transcript of 2.1.197.
            _ => json!({"behavior": "deny", "message": REFUSAL}),
        },
    );
    let totals = |home: &Home| -> Value {
        let report = home.done(&["report", "--json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let names = [
            "questions",
            "asked",
            "answered",
            "auto_decided",
            "failed",
            "sessions",
            "calls",
        ];
        let totals = names.map(|name| (name.to_owned(), report["totals"][name].clone()));
        Value::Object(totals.into_iter().collect())
    };
    let before = totals(&home);
    let wanted = json!({
        "questions": 3, "asked": 2, "answered": 1, "auto_decided": 1, "failed": 0,
        "sessions": 1, "calls": 3,
    });
    assert_eq!(before, wanted);
    home.done(&["import", "claude-code"]);
    assert_eq!(
        totals(&home),
        wanted,
        "an import of the same session adds nothing"
    );
}
