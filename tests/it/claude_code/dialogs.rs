//! What becomes of a question whose dialog does not end with a plain choice: the person presses Esc, nobody is there,
//! the classifier has just denied an action, or a host shows a form. Each goes through the hook and an import.

use serde_json::{Value, json};

use super::home::{Home, Script, Turn, answers, ask, assert_fields, kinds, nobody, question};
use super::permissions::{deciding_client, version};
use super::{claude_code, client};
use crate::shared::skipped;
use crate::world::folded;

const AREA: &str = "<plantune:area> Which area?";

/// The first version that waits for an answer as long as its settings say.
const WITH_TIMEOUT: [u32; 3] = [2, 1, 200];

/// The first version whose hosts show forms.
const WITH_FORMS: [u32; 3] = [2, 1, 330];

fn area() -> Value {
    question(AREA, &["Parser (Recommended)", "Lexer"])
}

impl Home {
    /// Has the client go on without an answer after `milliseconds`. A minute is what people set; less is for tests.
    fn does_not_wait(&self, milliseconds: &str) {
        let file = self.path(".claude/settings.json");
        let mut settings: Value = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        settings["askUserQuestionTimeout"] = json!("60s");
        settings["env"] = json!({"CLAUDE_AFK_TIMEOUT_MS": milliseconds});
        std::fs::write(file, settings.to_string()).unwrap();
    }

    /// What is known of the questions of the call `toolu_q`: text, how it ended, why, and who answered.
    fn rows(&self) -> Vec<String> {
        let sql = "SELECT concat_ws(' / ', question, outcome, reason, answered_by) AS row FROM questions \
            WHERE tool_use_id = 'toolu_q' ORDER BY question_index";
        let rows: Vec<Value> = serde_json::from_str(&self.done(&["sql", "--json", sql])).unwrap();
        let text = |row: &Value| row["row"].as_str().unwrap().to_owned();
        rows.iter().map(text).collect()
    }

    /// The same from the hook, which an import of the transcript must not change.
    fn rows_kept_by_an_import(&self) -> Vec<String> {
        let of_hook = self.rows();
        self.done(&["import", "claude-code"]);
        assert_eq!(self.rows(), of_hook, "the transcript says something else");
        of_hook
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn escape_is_a_refusal() {
    let home = Home::installed(claude_code());
    // The model is not asked again.
    home.on_terminal(vec![ask("toolu_q", &[area()])], |person| {
        person.shows("Parser");
        person.press("\x1b");
        person.written("doesn't want to proceed");
    });
    assert_eq!(kinds(&home.events_of("toolu_q")), ["asked: no_preference"]);
    home.done(&["import", "claude-code"]);
    assert_eq!(home.rows(), ["Which area? / dismissed / rejected"]);
    let report = home.done(&["report"]);
    assert!(
        report.contains("You left 1 question unanswered."),
        "{report}"
    );
    assert!(!report.contains("nobody chose"), "{report}");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_the_client_goes_on_without_was_chosen_by_nobody() {
    let client = claude_code();
    if version(&client).as_slice() < WITH_TIMEOUT.as_slice() {
        skipped("claude_code::dialogs", "the client waits as it likes");
        return;
    }
    let home = Home::installed(client);
    home.does_not_wait("4000");
    let size = question("Which size?", &["S", "L"]);
    let script = vec![ask("toolu_q", &[area(), size]), Turn::says("All done.")];
    home.on_terminal(script, |person| {
        person.shows("Parser");
        // Selected, but not sent: the client sends it by itself.
        person.press("2");
        person.written("All done.");
    });
    let rows = home.rows_kept_by_an_import();
    let expected = [
        "Which area? / dismissed / afk_timeout / nobody",
        "Which size? / dismissed / afk_timeout / nobody",
    ];
    assert_eq!(rows, expected);
    let report = home.done(&["report"]);
    let report = folded(&report);
    let said =
        "You left 2 questions unanswered. The agent stopped waiting and went on: nobody chose.";
    assert!(report.contains(said), "{report}");
    let log = home.done(&["log", "toolu_q"]);
    let log = folded(&log);
    assert!(
        log.contains("went on with \"Lexer\", which was selected but not sent"),
        "{log}"
    );
    assert!(log.contains("went on: nobody chose"), "{log}");
    // It is no evidence, and it is not the person's answer in a list of answers either.
    let all: Value = home.done(&["report", "--all", "--json"]).parse().unwrap();
    for one in all["questions"].as_array().unwrap() {
        assert_eq!(
            (&one["answered"], &one["answers"]),
            (&json!(0), &json!([])),
            "{one}"
        );
    }
}

/// Whatever the preference says: the question may ask for the consent that the classifier missed.
#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn after_a_denial_of_the_classifier_the_person_is_asked() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::installed(client);
    home.prefer(&area(), "Parser");
    let command = json!({"command": "make check", "description": "Check it"});
    let script = |verdict| Script {
        turns: vec![
            Turn::call("toolu_b", "Bash", command.clone()),
            ask("toolu_q", &[area()]),
            Turn::says("Done."),
            ask("toolu_r", &[area()]),
            Turn::says("Done."),
        ],
        verdict,
        ..Script::default()
    };
    let verdict =
        "<thinking>no</thinking><severity>90</severity><category>Production Deploy</category>";
    let person = |request: &Value| answers(request, json!({AREA: "Lexer"}));
    let mut prompts = ["go on"].into_iter();
    let session = client::run_prompts(home.in_auto_mode(), script(Some(verdict)), person, || {
        prompts.next()
    });
    assert_eq!(session.asked.len(), 1, "{:?}", session.asked);
    assert_eq!(
        kinds(&home.events_of("toolu_q")),
        ["asked: after_denial", "answered"]
    );
    assert_fields(
        &home.events_of("toolu_q")[1],
        json!({"answer": ["Lexer"], "was_auto_decided": false}),
    );
    // The person has written since.
    assert_eq!(
        kinds(&home.events_of("toolu_r")),
        ["auto_decided: allow", "answered"]
    );
    let log = home.done(&["log", "toolu_q"]);
    assert!(
        folded(&log).contains("the agent had just denied an action"),
        "{log}"
    );
    assert_eq!(
        home.rows_kept_by_an_import(),
        ["Which area? / answered / you"]
    );
    home.reports(json!({"denied": 1}));
    // Nothing was denied: nobody is asked.
    let again = Home::installed(claude_code());
    again.prefer(&area(), "Parser");
    let mut prompts = ["go on"].into_iter();
    client::run_prompts(again.in_auto_mode(), script(None), nobody, || {
        prompts.next()
    });
    assert_eq!(
        kinds(&again.events_of("toolu_q")),
        ["auto_decided: allow", "answered"]
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_form_is_logged_with_its_texts_and_numbers_and_its_rounds() {
    let client = claude_code();
    if version(&client).as_slice() < WITH_FORMS.as_slice() {
        skipped("claude_code::dialogs", "the client's hosts show no forms");
        return;
    }
    let home = Home::installed(client);
    let mut client = home.claude();
    client.env("CLAUDE_CODE_QUESTION_EXTENDED", "1");
    let form = json!({"title": "About the talk", "questions": [
        {"question": "Who is it for?", "header": "Audience", "kind": "text", "placeholder": "a team"},
        {"question": "How many slides?", "header": "Slides", "kind": "number", "min": 1, "max": 20, "unit": "slides"},
        {"question": "Which tone?", "header": "Tone", "description": "Of the text", "options": [
            {"label": "Formal"}, {"label": "Plain"},
        ]},
    ]});
    let script = vec![
        Turn::call("toolu_q", "AskUserQuestion", form.clone()),
        Turn::call("toolu_r", "AskUserQuestion", form),
        Turn::says("Done."),
    ];
    let mut rounds = 0;
    let session = client::run(client, script, |request| {
        rounds += 1;
        let mut given = json!({"Which tone?": "Plain"});
        if rounds == 1 {
            // Another round first.
            let mut response = answers(request, given);
            response["updatedInput"]["followUp"] = json!(true);
            return response;
        }
        given["Who is it for?"] = json!("the team");
        given["How many slides?"] = json!("12");
        answers(request, given)
    });
    assert!(
        session
            .result_of("toolu_q")
            .contains("asked for more questions")
    );
    let rows = home.rows_kept_by_an_import();
    let expected = [
        "About the talk\n\nWho is it for? / dismissed / follow_up",
        "About the talk\n\nHow many slides? / dismissed / follow_up",
        "About the talk\n\nOf the text\n\nWhich tone? / dismissed / follow_up",
    ];
    assert_eq!(rows, expected);
    for (event, expected) in home.events_of("toolu_r")[3..].iter().zip([
        json!({"free_text": "the team", "answer": []}),
        json!({"free_text": "12", "answer": []}),
        json!({"free_text": null, "answer": ["Plain"]}),
    ]) {
        assert_fields(event, expected);
    }
}
