//! Answers that only exist as prose: the result text of older versions, rejections with partial
//! answers, and the numbered replies of MCP servers.
//!
//! Questions, labels and previews hold unescaped quotes and newlines, so nothing here parses
//! quotes: the known question texts are the anchors.

use crate::answer::{Answer, read_answer};
use crate::wire::SentQuestion;

/// How the text goes on behind the last answer, by version.
const TAILS: [&str; 4] = [
    ". You can now continue with the user's answers in mind.",
    ". You can now continue with these answers in mind.",
    ". Read the answers carefully",
    ". You can now continue",
];

/// The answers that `text` holds, one per question; `None` for a question it does not answer.
pub fn answers(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    let anchored = anchored(questions, text);
    if anchored.iter().any(Option::is_some) {
        return anchored;
    }
    if let Some(numbered) = numbered(questions, text) {
        return numbered;
    }
    match questions {
        // A server that answers one question with just the answer.
        [question] if !text.trim().is_empty() && !is_preamble(text) => {
            vec![Some(read_answer(question, text))]
        }
        _ => vec![None; questions.len()],
    }
}

fn is_preamble(text: &str) -> bool {
    [
        "User has answered your questions",
        "Your questions have been answered",
        "The user answered:",
    ]
    .iter()
    .any(|start| text.trim_start().starts_with(start))
}

/// What had been answered before the person chose to talk instead.
pub fn partial_answers(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    questions
        .iter()
        .map(|question| {
            let anchor = format!("- \"{}\"\n", question.text);
            let (_, after) = text.split_once(&anchor)?;
            let answer = after.trim_start().strip_prefix("Answer:")?;
            let end = answer.find("\n- \"").unwrap_or(answer.len());
            Some(read_answer(question, answer.get(..end)?.trim()))
        })
        .collect()
}

/// `"Q"="A"` pairs, each question text searched as a whole.
fn anchored(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    let starts: Vec<Option<(usize, usize)>> = questions
        .iter()
        .map(|question| {
            let anchor = format!("\"{}\"=", question.text);
            text.find(&anchor).map(|at| (at, at + anchor.len()))
        })
        .collect();
    let end_of_all = TAILS
        .iter()
        .filter_map(|tail| text.rfind(tail))
        .min()
        .unwrap_or(text.len());
    questions
        .iter()
        .zip(&starts)
        .map(|(question, start)| {
            let (_, from) = (*start)?;
            let next = starts
                .iter()
                .flatten()
                .map(|(at, _)| *at)
                .filter(|at| *at >= from)
                .min();
            let to = next.unwrap_or_else(|| end_of_all.max(from));
            let segment = text.get(from..to)?;
            let segment = if next.is_some() {
                segment.trim_end().trim_end_matches(',')
            } else {
                segment
            };
            read_segment(question, segment)
        })
        .collect()
}

/// `"A"`, `"A" selected preview:…`, `"A" user notes: …` or `(no option selected) notes: …`.
fn read_segment(question: &SentQuestion, segment: &str) -> Option<Answer> {
    const NOTES: [&str; 2] = [" user notes: ", " notes: "];
    let split_notes = |text: &str| {
        NOTES.iter().find_map(|mark| {
            let (_, notes) = text.split_once(mark)?;
            (!notes.trim().is_empty()).then(|| notes.trim().to_owned())
        })
    };
    let Some(quoted) = segment.strip_prefix('"') else {
        let mut answer = read_answer(question, segment.split(" notes: ").next()?);
        answer.notes = split_notes(segment);
        return Some(answer);
    };
    // The closing quote: before what may follow an answer, else the last one of the segment.
    let close = ["\" selected preview:", "\" user notes: ", "\" notes: "]
        .iter()
        .filter_map(|mark| quoted.find(mark))
        .min()
        .or_else(|| quoted.rfind('"'))?;
    let (value, rest) = quoted.split_at(close);
    if value.is_empty() {
        return None;
    }
    let mut answer = read_answer(question, value);
    answer.notes = split_notes(rest);
    Some(answer)
}

/// `1. …\n2. …` by position.
fn numbered(questions: &[SentQuestion], text: &str) -> Option<Vec<Option<Answer>>> {
    let body = text.trim_start();
    let body = body
        .strip_prefix("User responses:")
        .map_or(body, str::trim_start);
    body.strip_prefix("1. ")?;
    let mut starts = Vec::with_capacity(questions.len());
    let mut from = 0;
    for number in 1..=questions.len() {
        let mark = format!("{number}. ");
        let at = body.match_indices(&mark).map(|(at, _)| at).find(|at| {
            *at >= from
                && (*at == 0 || body.get(..*at).is_some_and(|before| before.ends_with('\n')))
        });
        let Some(at) = at else { break };
        from = at + mark.len();
        starts.push((at, from));
    }
    Some(
        questions
            .iter()
            .enumerate()
            .map(|(index, question)| {
                let (_, from) = *starts.get(index)?;
                let to = starts.get(index + 1).map_or(body.len(), |(at, _)| *at);
                let value = body.get(from..to)?.trim();
                (!value.is_empty()).then(|| read_answer(question, value))
            })
            .collect(),
    )
}
