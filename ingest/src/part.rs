//! What some events say about a question: a row for the projections, and whether it may stand as
//! it is.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::arrow::error::ArrowError;

use crate::columns::{Cell, Columns, Holds, schema};
use crate::decode::Decoded;

/// The columns, named as those of `questions`; what that table does not allow to be null may be
/// null here.
const COLUMNS: [(&str, Holds); 38] = [
    ("tool_use_id", Holds::Text),
    ("question_index", Holds::Number),
    ("described_by", Holds::Number),
    ("question_count", Holds::Number),
    ("session_id", Holds::Text),
    ("session_kind", Holds::Text),
    ("project", Holds::Text),
    ("tool_name", Holds::Text),
    ("question_key", Holds::Text),
    ("key_source", Holds::Text),
    ("question", Holds::Text),
    ("header", Holds::Text),
    ("options", Holds::List),
    ("recommended", Holds::Text),
    ("multi_select", Holds::Flag),
    ("door", Holds::Text),
    ("door_reason", Holds::Text),
    ("skill", Holds::Text),
    ("asked_at", Holds::Time),
    ("auto_decided_at", Holds::Time),
    ("answered_at", Holds::Time),
    ("dismissed_at", Holds::Time),
    ("failed_at", Holds::Time),
    ("ask_reason", Holds::Text),
    ("answer", Holds::List),
    ("free_text", Holds::Text),
    ("notes", Holds::Text),
    ("answer_name", Holds::Text),
    ("was_auto_decided", Holds::Flag),
    ("followed_recommendation", Holds::Flag),
    ("auto_answer", Holds::List),
    ("auto_answer_name", Holds::Text),
    ("preference", Holds::Text),
    ("preference_scope", Holds::Text),
    ("mechanism", Holds::Text),
    ("reason", Holds::Text),
    ("error_kind", Holds::Text),
    ("error", Holds::Text),
];

/// The schema of a part.
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&COLUMNS));

/// The kinds of events about a question, by rank: the description is taken from the first there is.
const KINDS: [&str; 5] = ["asked", "auto_decided", "answered", "dismissed", "failed"];

/// An event with what its answer is counted by.
pub(crate) type Named<'e, 'a> = (&'e Decoded<'a>, Option<&'e str>);

/// The events about a question, in the order of [`KINDS`].
type Kinds<'e, 'a> = [Option<Named<'e, 'a>>; 5];

/// What identifies a part's question within this process, and whether the part tells its end.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) question: u128,
    pub(crate) is_ended: bool,
}

/// Rows of parts, each with its mark.
pub(crate) type Parts = Vec<(RecordBatch, Vec<Mark>)>;

/// Hashes questions to 128 bits, with keys of its own a process.
#[derive(Clone, Default)]
pub(crate) struct Marker {
    low: RandomState,
    high: RandomState,
}

impl Marker {
    fn question(&self, question: (&str, u32)) -> u128 {
        let half = |state: &RandomState| u128::from(state.hash_one(question));
        half(&self.high) << 64 | half(&self.low)
    }
}

/// The parts that `events` are, one a question.
///
/// # Errors
/// Arrow's; none is known for these columns.
pub(crate) fn parts<'e, 'a>(
    events: impl Iterator<Item = Named<'e, 'a>>,
    marker: &Marker,
) -> Result<Parts, ArrowError>
where
    'a: 'e,
{
    let mut places: HashMap<(&str, u32), usize> = HashMap::new();
    let mut questions: Vec<((&str, u32), Kinds<'e, 'a>)> = Vec::new();
    for named in events {
        let event = &named.0.event;
        let (Some(call), Some(index), Some(_)) = (
            &event.tool_use_id,
            event.question_index,
            &event.question_key,
        ) else {
            continue;
        };
        let Some(rank) = KINDS.iter().position(|kind| **kind == *event.kind) else {
            continue;
        };
        let identity = (&**call, index);
        let place = *places.entry(identity).or_insert_with(|| {
            questions.push((identity, [None; 5]));
            questions.len() - 1
        });
        let known = questions
            .get_mut(place)
            .and_then(|(_, kinds)| kinds.get_mut(rank));
        if let Some(known) = known
            && known.is_none_or(|(earlier, _)| named.0.micros < earlier.micros)
        {
            *known = Some(named);
        }
    }
    let mut columns = Columns::new(SCHEMA.clone(), &COLUMNS).kept();
    let mut marks = Vec::with_capacity(questions.len());
    for (identity, kinds) in &questions {
        let is_ended = kinds.iter().skip(1).any(Option::is_some);
        marks.push(Mark {
            question: marker.question(*identity),
            is_ended,
        });
        push(&mut columns, *identity, kinds)?;
    }
    let mut marks = marks.into_iter();
    let batches = columns.finish()?;
    Ok(batches
        .into_iter()
        .map(|batch| {
            let marks = marks.by_ref().take(batch.num_rows()).collect();
            (batch, marks)
        })
        .collect())
}

fn push(
    columns: &mut Columns,
    (call, index): (&str, u32),
    kinds: &Kinds<'_, '_>,
) -> Result<(), ArrowError> {
    let Some((rank, (described, _))) = (0u32..)
        .zip(kinds)
        .find_map(|(rank, named)| Some((rank, (*named)?)))
    else {
        return Ok(());
    };
    let described = &described.event;
    let [asked, auto_decided, answered, dismissed, failed] =
        kinds.map(|named| named.map(|(decoded, _)| &decoded.event));
    let [
        asked_at,
        auto_decided_at,
        answered_at,
        dismissed_at,
        failed_at,
    ] = kinds.map(|named| Cell::Time(named.map(|(decoded, _)| decoded.micros)));
    let [_, auto_name, name, ..] = kinds.map(|named| Cell::Text(named.and_then(|(_, name)| name)));
    columns.push([
        Cell::Text(Some(call)),
        Cell::Number(Some(index)),
        Cell::Number(Some(rank)),
        Cell::Number(described.question_count),
        Cell::Text(Some(&described.session_id)),
        Cell::Text(Some(&described.session_kind)),
        Cell::Text(Some(&described.project)),
        Cell::Text(described.tool_name.as_deref()),
        Cell::Text(described.question_key.as_deref()),
        Cell::Text(described.key_source.as_deref()),
        Cell::Text(described.question.as_deref()),
        Cell::Text(described.header.as_deref()),
        Cell::List(described.options.as_deref()),
        Cell::Text(described.recommended.as_deref()),
        Cell::Flag(described.multi_select),
        Cell::Text(described.door.as_deref()),
        Cell::Text(described.door_reason.as_deref()),
        Cell::Text(described.skill.as_deref()),
        asked_at,
        auto_decided_at,
        answered_at,
        dismissed_at,
        failed_at,
        Cell::Text(asked.and_then(|event| event.ask_reason.as_deref())),
        Cell::List(answered.and_then(|event| event.answer.as_deref())),
        Cell::Text(answered.and_then(|event| event.free_text.as_deref())),
        Cell::Text(answered.and_then(|event| event.notes.as_deref())),
        name,
        Cell::Flag(answered.and_then(|event| event.was_auto_decided)),
        Cell::Flag(answered.and_then(|event| event.followed_recommendation.flatten())),
        Cell::List(auto_decided.and_then(|event| event.answer.as_deref())),
        auto_name,
        Cell::Text(auto_decided.and_then(|event| event.preference.as_deref())),
        Cell::Text(auto_decided.and_then(|event| event.preference_scope.as_deref())),
        Cell::Text(auto_decided.and_then(|event| event.mechanism.as_deref())),
        Cell::Text(dismissed.and_then(|event| event.reason.as_deref())),
        Cell::Text(failed.and_then(|event| event.error_kind.as_deref())),
        Cell::Text(failed.and_then(|event| event.error.as_deref())),
    ])
}
