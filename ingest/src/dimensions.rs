//! The dimensions of the log: contexts, forms, wordings and details, and what an event refers to.

use std::borrow::Cow;
use std::sync::LazyLock;

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::arrow::error::ArrowError;
use plantune_hooks::recommended::strip_mark;

use crate::columns::{Cell, Holds, schema};
use crate::decode::Decoded;
use crate::dimension::Dimension;

const CONTEXTS: [(&str, Holds); 9] = [
    ("number", Holds::Number),
    ("session_id", Holds::Text),
    ("session_kind", Holds::Text),
    ("project", Holds::Text),
    ("cwd", Holds::Text),
    ("permission_mode", Holds::Text),
    ("entrypoint", Holds::Text),
    ("agent_id", Holds::Text),
    ("source", Holds::Text),
];

const FORMS: [(&str, Holds); 12] = [
    ("number", Holds::Number),
    ("tool_name", Holds::Text),
    ("question_count", Holds::Number),
    ("question_key", Holds::Text),
    ("key_source", Holds::Text),
    ("header", Holds::Text),
    ("options", Holds::List),
    ("recommended", Holds::Text),
    ("multi_select", Holds::Flag),
    ("door", Holds::Text),
    ("door_reason", Holds::Text),
    ("skill", Holds::Text),
];

const WORDINGS: [(&str, Holds); 5] = [
    ("number", Holds::Number),
    ("form", Holds::Number),
    ("tool_use_id", Holds::Text),
    ("question_index", Holds::Number),
    ("question", Holds::Text),
];

const DETAILS: [(&str, Holds); 17] = [
    ("number", Holds::Number),
    ("kind", Holds::Text),
    ("ask_reason", Holds::Text),
    ("answer", Holds::List),
    ("free_text", Holds::Text),
    ("notes", Holds::Text),
    ("was_auto_decided", Holds::Flag),
    ("followed_recommendation", Holds::Flag),
    ("preference", Holds::Text),
    ("preference_scope", Holds::Text),
    ("mechanism", Holds::Text),
    ("error", Holds::Text),
    ("error_kind", Holds::Text),
    ("reason", Holds::Text),
    ("detail", Holds::Text),
    ("truncated", Holds::Flag),
    ("answer_name", Holds::Text),
];

/// The schemas of [`Dimensions::take_rows`], in its order.
pub(crate) static SCHEMAS: LazyLock<[SchemaRef; 4]> = LazyLock::new(|| {
    [
        schema(&CONTEXTS),
        schema(&FORMS),
        schema(&WORDINGS),
        schema(&DETAILS),
    ]
});

/// The rows of the dimensions that an event refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct References {
    pub(crate) context: u32,
    pub(crate) wording: u32,
    pub(crate) detail: u32,
}

/// The dimensions, as a run fills them.
pub(crate) struct Dimensions {
    contexts: Dimension<u32>,
    forms: Dimension<u32>,
    wordings: Dimension<u32>,
    details: Dimension<u32>,
}

impl Dimensions {
    /// The dimensions of a store, their numbers going on behind those it has.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn of(store: &Connection) -> duckdb::Result<Self> {
        let [contexts, forms, wordings, details] =
            store.query_row(include_str!("../sql/next_numbers.sql"), [], |row| {
                Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
            })?;
        let [context, form, wording, detail] = &*SCHEMAS;
        Ok(Self {
            contexts: Dimension::new(context, &CONTEXTS, contexts),
            forms: Dimension::new(form, &FORMS, forms),
            wordings: Dimension::new(wording, &WORDINGS, wordings),
            details: Dimension::new(detail, &DETAILS, details),
        })
    }

    /// What an event refers to; `name` is its [`answer_name`].
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn find(
        &mut self,
        decoded: &Decoded<'_>,
        name: Option<&str>,
    ) -> Result<References, ArrowError> {
        let event = &decoded.event;
        let context = [
            Cell::Text(Some(&event.session_id)),
            Cell::Text(Some(&event.session_kind)),
            Cell::Text(Some(&event.project)),
            Cell::Text(Some(&event.cwd)),
            Cell::Text(event.permission_mode.as_deref()),
            Cell::Text(event.entrypoint.as_deref()),
            Cell::Text(event.agent_id.as_deref()),
            Cell::Text(Some(&event.source)),
        ];
        let form = [
            Cell::Text(event.tool_name.as_deref()),
            Cell::Number(event.question_count),
            Cell::Text(event.question_key.as_deref()),
            Cell::Text(event.key_source.as_deref()),
            Cell::Text(event.header.as_deref()),
            Cell::List(event.options.as_deref()),
            Cell::Text(event.recommended.as_deref()),
            Cell::Flag(event.multi_select),
            Cell::Text(event.door.as_deref()),
            Cell::Text(event.door_reason.as_deref()),
            Cell::Text(event.skill.as_deref()),
        ];
        let detail = [
            Cell::Text(Some(&event.kind)),
            Cell::Text(event.ask_reason.as_deref()),
            Cell::List(event.answer.as_deref()),
            Cell::Text(event.free_text.as_deref()),
            Cell::Text(event.notes.as_deref()),
            Cell::Flag(event.was_auto_decided),
            Cell::Flag(event.followed_recommendation.flatten()),
            Cell::Text(event.preference.as_deref()),
            Cell::Text(event.preference_scope.as_deref()),
            Cell::Text(event.mechanism.as_deref()),
            Cell::Text(event.error.as_deref()),
            Cell::Text(event.error_kind.as_deref()),
            Cell::Text(event.reason.as_deref()),
            Cell::Text(event.detail.as_deref()),
            Cell::Flag(Some(event.truncated)),
            Cell::Text(name),
        ];
        let form = self.forms.find(&form, |number| number)?;
        let wording = [
            Cell::Number(Some(form)),
            Cell::Text(event.tool_use_id.as_deref()),
            Cell::Number(event.question_index),
            Cell::Text(event.question.as_deref()),
        ];
        Ok(References {
            context: self.contexts.find(&context, |number| number)?,
            wording: self.wordings.find(&wording, |number| number)?,
            detail: self.details.find(&detail, |number| number)?,
        })
    }

    /// The rows that were new since this was last called: of contexts, forms, wordings and details.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn take_rows(&mut self) -> Result<[Vec<RecordBatch>; 4], ArrowError> {
        Ok([
            self.contexts.take_rows()?,
            self.forms.take_rows()?,
            self.wordings.take_rows()?,
            self.details.take_rows()?,
        ])
    }
}

/// What an answer is counted by: the labels without marks of recommendation, joined, or `(typed)` or
/// `(noted)`.
pub(crate) fn answer_name<'e>(decoded: &'e Decoded<'_>) -> Option<Cow<'e, str>> {
    let event = &decoded.event;
    match event.answer.as_deref() {
        Some([]) | None if event.free_text.is_some() => Some("(typed)".into()),
        Some([]) => Some("(noted)".into()),
        Some([label]) => Some(strip_mark(label).0.into()),
        Some(labels) => {
            let names: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
            Some(names.join(", ").into())
        }
        None => None,
    }
}
