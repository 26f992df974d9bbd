//! Proposals by asker for a terminal: what would be set for each of its questions.

use std::io::{self, Write};

use plantune_query::suggest::Level;

use crate::inert::one_line;
use crate::suggestions::document::{AskerProposal, QuestionProposal};
use crate::text::hanging;

/// How many of an asker's questions are listed.
const MOST_QUESTIONS: usize = 20;

/// How much of a name or a text is shown, in columns.
const SHOWN: usize = 60;

/// Writes one proposal for the questions of an asker, for a terminal `width` columns wide.
///
/// # Errors
/// Those of `out`.
pub(super) fn proposal(
    number: usize,
    found: &AskerProposal<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let under = " ".repeat(13);
    let head = format!(
        "follow the recommendation in `{}`: {} of {}, {} questions",
        one_line(found.asker, SHOWN),
        found.evidence.agreed,
        found.evidence.answers,
        found.evidence.questions
    );
    let first = format!("\n{number}. ");
    write!(out, "{}", hanging(&first, "   ", &head, width))?;
    let sets = "a preference for each question that you have seen, and for no other:";
    write!(out, "{}", hanging("   sets:     ", &under, sets, width))?;
    for question in found.questions.iter().take(MOST_QUESTIONS) {
        let line = one(question);
        write!(
            out,
            "{}",
            hanging(&under, &format!("{under}  "), &line, width)
        )?;
    }
    if found.questions.len() > MOST_QUESTIONS {
        writeln!(
            out,
            "{under}and {} more",
            found.questions.len() - MOST_QUESTIONS
        )?;
    }
    let exempt: Vec<String> = found
        .exempt
        .iter()
        .map(|key| one_line(key, SHOWN))
        .collect();
    if !exempt.is_empty() {
        let exempt = exempt.join(", ");
        write!(out, "{}", hanging("   left out: ", &under, &exempt, width))?;
    }
    Ok(())
}

fn one(question: &QuestionProposal<'_>) -> String {
    let level = match question.level {
        Level::Assist => "shown",
        Level::Trial | Level::Standing => "on trial",
    };
    format!(
        "{} ({level}, {} of {}): {}",
        one_line(question.question_key, SHOWN),
        question.evidence.agreed,
        question.evidence.answers,
        one_line(question.question, SHOWN)
    )
}
