//! What makes a question: marker, key, recommendation, door, decision.
//!
//! Input: fields divided by the byte 1F: the text, the header, the labels.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a check is there to panic"
)]

use plantune_domain::commitment::Act;
use plantune_domain::consent;
use plantune_domain::doors::{Door, find_hard};
use plantune_domain::event::Event;
use plantune_domain::gate::decide;
use plantune_domain::keys::{fingerprint, is_id, is_split, normalise, take_marker};
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::{recommended, same_label, strip_mark};
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;
use serde_json::{Value, json};

/// Checks the question in `data`.
pub(crate) fn check(data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let mut fields = input.split('\u{1f}');
    let sent = SentQuestion {
        text: fields.next().unwrap_or_default().to_owned(),
        header: fields.next().map(str::to_owned),
        options: fields.map(str::to_owned).collect(),
        multi_select: None,
        ..SentQuestion::default()
    };
    check_marker(&sent.text);
    check_fingerprint(&sent);
    check_labels(&sent);
    check_doors(&sent);
    let registry = Registry::default();
    let question = Question::identify(sent, &registry);
    check_question(&question);
    check_deciding(question, &registry);
}

fn check_marker(text: &str) {
    let (id, shown) = take_marker(text);
    assert_eq!(
        take_marker(&shown),
        (None, shown.clone()),
        "a marker is left"
    );
    assert_eq!(shown.trim(), shown);
    match id {
        Some(id) => assert!(is_id(&id) && text.contains(&id)),
        None => assert_eq!(shown, text.trim()),
    }
}

/// What one asking differs in from the next does not change the key.
fn check_fingerprint(sent: &SentQuestion) {
    let header = sent.header.as_deref();
    let key = fingerprint(header, &sent.text, &sent.options);
    assert!(is_id(&key) && key.starts_with("fp-"));
    let mut other = sent.options.clone();
    other.reverse();
    for label in &mut other {
        label.make_ascii_uppercase();
    }
    let text = sent.text.to_ascii_uppercase();
    assert_eq!(
        key,
        fingerprint(header, &text, &other),
        "letter case and order"
    );
    if let Some(label) = other.first_mut().filter(|label| !label.trim().is_empty())
        && !strip_mark(label).1
    {
        label.push_str(" (Recommended)");
        assert_eq!(
            key,
            fingerprint(header, &text, &other),
            "the recommendation"
        );
    }
    let normal = normalise(&sent.text);
    assert_eq!(normal.trim(), normal);
}

fn check_labels(sent: &SentQuestion) {
    for label in &sent.options {
        let (name, marked) = strip_mark(label);
        assert!(label.contains(name) && name.trim() == name && !(marked && name.is_empty()));
        assert!(same_label(label, label) && same_label(label, name) == same_label(name, label));
    }
    let marked: Vec<usize> = (0..sent.options.len())
        .filter(|at| strip_mark(&sent.options[*at]).1)
        .collect();
    match (marked.as_slice(), recommended(&sent.text, &sent.options)) {
        // Its text may recommend another one.
        ([one], found) => assert!(found.is_none_or(|at| at == *one)),
        ([], found) => assert!(found.is_none_or(|at| at < sent.options.len())),
        (_, found) => assert_eq!(found, None),
    }
}

/// More text can only add a reason to ask.
fn check_doors(sent: &SentQuestion) {
    let text = sent.text.as_str();
    // What is not read is held for that alone.
    let held = |question: &str| {
        let act = Act::of("", question, "", Some("Yes"), "", "");
        consent::reason(&act).filter(|reason| !reason.starts_with("words"))
    };
    let before = format!("Is the plan fine?\n{text}");
    let behind = format!("{text}\nIs the plan fine?");
    for padded in [before, behind].iter().filter(|_| held(text).is_some()) {
        assert!(held(padded).is_some(), "{padded}");
    }
}

fn check_question(question: &Question) {
    assert!(is_id(&question.key));
    assert!(question.key_source != KeySource::Fingerprint || question.key.starts_with("fp-"));
    let mut event = Event {
        v: 1,
        ..Event::default()
    };
    question.describe(0, 1, &mut event);
    let line = event.to_line().unwrap();
    let read: Event<'_> = serde_json::from_slice(&line).unwrap();
    assert!(read == event || read.truncated == Some(true));
}

/// What is decided is one of the labels, and never against the rules that come first.
fn check_deciding(question: Question, registry: &Registry) {
    let entry = |entry: Value| serde_json::from_value::<Preference>(entry).unwrap();
    let follow = entry(json!({"preference": "never-ask"}));
    let pinned = question.sent.options.last().cloned().unwrap_or_default();
    let pin = entry(json!({"preference": "never-ask", "answer": pinned}));
    let ask = entry(json!({"preference": "always-ask"}));
    let questions = [question];
    for obeyed in [follow, pin] {
        let standing = [vec![(Scope::Global, obeyed.clone())]];
        if let Ok(choices) = decide(&questions, &standing, registry) {
            let [question] = &questions;
            let label = choices[0].label();
            assert!(question.sent.options.iter().any(|offered| offered == label));
            assert!(!is_split(&question.key));
            assert_eq!(question.door(), Door::TwoWay);
            assert_eq!(find_hard(label), None, "{label}");
            let recommended = question.recommended_label();
            assert!(same_label(
                label,
                obeyed.answer.as_deref().or(recommended).unwrap()
            ));
        }
        let asked = [vec![(Scope::Project, obeyed), (Scope::Global, ask.clone())]];
        assert!(decide(&questions, &asked, registry).is_err());
    }
    assert!(decide(&questions, &[vec![]], registry).is_err());
}
