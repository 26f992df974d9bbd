//! Projections: rows of the table `questions`. Each row merges several events about one question, independently of
//! their order and of repeated events.
//!
//! Among several events of a kind one wins, by an order that does not depend on which was read first. Each kind fills
//! its own columns. So merging is commutative, associative and idempotent: events may be applied in any order, and
//! twice. Only the winners' values are copied, column by column.

pub(crate) mod fields;

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use chrono_tz::Tz;
use duckdb::arrow::array::{
    Array, ArrayRef, BooleanArray, DynComparator, Float64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, UInt32Array, UInt64Array, make_comparator,
};
use duckdb::arrow::compute::{SortOptions, take};
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::{Kind, NOT_PRINTED, QuestionOutcome};
use plantune_domain::hash::{FNV_BASIS, fnv1a};

use self::fields::{days, field, name_of_labels};
use crate::arrow::{array, column, texts};

/// The kinds of events about a question, by rank: the description comes from the first kind present.
const KINDS: [Kind; 5] = [
    Kind::Asked,
    Kind::AutoDecided,
    Kind::Answered,
    Kind::Dismissed,
    Kind::Failed,
];

const ASKED: usize = 0;
const AUTO_DECIDED: usize = 1;
const ANSWERED: usize = 2;
const DISMISSED: usize = 3;
const FAILED: usize = 4;

/// The columns that describe a question, taken from one event of any kind.
const DESCRIPTION: usize = 5;

/// Who asked, taken from any event that contains it, not necessarily the one that describes the question.
const ASKER: usize = 6;

/// The columns that are computed from others.
const COMPUTED: usize = 7;

/// The columns of the table `questions`, in its order (a test compares the two): name, the kind of the event
/// that fills it, and the field it is filled from.
const COLUMNS: [(&str, usize, &str); 53] = [
    ("id", COMPUTED, ""),
    ("ts", DESCRIPTION, "ts"),
    ("day", COMPUTED, ""),
    ("project", DESCRIPTION, "project"),
    ("session_id", DESCRIPTION, "session_id"),
    ("session_kind", DESCRIPTION, "session_kind"),
    ("source", DESCRIPTION, "source"),
    ("host", DESCRIPTION, "host"),
    ("agent_id", DESCRIPTION, "agent_id"),
    ("tool_use_id", DESCRIPTION, "tool_use_id"),
    ("question_index", DESCRIPTION, "question_index"),
    ("question_count", DESCRIPTION, "question_count"),
    ("question_key", DESCRIPTION, "question_key"),
    ("key_source", DESCRIPTION, "key_source"),
    ("question", DESCRIPTION, "question_or_empty"),
    ("header", DESCRIPTION, "header"),
    ("options", DESCRIPTION, "options"),
    ("descriptions", DESCRIPTION, "descriptions"),
    ("previews", DESCRIPTION, "previews"),
    ("recommended", DESCRIPTION, "recommended"),
    ("multi_select", DESCRIPTION, "multi_select"),
    ("door", DESCRIPTION, "door"),
    ("door_reason", DESCRIPTION, "door_reason"),
    ("skill", ASKER, "skill"),
    ("outcome", COMPUTED, ""),
    ("human_seconds", COMPUTED, ""),
    ("asked_at", ASKED, "ts"),
    ("ask_reason", ASKED, "ask_reason"),
    ("ask_detail", ASKED, "reason"),
    ("spot_check_answer", ASKED, "answer"),
    ("spot_check_preference", ASKED, "preference"),
    ("spot_check_scope", ASKED, "preference_scope"),
    ("auto_decided_at", AUTO_DECIDED, "ts"),
    ("auto_answer", AUTO_DECIDED, "answer"),
    ("preference", AUTO_DECIDED, "preference"),
    ("preference_scope", AUTO_DECIDED, "preference_scope"),
    ("mechanism", AUTO_DECIDED, "mechanism"),
    ("auto_reason", AUTO_DECIDED, "reason"),
    ("level", AUTO_DECIDED, "level"),
    ("answered_at", ANSWERED, "ts"),
    ("answer", ANSWERED, "answer"),
    ("answer_name", ANSWERED, "answer_name"),
    ("free_text", ANSWERED, "free_text"),
    ("notes", ANSWERED, "notes"),
    ("was_auto_decided", ANSWERED, "was_auto_decided"),
    (
        "followed_recommendation",
        ANSWERED,
        "followed_recommendation",
    ),
    ("dismissed_at", DISMISSED, "ts"),
    ("dismissed_reason", DISMISSED, "reason"),
    ("dismissed_answer", DISMISSED, "answer"),
    ("failed_at", FAILED, "ts"),
    ("error_kind", FAILED, "error_kind"),
    ("error", FAILED, "error"),
    ("agent", DESCRIPTION, "agent"),
];

/// When the events of each of the [`KINDS`] were logged; null if there was none.
fn times(questions: &RecordBatch) -> Result<Vec<&ArrayRef>, ArrowError> {
    let columns = COLUMNS.iter();
    let times = columns.filter(|(_, group, field)| *field == "ts" && *group != DESCRIPTION);
    times.map(|(name, ..)| array(questions, name)).collect()
}

/// A row of a batch that is about a question.
#[derive(Clone, Copy)]
struct QuestionRow<'b> {
    at: usize,
    tool_use_id: &'b str,
    index: u32,
    /// A bit for each kind of event that it holds.
    kinds: u8,
    names_asker: bool,
    is_imported: bool,
}

impl<'b> QuestionRow<'b> {
    /// The rows of `batch` that are about questions; `kinds` of each are the bits of its kinds.
    fn all(batch: &'b RecordBatch, kinds: impl Fn(usize) -> u8) -> Result<Vec<Self>, ArrowError> {
        let [ids, keys, sources, askers] =
            ["tool_use_id", "question_key", "source", "skill"].map(|name| texts(batch, name));
        let (ids, keys, sources, askers) = (ids?, keys?, sources?, askers?);
        let indexes: &UInt32Array = column(batch, "question_index")?;
        let row = |at: usize| {
            let kinds = kinds(at);
            let is_question = ids.is_valid(at) && indexes.is_valid(at) && keys.is_valid(at);
            (kinds > 0 && is_question).then(|| Self {
                at,
                tool_use_id: ids.value(at),
                index: indexes.value(at),
                kinds,
                names_asker: askers.is_valid(at),
                is_imported: sources.value(at).starts_with("import"),
            })
        };
        Ok((0..batch.num_rows()).filter_map(row).collect())
    }

    fn has(&self, group: usize) -> bool {
        match group {
            DESCRIPTION => true,
            ASKER => self.names_asker,
            kind => self.kinds >> kind & 1 > 0,
        }
    }

    /// The rank that decides first which of two rows wins: the first kind describes a question, and between two `asked`
    /// events the hook's wins over an import's.
    fn rank(&self, group: usize) -> (u32, bool) {
        let first = self.kinds.trailing_zeros();
        match group {
            DESCRIPTION => (first, first == ASKED as u32 && self.is_imported),
            ASKED => (0, self.is_imported),
            _ => (0, false),
        }
    }
}

/// The rows of `events` that are about questions.
fn rows_of_events(events: &RecordBatch) -> Result<Vec<QuestionRow<'_>>, ArrowError> {
    let kinds = texts(events, "kind")?;
    QuestionRow::all(events, |at| {
        let kind = Kind::parse(kinds.value(at));
        let rank = KINDS.iter().position(|one| kind == Some(*one));
        rank.map_or(0, |rank| 1 << rank)
    })
}

/// The rows of the table `questions` for `events`, one per question.
pub(crate) fn project(events: &RecordBatch, zone: Tz) -> Result<RecordBatch, ArrowError> {
    combine(&rows_of_events(events)?, zone, |(_, _, name), rows| {
        field(events, name, rows, zone)
    })
}

/// Merges rows of the table into one per question. Enumerated columns are texts.
pub(crate) fn merge(questions: &RecordBatch, zone: Tz) -> Result<RecordBatch, ArrowError> {
    let times = times(questions)?;
    let rows = QuestionRow::all(questions, |at| {
        let bits = times.iter().enumerate();
        bits.fold(0, |kinds, (kind, time)| {
            kinds | u8::from(time.is_valid(at)) << kind
        })
    })?;
    combine(&rows, zone, |(name, ..), rows| {
        match (array(questions, name)?, rows) {
            (column, Some(rows)) => take(column, rows, None),
            (column, None) => Ok(column.clone()),
        }
    })
}

/// Where a column's values come from: those of some rows, or of all.
type ColumnSource = (&'static str, usize, &'static str);

/// Makes one row of each question's `rows`. `values` returns a column's values in some rows, or in all.
fn combine(
    rows: &[QuestionRow<'_>],
    zone: Tz,
    values: impl Fn(&ColumnSource, Option<&UInt32Array>) -> Result<ArrayRef, ArrowError>,
) -> Result<RecordBatch, ArrowError> {
    let comparators = [const { OnceCell::new() }; COLUMNS.len()];
    let mut places: HashMap<(&str, u32), usize> = HashMap::with_capacity(rows.len());
    let mut winners: Vec<[Option<&QuestionRow<'_>>; COMPUTED]> = Vec::with_capacity(rows.len());
    for row in rows {
        let place = *places
            .entry((row.tool_use_id, row.index))
            .or_insert(winners.len());
        if place == winners.len() {
            winners.push([None; COMPUTED]);
        }
        for (group, winner) in winners.get_mut(place).into_iter().flatten().enumerate() {
            if row.has(group) {
                let wins = match winner {
                    Some(winner) => wins(row, winner, group, &comparators, &values)?,
                    None => true,
                };
                if wins {
                    *winner = Some(row);
                }
            }
        }
    }
    let rows_of = |group: usize| -> UInt32Array {
        let at = |winners: &[Option<&QuestionRow<'_>>; COMPUTED]| {
            Some((*winners.get(group)?)?.at as u32)
        };
        winners.iter().map(at).collect()
    };
    let rows_of: [UInt32Array; COMPUTED] = std::array::from_fn(rows_of);
    let mut columns = Vec::with_capacity(COLUMNS.len());
    for column in &COLUMNS {
        if let Some(rows) = rows_of.get(column.1) {
            columns.push((column.0, values(column, Some(rows))?, true));
        }
    }
    add_computed(&RecordBatch::try_from_iter_with_nullable(columns)?, zone)
}

/// True when `row` wins over `other`: of equal rank, the one that comes first by its values, time first.
fn wins(
    row: &QuestionRow<'_>,
    other: &QuestionRow<'_>,
    group: usize,
    comparators: &[OnceCell<DynComparator>],
    values: &impl Fn(&ColumnSource, Option<&UInt32Array>) -> Result<ArrayRef, ArrowError>,
) -> Result<bool, ArrowError> {
    let mut order = row.rank(group).cmp(&other.rank(group));
    let columns = COLUMNS.iter().zip(comparators);
    for (column, comparator) in columns.filter(|(column, _)| column.1 == group) {
        if order != Ordering::Equal {
            break;
        }
        let comparator = match comparator.get() {
            Some(comparator) => comparator,
            None => {
                let values = values(column, None)?;
                let compare = make_comparator(&values, &values, SortOptions::default())?;
                comparator.get_or_init(|| compare)
            }
        };
        order = comparator(row.at, other.at);
    }
    Ok(order == Ordering::Less)
}

/// Adds the columns that are computed from the others.
fn add_computed(questions: &RecordBatch, zone: Tz) -> Result<RecordBatch, ArrowError> {
    let ids = texts(questions, "tool_use_id")?.iter().flatten();
    let indexes: &UInt32Array = column(questions, "question_index")?;
    let ids = ids
        .zip(indexes.values())
        .map(|(id, index)| row_id(id, *index));
    let ids: ArrayRef = Arc::new(UInt64Array::from_iter_values(ids));
    let days = days(array(questions, "ts")?, zone);
    let outcomes = outcomes(questions)?;
    let seconds: ArrayRef = Arc::new(human_seconds(questions, &outcomes)?);
    let outcomes = outcomes.into_iter().map(QuestionOutcome::as_str);
    let outcomes: ArrayRef = Arc::new(StringArray::from_iter_values(outcomes));
    let columns = COLUMNS.iter().map(|(name, ..)| {
        let values = match *name {
            "id" => &ids,
            "day" => &days,
            "outcome" => &outcomes,
            "human_seconds" => &seconds,
            name => array(questions, name)?,
        };
        Ok((*name, values.clone(), true))
    });
    let columns: Result<Vec<_>, ArrowError> = columns.collect();
    RecordBatch::try_from_iter_with_nullable(columns?)
}

/// How the questions ended. A question without a result is open here; the store finds out whether its session went on
/// without it.
fn outcomes(questions: &RecordBatch) -> Result<Vec<QuestionOutcome>, ArrowError> {
    let times = times(questions)?;
    let (details, decided) = (
        texts(questions, "ask_detail")?,
        texts(questions, "auto_answer")?,
    );
    let names = texts(questions, "answer_name")?;
    let flags: &BooleanArray = column(questions, "was_auto_decided")?;
    let outcome = |row: usize| {
        let has = |kind: usize| times.get(kind).is_some_and(|time| time.is_valid(row));
        let flag = flags.is_valid(row).then(|| flags.value(row));
        // An answer was given for the person and reached the caller.
        let was_printed = details.is_null(row) || details.value(row) != NOT_PRINTED;
        // A different answer than the preference's came from somebody else.
        let is_other = || {
            decided.is_valid(row)
                && names.is_valid(row)
                && name_of_labels(decided.value(row)) != names.value(row)
        };
        if flag == Some(false) && is_other() {
            QuestionOutcome::Answered
        } else if was_printed && (has(AUTO_DECIDED) || flag == Some(true)) {
            QuestionOutcome::AutoDecided
        } else if has(ANSWERED) {
            QuestionOutcome::Answered
        } else if has(FAILED) {
            QuestionOutcome::Failed
        } else if has(DISMISSED) {
            QuestionOutcome::Dismissed
        } else {
            QuestionOutcome::Open
        }
    };
    Ok((0..questions.num_rows()).map(outcome).collect())
}

/// The seconds from asked to answered, divided among the questions of the call; null unless a person answered.
fn human_seconds(
    questions: &RecordBatch,
    outcomes: &[QuestionOutcome],
) -> Result<Float64Array, ArrowError> {
    let asked: &TimestampMicrosecondArray = column(questions, "asked_at")?;
    let answered: &TimestampMicrosecondArray = column(questions, "answered_at")?;
    let counts: &UInt32Array = column(questions, "question_count")?;
    let rows = asked.iter().zip(answered).zip(counts).zip(outcomes);
    let seconds = rows.map(|(((asked, answered), count), outcome)| {
        let micros = answered? - asked?;
        (*outcome == QuestionOutcome::Answered && micros >= 0)
            .then(|| micros as f64 / 1_000_000.0 / f64::from(count.unwrap_or(1).max(1)))
    });
    Ok(seconds.collect())
}

/// The id for finding a question's row: FNV-1a, 64 bits, of the call and the index. Two questions may share an id; the
/// call and the index distinguish them.
pub(crate) fn row_id(tool_use_id: &str, index: u32) -> u64 {
    let of_call = fnv1a(FNV_BASIS, tool_use_id.as_bytes());
    fnv1a(of_call, &index.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;
    use duckdb::arrow::array::{Array as _, Float64Array, RecordBatch, TimestampMicrosecondArray};
    use duckdb::arrow::compute::concat_batches;
    use plantune_domain::event::{Event, Kind, NOT_PRINTED, QuestionOutcome};
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::{COLUMNS, KINDS, merge, project};
    use crate::arrow::{EventsBuilder, column, texts};
    use crate::lines::Decoded;

    const SECOND: i64 = 1_000_000;

    /// An event about the question at index 0 of the call "t".
    fn event(kind: Kind) -> Event<'static> {
        let answers = matches!(kind, Kind::Answered | Kind::AutoDecided);
        Event {
            kind: kind.as_str().into(),
            tool_use_id: Some("t".into()),
            question_index: Some(0),
            question_count: Some(2),
            question_key: Some("key".into()),
            question: Some(format!("{kind}?").into()),
            answer: answers.then(|| vec!["Yes".into()]),
            was_auto_decided: (kind == Kind::Answered).then_some(false),
            ..Event::default()
        }
    }

    fn answered_with(answer: &'static str) -> Event<'static> {
        Event {
            answer: Some(vec![answer.into()]),
            ..event(Kind::Answered)
        }
    }

    /// The row made from events logged at these times, read in one chunk.
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

    /// Merges two rows of the same question.
    fn and(one: &RecordBatch, other: &RecordBatch) -> RecordBatch {
        let rows = concat_batches(&one.schema(), [one, other]).unwrap();
        let row = merge(&rows, Tz::Europe__Berlin).unwrap();
        assert_eq!(row.num_rows(), 1);
        row
    }

    /// The row of `events`, one per second. It is the same whether they are in one chunk or each in its own.
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
            ..event(Kind::Answered)
        };
        let unnamed = Event {
            answer: None,
            ..event(Kind::Answered)
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
            // Somebody gave a different answer than the preference.
            (vec![&decided, &answered_with("No")], Answered),
            (vec![&decided_by_hook], AutoDecided),
            // A transcript tells that the person chose in the dialog, which the hook took for its own answer.
            (vec![&decided, &withdrawn, &decided_by_hook], Answered),
            // A decision that could not be printed was asked after all.
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
        // Without `asked`, without an answer, an answer before its question, and an answer from a preference.
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
        let name =
            |event: Event<'static>| text(&merged(&[event]), "answer_name").map(str::to_owned);
        let answer = |labels: &[&'static str], free_text: Option<&'static str>| {
            name(Event {
                answer: Some(labels.iter().map(|label| (*label).into()).collect()),
                free_text: free_text.map(Into::into),
                ..event(Kind::Answered)
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
                ..event(Kind::Answered)
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
            event(Kind::Asked),
            event(Kind::Asked),
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
            ..event(Kind::Asked)
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
                ..event(Kind::Asked)
            }]);
            ["session_kind", "key_source", "door", "ask_reason"]
                .map(|column| text(&row, column).map(str::to_owned))
        };
        let expected = |words: [Option<&str>; 4]| words.map(|word| word.map(str::to_owned));
        assert_eq!(words("agent", Some("new")), expected([Some("unknown"); 4]));
        assert_eq!(
            words("headless", None),
            expected([Some("headless"), Some("marker"), Some("two-way"), None])
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
            // The chunks make no difference either.
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
}
