//! What an agreement covers, what joins it, and what files of both versions say.

use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
use plantune_domain::atomic_file;
use plantune_domain::preferences::{PreferenceFile, lookup};
use serde_json::json;

const AREAS: &[&str] = &["More questions", "Next area"];
const YES: &[&str] = &["Yes", "No"];

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The question `text` with `options`, which are not described.
fn asking<'a>(text: &'a str, options: &'a [String]) -> Asking<'a> {
    Asking {
        text,
        options,
        ..Asking::default()
    }
}

/// What was agreed to by answering each of `texts` with `label` in two sessions.
fn agreed(texts: &[&str], options: &[String], label: &str) -> Agreement {
    let given: Vec<Given<'_>> = texts
        .iter()
        .flat_map(|text| ["a", "b"].map(|session| (text, session)))
        .map(|(text, session)| Given {
            asking: asking(text, options),
            label,
            session,
        })
        .collect();
    Agreement::of(&given).unwrap()
}

/// Why `agreement` does not cover the question `text`; empty if it does.
fn new_in(agreement: &Agreement, text: &str, options: &[String]) -> String {
    let covered = agreement.covers(&asking(text, options), false);
    covered
        .err()
        .map_or_else(String::new, |new| new.to_string())
}

#[test]
fn a_label_that_refers_needs_its_question() {
    let options = owned(YES);
    let agreement = agreed(&["Go on with step 4 of docs/a.md?"], &options, "Yes");
    for (text, new) in [
        ("Go on with step 8 of docs/b.md?", ""),
        ("go on with step 4 of docs/a.md ?", ""),
        ("Go on with step 9 of docs/a.md?", "new_number: 9"),
        ("Go on with step 0 of docs/a.md?", "new_number: 0"),
        ("Go on with step 4 of src/a.md?", "text_differs"),
        ("Go on with step 4 of docs/a.sh?", "text_differs"),
        (
            "Go on with step 4 of docs/payments.md?",
            "new_sign: payment",
        ),
        ("Go on without step 4 of docs/a.md?", "text_differs"),
        ("Push it?", "one_way: push"),
    ] {
        let found = new_in(&agreement, text, &options);
        assert_eq!(found, new, "{text}");
    }
}

#[test]
fn a_label_that_leaves_things_takes_other_questions() {
    let options = owned(AREAS);
    let seen = ["Is the login fine?", "Is the search not fine?"];
    let agreement = agreed(&seen[..1], &options, "Next area");
    for (text, new) in [
        ("What about the menu?", ""),
        ("Is the search not fine?", "new_sign: not"),
        ("Does it hold for the customers?", "new_sign: customer"),
        ("Is 2.5 fine?", "new_value: 2.5"),
        ("Ist das Menü gut?", "text_differs"),
    ] {
        assert_eq!(new_in(&agreement, text, &options), new, "{text}");
    }
    // What always stood in it must not be missing.
    let agreement = agreed(&seen[1..], &options, "Next area");
    let found = new_in(&agreement, "Is the search fine?", &options);
    assert_eq!(found, "missing_word: not");
    let agreement = agreed(&seen, &options, "Next area");
    assert_eq!(new_in(&agreement, "What about the menu?", &options), "");
}

#[test]
fn options_and_labels_are_those_that_were_agreed_to() {
    let options = owned(AREAS);
    let agreement = agreed(&["Is the login fine?"], &options, "Next area");
    for (labels, new) in [
        (
            &["NEXT area (Recommended)", "more questions"] as &[&str],
            "",
        ),
        (&["Next area"], ""),
        (&["Next area", "Stop"], "options_differ: Stop"),
        (&["More questions"], "options_differ"),
        (
            &["More questions (Recommended)", "Next area"],
            "recommendation_differs: More questions",
        ),
    ] {
        let labels = owned(labels);
        let found = new_in(&agreement, "Is the login fine?", &labels);
        assert_eq!(found, new, "{labels:?}");
    }
    // One that is not for any host is for one.
    let host = |host| Asking {
        host: Some(host),
        ..asking("Is the login fine?", &options)
    };
    let given = Given {
        asking: host("AskUserQuestion"),
        label: "Next area",
        session: "a",
    };
    let agreement = Agreement::exactly(&[given]).unwrap();
    assert!(agreement.covers(&host("AskUserQuestion"), false).is_ok());
    let other = agreement.covers(&host("mcp__forms__AskUserQuestion"), false);
    assert_eq!(other.unwrap_err().to_string(), "host_differs");
}

#[test]
fn only_a_value_may_be_described_in_other_words() {
    let known = "One function next to its caller";
    for (label, known, description, new) in [
        ("Balanced", known, known, ""),
        ("Balanced", known, "A single function beside its caller", ""),
        ("Balanced", "", "A single function", "new_in_description"),
        ("Balanced", known, "", ""),
        (
            "Balanced",
            known,
            "One function next to its caller, with globals",
            "new_in_description",
        ),
        (
            "Balanced",
            known,
            "A function that users share",
            "new_sign: share",
        ),
        ("Write one function", known, known, ""),
        (
            "Write one function",
            known,
            "A single function beside its caller",
            "new_in_description",
        ),
        (
            "Skip",
            known,
            "One function next to its caller, with globals",
            "",
        ),
    ] {
        let options = owned(&[label, "Strict"]);
        let described = |text: &str| owned(&[text, ""]);
        let (seen, asked) = (described(known), described(description));
        let asking = |descriptions| Asking {
            descriptions,
            ..asking("How should I build it?", &options)
        };
        let given = |session| Given {
            asking: asking(&seen),
            label,
            session,
        };
        let agreement = Agreement::of(&[given("a"), given("b")]).unwrap();
        let covered = agreement.covers(&asking(&asked), false);
        let found = covered
            .err()
            .map_or_else(String::new, |new| new.to_string());
        assert_eq!(found, new, "{label}: {description}");
    }
}

#[test]
fn an_outward_act_is_never_agreed_to() {
    for (text, options, label) in [
        ("What next?", &["Push to main", "Wait"], "Push to main"),
        ("Delete the old tables?", &["Yes", "No"], "Yes"),
    ] {
        let options = owned(options);
        let given = |session| Given {
            asking: asking(text, &options),
            label,
            session,
        };
        assert_eq!(Agreement::of(&[given("a"), given("b")]), None, "{text}");
        let exactly = Agreement::exactly(&[given("a")]).unwrap();
        assert!(
            new_in(&exactly, text, &options).starts_with("one_way: "),
            "{text}"
        );
    }
}

#[test]
fn a_sign_needs_two_sessions() {
    let options = owned(AREAS);
    let given = |text, session| Given {
        asking: asking(text, &options),
        label: "Next area",
        session,
    };
    let text = "Is it ready for the customers, to publish it?";
    let once = [
        given("Is the login fine?", "a"),
        given(text, "a"),
        given(text, "a"),
    ];
    let agreement = Agreement::of(&once).unwrap();
    let publishing = |agreement: &Agreement| new_in(agreement, "When do we publish it?", &options);
    assert_eq!(publishing(&agreement), "new_sign: publish");
    let twice = [once[0], once[1], given(text, "b")];
    assert_eq!(publishing(&Agreement::of(&twice).unwrap()), "");
    // What a question is about was seen in one.
    let seen = new_in(&agreement, "What do the customers see?", &options);
    assert_eq!(seen, "");
}

#[test]
fn a_reading_joins_after_two_like_answers_in_two_sessions() {
    let options = owned(YES);
    let agreement = agreed(&["Shall I go on?"], &options, "Yes");
    let given = |text, session| Given {
        asking: asking(text, &options),
        label: "Yes",
        session,
    };
    let other = "Shall I continue with the list?";
    let grown = |given: &[Given<'_>], against: &[Asking<'_>]| {
        let (agreement, texts) = agreement.grown(given, against, false)?;
        assert_eq!(new_in(&agreement, &texts[0], &options), "");
        Some(texts)
    };
    let twice = [given(other, "a"), given(other, "b")];
    assert_eq!(new_in(&agreement, other, &options), "text_differs");
    assert_eq!(grown(&twice, &[]), Some(owned(&[other])));
    assert_eq!(grown(&twice[..1], &[]), None);
    assert_eq!(grown(&[given(other, "a"), given(other, "a")], &[]), None);
    assert_eq!(grown(&twice, &[asking(other, &options)]), None);
    // Neither a sign, nor what can't be undone, nor what is covered.
    for text in [
        "Shall I go on with the customers?",
        "Shall I push it?",
        "Shall I go on?",
    ] {
        let both = [given(text, "a"), given(text, "b")];
        assert_eq!(grown(&both, &[]), None, "{text}");
    }
}

// Files.

/// Version 1, as it was written: frozen, so that files on disk are read for ever.
const VERSION_1: &str = r#"{"version":1,"preferences":{
"pinned":{"preference":"never-ask","answer":"Next area","level":"trial","key_source":"marker",
 "question":"Is the login fine?","header":"Area","options":["More questions","Next area"],
 "tool":"AskUserQuestion","set_at":"2026-10-01T08:00:00.000Z","set_by":"suggest",
 "binding":[{"text":["Is the ",{"words":2}," fine?"],"header":"Area","descriptions":[],"previews":[]}],
 "familiar":{"words":["login"]}},
"written-out":{"preference":"never-ask","answer":"Next area","question":"Is the cart fine?",
 "options":["More questions","Next area"],"tool":"AskUserQuestion",
 "binding":[{"text":"Is the login fine?","header":"Area","descriptions":["Asks on","Goes on"],"previews":[]},
  {"text":["Is ",{"words":1}," fine?"],"descriptions":[],"previews":[]}]},
"follows":{"preference":"never-ask","question":"Is the login fine?",
 "options":["More questions","Next area (Recommended)"]},
"several":{"preference":"never-ask","answer":"Next area","question":"Is the login fine?",
 "options":["More questions","Next area"],"multi_select":true},
"no-question":{"preference":"never-ask","answer":"Next area","options":["More questions","Next area"]},
"no-options":{"preference":"never-ask","answer":"Next area","question":"Is the login fine?"},
"not-offered":{"preference":"never-ask","answer":"Stop","question":"Is the login fine?",
 "options":["More questions","Next area"]},
"nothing-recommended":{"preference":"never-ask","question":"Is the login fine?",
 "options":["More questions","Next area"]},
"unknown-source":{"preference":"never-ask","answer":"Next area","key_source":"guess",
 "question":"Is the login fine?","options":["More questions","Next area"]},
"unknown-setter":{"preference":"never-ask","answer":"Next area","set_by":"someone",
 "question":"Is the login fine?","options":["More questions","Next area"]}}}"#;

fn file(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("preferences.json");
    atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
    (folder, path)
}

#[test]
fn version_1_is_read_and_what_it_does_not_say_asks() {
    let (_folder, path) = file(VERSION_1);
    let whole = PreferenceFile::load(&path).unwrap().unwrap();
    let options = owned(&["More questions", "Next area (Recommended)"]);
    let native = Asking {
        host: Some("AskUserQuestion"),
        ..asking("Is the login fine?", &options)
    };
    let several = Asking {
        multi_select: true,
        ..native
    };
    let described = Asking {
        descriptions: &owned(&["Asks on", "Goes on"]),
        ..native
    };
    // Its label leaves things as they are: how that is said does not matter, what it is about does.
    let otherwise = Asking {
        descriptions: &owned(&["Asks on", "Goes on with the files"]),
        ..native
    };
    let about_more = Asking {
        descriptions: &owned(&["Asks on", "Goes on with the customers"]),
        ..native
    };
    let served = Asking {
        host: Some("mcp__forms__AskUserQuestion"),
        ..native
    };
    for (key, asking, expected) in [
        ("pinned", native, ""),
        ("pinned", served, "host_differs"),
        ("pinned", several, "multi_select_differs"),
        ("written-out", described, ""),
        ("written-out", native, ""),
        ("written-out", otherwise, ""),
        ("written-out", about_more, "new_sign: customer"),
        ("pinned", described, ""),
        ("follows", native, ""),
        ("follows", served, ""),
        ("several", several, ""),
        ("several", native, "multi_select_differs"),
        ("no-question", native, "not_bound"),
        ("no-options", native, "not_bound"),
        ("not-offered", native, "not_bound"),
        ("nothing-recommended", native, "not_bound"),
        ("unknown-source", native, "not_bound"),
        ("unknown-setter", native, "not_bound"),
    ] {
        // As the hook finds it, and as the command line reads it.
        let found = lookup(&path, &[key]).unwrap().remove(0).remove(0);
        for preference in [&found, &whole.preferences[key]] {
            let covered = preference.covers(&asking).map_err(|new| new.to_string());
            match expected {
                "" => assert_eq!(covered, Ok(1), "{key}"),
                new => assert_eq!(covered, Err(new.to_owned()), "{key}"),
            }
        }
    }
    // Its question alone: of a form with places that vary nothing is read.
    let pinned = &whole.preferences["pinned"];
    let other = pinned.covers(&asking("Is the customer login fine?", &options));
    assert_eq!(other.unwrap_err().to_string(), "new_sign: customer");
    assert_eq!(whole.preferences.len(), 10);
    // Written again, it is of today's version, and nothing in it is lost.
    let again = String::from_utf8(whole.to_bytes().unwrap()).unwrap();
    assert!(
        again.contains("\"version\": 2") && again.contains("\"binding\""),
        "{again}"
    );
    let (_folder, path) = file(&VERSION_1.replace("\"version\":1", "\"version\":3"));
    assert!(lookup(&path, &["pinned"]).is_err() && PreferenceFile::load(&path).is_err());
}

/// Version 2: frozen.
#[test]
fn an_agreement_has_a_frozen_form() {
    let options = owned(&["Keep 30 days", "Skip"]);
    let descriptions = owned(&["Keeps the `logs` of 2 weeks", ""]);
    let given = |session| Given {
        asking: Asking {
            host: Some("AskUserQuestion"),
            descriptions: &descriptions,
            previews: &[],
            ..asking(
                "The cache is not full. Version 2.5: keep it in docs/a.md?",
                &options,
            )
        },
        label: "Keep 30 days",
        session,
    };
    let agreement = Agreement::of(&[given("a"), given("b")]).unwrap();
    let expected = json!({
        "acts": [{"label": "Keep 30 days", "descriptions": ["keep `logs` of # week"]}],
        "options": ["keep 30 days", "skip"],
        "host": "AskUserQuestion",
        "texts": [{
            "text": "The cache is not full. Version 2.5: keep it in docs/a.md?",
            "form": "cach not full version = keep it in docs/*.md ?",
        }],
        "askings": ["keep it in docs/*.md ?"],
        "signs": {"cache": 1, "not": 1},
        "areas": ["cache"],
        "always": ["not"],
        "values": ["2.5"],
        "largest": 2,
    });
    assert_eq!(serde_json::to_value(&agreement).unwrap(), expected);
    let read: Agreement = serde_json::from_value(expected).unwrap();
    assert_eq!(read, agreement);
}
