//! A person's answers to one question, as the store has them.

use std::cmp::Ordering;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::Row;
use plantune_domain::answer::Answer;
use plantune_domain::preferences::Scope;
use plantune_domain::teach::{Lesson, Teach};
use plantune_domain::wire::SentQuestion;

use crate::labels::{labels, labels_if_any};

/// One answer of a person's to one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanAnswer {
    /// The project it was asked in, where answers of several are put together; else empty.
    pub project: Arc<str>,
    /// The key it was logged under.
    pub question_key: String,
    /// When the question was asked (UTC).
    pub at: NaiveDateTime,
    /// The day of that moment in the person's time zone.
    pub day: NaiveDate,
    /// The session.
    pub session_id: String,
    /// Which question of the call.
    pub question_index: u32,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    pub options: Vec<String>,
    /// What was offered beside them, where the answer counts for the question without it.
    pub added: Option<String>,
    /// Their descriptions, one an option or none at all; `None` where they were not logged.
    pub descriptions: Option<Vec<String>>,
    /// The digests of their previews, likewise.
    pub previews: Option<Vec<String>>,
    /// The host (`plantune_domain::host`) that it was given at.
    pub tool: Option<String>,
    /// True when it was read from a transcript, and not logged by the hook.
    pub is_imported: bool,
    /// The recommended label without its mark.
    pub recommended: Option<String>,
    /// True when several options could be chosen.
    pub multi_select: bool,
    /// Why this asking was logged as one-way, if it was.
    pub one_way: Option<String>,
    /// The labels chosen, as sent.
    pub labels: Vec<String>,
    /// True when something was typed or noted.
    pub said_more: bool,
    /// What was typed, where nothing was chosen or noted and it is short enough to be read.
    pub typed: Option<String>,
    /// True when the usual answer was shown to the person.
    pub assisted: bool,
    /// The skill or plugin that asked, where it is known.
    pub asker: Option<String>,
    /// Where the preference held whose answer the person took back: of what they took back, which is no answer.
    pub undone: Option<Scope>,
    /// How long the person took, in seconds; `None` where that is not known, or they were away.
    pub human_seconds: Option<f64>,
}

impl HumanAnswer {
    /// The order of time; what happened at once is put in an order that does not depend on how it
    /// was read.
    pub fn in_time(one: &Self, other: &Self) -> Ordering {
        (one.at, one.question_index)
            .cmp(&(other.at, other.question_index))
            .then_with(|| one.session_id.cmp(&other.session_id))
            .then_with(|| one.question_key.cmp(&other.question_key))
            .then_with(|| one.labels.cmp(&other.labels))
            .then_with(|| one.said_more.cmp(&other.said_more))
    }
}

/// What is known about one question, or one family of questions, of one project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyEvidence {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `fingerprint` or `family`.
    pub key_source: String,
    /// Of a family: the words that all its texts hold, in their order; none where the options say
    /// enough.
    pub template: Option<Vec<String>>,
    /// How often it was asked in the four weeks before it was last asked, that time included, answered
    /// by whomever.
    pub recent_askings: u64,
    /// The person's answers, the latest forty. With the weights by age, and few that count a day,
    /// earlier ones would change nothing.
    pub answers: Vec<HumanAnswer>,
}

/// An answer from a row of the queries that read them.
pub(crate) fn answer(row: &Row<'_>) -> duckdb::Result<HumanAnswer> {
    let mut answer = HumanAnswer {
        question_key: row.get(1)?,
        at: row.get(3)?,
        day: row.get(4)?,
        session_id: row.get(5)?,
        question_index: row.get(6)?,
        question: row.get(7)?,
        header: row.get(8)?,
        options: labels(row, 9)?,
        descriptions: labels_if_any(row, 16)?,
        previews: labels_if_any(row, 17)?,
        tool: row.get(18)?,
        is_imported: row.get::<_, String>(19)?.starts_with("import"),
        recommended: row.get(10)?,
        multi_select: row.get(11)?,
        one_way: row.get(12)?,
        labels: labels(row, 13)?,
        said_more: row.get(14)?,
        human_seconds: row.get(15)?,
        typed: row.get(20)?,
        assisted: row.get(21)?,
        asker: row.get(22)?,
        ..HumanAnswer::default()
    };
    answer.said_more = answer.said_more && !is_taught(&answer);
    Ok(answer)
}

/// True for a label that was typed with the word that teaches it (`always: Next area`): the word is for
/// plantune, and says nothing more about the question.
fn is_taught(answer: &HumanAnswer) -> bool {
    let [chosen] = answer.labels.as_slice() else {
        return false;
    };
    let question = SentQuestion {
        options: answer.options.clone(),
        multi_select: Some(answer.multi_select),
        ..SentQuestion::default()
    };
    let typed = Answer {
        free_text: answer.typed.clone(),
        ..Answer::default()
    };
    let option = match Teach::default().lesson(&question, &typed) {
        Some(Lesson::Always(option) | Lesson::AlwaysAsk(Some(option))) => Some(option),
        _ => None,
    };
    option.and_then(|option| answer.options.get(option)) == Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::tests::answer;

    #[test]
    fn a_label_that_was_taught_is_an_answer() {
        let mut taught = answer(&["More questions", "Next area"], &["Next area"]);
        for (typed, expected) in [
            ("always: Next area", true),
            ("Immer: next area", false),
            ("always: More questions", false),
            ("Next area, and note that", false),
        ] {
            taught.typed = Some(typed.to_owned());
            assert_eq!(is_taught(&taught), expected, "{typed}");
        }
        taught.typed = None;
        assert!(!is_taught(&taught));
    }
}
