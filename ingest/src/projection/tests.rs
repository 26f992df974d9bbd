//! What events say about a question: the rules by example, and the laws of merging by random events.

use chrono_tz::Tz;
use duckdb::arrow::array::{Array as _, Float64Array, RecordBatch, TimestampMicrosecondArray};
use duckdb::arrow::compute::concat_batches;
use plantune_domain::decision::NOT_PRINTED;
use plantune_domain::event::{Event, QuestionOutcome};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{COLUMNS, KINDS, merge, project};
use crate::arrow::{EventsBuilder, column, texts};
use crate::lines::Decoded;

const SECOND: i64 = 1_000_000;

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

/// The row that events logged at these times make in one chunk.
fn row_of(events: &[(Event<'static>, i64)]) -> RecordBatch {
    let mut builder = EventsBuilder::default();
    for (event, micros) in events {
        let decoded = Decoded {
            event: event.clone(),
            id: [0; 16],
            micros: *micros,
            json: "{}",
        };
        builder.push(&decoded, false).unwrap();
    }
    let row = project(&builder.finish().unwrap(), Tz::Europe__Berlin).unwrap();
    assert_eq!(row.num_rows(), 1);
    row
}

/// One row of two of the same question.
fn and(one: &RecordBatch, other: &RecordBatch) -> RecordBatch {
    let rows = concat_batches(&one.schema(), [one, other]).unwrap();
    let row = merge(&rows, Tz::Europe__Berlin).unwrap();
    assert_eq!(row.num_rows(), 1);
    row
}

/// The row of `events`, one a second; the same whether they stand in one chunk or each in its own.
fn merged(events: &[Event<'static>]) -> RecordBatch {
    let events: Vec<_> = (0..).map(|second| second * SECOND).zip(events).collect();
    let events: Vec<_> = events
        .into_iter()
        .map(|(ts, event)| (event.clone(), ts))
        .collect();
    let row = row_of(&events);
    let alone = events.chunks(1).map(row_of);
    assert_eq!(alone.reduce(|one, other| and(&one, &other)).unwrap(), row);
    row
}

/// A text of the only row.
fn text<'r>(row: &'r RecordBatch, name: &str) -> Option<&'r str> {
    texts(row, name).unwrap().iter().next().unwrap()
}

fn asked_at(row: &RecordBatch) -> i64 {
    let times: &TimestampMicrosecondArray = column(row, "asked_at").unwrap();
    times.value(0)
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
        let row = merged(&events);
        assert_eq!(text(&row, "outcome"), Some(expected.as_str()), "{events:?}");
    }
}

#[test]
fn seconds_are_shared_by_the_questions_of_a_call() {
    let [asked, decided, answered, ..] = KINDS.map(event);
    let seconds = |events: &[&Event<'static>]| {
        let events: Vec<_> = events.iter().copied().cloned().collect();
        let row = merged(&events);
        let seconds: &Float64Array = column(&row, "human_seconds").unwrap();
        seconds.is_valid(0).then(|| seconds.value(0))
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
    let name = |event: Event<'static>| text(&merged(&[event]), "answer_name").map(str::to_owned);
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
    let row = merged(&[
        answered_with("first"),
        answered_with("second"),
        event("asked"),
        event("asked"),
    ]);
    assert_eq!(text(&row, "answer_name"), Some("first"));
    assert_eq!(asked_at(&row), 2 * SECOND);
    assert_eq!(text(&row, "question"), Some("asked?"));
}

#[test]
fn the_hook_describes_a_question_before_an_import() {
    let asked = |source: &'static str, reason: &'static str| Event {
        source: source.into(),
        ask_reason: Some(reason.into()),
        ..event("asked")
    };
    let row = merged(&[
        asked("import:claude-code", "no_preference"),
        asked("hook", "always_ask"),
    ]);
    assert_eq!(text(&row, "source"), Some("hook"));
    assert_eq!(asked_at(&row), SECOND);
    assert_eq!(text(&row, "ask_reason"), Some("always_ask"));
}

#[test]
fn unknown_words_become_unknown() {
    let words = |session_kind: &'static str, word: Option<&'static str>| {
        let row = merged(&[Event {
            session_kind: session_kind.into(),
            key_source: word.map(Into::into),
            door: word.map(Into::into),
            ask_reason: word.map(Into::into),
            ..event("asked")
        }]);
        ["session_kind", "key_source", "door", "ask_reason"]
            .map(|column| text(&row, column).map(str::to_owned))
    };
    let expected = |words: [Option<&str>; 4]| words.map(|word| word.map(str::to_owned));
    assert_eq!(words("agent", Some("new")), expected([Some("unknown"); 4]));
    assert_eq!(
        words("headless", None),
        expected([Some("headless"), Some("fingerprint"), Some("two-way"), None])
    );
}

fn some_text() -> impl Strategy<Value = &'static str> {
    select(vec!["", "a", "ä\0\u{1b}\"", "Yes (Recommended)"])
}

fn labels() -> impl Strategy<Value = Option<Vec<&'static str>>> {
    option::of(prop::collection::vec(some_text(), 0..3))
}

/// Events about one question, with few values for each field, so that many are the same.
fn random_event() -> impl Strategy<Value = (Event<'static>, i64)> {
    let origin = (
        select(&KINDS[..]),
        0..4i64,
        select(vec!["hook", "import:claude-code"]),
        select(vec!["s1", "s2"]),
        select(vec!["interactive", "headless", "new"]),
        some_text(),
    );
    let description = (
        some_text(),
        option::of(some_text()),
        option::of(some_text()),
        labels(),
        option::of(0..3u32),
        any::<Option<bool>>(),
    );
    let ending = (
        labels(),
        option::of(some_text()),
        option::of(some_text()),
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merging_is_commutative_associative_and_idempotent(
        one in random_events(),
        two in random_events(),
        three in random_events(),
    ) {
        let [a, b, c] = [&one, &two, &three].map(|events| row_of(events));
        let all = and(&and(&a, &b), &c);
        prop_assert_eq!(and(&a, &b), and(&b, &a));
        prop_assert_eq!(&and(&a, &and(&b, &c)), &all);
        prop_assert_eq!(&and(&all, &b), &all);
        prop_assert_eq!(&and(&all, &a), &all);
        // Nor does it matter which events stand in one chunk.
        prop_assert_eq!(row_of(&[three, one, two].concat()), all);
    }

    #[test]
    fn a_row_is_merged_alone_to_itself(events in random_events()) {
        let row = row_of(&events);
        prop_assert_eq!(merge(&row, Tz::Europe__Berlin).unwrap(), row);
    }
}

#[test]
fn the_columns_are_those_of_the_table() {
    let store = duckdb::Connection::open_in_memory().unwrap();
    plantune_migrations::create(&store).unwrap();
    let mut statement = store
        .prepare("SELECT column_name FROM duckdb_columns() WHERE table_name = 'questions' ORDER BY column_index")
        .unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    let names: Vec<String> = names.map(Result::unwrap).collect();
    let ours: Vec<&str> = COLUMNS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ours);
}
