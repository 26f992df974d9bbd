//! Answers that came back as objects and lists, by text or by position.

use serde_json::Value;

use crate::answer::{Answer, read_answer};
use crate::keys::take_marker;
use crate::wire::SentQuestion;

/// The answer to each of `questions` in a result that is no text; `None` for what is not answered.
pub(super) fn structured(questions: &[SentQuestion], result: &Value) -> Vec<Option<Answer>> {
    let note = |question: &SentQuestion| {
        let notes = annotation(question, result, "notes")?.trim();
        (!notes.is_empty()).then(|| notes.to_owned())
    };
    let answers = result
        .get("answers")
        .or_else(|| result.get("structuredContent")?.get("answers"));
    let echoed = result.get("questions").and_then(Value::as_array);
    let one = questions.len() == 1;
    questions
        .iter()
        .enumerate()
        .map(|(index, question)| {
            let value = match answers {
                Some(map @ Value::Object(object)) => lookup(map, &question.text)
                    .or_else(|| object.values().next().filter(|_| one && object.len() == 1)),
                Some(Value::Array(list)) => list.get(index),
                Some(single @ Value::String(_)) if one => Some(single),
                _ if result.is_array() => result.get(index),
                _ => echoed
                    .and_then(|list| list.get(index))
                    .or(one.then_some(result)),
            };
            let mut answer = read_value(question, value?)?;
            answer.notes = answer.notes.or_else(|| note(question));
            Some(answer)
        })
        .collect()
}

/// What the result's annotation `name` says of `question`.
pub(super) fn annotation<'r>(
    question: &SentQuestion,
    result: &'r Value,
    name: &str,
) -> Option<&'r str> {
    let of_question = lookup(result.get("annotations")?, &question.text)?;
    of_question.get(name)?.as_str()
}

/// The value whose key is `text`, exactly or but for white space and marker.
fn lookup<'v>(map: &'v Value, text: &str) -> Option<&'v Value> {
    map.get(text).or_else(|| {
        let plain = |text: &str| {
            let (_, shown) = take_marker(text);
            shown.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let wanted = plain(text);
        map.as_object()?
            .iter()
            .find(|(key, _)| plain(key) == wanted)
            .map(|(_, value)| value)
    })
}

fn read_value(question: &SentQuestion, value: &Value) -> Option<Answer> {
    const LABELS: [&str; 5] = ["option_label", "label", "choice", "answer", "user_answer"];
    const FREE: [&str; 2] = ["free_text", "other_text"];
    match value {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(read_answer(question, text)),
        Value::Array(list) => {
            let mut whole = Answer::default();
            for part in list.iter().filter_map(|part| read_value(question, part)) {
                whole.labels.extend(part.labels);
                whole.free_text = whole.free_text.or(part.free_text);
                whole.notes = whole.notes.or(part.notes);
            }
            (!whole.is_empty()).then_some(whole)
        }
        Value::Object(object) => {
            let filled = |value: &&Value| !value.is_null() && value.as_str() != Some("");
            let named = |names: &[&str]| {
                names
                    .iter()
                    .find_map(|name| object.get(*name).filter(filled))
            };
            let mut answer = named(&LABELS)
                .and_then(|value| read_value(question, value))
                .unwrap_or_default();
            let free = named(&FREE).and_then(Value::as_str).map(str::to_owned);
            answer.free_text = free.or(answer.free_text);
            let notes = object.get("notes").and_then(Value::as_str).map(str::trim);
            answer.notes = answer
                .notes
                .or_else(|| notes.filter(|notes| !notes.is_empty()).map(str::to_owned));
            (!answer.is_empty()).then_some(answer)
        }
        _ => None,
    }
}
