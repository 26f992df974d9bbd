//! When the built hook answers, and when it asks and why.

use crate::common::{
    Home, OPTIONS, ask as call, create_one, decide, given_for, never_ask, pinned, question,
    with_text,
};
use plantune_domain::project::project_key;
use serde_json::{Value, json};

#[test]
fn every_ask_reason_is_logged() {
    let home = Home::new();
    let create = create_one();
    let two = with_text("Create one?", &["A (Recommended)", "B (recommended)"]);
    let tables = with_text(
        "What about the old tables?",
        &["Drop the database", "Keep them"],
    );
    home.prefer(
        None,
        &json!({
            "never": never_ask(&create),
            "two": never_ask(&two),
            "always": {"preference": "always-ask"},
            "pinned": pinned(&create, "skip (recommended)"),
            "gone": pinned(&create, "Archive"),
            "only": given_for(&create, json!({"preference": "ask-only-for-one-way"})),
            "part-split-2": never_ask(&create),
            "drop": pinned(&tables, "Drop the database"),
        }),
    );
    let one =
        |key: &str, text: &str, options: &[&str]| decide(&home, &[question(key, text, options)]);
    let asked = |key: &str, text: &str, options: &[&str]| {
        let (decision, reasons) = one(key, text, options);
        assert_eq!(decision, Value::Null, "{key}: {text}");
        reasons.join(",")
    };
    assert_eq!(asked("unknown", "Create one?", OPTIONS), "no_preference");
    // Without a preference, too, it says what none could answer.
    for (text, options, reason) in [
        (
            "Delete the old tables?",
            &["Yes (Recommended)", "No"],
            "one_way",
        ),
        ("Delete the old tables?", &["Yes", "No"], "one_way"),
        (
            "How shall it go on?",
            &["Push to main (Recommended)", "Wait"],
            "one_way",
        ),
        (
            "More questions about deleting accounts, or move to the next area?",
            &["More questions", "Next area"],
            "no_preference",
        ),
        (
            "Delete the old tables?",
            &["Show them (Recommended)", "Delete them"],
            "no_preference",
        ),
    ] {
        assert_eq!(
            asked("unknown", text, options),
            reason,
            "{text} {options:?}"
        );
    }
    assert_eq!(asked("always", "Create one?", OPTIONS), "always_ask");
    assert_eq!(
        asked(
            "never",
            "Delete the old tables?",
            &["Yes (Recommended)", "No"]
        ),
        "one_way"
    );
    assert_eq!(
        asked(
            "only",
            "Force push the branch?",
            &["Yes (Recommended)", "No"]
        ),
        "one_way"
    );
    assert_eq!(
        asked(
            "drop",
            "What about the old tables?",
            &["Drop the database", "Keep them"]
        ),
        "one_way"
    );
    assert_eq!(
        asked("never", "Create one?", &["Create it", "Skip"]),
        "ambiguous"
    );
    assert_eq!(
        asked(
            "two",
            "Create one?",
            &["A (Recommended)", "B (recommended)"]
        ),
        "ambiguous"
    );
    assert_eq!(asked("gone", "Create one?", OPTIONS), "ambiguous");
    assert_eq!(asked("part-split-2", "Create one?", OPTIONS), "split");
    let label = |decision: &Value| {
        decision["hookSpecificOutput"]["updatedInput"]["answers"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .clone()
    };
    assert_eq!(
        label(&one("never", "Create one?", OPTIONS).0),
        "Create it (Recommended)"
    );
    assert_eq!(
        label(&one("only", "Create one?", OPTIONS).0),
        "Create it (Recommended)"
    );
    assert_eq!(label(&one("pinned", "Create one?", OPTIONS).0), "Skip");
}

#[test]
fn call_is_decided_completely_or_not_at_all() {
    let home = Home::new();
    let (a, b, c) = (
        question("a", "A?", OPTIONS),
        question("b", "B?", OPTIONS),
        question("c", "C?", OPTIONS),
    );
    home.never_ask(&[a.clone(), b.clone()]);
    let (decision, reasons) = decide(&home, &[a.clone(), c]);
    assert_eq!(
        (decision, reasons),
        (
            Value::Null,
            vec!["partial_call".into(), "no_preference".into()]
        )
    );
    let (decision, _) = decide(&home, &[a.clone(), b]);
    assert_eq!(
        decision["hookSpecificOutput"]["updatedInput"]["answers"]
            .as_object()
            .unwrap()
            .len(),
        2
    );
    // Answers are keyed by text: the same text twice cannot be answered.
    let (decision, reasons) = decide(&home, &[a.clone(), a]);
    assert_eq!((decision, reasons.len()), (Value::Null, 2));
}

#[test]
fn preferences_that_disagree_are_not_obeyed() {
    let home = Home::new();
    let project = project_key(home.path());
    let asked = [create_one()];
    let skip = json!({"k": pinned(&asked[0], "Skip")});
    home.prefer(None, &skip);
    home.prefer(Some(&project), &json!({"k": never_ask(&asked[0])}));
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["ambiguous".into()])
    );
    home.prefer(Some(&project), &skip);
    assert_ne!(decide(&home, &asked).0, Value::Null);
    home.prefer(Some(&project), &json!({"k": {"preference": "always-ask"}}));
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["always_ask".into()])
    );
}

#[test]
fn spot_check_logs_the_planned_answer() {
    let home = Home::new();
    home.configure("spot_check = 1\n");
    let questions = [question("a", "A?", OPTIONS), question("b", "B?", OPTIONS)];
    let only = json!({"preference": "ask-only-for-one-way", "answer": "skip"});
    let (global, mine) = (
        json!({"a": never_ask(&questions[0])}),
        json!({"b": given_for(&questions[1], only)}),
    );
    home.prefer(None, &global);
    home.prefer(Some(&project_key(home.path())), &mine);
    let (decision, reasons) = decide(&home, &questions);
    assert_eq!(
        (decision, reasons),
        (Value::Null, vec!["spot_check".to_owned(); 2])
    );
    let events: Vec<Value> = home
        .events()
        .iter()
        .map(|event| {
            json!([
                event["answer"],
                event["preference"],
                event["preference_scope"]
            ])
        })
        .collect();
    assert_eq!(
        events,
        [
            json!([["Create it (Recommended)"], "never-ask", "global"]),
            json!([["Skip"], "ask-only-for-one-way", "project"]),
        ]
    );
    // What could not have been answered is no spot check.
    assert_eq!(
        decide(&home, &[question("c", "C?", OPTIONS)]).1,
        ["no_preference"]
    );
}

#[test]
fn hook_registered_twice_decides_once() {
    let home = Home::new();
    home.configure("spot_check = 0.3\n");
    let question = question("a", "A?", OPTIONS);
    home.prefer(None, &json!({"a": never_ask(&question)}));
    let mut asked = 0;
    for number in 0..30 {
        let call = call(
            &format!("toolu_{number}"),
            home.path(),
            std::slice::from_ref(&question),
        );
        let both = [home.call(&call), home.call(&call)];
        assert_eq!(both[0], both[1]);
        asked += u32::from(both[0].is_empty());
    }
    assert!((5..=15).contains(&asked), "{asked} of 30");
}

#[test]
fn family_is_answered_while_options_and_text_are_as_seen() {
    use plantune_domain::family::{set_key, template_key};
    let owned = |texts: &[&str]| {
        texts
            .iter()
            .map(|&text| text.to_owned())
            .collect::<Vec<_>>()
    };
    let areas = ["More questions", "Next area"];
    let yes_no = ["Yes", "No"];
    let drafts = ["Format draft", "Leave draft alone"];
    let views = ["Grid view", "List view"];
    let key = |options: &[&str], template: &[&str]| {
        let set = set_key(&owned(options));
        match template {
            [] => set,
            words => template_key(&set, &owned(words)),
        }
    };
    let entry = |options: &[&str], template: &[&str], answer: &str, texts: &Value| {
        let forms = texts.as_array().unwrap().iter();
        let forms: Value = forms.map(|text| json!({"text": text})).collect();
        let preference = json!({"preference": "never-ask", "answer": answer,
            "template": template, "binding": forms});
        given_for(&with_text("As last seen?", options), preference)
    };
    let both = "Run the linter and use tabs here?";
    let linter = json!([[{"words": 1}, ": run the linter now?"], both]);
    let tabs = json!(["Use tabs here, in `x`?", both]);
    let draft = json!([[{"words": 1}, ": shall I format the draft?"]]);
    let enough = json!([["Enough of ", {"words": 1}, "?"]]);
    let (run, use_tabs) = (["run", "the", "linter"], ["use", "tabs", "here"]);
    let moods = ["Bright mood (Recommended)", "Dark mood"];
    let mut always = entry(&moods, &["pick", "the", "mood"], "Bright mood", &json!([]));
    always["preference"] = json!("always-ask");
    let mut without_template = entry(&views, &[], "Grid view", &json!(["Which view?"]));
    without_template.as_object_mut().unwrap().remove("template");
    let home = Home::new();
    home.prefer(
        None,
        &json!({
            key(&areas, &[]): entry(&areas, &[], "Next area", &enough),
            key(&yes_no, &run): entry(&yes_no, &run, "Yes", &linter),
            key(&yes_no, &use_tabs): entry(&yes_no, &use_tabs, "No", &tabs),
            key(&drafts, &[]): entry(&drafts, &["format", "the", "draft"], "Format draft", &draft),
            key(&views, &[]): without_template,
            key(&moods, &["pick", "the", "mood"]): always,
        }),
    );
    let one = |text: &str, options: &[&str]| {
        let (decision, reasons) = decide(&home, &[with_text(text, options)]);
        let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        match answers[text].as_str() {
            Some(label) => label.to_owned(),
            None => reasons.join(","),
        }
    };
    assert_eq!(one("Enough of login?", &areas), "Next area");
    let moved = ["next area (Recommended)", "More questions"];
    assert_eq!(one("Enough of search?", &moved), moved[0]);
    // The options alone say nothing.
    assert_eq!(one("What about `x`?", &areas), "ambiguous");
    let more = ["More questions", "Next area", "Stop"];
    assert_eq!(one("Enough of login?", &more), "no_preference");
    assert_eq!(one("search: run the linter now?", &yes_no), "Yes");
    assert_eq!(one("Use tabs here, in `x`?", &["No", "Yes"]), "No");
    assert_eq!(one("Use tabs here, in `y`?", &yes_no), "ambiguous");
    // A text of two families which say different things.
    assert_eq!(one(both, &yes_no), "ambiguous");
    assert_eq!(one("Keep the schema as it is?", &yes_no), "ambiguous");
    assert_eq!(one("Overwrite the schema?", &yes_no), "one_way");
    assert_eq!(
        one("charts: shall I format the draft?", &drafts),
        "Format draft"
    );
    // Not the text that the person decided about: asked, with a reason.
    for text in [
        "billing: shall I polish the draft?",
        "billing: shall I format the draft now?",
    ] {
        assert_eq!(one(text, &drafts), "ambiguous", "{text}");
    }
    // "Format draft" deletes nothing, and is given for other texts.
    assert_eq!(
        one("Delete the old tables: format the draft?", &drafts),
        "ambiguous"
    );
    // A preference that does not say its words holds for its own text.
    assert_eq!(one("Which view?", &views), "Grid view");
    assert_eq!(one("And here?", &views), "ambiguous");
    // What always asks in one family answers nothing in another of the same options.
    assert_eq!(one("Pick the mood, please?", &moods), "always_ask");
    assert_eq!(one("And for the footer?", &moods), "no_preference");
    // A marked question has the key of its marker, whatever its options are.
    let (decision, _) = decide(&home, &[question("other", "Enough of login?", &areas)]);
    assert_eq!(decision, Value::Null);
    let decided = home
        .events()
        .into_iter()
        .find(|event| event["kind"] == "auto_decided")
        .unwrap();
    assert_eq!(
        (&decided["question_key"], &decided["key_source"]),
        (&json!(key(&areas, &[])), &json!("family"))
    );
}
