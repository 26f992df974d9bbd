//! Questions that are shown with the usual answer pointed out: what the dialog gets, and what is logged.

use crate::common::bound::{described, form, previewed};
use crate::common::{Home, after, ask, given_for, json_of, pinned, question, scenario_of};
use plantune_domain::preferences::AssistMode;
use proptest::prelude::*;
use serde_json::{Value, json};

const TEXT: &str = "<plantune:k> Next step?";
const LABELS: &[&str] = &["More questions", "Next area", "Stop here"];
const WORDS: &str = "You chose this 14 of 15 times.";

fn next() -> Value {
    let texts = ["stay in this area", "go on to the next one", ""];
    described(&question("k", "Next step?", LABELS), &texts)
}

fn assists(question: &Value, label: &str, mode: AssistMode) -> Value {
    let entry = json!({
        "preference": "assist", "assist": mode.as_str(), "answer": label,
        "evidence": {"agreed": 14, "answers": 15},
    });
    given_for(question, entry)
}

/// A home where `Next area` is the usual answer to [`next`].
fn home(mode: AssistMode) -> Home {
    let home = Home::new();
    home.prefer(None, &json!({"k": assists(&next(), "Next area", mode)}));
    home
}

/// The questions as they are shown; `None` where nothing is changed. A decision is a failure.
fn shown(home: &Home, call: &Value) -> Option<Vec<Value>> {
    let printed = json_of(&home.call(call));
    if printed.is_null() {
        return None;
    }
    let output = &printed["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse");
    assert_eq!(output.as_object().unwrap().len(), 2, "{output}");
    assert_eq!(printed.as_object().unwrap().len(), 1, "{printed}");
    let input = output["updatedInput"].as_object().unwrap();
    assert_eq!(input.len(), call["tool_input"].as_object().unwrap().len());
    Some(input["questions"].as_array().unwrap().clone())
}

fn labels(question: &Value) -> Vec<&str> {
    let options = question["options"].as_array().unwrap().iter();
    options
        .map(|option| option["label"].as_str().unwrap())
        .collect()
}

/// The result of `call`, which was shown as `questions`.
fn answered(home: &Home, call: &Value, questions: &[Value], answers: &Value) -> String {
    let mut call = call.clone();
    call["tool_input"] = json!({"questions": questions, "answers": answers});
    let response = call["tool_input"].clone();
    home.call(&after(call, response))
}

#[test]
fn note_says_so_in_the_description_and_nothing_else() {
    let home = home(AssistMode::Note);
    let call = ask("toolu_1", home.path(), &[next()]);
    let mut wanted = next();
    wanted["options"][1]["description"] = json!(format!("go on to the next one. {WORDS}"));
    assert_eq!(shown(&home, &call).unwrap(), [wanted]);
    let event = home.question_events().remove(0);
    assert_eq!(event["kind"], "asked");
    assert_eq!(event["ask_reason"], "no_preference");
    assert_eq!(event["assisted"], true);
    assert_eq!(event["shown"], format!("note: {WORDS}"));
    assert_eq!(event["answer"], json!(["Next area"]));
    assert_eq!(event["preference"], "assist");
    assert_eq!(event["options"], json!(LABELS));
    assert_eq!(event["descriptions"][1], "go on to the next one");
}

#[test]
fn first_puts_it_first_and_the_answer_is_logged_as_the_model_asked() {
    let home = home(AssistMode::First);
    let recommends = ["More questions (Recommended)", "Next area", "Stop here"];
    let question = question("k", "Next step?", &recommends);
    for (number, (chosen, followed)) in
        [("Next area", false), ("More questions (Recommended)", true)]
            .into_iter()
            .enumerate()
    {
        let call = ask(
            &format!("toolu_{number}"),
            home.path(),
            std::slice::from_ref(&question),
        );
        let shown = shown(&home, &call).unwrap();
        assert_eq!(
            labels(&shown[0]),
            [recommends[1], recommends[0], recommends[2]]
        );
        assert_eq!(shown[0]["question"], TEXT);
        assert_eq!(answered(&home, &call, &shown, &json!({TEXT: chosen})), "");
        let events = home.question_events();
        let event = events.last().unwrap();
        assert_eq!(event["kind"], "answered");
        assert_eq!(event["options"], json!(recommends));
        assert_eq!(event["recommended"], "More questions");
        assert_eq!(event["answer"], json!([chosen]));
        assert_eq!(event["followed_recommendation"], followed);
        assert_eq!(event["question_key"], "k");
    }
}

#[test]
fn captured_dialogs_of_changed_questions_are_mapped_back() {
    for name in [
        "q-tui-nodecision-changed",
        "q5-sdk-nodecision-changed",
        "q5-acceptedits-ask-changed",
        "q5-auto-mode-ask-changed",
    ] {
        let home = Home::new();
        let calls = scenario_of("2.1.330", name);
        let of = |event: &str| calls.iter().find(|call| call["hook_event_name"] == event);
        let (asked, after) = (of("PreToolUse").unwrap(), of("PostToolUse").unwrap());
        let sent = asked["tool_input"]["questions"][0].clone();
        // Without a marker: the question's fingerprint is its key.
        home.call(asked);
        let key = home.question_events()[0]["question_key"].clone();
        let mut asked = asked.clone();
        asked["tool_use_id"] = json!("toolu_again");
        let mut after = after.clone();
        after["tool_use_id"] = json!("toolu_again");
        let entry = assists(&sent, "Next area", AssistMode::First);
        home.prefer(None, &json!({key.as_str().unwrap(): entry}));
        let shown = shown(&home, &asked).unwrap();
        // What Claude Code showed then, but for the full stop.
        let captured = &after["tool_input"]["questions"][0];
        assert_eq!(labels(&shown[0]), labels(captured), "{name}");
        assert_eq!(
            shown[0]["options"][0]["description"]
                .as_str()
                .unwrap()
                .trim_end_matches('.'),
            captured["options"][0]["description"].as_str().unwrap(),
            "{name}"
        );
        home.call(&after);
        let event = home.question_events().pop().unwrap();
        assert_eq!(event["kind"], "answered", "{name}");
        assert_eq!(event["question_key"], key, "{name}");
        assert_eq!(json!(labels(&sent)), event["options"], "{name}");
    }
}

#[test]
fn previews_and_several_choices_are_only_noted() {
    let plain = question("k", "Next step?", LABELS);
    let mut several = plain.clone();
    several["multiSelect"] = json!(true);
    let previews = previewed(&plain, &["a", "b", "c"]);
    for question in [several, previews] {
        let home = Home::new();
        let mut entry = assists(&question, "Next area", AssistMode::First);
        entry["binding"] = json!([form(&question)]);
        home.prefer(None, &json!({"k": entry}));
        let call = ask("toolu_1", home.path(), std::slice::from_ref(&question));
        let shown = shown(&home, &call).unwrap();
        assert_eq!(labels(&shown[0]), LABELS);
        assert_eq!(shown[0]["options"][1]["description"], WORDS);
        assert_eq!(home.question_events()[0]["shown"], format!("note: {WORDS}"));
    }
}

#[test]
fn person_sets_the_most_that_is_shown() {
    for (limit, wanted) in [
        ("off", None),
        ("note", Some("note")),
        ("first", Some("first")),
    ] {
        let home = Home::new();
        home.configure(&format!("assist = \"{limit}\"\n"));
        let entry = assists(&next(), "Next area", AssistMode::First);
        home.prefer(None, &json!({"k": entry}));
        shown(&home, &ask("toolu_1", home.path(), &[next()]));
        let event = home.question_events().remove(0);
        let mode = event["shown"]
            .as_str()
            .map(|shown| shown.split_once(':').unwrap().0);
        assert_eq!(mode, wanted, "{limit}");
        assert_eq!(event["assisted"].is_null(), wanted.is_none());
    }
}

#[test]
fn no_number_is_shown_that_is_not_known() {
    for evidence in [
        Value::Null,
        json!({"agreed": 0, "answers": 0}),
        json!({"agreed": 5, "answers": 4}),
        json!({"agreed": "5", "answers": 5}),
    ] {
        let home = Home::new();
        let mut entry = assists(&next(), "Next area", AssistMode::Note);
        entry["evidence"] = evidence;
        home.prefer(None, &json!({"k": entry}));
        let shown = shown(&home, &ask("toolu_1", home.path(), &[next()])).unwrap();
        let text = &shown[0]["options"][1]["description"];
        assert_eq!(text, "go on to the next one. Your usual answer.");
    }
}

#[test]
fn nothing_is_assisted_where_a_preference_would_not_answer() {
    let home = home(AssistMode::First);
    let none = |home: &Home, call: &Value| {
        assert_eq!(shown(home, call), None, "{call}");
        let event = home.question_events().pop().unwrap();
        assert!(
            event["assisted"].is_null() && event["shown"].is_null(),
            "{event}"
        );
    };
    let plain = |question: &Value| ask("toolu_1", home.path(), std::slice::from_ref(question));
    // Other texts, options and descriptions than were seen; look-alikes; a text twice.
    none(&home, &plain(&question("k", "Next stop?", LABELS)));
    none(
        &home,
        &plain(&question(
            "k",
            "Next step?",
            &["More questions", "Next area"],
        )),
    );
    none(
        &home,
        &plain(&question("k", "Delete the production database?", LABELS)),
    );
    none(&home, &ask("toolu_2", home.path(), &[next(), next()]));
    // Read together, two questions are one-way.
    let tables = question(
        "tables",
        "The old production tables?",
        &["Drop the database", "Keep them"],
    );
    none(
        &home,
        &ask(
            "toolu_3",
            home.path(),
            &[next(), tables, question("x", "Drop?", LABELS)],
        ),
    );
    // Sub-agents, servers, calls without an id, answers of the model's own.
    let mut of_agent = plain(&next());
    of_agent["agent_id"] = json!("a1");
    none(&home, &of_agent);
    let mut of_server = plain(&next());
    of_server["tool_name"] = json!("mcp__conductor__AskUserQuestion");
    none(&home, &of_server);
    let mut answered = plain(&next());
    answered["tool_input"]["answers"] = json!({TEXT: "Next area"});
    none(&home, &answered);
    // Headless, disabled, switched off, one-way.
    for (name, value) in [("PLANTUNE_HEADLESS", "1"), ("PLANTUNE_DISABLE", "1")] {
        let home = self::home(AssistMode::First).with(name, value);
        none(&home, &ask("toolu_1", home.path(), &[next()]));
    }
    home.configure("enabled = false\n");
    none(&home, &plain(&next()));
    let drop = question(
        "d",
        "What about the old tables?",
        &["Drop the database", "Keep them"],
    );
    let home = Home::new();
    home.prefer(
        None,
        &json!({"d": assists(&drop, "Drop the database", AssistMode::First)}),
    );
    none(&home, &ask("toolu_1", home.path(), &[drop]));
}

#[test]
fn what_answers_goes_before_what_assists() {
    let home = home(AssistMode::First);
    home.configure("spot_check = 1\n");
    let project = plantune_domain::project::project_key(home.path());
    home.prefer(Some(&project), &json!({"k": pinned(&next(), "Next area")}));
    // A spot check is asked as it is.
    assert_eq!(shown(&home, &ask("toolu_1", home.path(), &[next()])), None);
    let event = home.question_events().remove(0);
    assert_eq!(
        (&event["ask_reason"], &event["assisted"]),
        (&json!("spot_check"), &Value::Null)
    );
    home.configure("spot_check = 0\n");
    let said = home.call(&ask("toolu_2", home.path(), &[next()]));
    assert!(said.contains("\"permissionDecision\":\"allow\""), "{said}");
    home.prefer(Some(&project), &json!({"k": {"preference": "always-ask"}}));
    assert_eq!(shown(&home, &ask("toolu_3", home.path(), &[next()])), None);
}

#[test]
fn questions_of_one_call_are_changed_one_by_one() {
    let home = home(AssistMode::First);
    let other = question("z", "Which colour?", &["Red", "Blue"]);
    let call = ask("toolu_1", home.path(), &[other.clone(), next()]);
    let shown = shown(&home, &call).unwrap();
    assert_eq!(shown[0], other);
    assert_eq!(labels(&shown[1])[0], "Next area");
    answered(
        &home,
        &call,
        &shown,
        &json!({
            TEXT: "Next area", "<plantune:z> Which colour?": "Blue",
        }),
    );
    let events = home.question_events();
    assert_eq!(events[0]["assisted"], Value::Null);
    assert_eq!(events[1]["assisted"], true);
    assert_eq!(events[3]["options"], json!(LABELS));
}

#[test]
fn the_input_is_as_sent_but_for_what_is_changed() {
    let home = home(AssistMode::Note);
    let sent = ask("toolu_1", home.path(), &[next()]).to_string();
    // Numbers, spaces and escapes that another writer would write otherwise.
    let odd = "\"tool_input\":{ \"metadata\" : 1.0e2,\"response\":12345678901234567890123, ";
    let sent = sent.replace("\"tool_input\":{", odd);
    let printed = home.run(sent.as_bytes());
    assert!(
        printed.contains("{ \"metadata\" : 1.0e2,\"response\":12345678901234567890123, "),
        "{printed}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the labels and descriptions are, the options shown are those that were sent, one of them
    /// said more of, and the answer is logged against the question as it was sent.
    #[test]
    fn any_question_is_mapped_back(
        texts in prop::collection::btree_map("[a-zé\"\\\\,: ]{1,12}", "\\PC{0,20}", 2..5),
        chosen in 0_usize..5, usual in 0_usize..5, first in any::<bool>(),
    ) {
        let texts: Vec<(String, String)> = texts.into_iter()
            .map(|(label, text)| (format!("x{label}x"), text)).collect();
        let options: Vec<Value> = texts.iter()
            .map(|(label, text)| json!({"label": label, "description": text})).collect();
        let sent = json!({"question": TEXT, "header": "H", "options": options, "multiSelect": false});
        let (chosen, usual) = (chosen % options.len(), usual % options.len());
        let mode = if first { AssistMode::First } else { AssistMode::Note };
        let home = Home::new();
        home.prefer(None, &json!({"k": assists(&sent, &texts[usual].0, mode)}));
        let call = ask("toolu_1", home.path(), std::slice::from_ref(&sent));
        // Door rules and look-alikes may have it asked as it is.
        if let Some(shown) = shown(&home, &call) {
            let mut back = shown[0].clone();
            let list = back["options"].as_array_mut().unwrap();
            let place = if first { 0 } else { usual };
            let mut noted = list.remove(place);
            let text = noted["description"].as_str().unwrap();
            prop_assert!(text.ends_with(WORDS) && text.starts_with(texts[usual].1.trim_end()));
            noted["description"] = json!(texts[usual].1);
            list.insert(usual, noted);
            prop_assert_eq!(&back, &sent);
            answered(&home, &call, &shown, &json!({TEXT: texts[chosen].0}));
        } else {
            answered(&home, &call, std::slice::from_ref(&sent), &json!({TEXT: texts[chosen].0}));
        }
        let event = home.question_events().pop().unwrap();
        prop_assert_eq!(&event["kind"], "answered");
        prop_assert_eq!(&event["answer"], &json!([texts[chosen].0]));
        let labels: Vec<&String> = texts.iter().map(|(label, _)| label).collect();
        prop_assert_eq!(&event["options"], &json!(labels));
    }
}
