//! The input of a question tool with the usual answer pointed out: everything else stays as it was sent,
//! byte for byte.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What is changed of one question.
#[derive(Clone, Copy, Debug)]
pub struct ChangedOption<'a> {
    /// How many options the question has.
    pub count: usize,
    /// Which of them is the usual answer.
    pub index: usize,
    /// What its description ends with.
    pub words: &'a str,
    /// True when it is to come first.
    pub is_first: bool,
}

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    questions: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Question<'a> {
    #[serde(borrow)]
    options: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct QuestionOption<'a> {
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
}

/// `input` with each of its questions changed as `changed` says; `None` where it is not understood.
pub fn with_options(
    input: &RawValue,
    changed: &[Option<ChangedOption<'_>>],
) -> Option<Box<RawValue>> {
    let sent = input.get();
    let questions = serde_json::from_str::<Input<'_>>(sent).ok()?.questions;
    if questions.len() != changed.len() {
        return None;
    }
    let mut text = String::with_capacity(sent.len() + 256);
    let mut copied = 0;
    for (question, changed) in questions.iter().zip(changed) {
        let Some(changed) = changed else { continue };
        let options = serde_json::from_str::<Question<'_>>(question.get())
            .ok()?
            .options;
        if options.len() != changed.count {
            return None;
        }
        // What comes first changes places with nothing: the others move on by one.
        let mut order: Vec<usize> = (0..options.len()).collect();
        if changed.is_first {
            order.get_mut(..=changed.index)?.rotate_right(1);
        }
        for (place, from) in options.iter().zip(order) {
            let start = offset(sent, place.get())?;
            text.push_str(sent.get(copied..start)?);
            let option = options.get(from)?.get();
            if from == changed.index {
                text.push_str(&described(option, changed.words)?);
            } else {
                text.push_str(option);
            }
            copied = start + place.get().len();
        }
    }
    text.push_str(sent.get(copied..)?);
    RawValue::from_string(text).ok()
}

/// `option` with `words` at the end of its description.
fn described(option: &str, words: &str) -> Option<String> {
    let sent = serde_json::from_str::<QuestionOption<'_>>(option).ok()?;
    let Some(raw) = sent.description else {
        let body = option.trim_end().strip_suffix('}')?.trim_end();
        let comma = if body.ends_with('{') { "" } else { "," };
        let words = serde_json::to_string(words).ok()?;
        return Some(format!("{body}{comma}\"description\":{words}}}"));
    };
    let description: String = serde_json::from_str(raw.get()).ok()?;
    let described = serde_json::to_string(&joined(&description, words)).ok()?;
    let start = offset(option, raw.get())?;
    let after = option.get(start + raw.get().len()..)?;
    Some(format!("{}{described}{after}", option.get(..start)?))
}

/// `description`, then `words` as a sentence of their own.
fn joined(description: &str, words: &str) -> String {
    let description = description.trim_end();
    match description.chars().next_back() {
        None => words.to_owned(),
        Some('.' | '!' | '?' | '…' | '。' | '！' | '？' | ':' | ';') => {
            format!("{description} {words}")
        }
        Some(_) => format!("{description}. {words}"),
    }
}

/// Where in `whole` its own `part` begins.
fn offset(whole: &str, part: &str) -> Option<usize> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (start + part.len() <= whole.len()).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &str = r#"{ "questions" : [ {"z":1.0e2, "options":[ {"label":"A","description":"\u00e9"},
      {"description": "go on" , "label":"B"} ,{"label":"C"} ],"question":"Q?"}], "x":12345678901234567890123 }"#;

    fn changed(index: usize, is_first: bool) -> ChangedOption<'static> {
        ChangedOption {
            count: 3,
            index,
            words: "Usual \"one\".",
            is_first,
        }
    }

    fn with(sent: &str, changed: &[Option<ChangedOption<'_>>]) -> Option<String> {
        let raw = RawValue::from_string(sent.to_owned()).unwrap();
        with_options(&raw, changed).map(|raw| raw.get().to_owned())
    }

    #[test]
    fn the_rest_is_kept_byte_for_byte() {
        let noted = with(SENT, &[Some(changed(1, false))]).unwrap();
        let words = r#""go on. Usual \"one\".""#;
        assert_eq!(noted, SENT.replace("\"go on\"", words));
        let first = with(SENT, &[Some(changed(1, true))]).unwrap();
        let moved = SENT
            .replace(r#"{"label":"A","description":"\u00e9"}"#, "@")
            .replace(r#"{"description": "go on" , "label":"B"}"#, "%")
            .replace('@', &format!(r#"{{"description": {words} , "label":"B"}}"#))
            .replace('%', r#"{"label":"A","description":"\u00e9"}"#);
        assert_eq!(first, moved);
        let undescribed = with(SENT, &[Some(changed(2, false))]).unwrap();
        let words = r#"{"label":"C","description":"Usual \"one\"."}"#;
        assert_eq!(undescribed, SENT.replace(r#"{"label":"C"}"#, words));
        assert_eq!(with(SENT, &[None]).unwrap(), SENT);
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        for sent in [
            "[]",
            r#"{"questions":"[]"}"#,
            r#"{"questions":[]}"#,
            r#"{"questions":[{}]}"#,
            r#"{"questions":[{"options":["A","B","C"]}]}"#,
            r#"{"questions":[{"options":[{},{"description":1},{}]}]}"#,
            r#"{"questions":[{"options":[{},{"description":"x"}]}]}"#,
        ] {
            assert_eq!(with(sent, &[Some(changed(1, true))]), None, "{sent}");
        }
    }
}
