//! The dimensions of the log: contexts, forms, wordings and details, and what an event refers to.

use std::borrow::Cow;
use std::sync::LazyLock;

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::Event;
use plantune_domain::recommended::strip_mark;

use crate::columns::{Cell, Holds, schema};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct References {
    pub(crate) context: u32,
    pub(crate) wording: u32,
    pub(crate) detail: u32,
}

/// Which of an event's references are those of the event before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeats {
    context: bool,
    wording: bool,
}

impl Repeats {
    /// What `event` has in common with the one `before` it.
    pub(crate) fn of(event: &Event<'_>, before: &Event<'_>) -> Self {
        Self {
            context: context(event) == context(before),
            wording: wording(event) == wording(before) && form(event) == form(before),
        }
    }
}

/// The dimensions, as a run fills them.
pub(crate) struct Dimensions {
    /// What the last event referred to.
    last: Option<References>,
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
            last: None,
            contexts: Dimension::new(context, &CONTEXTS, contexts),
            forms: Dimension::new(form, &FORMS, forms),
            wordings: Dimension::new(wording, &WORDINGS, wordings),
            details: Dimension::new(detail, &DETAILS, details),
        })
    }

    /// What an event refers to; `name` is its [`answer_name`]. What it `repeats` of the event that was
    /// last asked for is not looked up.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn find(
        &mut self,
        event: &Event<'_>,
        name: Option<&str>,
        repeats: Repeats,
    ) -> Result<References, ArrowError> {
        let context = match self.last.filter(|_| repeats.context) {
            Some(last) => last.context,
            None => self.contexts.find(&context(event), |number| number)?,
        };
        let wording = match self.last.filter(|_| repeats.wording) {
            Some(last) => last.wording,
            None => {
                let form = self.forms.find(&form(event), |number| number)?;
                let [tool_use_id, index, text] = wording(event);
                let wording = [Cell::Number(Some(form)), tool_use_id, index, text];
                self.wordings.find(&wording, |number| number)?
            }
        };
        let references = References {
            context,
            wording,
            detail: self.details.find(&detail(event, name), |number| number)?,
        };
        self.last = Some(references);
        Ok(references)
    }

    /// What the rows hold that were new since they were last taken, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let [contexts, forms] = [&self.contexts, &self.forms].map(Dimension::bytes);
        contexts + forms + self.wordings.bytes() + self.details.bytes()
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

fn context<'e>(event: &'e Event<'_>) -> [Cell<'e>; CONTEXTS.len() - 1] {
    [
        Cell::Text(Some(&event.session_id)),
        Cell::Text(Some(&event.session_kind)),
        Cell::Text(Some(&event.project)),
        Cell::Text(Some(&event.cwd)),
        Cell::Text(event.permission_mode.as_deref()),
        Cell::Text(event.entrypoint.as_deref()),
        Cell::Text(event.agent_id.as_deref()),
        Cell::Text(Some(&event.source)),
    ]
}

fn form<'e>(event: &'e Event<'_>) -> [Cell<'e>; FORMS.len() - 1] {
    [
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
    ]
}

/// Short of the form.
fn wording<'e>(event: &'e Event<'_>) -> [Cell<'e>; WORDINGS.len() - 2] {
    [
        Cell::Text(event.tool_use_id.as_deref()),
        Cell::Number(event.question_index),
        Cell::Text(event.question.as_deref()),
    ]
}

fn detail<'e>(event: &'e Event<'_>, name: Option<&'e str>) -> [Cell<'e>; DETAILS.len() - 1] {
    [
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
    ]
}

/// What an answer is counted by: the labels without marks of recommendation, joined, or `(typed)` or
/// `(noted)`.
pub(crate) fn answer_name<'e>(event: &'e Event<'_>) -> Option<Cow<'e, str>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn events() -> Vec<Event<'static>> {
        let asked = Event {
            kind: "asked".into(),
            session_id: "s".into(),
            tool_use_id: Some("t".into()),
            question_index: Some(0),
            question: Some("Why?".into()),
            question_key: Some("k".into()),
            options: Some(vec!["A".into(), "B".into()]),
            ..Event::default()
        };
        let answered = Event {
            kind: "answered".into(),
            answer: Some(vec!["A".into()]),
            ..asked.clone()
        };
        let others = [
            Event {
                session_id: "other".into(),
                ..asked.clone()
            },
            Event {
                options: Some(vec!["A, B".into()]),
                ..asked.clone()
            },
            Event {
                question: None,
                ..asked.clone()
            },
            Event {
                tool_use_id: Some("u".into()),
                ..asked.clone()
            },
        ];
        let mut events = vec![asked.clone(), answered.clone(), answered];
        for other in others {
            events.extend([asked.clone(), other.clone(), other]);
        }
        events
    }

    #[test]
    fn what_repeats_is_what_would_be_found() {
        let mut store = Connection::open_in_memory().unwrap();
        plantune_migrations::apply(&mut store).unwrap();
        let [mut looked_up, mut repeated] = [(); 2].map(|()| Dimensions::of(&store).unwrap());
        let mut before: Option<Event<'_>> = None;
        let mut times = 0;
        for event in events() {
            let repeats = before
                .as_ref()
                .map_or_else(Repeats::default, |before| Repeats::of(&event, before));
            times += u32::from(repeats.context) + u32::from(repeats.wording);
            let name = answer_name(&event);
            let expected = looked_up.find(&event, name.as_deref(), Repeats::default());
            let found = repeated.find(&event, name.as_deref(), repeats);
            assert_eq!(found.unwrap(), expected.unwrap(), "{event:?}");
            before = Some(event);
        }
        // Of the first three, and of each three behind them.
        assert_eq!(times, 4 + 5 + 4 + 4 + 4);
    }
}
