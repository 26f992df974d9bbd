//! Answers that only exist as prose: the result text of older versions, rejections with partial
//! answers, and the numbered replies of MCP servers.
//!
//! Questions, labels and previews hold unescaped quotes and newlines, so nothing here parses
//! quotes: the known question texts are the anchors.

use crate::answer::{Answer, read_answer};
use crate::host_words::is_host_sentence;
use crate::wire::SentQuestion;

/// How the text goes on behind the last answer, by version.
const TAILS: [&str; 4] = [
    ". You can now continue with the user's answers in mind.",
    ". You can now continue with these answers in mind.",
    ". Read the answers carefully",
    ". You can now continue",
];

/// Before the answer in prose to a whole call.
const RESPONDED: &str = "The user responded: ";

/// Before what had been chosen when the person went away.
const BEFORE_IDLE: &str = "Before going idle the user had selected: ";

/// The answers that `text` holds, one per question; `None` for a question it does not answer.
pub fn answers(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    if let Some(response) = text.trim_start().strip_prefix(RESPONDED) {
        return responded(questions, response);
    }
    let anchored = anchored(questions, text);
    if anchored.iter().any(Option::is_some) {
        return anchored;
    }
    if let [question] = questions {
        let lone = read_answer(question, text);
        if !lone.labels.is_empty() {
            return vec![Some(lone)];
        }
    }
    if let Some(numbered) = numbered(questions, text) {
        return numbered;
    }
    match questions {
        // A server that answers one question with just the answer.
        [question] if !text.trim().is_empty() && !is_host_sentence(text) => {
            vec![Some(read_answer(question, text))]
        }
        _ => vec![None; questions.len()],
    }
}

/// True when `text` is in one of the forms in which answers come, and not just any text.
pub fn is_framed(questions: &[SentQuestion], text: &str) -> bool {
    let start = text.trim_start();
    is_host_sentence(text)
        || ["User responses:", "1. ", RESPONDED]
            .iter()
            .any(|frame| start.starts_with(frame))
        || questions
            .iter()
            .any(|question| text.contains(&format!("\"{}\"=", question.text)))
}

/// One reply in prose to all of `questions`: to a single one it may name a label, to several it
/// is free text for each.
pub fn responded(questions: &[SentQuestion], response: &str) -> Vec<Option<Answer>> {
    match questions {
        [question] => vec![Some(read_answer(question, response))],
        _ => vec![
            Some(Answer {
                free_text: Some(response.to_owned()),
                ..Answer::default()
            });
            questions.len()
        ],
    }
}

/// True for what the model is told when the person asked for other questions first.
pub fn is_follow_up(text: &str) -> bool {
    let rest = text
        .trim_start()
        .strip_prefix("The user asked for more questions before ");
    rest.is_some_and(|rest| rest.starts_with("answering.") || rest.starts_with("you proceed."))
}

/// What had been chosen before the person went away.
pub fn answers_before_idle(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    match text.split_once(BEFORE_IDLE) {
        Some((_, chosen)) => anchored(questions, chosen.strip_suffix('.').unwrap_or(chosen)),
        None => vec![None; questions.len()],
    }
}

/// What had been answered before the person chose to talk instead.
pub fn partial_answers(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    let segments = segments(questions, text, text.len(), |question| {
        format!("- \"{question}\"\n")
    });
    questions
        .iter()
        .zip(segments)
        .map(|(question, segment)| {
            let segment = segment?.trim();
            let (answer, notes) = match segment.split_once("\n  User notes: ") {
                Some((answer, notes)) => (answer, Some(notes.trim().to_owned())),
                None => (segment, None),
            };
            let mut answer = match answer.strip_prefix("Answer:") {
                Some(answer) => read_answer(question, answer.trim()),
                None => Answer::default(),
            };
            answer.notes = notes;
            (!answer.is_empty()).then_some(answer)
        })
        .collect()
}

/// `"Q"="A"` pairs, each question text searched as a whole.
fn anchored(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    // The last tail is the host's: an earlier one stands in an answer.
    let end = TAILS.iter().filter_map(|tail| text.rfind(tail)).max();
    let end = end.unwrap_or(text.len());
    let segments = segments(questions, text, end, |question| format!("\"{question}\"="));
    questions
        .iter()
        .zip(segments)
        .map(|(question, segment)| read_segment(question, segment?))
        .collect()
}

/// The text behind each question's anchor, up to the next question's, the last up to `end`.
fn segments<'t>(
    questions: &[SentQuestion],
    text: &'t str,
    end: usize,
    anchor: impl Fn(&str) -> String,
) -> Vec<Option<&'t str>> {
    let mut searched = 0;
    let starts: Vec<Option<(usize, usize)>> = questions
        .iter()
        .map(|question| {
            let anchor = anchor(&question.text);
            // In the questions' order, so that a text asked twice is found twice; but answers may
            // stand in the order they were given in.
            let at = match text.get(searched..)?.find(&anchor) {
                Some(at) => searched + at,
                None => text.find(&anchor)?,
            };
            searched = at + anchor.len();
            Some((at, searched))
        })
        .collect();
    starts
        .iter()
        .map(|start| {
            let (_, from) = (*start)?;
            let others = starts.iter().flatten().map(|(at, _)| *at);
            match others.filter(|at| *at >= from).min() {
                Some(next) => Some(text.get(from..next)?.trim_end().trim_end_matches(',')),
                None => text.get(from..end.max(from)),
            }
        })
        .collect()
}

/// `"A"`, `"A" selected preview:…`, `"A" user notes: …` or `(no option selected) notes: …`.
fn read_segment(question: &SentQuestion, segment: &str) -> Option<Answer> {
    let Some(quoted) = segment.strip_prefix('"') else {
        let mut answer = read_answer(question, segment.split(" notes: ").next()?);
        answer.notes = notes_in(segment);
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
    answer.notes = notes_in(rest);
    Some(answer)
}

/// The person's note. Behind a preview it is the last one: the preview may hold the word itself.
fn notes_in(annotations: &str) -> Option<String> {
    const MARKS: [&str; 2] = [" user notes: ", " notes: "];
    let of_preview = annotations.starts_with("\" selected preview:");
    MARKS.iter().find_map(|mark| {
        let (_, notes) = if of_preview {
            annotations.rsplit_once(mark)?
        } else {
            annotations.split_once(mark)?
        };
        (!notes.trim().is_empty()).then(|| notes.trim().to_owned())
    })
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
