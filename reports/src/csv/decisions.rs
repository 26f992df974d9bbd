//! Decisions, one by one.

use std::io::{self, Write};

use plantune_query::decisions::Decision;

use super::table::{Table, moment, number, optional, text};

/// Writes decisions: the fields of `log --json`.
///
/// # Errors
/// Those of `out`.
pub fn write_decisions(decisions: &[Decision], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(
        out,
        &[
            "put_at",
            "project",
            "session_id",
            "session_kind",
            "agent",
            "tool_use_id",
            "question_index",
            "question_key",
            "key_source",
            "question",
            "header",
            "options",
            "recommended",
            "one_way",
            "outcome",
            "ask_reason",
            "answer",
            "typed",
            "noted",
            "preferred",
            "preference",
            "preference_scope",
            "mechanism",
            "level",
            "assisted",
            "undone",
            "wanted",
            "reason",
            "human_seconds",
            "family_key",
            "family_text",
        ],
    )?;
    for one in decisions {
        table.row(&[
            moment(one.asked_at),
            text(&one.project),
            text(&one.session_id),
            text(&one.session_kind),
            text(&one.agent),
            optional(&one.tool_use_id),
            one.question_index.to_string(),
            optional(&one.question_key),
            text(&one.key_source),
            text(&one.question),
            optional(&one.header),
            text(&one.options.join(" | ")),
            optional(&one.recommended),
            optional(&one.one_way),
            text(&one.outcome),
            optional(&one.ask_reason),
            text(&one.answer.join(" | ")),
            one.typed.to_string(),
            one.noted.to_string(),
            text(&one.preferred.join(" | ")),
            optional(&one.preference),
            optional(&one.preference_scope),
            optional(&one.mechanism),
            optional(&one.level),
            one.assisted.to_string(),
            one.undone.to_string(),
            optional(&one.wanted),
            optional(&one.reason),
            number(one.human_seconds),
            text(
                one.family
                    .as_ref()
                    .map_or("", |family| &family.question_key),
            ),
            text(
                one.family
                    .as_ref()
                    .map_or("", |family| &family.template_text),
            ),
        ])?;
    }
    table.end()
}
