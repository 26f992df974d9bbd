use plantune_domain::binding::Shown;

use super::*;
use crate::evidence::tests::answer;
use crate::suggest::suggestions::{Asked, preference};

/// Askings of `texts`, answered "Yes" of yes and no.
fn asked(texts: &[&str]) -> Vec<HumanAnswer> {
    let one = |text: &&str| {
        let mut answer = answer(&["Yes", "No"], &["Yes"]);
        answer.question = (*text).to_owned();
        answer.descriptions = Some(Vec::new());
        answer.previews = Some(Vec::new());
        answer
    };
    texts.iter().map(one).collect()
}

fn bound(askings: &[HumanAnswer], openness: Openness) -> Binding {
    bind(
        &askings.iter().collect::<Vec<_>>(),
        openness,
        &Fillers::default(),
        None,
    )
}

fn covers(binding: &Binding, text: &str) -> bool {
    let shown = Shown {
        text,
        options: &binding.options,
        descriptions: Some(&[]),
        previews: Some(&[]),
        ..Shown::default()
    };
    let asked = Asked {
        question_key: "a".to_owned(),
        key_source: "fingerprint".to_owned(),
        question: binding.question.clone(),
        ..Asked::default()
    };
    preference(&asked, Some("Yes"), binding)
        .covers(&shown)
        .is_ok()
}

fn in_words(binding: &Binding) -> Vec<String> {
    let forms = binding.forms.iter();
    forms.map(|form| form.text.to_string()).collect()
}

#[test]
fn topics_are_open_from_the_third_on() {
    let texts =
        ["billing", "login", "themes"].map(|topic| format!("{topic}: shall I format the draft?"));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let two = bound(&asked(&texts[..2]), Openness::BY_TEXT);
    assert!(covers(&two, texts[0]) && !covers(&two, texts[2]));
    let three = bound(&asked(&texts), Openness::BY_TEXT);
    assert_eq!(in_words(&three), ["<one word>: shall I format the draft?"]);
    assert!(three.recurs() && covers(&three, "charts: shall I format the draft?"));
    // A marker's author vouches for what it means: two are enough, and longer topics.
    let named = bound(&asked(&texts[..2]), Openness::BY_NAME);
    assert!(covers(
        &named,
        "search index page: shall I format the draft?"
    ));
    for text in [
        "charts: shall I not format the draft?",
        "production: shall I format the draft?",
        "charts: shall I format the draft and publish it?",
        "charts: shall I format the 3 drafts?",
    ] {
        assert!(!covers(&three, text) && !covers(&named, text), "{text}");
    }
}

#[test]
fn another_wording_closes_nothing() {
    let texts = [
        "billing: shall I format the draft?",
        "Your thoughts on logins here, before the draft grows?",
        "login: shall I format the draft?",
        "themes: shall I format the draft?",
    ];
    let binding = bound(&asked(&texts), Openness::BY_TEXT);
    assert!(covers(&binding, "charts: shall I format the draft?"));
    assert!(covers(&binding, texts[1]));
    assert!(!covers(
        &binding,
        "Your thoughts on charts here, before the draft grows?"
    ));
}

#[test]
fn what_no_slot_takes_holds_as_seen() {
    for texts in [
        [
            "Run `make lint`?",
            "Run `make test`?",
            "Run `cargo fmt`?",
            "Run `make docs`?",
        ],
        [
            "Use 3 workers now?",
            "Use 4 workers now?",
            "Use 5 workers now?",
            "Use 6 workers now?",
        ],
        ["Limit: €5?", "Limit: €6?", "Limit: €7?", "Limit: €8?"],
        [
            "Wait for 5 €, yes?",
            "Wait for 6 €, yes?",
            "Wait for 7 €, yes?",
            "Wait for 8 €, yes?",
        ],
        [
            "Look at a.com now?",
            "Look at b.com now?",
            "Look at c.com now?",
            "Look at d.com now?",
        ],
        [
            "Wait 5 s longer?",
            "Wait 5 m longer?",
            "Wait 5 h longer?",
            "Wait 5 d longer?",
        ],
        [
            "Spend $5 more?",
            "Spend $6 more?",
            "Spend $7 more?",
            "Spend $8 more?",
        ],
        [
            "Format the code now?",
            "Rename the code now?",
            "Split the code now?",
            "Sort the code now?",
        ],
        [
            "Format the database draft?",
            "Format the users draft?",
            "Format the backups draft?",
            "Format the customers draft?",
        ],
        [
            "Try the dev server?",
            "Try the staging server?",
            "Try the qa server?",
            "Try the uat server?",
        ],
    ] {
        let seen = bound(&asked(&texts[..3]), Openness::BY_NAME);
        assert!(
            texts[..3].iter().all(|text| covers(&seen, text)),
            "{texts:?}"
        );
        assert!(!covers(&seen, texts[3]), "{texts:?}");
    }
}

#[test]
fn numbers_and_files_are_open_where_they_name_one() {
    let seen = bound(
        &asked(&[
            "Step 2 is done. Go on?",
            "Step 4 is done. Go on?",
            "Step 9 is done. Go on?",
        ]),
        Openness::BY_TEXT,
    );
    let older = [
        "Look at those older than 7?",
        "Look at those older than 14?",
        "Look at those older than 30?",
    ];
    let amounts = bound(&asked(&older), Openness::BY_TEXT);
    assert!(covers(&amounts, older[1]) && !covers(&amounts, "Look at those older than 60?"));
    // Steps are counted up, but not far beyond where the person has been.
    assert!(covers(&seen, "Step 7 is done. Go on?"));
    assert!(covers(&seen, "Step 18 is done. Go on?"));
    assert!(!covers(&seen, "Step 19 is done. Go on?"));
    let seen = bound(
        &asked(&["Format 2 files?", "Format 4 files?", "Format 9 files?"]),
        Openness::BY_TEXT,
    );
    // The same words with a number between are the same question.
    assert!(covers(&seen, "Format 5 files?") && !covers(&seen, "Format 10 files?"));
    let seen = bound(
        &asked(&[
            "Done with PR 2, go on?",
            "Done with PR 4, go on?",
            "Done with PR 9, go on?",
        ]),
        Openness::BY_TEXT,
    );
    assert!(covers(&seen, "Done with PR 5, go on?"));
    assert!(!covers(&seen, "Done with PR 19, go on?"));
    let seen = bound(
        &asked(&[
            "Plan ready at `plans/a.md`, build it?",
            "Plan ready at `plans/b-c.md`, build it?",
            "Plan ready at `plans/d.md`, build it?",
        ]),
        Openness::BY_TEXT,
    );
    assert_eq!(
        in_words(&seen),
        ["Plan ready at `<file .md in plans>`, build it?"]
    );
    for path in [
        "../plans/a.md",
        "/plans/a.md",
        "plans/a.sh",
        "plans/CLAUDE.md",
        "notes/a.md",
        "plans/.a.md",
        "a.md`, then `rm x",
    ] {
        assert!(
            !covers(&seen, &format!("Plan ready at `{path}`, build it?")),
            "{path}"
        );
    }
}

#[test]
fn unrelated_texts_stay_apart() {
    let seen = bound(
        &asked(&[
            "Shall the tour remember?",
            "Is caching fine here?",
            "Dark mode by default?",
        ]),
        Openness::BY_TEXT,
    );
    assert_eq!(seen.forms.len(), 3);
    assert!(!seen.recurs() && !covers(&seen, "Is the data fine here?"));
}

#[test]
fn other_options_are_not_bound() {
    let mut askings = asked(&["Go on?", "Go on?", "Go on?"]);
    askings[0].options.push("Later".to_owned());
    askings[1].options = ["No", "Yes (Recommended)"].map(str::to_owned).to_vec();
    let seen = bound(&askings, Openness::BY_TEXT);
    assert_eq!(
        (seen.options.len(), seen.forms.len(), seen.recurring),
        (2, 1, 2)
    );
    askings[2].multi_select = true;
    assert!(bound(&askings, Openness::BY_TEXT).multi_select);
}

#[test]
fn descriptions_are_bound_in_the_order_of_the_options() {
    let mut askings = asked(&["Go on?", "Go on?"]);
    askings[0].descriptions = Some(vec!["at once".to_owned(), "stop".to_owned()]);
    askings[1].options.reverse();
    askings[1].descriptions = Some(vec!["stop".to_owned(), "at once".to_owned()]);
    let seen = bound(&askings, Openness::BY_TEXT);
    assert_eq!(seen.forms.len(), 1);
    let described: Vec<String> = seen.forms[0]
        .descriptions
        .iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        (seen.options[0].as_str(), described[0].as_str()),
        ("No", "stop")
    );
}

#[test]
fn many_forms_keep_the_latest() {
    let texts: Vec<String> = (0..60)
        .map(|number| format!("Run `job-{number}`?"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let seen = bound(&asked(&texts), Openness::BY_TEXT);
    assert_eq!(seen.forms.len(), MOST_FORMS);
    assert!(covers(&seen, "Run `job-59`?") && !covers(&seen, "Run `job-60`?"));
}

#[test]
fn the_latest_and_those_that_have_least_in_common() {
    let texts = [
        "Format the draft of billing?",
        "Rename the widget in search?",
        "Format the draft of login?",
        "Format the draft of billing?",
        "Format the draft of search?",
    ];
    assert_eq!(
        most_different(&texts, 3),
        [
            "Format the draft of search?",
            "Rename the widget in search?",
            "Format the draft of billing?"
        ]
    );
    assert_eq!(most_different(&texts[..1], 3), [texts[0]]);
    assert_eq!(most_different(&[], 3), [""; 0]);
}
