//! What can be said of a piece's events before its turn to be taken in.

use std::borrow::Cow;

use crate::decode::Decoded;
use crate::dimensions::{Repeats, answer_name};
use crate::piece::Line;
use crate::told::{Saying, question_id};

/// What can be said of an event by itself and the one before it.
pub(crate) struct Prepared<'e> {
    pub(crate) id: u128,
    /// The question that it is about.
    pub(crate) question: Option<u128>,
    pub(crate) answer_name: Option<Cow<'e, str>>,
    pub(crate) repeats: Repeats,
}

/// What can be said of the events in `lines`, in their order.
pub(crate) fn prepare<'e>(lines: &'e [Line<'_>]) -> Vec<Prepared<'e>> {
    let mut last: Option<((&str, u32), u128)> = None;
    // Hashing takes its time, and an answer mostly stands behind its question.
    let mut question = |event: &'e Decoded<'_>| {
        let asked = saying(event).asked_of()?;
        let id = match last {
            Some((before, id)) if before == asked => id,
            _ => question_id(asked),
        };
        last = Some((asked, id));
        Some(id)
    };
    let before = std::iter::once(None).chain(lines.iter().map(Some));
    let prepared = lines
        .iter()
        .zip(before)
        .map(|((event, _), before)| Prepared {
            id: u128::from_be_bytes(event.id),
            question: question(event),
            answer_name: answer_name(&event.event),
            repeats: before.map_or_else(Repeats::default, |(before, _)| {
                Repeats::of(&event.event, &before.event)
            }),
        });
    prepared.collect()
}

/// What an event says, short of what it refers to.
pub(crate) fn saying<'e>(decoded: &'e Decoded<'_>) -> Saying<'e> {
    let event = &decoded.event;
    Saying {
        kind: &event.kind,
        micros: decoded.micros,
        context: 0,
        wording: 0,
        detail: 0,
        session_id: &event.session_id,
        session_kind: &event.session_kind,
        project: &event.project,
        tool_use_id: event.tool_use_id.as_deref(),
        question_index: event.question_index,
        question_count: event.question_count,
        question_key: event.question_key.as_deref(),
        is_one_way: event.door.as_deref() == Some("one-way"),
        was_auto_decided: event.was_auto_decided,
        followed: event.followed_recommendation.flatten(),
        answer_name: None,
    }
}
