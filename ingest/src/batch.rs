//! Events as Arrow record batches, in the columns of the table `events` behind `batch`.

use std::sync::{Arc, LazyLock};

use duckdb::arrow::array::{
    ArrayRef, BooleanBuilder, FixedSizeBinaryBuilder, ListBuilder, RecordBatch, StringBuilder,
    TimestampMicrosecondBuilder, UInt32Builder,
};
use duckdb::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use duckdb::arrow::error::ArrowError;
use plantune_hooks::event::Text;
use plantune_hooks::recommended::strip_mark;

use crate::decode::Decoded;

/// Rows in a batch: DuckDB's vector size, so that one batch fills one chunk.
pub(crate) const ROWS: usize = 2048;

/// The columns, in the order of the table.
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let flag = |name: &str| Field::new(name, DataType::Boolean, true);
    let number = |name: &str| Field::new(name, DataType::UInt32, true);
    let list = |name: &str| Field::new_list(name, Field::new("item", DataType::Utf8, true), true);
    Arc::new(Schema::new(vec![
        uuid("id"),
        Field::new(
            "ts",
            DataType::Timestamp(TimeUnit::Microsecond, None),
            false,
        ),
        text("kind"),
        text("session_id"),
        text("session_kind"),
        text("project"),
        text("cwd"),
        text("permission_mode"),
        text("entrypoint"),
        text("agent_id"),
        text("source"),
        text("tool_name"),
        text("tool_use_id"),
        number("question_index"),
        number("question_count"),
        text("question_key"),
        text("key_source"),
        text("question"),
        text("header"),
        list("options"),
        text("recommended"),
        flag("multi_select"),
        text("door"),
        text("door_reason"),
        text("skill"),
        text("ask_reason"),
        list("answer"),
        text("free_text"),
        text("notes"),
        flag("was_auto_decided"),
        flag("followed_recommendation"),
        text("preference"),
        text("preference_scope"),
        text("mechanism"),
        text("error"),
        text("error_kind"),
        text("reason"),
        text("detail"),
        flag("truncated"),
        text("answer_name"),
    ]))
});

/// A column of UUIDs, as Arrow's canonical extension type.
pub(crate) fn uuid(name: &str) -> Field {
    let metadata = [("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())];
    Field::new(name, DataType::FixedSizeBinary(16), false).with_metadata(metadata.into())
}

/// Gathers events column by column.
pub(crate) struct BatchBuilder {
    id: FixedSizeBinaryBuilder,
    ts: TimestampMicrosecondBuilder,
    /// Text columns in the order of [`BatchBuilder::push`].
    texts: Vec<StringBuilder>,
    numbers: [UInt32Builder; 2],
    lists: [ListBuilder<StringBuilder>; 2],
    flags: [BooleanBuilder; 4],
    rows: usize,
}

impl BatchBuilder {
    pub(crate) fn new() -> Self {
        Self {
            id: FixedSizeBinaryBuilder::with_capacity(ROWS, 16),
            ts: TimestampMicrosecondBuilder::with_capacity(ROWS),
            texts: (0..TEXTS)
                .map(|_| StringBuilder::with_capacity(ROWS, ROWS * 16))
                .collect(),
            numbers: Default::default(),
            lists: [
                ListBuilder::new(StringBuilder::new()),
                ListBuilder::new(StringBuilder::new()),
            ],
            flags: Default::default(),
            rows: 0,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Adds one event.
    pub(crate) fn push(&mut self, decoded: &Decoded<'_>) -> Result<(), ArrowError> {
        let event = &decoded.event;
        self.id.append_value(decoded.id)?;
        self.ts.append_value(decoded.micros);
        let name = answer_name(decoded);
        let texts: [Option<&str>; TEXTS] = [
            Some(&event.kind),
            Some(&event.session_id),
            Some(&event.session_kind),
            Some(&event.project),
            Some(&event.cwd),
            event.permission_mode.as_deref(),
            event.entrypoint.as_deref(),
            event.agent_id.as_deref(),
            Some(&event.source),
            event.tool_name.as_deref(),
            event.tool_use_id.as_deref(),
            event.question_key.as_deref(),
            event.key_source.as_deref(),
            event.question.as_deref(),
            event.header.as_deref(),
            event.recommended.as_deref(),
            event.door.as_deref(),
            event.door_reason.as_deref(),
            event.skill.as_deref(),
            event.ask_reason.as_deref(),
            event.free_text.as_deref(),
            event.notes.as_deref(),
            event.preference.as_deref(),
            event.preference_scope.as_deref(),
            event.mechanism.as_deref(),
            event.error.as_deref(),
            event.error_kind.as_deref(),
            event.reason.as_deref(),
            event.detail.as_deref(),
            name.as_deref(),
        ];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.append_option(text);
        }
        for (column, number) in self
            .numbers
            .iter_mut()
            .zip([event.question_index, event.question_count])
        {
            column.append_option(number);
        }
        for (column, list) in self.lists.iter_mut().zip([&event.options, &event.answer]) {
            append_list(column, list.as_deref());
        }
        let flags = [
            event.multi_select,
            event.was_auto_decided,
            event.followed_recommendation.flatten(),
            Some(event.truncated),
        ];
        for (column, flag) in self.flags.iter_mut().zip(flags) {
            column.append_option(flag);
        }
        self.rows += 1;
        Ok(())
    }

    /// The batch so far; the builder is empty again.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let mut texts = self.texts.iter_mut().map(StringBuilder::finish);
        let mut text = || {
            texts
                .next()
                .unwrap_or_else(|| StringBuilder::new().finish())
        };
        let [index, count] = &mut self.numbers;
        let [options, answer] = &mut self.lists;
        let [multi_select, was_auto_decided, followed, truncated] = &mut self.flags;
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.id.finish()), Arc::new(self.ts.finish())];
        let mut texts = |columns: &mut Vec<ArrayRef>, count: usize| {
            columns.extend((0..count).map(|_| Arc::new(text()) as ArrayRef));
        };
        texts(&mut columns, 11); // kind … tool_use_id
        columns.push(Arc::new(index.finish()));
        columns.push(Arc::new(count.finish()));
        texts(&mut columns, 4); // question_key … header
        columns.push(Arc::new(options.finish()));
        texts(&mut columns, 1); // recommended
        columns.push(Arc::new(multi_select.finish()));
        texts(&mut columns, 4); // door … ask_reason
        columns.push(Arc::new(answer.finish()));
        texts(&mut columns, 2); // free_text, notes
        columns.push(Arc::new(was_auto_decided.finish()));
        columns.push(Arc::new(followed.finish()));
        texts(&mut columns, 7); // preference … detail
        columns.push(Arc::new(truncated.finish()));
        texts(&mut columns, 1); // answer_name
        RecordBatch::try_new(SCHEMA.clone(), columns)
    }
}

const TEXTS: usize = 30;

fn append_list(column: &mut ListBuilder<StringBuilder>, list: Option<&[Text<'_>]>) {
    match list {
        Some(items) => {
            items
                .iter()
                .for_each(|item| column.values().append_value(&**item));
            column.append(true);
        }
        None => column.append(false),
    }
}

/// What an answer is counted by; see the table `events`.
fn answer_name(decoded: &Decoded<'_>) -> Option<String> {
    let event = &decoded.event;
    match event.answer.as_deref() {
        Some([]) | None if event.free_text.is_some() => Some("(typed)".to_owned()),
        Some([]) => Some("(noted)".to_owned()),
        Some(labels) => {
            let names: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
            Some(names.join(", "))
        }
        None => None,
    }
}
