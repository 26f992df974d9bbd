use super::*;
use crate::familiar::Agreed;
use crate::preferences::{Policy, Preference};

/// How `shown` differs from a preference for "Yes" that was given for `forms` of `options`.
fn differs_from(forms: Vec<Form>, options: &[String], shown: &Shown<'_>) -> Option<Difference> {
    let preference = Preference {
        answer: Some("Yes".to_owned()),
        question: Some(String::new()),
        options: Some(options.to_vec()),
        binding: forms,
        ..Preference::of(Policy::NeverAsk)
    };
    preference.covers(shown).err()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Exactly these options, of which one may be chosen.
fn offered(options: &[String]) -> Offered<'_> {
    Offered {
        options,
        added: &[],
        multi_select: false,
    }
}

fn topic_form() -> Form {
    let after = Part::Fixed(": shall I format the draft?".to_owned());
    Form {
        text: Pattern::of(vec![Part::Slot(Slot::Words(2)), after]),
        header: Some(Pattern::of(vec![Part::Slot(Slot::Words(1))])),
        descriptions: Some(Vec::new()),
        previews: Some(Vec::new()),
    }
}

/// How `text` with `header` and two options without descriptions differs from [`topic_form`].
fn difference(text: &str, header: &str) -> Option<Difference> {
    let options = owned(&["Yes", "No"]);
    let seen = Agreed {
        question: "billing: shall I format the draft?",
        header: "billing",
        label: "Yes",
        ..Agreed::default()
    };
    let preference = Preference {
        answer: Some("Yes".to_owned()),
        question: Some(seen.question.to_owned()),
        options: Some(options.clone()),
        binding: vec![topic_form()],
        familiar: Some(Familiar::of([seen])),
        ..Preference::of(Policy::NeverAsk)
    };
    let shown = Shown {
        text,
        header: Some(header),
        options: &options,
        ..Shown::default()
    };
    preference.covers(&shown).err()
}

#[test]
fn topics_vary_and_nothing_else() {
    for text in [
        "billing: shall I format the draft?",
        "Search index: shall I  format\nthe draft?",
        "cache-layout: shall I format the draft?",
    ] {
        assert_eq!(difference(text, "billing"), None, "{text}");
    }
    for text in [
        "billing: shall I format the draft",
        "billing: shall I not format the draft?",
        "billing: shall I format the draft and push it?",
        "billing: shall I format the drafts?",
        "billing: shall I Format the draft?",
        "Not billing: shall I format the draft?",
        "Everything: shall I format the draft?",
        "production: shall I format the draft?",
        "nowhere: shall I format the draft?",
        "keylogger: shall I format the draft?",
        "the layoff: shall I format the draft?",
        "Delete it: shall I format the draft?",
        "billing 2: shall I format the draft?",
        "the whole billing area: shall I format the draft?",
        "`rm -rf /`: shall I format the draft?",
        "runFast: shall I format the draft?",
        ": shall I format the draft?",
        "",
    ] {
        assert_eq!(
            difference(text, "billing"),
            Some(Difference::Text),
            "{text}"
        );
    }
    let text = "billing: shall I format the draft?";
    assert_eq!(difference(text, "Push now"), Some(Difference::Header));
}

#[test]
fn options_in_any_order_and_with_any_mark() {
    let seen = owned(&["Yes", "No"]);
    let form = [Form::of_text("Continue?")];
    let differs = |options: &[&str], multi_select: bool| {
        let options = owned(options);
        let shown = Shown {
            text: "Continue?",
            options: &options,
            multi_select,
            ..Shown::default()
        };
        differs_from(form.to_vec(), &seen, &shown)
    };
    assert_eq!(differs(&["No", "Yes (Recommended)"], false), None);
    assert_eq!(differs(&["No", "Yes"], true), Some(Difference::MultiSelect));
    for options in [
        &["Yes", "No", "Later"] as &[&str],
        &["Yes"],
        &["Yes", "Yes"],
        &["Yes", "yes", "No"],
        &["Yes", "N\u{43e}"],
        &["Yes, and push", "No"],
    ] {
        assert_eq!(
            differs(options, false),
            Some(Difference::Options),
            "{options:?}"
        );
    }
}

#[test]
fn more_labels_than_anybody_reads_are_compared_with_nothing() {
    let covers = |count: usize| {
        let options: Vec<String> = (0..count).map(|at| format!("Step {}", 10 + at)).collect();
        let shown = Shown {
            text: "Continue?",
            options: &options,
            ..Shown::default()
        };
        let offered = Offered {
            options: &options,
            added: &[],
            multi_select: false,
        };
        check_options(offered, &shown)
    };
    assert_eq!(covers(MOST_LABELS).unwrap().len(), MOST_LABELS);
    assert_eq!(covers(MOST_LABELS + 1), Err(Difference::Options));
    assert_eq!(covers(100_000), Err(Difference::Options));
}

#[test]
fn descriptions_and_previews_are_compared_by_option() {
    let seen = owned(&["Yes", "No"]);
    let form = |descriptions, previews| Form {
        descriptions,
        previews,
        ..Form::of_text("Continue?")
    };
    let described =
        |texts: &[&str]| Some(texts.iter().map(|text| Pattern::exactly(text)).collect());
    let differs = |form: Form, options: &[&str], descriptions: &[&str], previews: &[&str]| {
        let (options, descriptions) = (owned(options), owned(descriptions));
        let previews: Vec<String> = previews.iter().map(|text| preview_digest(text)).collect();
        let shown = Shown {
            text: "Continue?",
            options: &options,
            descriptions: Some(&descriptions),
            previews: Some(&previews),
            ..Shown::default()
        };
        differs_from(vec![form], &seen, &shown)
    };
    let known = || form(described(&["go on", "stop"]), Some(Vec::new()));
    let labels = ["Yes", "No"];
    assert_eq!(differs(known(), &labels, &["go on", "stop"], &[]), None);
    assert_eq!(
        differs(known(), &["No", "Yes"], &["stop", "go on"], &[]),
        None
    );
    // The two are swapped, an act is added, and a description appears where there was none.
    for other in [&["stop", "go on"] as &[&str], &["go on, and push", "stop"]] {
        let found = differs(known(), &labels, other, &[]);
        assert_eq!(found, Some(Difference::NewAct), "{other:?}");
    }
    let without = || form(Some(Vec::new()), Some(Vec::new()));
    let found = differs(without(), &labels, &["stop", ""], &[]);
    assert_eq!(found, Some(Difference::NewAct));
    // The description of an option that is not chosen may differ.
    assert_eq!(differs(without(), &labels, &["", "stop"], &[]), None);
    // A question with an unseen preview is asked.
    let preview = |text: &str| Some(vec![preview_digest(text), String::new()]);
    let seen_preview = form(None, preview("a = 1"));
    assert_eq!(
        differs(seen_preview.clone(), &labels, &[], &["a = 1", ""]),
        None
    );
    assert_eq!(
        differs(seen_preview, &labels, &[], &["a = 2", ""]),
        Some(Difference::Preview)
    );
    assert_eq!(
        differs(form(None, None), &labels, &[], &["a", ""]),
        Some(Difference::Preview)
    );
}

#[test]
fn numbers_up_to_twice_what_was_seen() {
    let slot = Slot::Number(2, 14);
    for (filler, accepted) in [
        ("2", true),
        ("14", true),
        ("28", true),
        ("29", false),
        ("1", false),
        ("1000", false),
        ("02", false),
        ("2.5", false),
        ("-3", false),
        ("", false),
        ("٣", false),
    ] {
        assert_eq!(slot.accepts(filler), accepted, "{filler}");
    }
}

fn files(folders: &[&str], endings: &[&str]) -> Slot {
    Slot::File {
        folders: owned(folders).into_iter().collect(),
        endings: owned(endings).into_iter().collect(),
    }
}

#[test]
fn any_short_text_is_no_command_and_no_address() {
    let slot = Slot::Any(60);
    for (filler, accepted) in [
        ("US-0042", true),
        ("12 % of 3 files", true),
        ("the deletion of invites", true),
        ("`rm -rf build`", false),
        ("https://hooks.example.com/x", false),
        ("one\ntwo", false),
        ("\"the old title\", don't", true),
        ("\"rm -rf /\"", false),
        ("'git push --force origin main'", false),
        ("/api/users", true),
        ("/etc/passwd", false),
        ("~/.ssh/id_rsa", false),
        ("(../x.md)", false),
        ("ops@corp.example", false),
        (&"a".repeat(61), false),
    ] {
        assert_eq!(slot.accepts(filler), accepted, "{filler}");
    }
}

#[test]
fn seen_texts_are_a_closed_set() {
    let slot = Slot::Seen(owned(&["cache", "login"]).into_iter().collect());
    assert!(slot.accepts("cache") && !slot.accepts("keylogger") && !slot.accepts("Cache"));
}

#[test]
fn files_in_seen_folders_of_seen_endings() {
    let slot = files(&["", "plans", "src/a"], &["md", "rs", "ts"]);
    for (filler, accepted) in [
        ("plans/feat-telemetry.md", true),
        ("README.md", true),
        ("src/a/b_c.rs", true),
        ("src/a/x.py", false),
        ("src/b/x.rs", false),
        ("CLAUDE.md", false),
        ("jest.config.ts", false),
        ("plans/AGENTS.md", false),
        ("/etc/motd.md", false),
        ("~/notes.md", false),
        ("../x.md", false),
        ("src/../../x.md", false),
        ("src/.hidden/x.md", false),
        (".env.md", false),
        ("evil.com/x.md", false),
        ("https://x.md", false),
        ("deploy/scripts.md", false),
        ("a b.md", false),
        ("x.sh", false),
        ("md", false),
    ] {
        assert_eq!(slot.accepts(filler), accepted, "{filler}");
    }
}

#[test]
fn written_form_is_frozen() {
    // This format is on disk in preferences: if this fails, they are read wrongly or not at all.
    let form = Form {
        text: Pattern::of(vec![
            Part::Fixed("Step ".to_owned()),
            Part::Slot(Slot::Number(1, 9)),
            Part::Fixed(" of `".to_owned()),
            Part::Slot(files(&["plans"], &["md"])),
            Part::Fixed("`?".to_owned()),
        ]),
        header: Some(Pattern::exactly("")),
        descriptions: None,
        previews: Some(owned(&["0123456789abcdef", ""])),
    };
    let text = serde_json::to_string(&form).unwrap();
    assert_eq!(
        text,
        r#"{"text":["Step ",{"number":[1,9]}," of `",{"file":{"folders":["plans"],"endings":["md"]}},"`?"],"header":"","previews":["0123456789abcdef",""]}"#
    );
    assert_eq!(serde_json::from_str::<Form>(&text).unwrap(), form);
    assert_eq!(
        form.text.to_string(),
        "Step <1 to 18> of `<file .md in plans>`?"
    );
}

#[test]
fn white_space_is_folded_outside_code_alone() {
    let seen = Pattern::exactly("Run  `make lint test`, then\ngo on?");
    assert!(seen.describes("Run `make lint test`, then go on? "));
    assert!(!seen.describes("Run `make lint\ntest`, then go on?"));
    assert!(!seen.describes("Run `make lint  test`, then go on?"));
}

#[test]
fn white_space_at_ends_and_of_any_kind_is_folded() {
    for (written, folded) in [
        ("", ""),
        (" ", ""),
        ("Go on?", "Go on?"),
        (" Go on?", "Go on?"),
        ("Go on? ", "Go on?"),
        ("Go  on?", "Go on?"),
        ("Go\ton?", "Go on?"),
        ("Go\u{a0}on?\u{3000}", "Go on?"),
        ("Run `a  b` now?", "Run `a  b` now?"),
    ] {
        assert_eq!(fold_white_space(written), folded, "{written:?}");
    }
}

#[test]
fn many_slots_take_bounded_time() {
    let parts = (0..40).flat_map(|_| [Part::Slot(Slot::Words(4)), Part::Fixed("a".to_owned())]);
    assert!(!Pattern::of(parts.collect()).describes(&"a".repeat(8000)));
}

#[test]
fn one_option_that_was_seen_beside_the_others_may_be_there() {
    let (seen, added) = (
        owned(&["Work on it", "Save for later"]),
        owned(&["Split in two"]),
    );
    let place = |options: &[&str]| {
        let options = owned(options);
        let offered = Offered {
            added: &added,
            ..offered(&seen)
        };
        let shown = Shown {
            options: &options,
            ..Shown::default()
        };
        check_options(offered, &shown).ok()
    };
    assert_eq!(place(&["Work on it", "Save for later"]), Some(vec![0, 1]));
    assert_eq!(
        place(&["Split in two", "Save for later", "Work on it (Recommended)"]),
        Some(vec![2, 1])
    );
    for other in [
        &["Work on it", "Save for later", "Push it"][..],
        &["Work on it", "Split in two"],
        &[
            "Work on it",
            "Save for later",
            "Split in two",
            "Split in two",
        ],
        &["Work on it", "Save for later", "Split in two", "Push it"],
    ] {
        assert_eq!(place(other), None, "{other:?}");
    }
}

#[test]
fn a_sentence_in_front_may_be_new_only_where_nothing_is_done() {
    let parts = vec![
        Part::Slot(Slot::Any(80)),
        Part::Fixed(" would you like to do next?".to_owned()),
    ];
    let form = Form::of_pattern(Pattern::of(parts));
    let familiar = Familiar::default();
    for text in [
        "I mowed through the lawn. What would you like to do next?",
        "Zebras run. They swim. What would you like to do next?",
    ] {
        assert!(form.describes_behind(text, &familiar), "{text}");
        assert!(!form.describes(text, &familiar), "{text}");
    }
    for text in [
        // The asking sentence is still read. A text of grammar words only does not count as a sentence, nor does a
        // command.
        "I mowed the lawn. Zebras would you like to do next?",
        "What would you like to do next?",
        "It ran `rm -r src`. What would you like to do next?",
    ] {
        assert!(!form.describes_behind(text, &familiar), "{text}");
    }
}
