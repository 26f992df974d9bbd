//! The events of one chunk of the log, as rows.

use std::collections::HashMap;

use chrono_tz::Tz;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;

use super::other_events;
use super::question::Question;
use super::row;
use super::session::{self, Session, Sessions};
use crate::spool::Decoded;
use crate::store::columns::BatchBuilder;

/// What the events of a chunk say.
#[derive(Debug, Default)]
pub(crate) struct Projected {
    /// Rows of the table `questions`, each question once.
    pub(crate) questions: Vec<RecordBatch>,
    /// The ids of these rows, and the sessions of these questions.
    pub(crate) ids: Vec<u64>,
    pub(crate) question_sessions: Vec<String>,
    pub(crate) sessions: Sessions,
    /// Rows of the tables `preference_changes` and `hook_errors`.
    pub(crate) changes: Vec<RecordBatch>,
    pub(crate) errors: Vec<RecordBatch>,
    /// The time of the latest event that the hook logged, in microseconds since 1970.
    pub(crate) last_hook_at: Option<i64>,
}

/// Projects `events`, for a person in `zone`.
///
/// # Errors
/// Arrow's; none is known for these columns.
pub(crate) fn project(events: &[Decoded<'_>], zone: Tz) -> Result<Projected, ArrowError> {
    let mut projected = Projected::default();
    let mut questions: Vec<Question<'_>> = Vec::with_capacity(events.len());
    let mut places: HashMap<(&str, u32), usize> = HashMap::with_capacity(events.len());
    let mut changes = BatchBuilder::new(other_events::CHANGES);
    let mut errors = BatchBuilder::new(other_events::ERRORS);
    for decoded in events {
        let event = &decoded.event;
        if &*event.source == "hook" {
            projected.last_hook_at = projected.last_hook_at.max(Some(decoded.micros));
        }
        if let Some(question) = Question::of(event, decoded.micros) {
            let place = *places
                .entry((question.tool_use_id, question.index))
                .or_insert(questions.len());
            match questions.get_mut(place) {
                Some(known) => known.merge(question),
                None => questions.push(question),
            }
        } else if let Some(found) = Session::of(event, decoded.micros) {
            session::add(&mut projected.sessions, &event.session_id, found);
        } else {
            other_events::push(decoded, zone, &mut changes, &mut errors)?;
        }
    }
    let mut rows = BatchBuilder::new(row::COLUMNS);
    for question in &questions {
        rows.push(row::values(question, zone))?;
        projected
            .ids
            .push(super::row_id(question.tool_use_id, question.index));
        let session = question.description.session_id;
        if projected
            .question_sessions
            .last()
            .is_none_or(|last| last != session)
        {
            projected.question_sessions.push(session.to_owned());
        }
    }
    projected.questions = rows.finish()?;
    projected.changes = changes.finish()?;
    projected.errors = errors.finish()?;
    Ok(projected)
}
