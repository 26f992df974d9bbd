//! Projections: rows of the table `questions`, each made of what several events say about one question, put together so
//! that neither the order of events nor an event that comes twice matters.
//!
//! Of several events of a kind one wins, by an order that does not depend on which was read first, and
//! each kind fills its own columns. So merging is commutative, associative and idempotent: events may be
//! applied in any order, and twice. Only the winners' values are copied, column by column.

pub(crate) mod fields;
#[cfg(test)]
mod tests;

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
use plantune_domain::decision::NOT_PRINTED;
use plantune_domain::event::QuestionOutcome;

use self::fields::{days, field, name_of_labels};
use crate::arrow::{array, column, texts};

/// The kinds of events about a question, by rank: the description is taken from the first there is.
pub(crate) const KINDS: [&str; 5] = ["asked", "auto_decided", "answered", "dismissed", "failed"];

const ASKED: usize = 0;
const AUTO_DECIDED: usize = 1;
const ANSWERED: usize = 2;
const DISMISSED: usize = 3;
const FAILED: usize = 4;

/// What describes a question: of one event, whatever its kind.
const DESCRIPTION: usize = 5;

/// Who asked: of any event that says it, which need not be the one that describes the question.
const ASKER: usize = 6;

/// What is computed from other columns.
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
    ("assisted", ASKED, "assisted"),
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
    ("failed_at", FAILED, "ts"),
    ("error_kind", FAILED, "error_kind"),
    ("error", FAILED, "error"),
    ("agent", DESCRIPTION, "agent"),
];

/// When the events of each of the [`KINDS`] were logged; null where there was none.
fn times(questions: &RecordBatch) -> Result<Vec<&ArrayRef>, ArrowError> {
    let columns = COLUMNS.iter();
    let times = columns.filter(|(_, group, field)| *field == "ts" && *group != DESCRIPTION);
    times.map(|(name, ..)| array(questions, name)).collect()
}

/// A row of a batch that is about a question.
#[derive(Clone, Copy)]
struct Row<'b> {
    at: usize,
    tool_use_id: &'b str,
    index: u32,
    /// A bit for each kind of event that it holds.
    kinds: u8,
    names_asker: bool,
    is_imported: bool,
}

impl<'b> Row<'b> {
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

    /// What decides first which of two rows wins: the first kind describes a question, and of two that ask,
    /// the hook's counts before an import's.
    fn rank(&self, group: usize) -> (u32, bool) {
        let first = self.kinds.trailing_zeros();
        match group {
            DESCRIPTION => (first, first == ASKED as u32 && self.is_imported),
            ASKED => (0, self.is_imported),
            _ => (0, false),
        }
    }
}

/// The rows of the table `questions` that `events` make, each question once.
pub(crate) fn project(events: &RecordBatch, zone: Tz) -> Result<RecordBatch, ArrowError> {
    let kinds = texts(events, "kind")?;
    let rows = Row::all(events, |at| {
        let rank = KINDS.iter().position(|kind| *kind == kinds.value(at));
        rank.map_or(0, |rank| 1 << rank)
    })?;
    combine(&rows, zone, |(_, _, name), rows| {
        field(events, name, rows, zone)
    })
}

/// One row for each question, of rows of the table of which several may be about one. Enumerated columns are
/// texts.
pub(crate) fn merge(questions: &RecordBatch, zone: Tz) -> Result<RecordBatch, ArrowError> {
    let times = times(questions)?;
    let rows = Row::all(questions, |at| {
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
type Column = (&'static str, usize, &'static str);

/// Makes one row of each question's `rows`. `values` returns a column's values in some rows, or in all.
fn combine(
    rows: &[Row<'_>],
    zone: Tz,
    values: impl Fn(&Column, Option<&UInt32Array>) -> Result<ArrayRef, ArrowError>,
) -> Result<RecordBatch, ArrowError> {
    let comparators = [const { OnceCell::new() }; COLUMNS.len()];
    let mut places: HashMap<(&str, u32), usize> = HashMap::with_capacity(rows.len());
    let mut winners: Vec<[Option<&Row<'_>>; COMPUTED]> = Vec::with_capacity(rows.len());
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
        let at = |winners: &[Option<&Row<'_>>; COMPUTED]| Some((*winners.get(group)?)?.at as u32);
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
    row: &Row<'_>,
    other: &Row<'_>,
    group: usize,
    comparators: &[OnceCell<DynComparator>],
    values: &impl Fn(&Column, Option<&UInt32Array>) -> Result<ArrayRef, ArrowError>,
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

/// How the questions ended. One that nothing came of is open here; that its session went on without it is
/// found out in the store.
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
        // An answer was given for the person, and reached the caller.
        let was_printed = details.is_null(row) || details.value(row) != NOT_PRINTED;
        // Somebody gave another answer than the preference: then the answer is theirs.
        let is_other = || {
            decided.is_valid(row)
                && names.is_valid(row)
                && name_of_labels(decided.value(row)) != names.value(row)
        };
        if flag == Some(false) && is_other() {
            QuestionOutcome::Answered
        } else if (was_printed && has(AUTO_DECIDED)) || flag == Some(true) {
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

/// From asked to answered in seconds, shared among the questions of the call; null for what no person
/// answered.
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

/// Finds a question's row: FNV-1a, 64 bits, of the call and the index. Two questions may share one; what
/// distinguishes them are the call and the index themselves.
pub(crate) fn row_id(tool_use_id: &str, index: u32) -> u64 {
    let bytes = tool_use_id.bytes().chain(index.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
