//! What events say about a question: the rules by example, and the laws of merging by random events.

use duckdb::arrow::array::RecordBatch;
use plantune_domain::decision::NOT_PRINTED;
use plantune_domain::event::{Event, QuestionOutcome};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{COLUMNS, KINDS, Question};
use crate::store::columns::{BatchBuilder, Value};

const SECOND: i64 = 1_000_000;

const ASKED: usize = 0;
const ANSWERED: usize = 2;

/// An event about the question at index 0 of the call "t".
fn event(kind: &str) -> Event<'static> {
    let answers = matches!(kind, "answered" | "auto_decided");
    Event {
        kind: kind.to_owned().into(),
        tool_use_id: Some("t".into()),
        question_index: Some(0),
        question_count: Some(2),
        question_key: Some("key".into()),
        question: Some(format!("{kind}?").into()),
        answer: answers.then(|| vec!["Yes".into()]),
        was_auto_decided: (kind == "answered").then_some(false),
        ..Event::default()
    }
}

fn answered_with(answer: &'static str) -> Event<'static> {
    Event {
        answer: Some(vec![answer.into()]),
        ..event("answered")
    }
}

/// The question of `events`, one a second.
fn merged<'e>(events: &'e [Event<'_>]) -> Question<'e> {
    let questions = (0..).zip(events).map(|(second, event)| {
        let question = Question::of(event, second * SECOND);
        question.unwrap().1
    });
    questions.reduce(and).unwrap()
}

fn and<'q>(mut one: Question<'q>, other: Question<'q>) -> Question<'q> {
    one.merge(other);
    one
}

#[test]
fn outcomes() {
    use QuestionOutcome::{Answered, AutoDecided, Dismissed, Failed, Open};
    let decided_by_hook = Event {
        was_auto_decided: Some(true),
        ..event("answered")
    };
    let unnamed = Event {
        answer: None,
        ..event("answered")
    };
    let [asked, decided, answered, dismissed, failed] = KINDS.map(event);
    let marked = answered_with("Yes (Recommended)");
    let withdrawn = Event {
        reason: Some(NOT_PRINTED.into()),
        ..asked.clone()
    };
    for (events, expected) in [
        (vec![&asked], Open),
        (vec![&asked, &answered], Answered),
        (vec![&answered], Answered),
        (vec![&asked, &dismissed], Dismissed),
        (vec![&asked, &failed], Failed),
        (vec![&dismissed, &failed], Failed),
        (vec![&failed, &answered], Answered),
        (vec![&decided], AutoDecided),
        (vec![&decided, &answered], AutoDecided),
        (vec![&decided, &marked], AutoDecided),
        (vec![&decided, &unnamed], AutoDecided),
        (vec![&decided, &failed], AutoDecided),
        // Somebody answered otherwise than the preference.
        (vec![&decided, &answered_with("No")], Answered),
        (vec![&decided_by_hook], AutoDecided),
        // What could not be printed was asked after all.
        (vec![&decided, &withdrawn], Open),
        (vec![&withdrawn, &decided, &answered], Answered),
        (vec![&decided, &dismissed, &withdrawn], Dismissed),
    ] {
        let events: Vec<Event<'_>> = events.into_iter().cloned().collect();
        assert_eq!(merged(&events).outcome(), expected, "{events:?}");
    }
}

#[test]
fn seconds_are_shared_by_the_questions_of_a_call() {
    let [asked, decided, answered, ..] = KINDS.map(event);
    let seconds = |events: &[&Event<'static>]| {
        let events: Vec<_> = events.iter().copied().cloned().collect();
        merged(&events).human_seconds()
    };
    assert_eq!(seconds(&[&asked, &answered]), Some(0.5));
    let alone = Event {
        question_count: None,
        ..asked.clone()
    };
    assert_eq!(seconds(&[&alone, &answered]), Some(1.0));
    assert_eq!(seconds(&[&alone, &alone, &answered]), Some(2.0));
    // No asking, no answer, an answer before its question, and one by a preference.
    for events in [
        vec![&answered],
        vec![&asked],
        vec![&answered, &asked],
        vec![&asked, &decided, &answered],
    ] {
        assert_eq!(seconds(&events), None, "{events:?}");
    }
}

#[test]
fn answer_names() {
    let name = |event: Event<'static>| {
        let (_, question) = Question::of(&event, 0).unwrap();
        question
            .fact(ANSWERED, "answer_name")
            .text()
            .map(str::to_owned)
    };
    let answer = |labels: &[&'static str], free_text: Option<&'static str>| {
        name(Event {
            answer: Some(labels.iter().map(|label| (*label).into()).collect()),
            free_text: free_text.map(Into::into),
            ..event("answered")
        })
    };
    assert_eq!(answer(&["No"], None).as_deref(), Some("No"));
    assert_eq!(answer(&["Yes (Recommended)"], None).as_deref(), Some("Yes"));
    assert_eq!(
        answer(&["Yes (Recommended)", "No"], Some("text")).as_deref(),
        Some("Yes, No")
    );
    assert_eq!(answer(&[], Some("text")).as_deref(), Some("(typed)"));
    assert_eq!(answer(&[], None).as_deref(), Some("(noted)"));
    let without = |free_text: Option<&'static str>| {
        name(Event {
            answer: None,
            free_text: free_text.map(Into::into),
            ..event("answered")
        })
    };
    assert_eq!(without(Some("text")).as_deref(), Some("(typed)"));
    assert_eq!(without(None), None);
}

#[test]
fn of_two_events_of_a_kind_the_earlier_counts() {
    let events = [
        answered_with("first"),
        answered_with("second"),
        event("asked"),
        event("asked"),
    ];
    let question = merged(&events);
    let name = question.fact(ANSWERED, "answer_name");
    assert_eq!(name.text(), Some("first"));
    let row = as_rows(&question);
    let read = Question::read(&row).unwrap().remove(0);
    assert_eq!(read.fact(ASKED, "asked_at"), &Value::Time(2 * SECOND));
    assert_eq!(read.described("question").text(), Some("asked?"));
}

#[test]
fn the_hook_describes_a_question_before_an_import() {
    let asked = |source: &'static str, reason: &'static str| Event {
        source: source.into(),
        ask_reason: Some(reason.into()),
        ..event("asked")
    };
    let events = [
        asked("import:claude-code", "no_preference"),
        asked("hook", "always_ask"),
    ];
    let question = merged(&events);
    assert_eq!(question.described("source").text(), Some("hook"));
    assert_eq!(question.fact(ASKED, "asked_at"), &Value::Time(SECOND));
    assert_eq!(
        question.fact(ASKED, "ask_reason").text(),
        Some("always_ask")
    );
}

#[test]
fn unknown_words_become_unknown() {
    let question = |session_kind: &'static str, word: Option<&'static str>| Event {
        session_kind: session_kind.into(),
        key_source: word.map(Into::into),
        door: word.map(Into::into),
        ask_reason: word.map(Into::into),
        ..event("asked")
    };
    let words = |event: &Event<'_>| {
        let (_, question) = Question::of(event, 0).unwrap();
        let [kind, source, door] = ["session_kind", "key_source", "door"]
            .map(|column| question.described(column).text().map(str::to_owned));
        let reason = question.fact(ASKED, "ask_reason").text();
        [kind, source, door, reason.map(str::to_owned)]
    };
    let expected = |words: [Option<&str>; 4]| words.map(|word| word.map(str::to_owned));
    assert_eq!(
        words(&question("agent", Some("new"))),
        expected([Some("unknown"); 4])
    );
    assert_eq!(
        words(&question("headless", None)),
        expected([Some("headless"), Some("fingerprint"), Some("two-way"), None])
    );
}

fn text() -> impl Strategy<Value = &'static str> {
    select(vec!["", "a", "ä\0\u{1b}\"", "Yes (Recommended)"])
}

fn labels() -> impl Strategy<Value = Option<Vec<&'static str>>> {
    option::of(prop::collection::vec(text(), 0..3))
}

/// Events about one question, with few values for each field, so that many are the same.
fn random_event() -> impl Strategy<Value = (Event<'static>, i64)> {
    let origin = (
        select(&KINDS[..]),
        0..4i64,
        select(vec!["hook", "import:claude-code"]),
        select(vec!["s1", "s2"]),
        select(vec!["interactive", "headless", "new"]),
        text(),
    );
    let description = (
        text(),
        option::of(text()),
        option::of(text()),
        labels(),
        option::of(0..3u32),
        any::<Option<bool>>(),
    );
    let ending = (
        labels(),
        option::of(text()),
        option::of(text()),
        any::<Option<bool>>(),
        any::<Option<Option<bool>>>(),
        option::of(select(vec!["two-way", "one-way", "new"])),
    );
    (origin, description, ending).prop_map(|(origin, description, ending)| {
        let (kind, at, source, session_id, session_kind, project) = origin;
        let (question, header, reason, options, question_count, multi_select) = description;
        let (answer, free_text, preference, was_auto_decided, followed, door) = ending;
        let labels = |labels: Vec<&'static str>| labels.into_iter().map(Into::into).collect();
        let event = Event {
            source: source.into(),
            session_id: session_id.into(),
            session_kind: session_kind.into(),
            project: project.into(),
            question: Some(question.into()),
            header: header.map(Into::into),
            options: options.map(labels),
            question_count,
            multi_select,
            door: door.map(Into::into),
            door_reason: header.map(Into::into),
            skill: reason.map(Into::into),
            ask_reason: reason.map(Into::into),
            reason: reason.map(Into::into),
            answer: answer.map(labels),
            free_text: free_text.map(Into::into),
            notes: free_text.map(Into::into),
            preference: preference.map(Into::into),
            preference_scope: preference.map(Into::into),
            mechanism: preference.map(Into::into),
            was_auto_decided,
            followed_recommendation: followed,
            error_kind: reason.map(Into::into),
            error: header.map(Into::into),
            ..event(kind)
        };
        (event, at * SECOND)
    })
}

fn random_events() -> impl Strategy<Value = Vec<(Event<'static>, i64)>> {
    prop::collection::vec(random_event(), 1..8)
}

fn merge_all<'e>(events: &'e [(Event<'static>, i64)]) -> Question<'e> {
    let questions = events
        .iter()
        .map(|(event, ts)| Question::of(event, *ts).unwrap().1);
    questions.reduce(and).unwrap()
}

fn as_rows(question: &Question<'_>) -> RecordBatch {
    let mut rows = BatchBuilder::new(&COLUMNS);
    question.push(chrono_tz::Europe::Berlin, &mut rows).unwrap();
    rows.finish().unwrap().remove(0)
}

proptest! {
    #[test]
    fn merging_is_commutative_associative_and_idempotent(
        one in random_events(),
        two in random_events(),
        three in random_events(),
    ) {
        let [a, b, c] = [&one, &two, &three].map(|events| merge_all(events));
        let all = and(and(a.clone(), b.clone()), c.clone());
        prop_assert_eq!(and(a.clone(), b.clone()), and(b.clone(), a.clone()));
        prop_assert_eq!(and(a.clone(), and(b.clone(), c)), all.clone());
        prop_assert_eq!(and(all.clone(), b), all.clone());
        prop_assert_eq!(and(all.clone(), a), all);
    }

    #[test]
    fn a_row_is_read_back_as_the_same_question(events in random_events()) {
        let question = merge_all(&events);
        let batch = as_rows(&question);
        prop_assert_eq!(Question::read(&batch).unwrap(), vec![question]);
    }
}
