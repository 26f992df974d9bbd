//! Texts as long as somebody hostile would make them: a short pattern, many times over. Nothing but
//! the time they take is checked, by the fuzzer's limit for one input and by nobody's patience in
//! the tests: what takes the square of the length would take hours.
//!
//! Input: where the text goes (a byte), then fields divided by the byte 1F: what comes before the
//! pattern, the pattern, what comes after. The byte 01 in the pattern is how often it has come.

use plantune_domain::answer::read_answer;
use plantune_domain::gate::decide;
use plantune_domain::keys::take_marker;
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::result_text;
use plantune_domain::results::{error_outcomes, outcomes};
use plantune_domain::wire::{SentQuestion, lenient_json, sent_questions};
use serde_json::Value;

/// Checks that the text in `data`, of about `length` bytes, is gone through in time.
pub(crate) fn check(data: &[u8], length: usize) {
    let Some((place, rest)) = data.split_first() else {
        return;
    };
    let rest = String::from_utf8_lossy(rest);
    let mut fields = rest.split('\u{1f}');
    let before = fields.next().unwrap_or_default();
    let pattern = fields
        .next()
        .filter(|pattern| !pattern.is_empty())
        .unwrap_or("a");
    let after = fields.next().unwrap_or_default();
    let long = format!("{before}{}{after}", repeated(pattern, length));
    let mut sent = SentQuestion {
        text: "Which one?".to_owned(),
        header: Some("One".to_owned()),
        options: vec!["A".to_owned(), "B, C".to_owned()],
        multi_select: Some(true),
        ..SentQuestion::default()
    };
    match place % 8 {
        0 => {
            take_marker(&long);
            sent.text = long;
            identify(sent);
        }
        1 => {
            sent.options.push(long);
            identify(sent);
        }
        2 => {
            // As many labels as there are lines.
            sent.options = long.split('\n').map(str::to_owned).collect();
            let joined = sent.options.join(", ");
            read_answer(&sent, &joined);
            identify(sent);
        }
        3 => {
            read_answer(&sent, &long);
            sent.options.push(long.clone());
            read_answer(&sent, &long);
        }
        4 => {
            let sent = [sent.clone(), sent];
            result_text::answers(&sent, &long);
            result_text::partial_answers(&sent, &long);
            outcomes(&sent, &Value::from(long), false);
        }
        5 => {
            error_outcomes(&[sent], &long, false);
        }
        6 => {
            let value = lenient_json(&long).unwrap_or_default();
            let questions = sent_questions(&value);
            outcomes(&questions, &value, false);
            outcomes(&questions, &Value::from(long.as_str()), false);
            error_outcomes(&questions, "User rejected tool use", false);
            questions.into_iter().for_each(identify);
        }
        _ => {
            sent.header = Some(long);
            identify(sent);
        }
    }
}

fn repeated(pattern: &str, length: usize) -> String {
    let times = length / pattern.len();
    if pattern.contains('\u{1}') {
        (0..times)
            .map(|number| pattern.replace('\u{1}', &number.to_string()))
            .collect()
    } else {
        pattern.repeat(times)
    }
}

/// Identifies `sent`, and decides it by a preference that was given for just that.
fn identify(sent: SentQuestion) {
    let registry = Registry::default();
    let given = Preference {
        question: Some(sent.text.clone()),
        options: Some(sent.options.clone()),
        ..Preference::of(Policy::NeverAsk)
    };
    let question = Question::identify(sent, &registry);
    let standing = [vec![(Scope::Global, given)]];
    let _ = decide(std::slice::from_ref(&question), &standing, &registry);
}
