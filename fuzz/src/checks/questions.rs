//! A question and what comes back for it: its parts, its results, texts as long as somebody hostile makes them, and
//! permission prompts. Each check says what its input is.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a check is there to panic"
)]

use std::collections::BTreeSet;

use plantune_domain::agreement::agreement::{Agreement, Asking, Given, never};
use plantune_domain::agreement::gate::decide;
use plantune_domain::answer::{Answer, read_answer};
use plantune_domain::doors::find_signs;
use plantune_domain::event::Event;
use plantune_domain::json::lenient_json;
use plantune_domain::keys::{is_id, is_made_up, is_split, key_of, normalise, take_marker};
use plantune_domain::permissions::{
    OwnReaches, Reach, Rule, allows, describe, matches, narrowest_rules, parts, value,
};
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::{recommended, same_label, strip_mark};
use plantune_domain::registry::Registry;
use plantune_domain::result_text;
use plantune_domain::results::{Outcome, error_outcomes, outcomes};
use plantune_domain::wire::{SentQuestion, sent_questions};
use serde_json::{Map, Value, json};

/// The parts of a question: marker, key, recommendation, door, decision.
///
/// Input: fields divided by the byte 1F: the text, the header, the labels.
///
/// Checks the question in `data`.
pub(crate) fn check_parts(data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let mut fields = input.split('\u{1f}');
    let sent = SentQuestion {
        text: fields.next().unwrap_or_default().to_owned(),
        header: fields.next().map(str::to_owned),
        options: fields.map(str::to_owned).collect(),
        multi_select: None,
        ..SentQuestion::default()
    };
    check_marker(&sent.text);
    check_key(&sent);
    check_labels(&sent);
    check_doors(&sent);
    let registry = Registry::default();
    let question = Question::identify(sent, &registry);
    check_question(&question);
    check_deciding(question, &registry);
}

fn check_marker(text: &str) {
    let (id, shown) = take_marker(text);
    assert_eq!(
        take_marker(&shown),
        (None, shown.clone()),
        "a marker is left"
    );
    assert_eq!(shown.trim(), shown);
    match id {
        Some(id) => assert!(is_id(&id) && text.contains(&id)),
        None => assert_eq!(shown, text.trim()),
    }
}

/// The key stays the same whatever varies from one asking to the next.
fn check_key(sent: &SentQuestion) {
    let key = key_of(&sent.text, &sent.options);
    assert!(is_id(&key.0) && is_made_up(&key.0));
    let mut other = sent.options.clone();
    other.reverse();
    for label in &mut other {
        label.make_ascii_uppercase();
    }
    let text = &sent.text;
    assert_eq!(key, key_of(text, &other), "letter case and order of labels");
    if let Some(label) = other.first_mut().filter(|label| !label.trim().is_empty())
        && !strip_mark(label).1
    {
        label.push_str(" (Recommended)");
        assert_eq!(key, key_of(text, &other), "the recommendation");
    }
    let normal = normalise(&sent.text);
    assert_eq!(normal.trim(), normal);
}

fn check_labels(sent: &SentQuestion) {
    for label in &sent.options {
        let (name, marked) = strip_mark(label);
        assert!(label.contains(name) && name.trim() == name && !(marked && name.is_empty()));
        assert!(same_label(label, label) && same_label(label, name) == same_label(name, label));
    }
    let marked: Vec<usize> = (0..sent.options.len())
        .filter(|at| strip_mark(&sent.options[*at]).1)
        .collect();
    match (marked.as_slice(), recommended(&sent.text, &sent.options)) {
        // Its text may recommend another one.
        ([one], found) => assert!(found.is_none_or(|at| at == *one)),
        ([], found) => assert!(found.is_none_or(|at| at < sent.options.len())),
        (_, found) => assert_eq!(found, None),
    }
}

/// More text can only add a reason to ask.
fn check_doors(sent: &SentQuestion) {
    let text = sent.text.as_str();
    // A text that is a command as a whole is none beside another.
    let is_held = |text: &str| {
        let asking = Asking {
            text,
            options: &["Yes".to_owned()],
            ..Asking::default()
        };
        never(asking, 0).is_some_and(|reason| !reason.starts_with("sign"))
    };
    let padded = format!("Is the plan fine?\n{text}");
    assert!(!is_held(text) || is_held(&padded), "{padded}");
}

fn check_question(question: &Question) {
    assert!(is_id(&question.key));
    assert!(
        is_made_up(&question.key)
            || matches!(question.key_source, KeySource::Marker | KeySource::Registry)
    );
    let mut event = Event {
        v: 1,
        ..Event::default()
    };
    question.describe(0, 1, &mut event);
    let line = event.to_line().unwrap();
    let read: Event<'_> = serde_json::from_slice(&line).unwrap();
    assert!(read == event || read.truncated == Some(true));
}

/// A decision is one of the labels, and never against the rules that come first.
fn check_deciding(question: Question, registry: &Registry) {
    let entry = |entry: Value| serde_json::from_value::<Preference>(entry).unwrap();
    let pinned = question.sent.options.last().cloned().unwrap_or_default();
    let agreed = |label: Option<&str>| {
        let asking = question.asking();
        let label = label?;
        let session = "";
        Agreement::exactly(&[Given {
            asking,
            label,
            session,
        }])
    };
    let follow = Preference {
        agreement: agreed(question.recommended_label()),
        ..entry(json!({"preference": "never-ask"}))
    };
    let pin = Preference {
        agreement: agreed(Some(&pinned)),
        ..entry(json!({"preference": "never-ask", "answer": pinned}))
    };
    let ask = entry(json!({"preference": "always-ask"}));
    let questions = [question];
    for obeyed in [follow, pin] {
        let standing = [vec![(Scope::Global, obeyed.clone())]];
        if let Ok(choices) = decide(&questions, &standing, registry) {
            let [question] = &questions;
            let label = choices[0].label();
            assert!(question.sent.options.iter().any(|offered| offered == label));
            assert!(!is_split(&question.key));
            let at = question.sent.options.iter().position(|one| one == label);
            assert_eq!(never(question.asking(), at.unwrap()), None, "{label}");
            assert_eq!(find_signs(label), None, "{label}");
            let recommended = question.recommended_label();
            assert!(same_label(
                label,
                obeyed.answer.as_deref().or(recommended).unwrap()
            ));
        }
        let asked = [vec![(Scope::Project, obeyed), (Scope::Global, ask.clone())]];
        assert!(decide(&questions, &asked, registry).is_err());
    }
    assert!(decide(&questions, &[vec![]], registry).is_err());
}

/// The result of a call, in any shape, as the hook and the importer read it.
///
/// Input: two sections divided by the byte 1E: the tool's input, and its result, as JSON or as text.
///
/// Checks the call and the result in `data`.
pub(crate) fn check_results(data: &[u8]) {
    let data = String::from_utf8_lossy(data);
    let (input, result) = data.split_once('\u{1e}').unwrap_or((&data, ""));
    let questions = sent_questions(&lenient_json(input).unwrap_or_default());
    let value = lenient_json(result).unwrap_or_else(|_| Value::from(result));
    for is_error in [false, true] {
        check_outcomes(&questions, &outcomes(&questions, &value, is_error));
        check_outcomes(&questions, &error_outcomes(&questions, result, is_error));
    }
    for answers in [
        result_text::answers(&questions, result),
        result_text::answers_before_idle(&questions, result),
        result_text::partial_answers(&questions, result),
        result_text::responded(&questions, result),
    ] {
        assert_eq!(answers.len(), questions.len());
        for (question, answer) in questions.iter().zip(answers) {
            check_answer(question, &answer.unwrap_or_default());
        }
    }
    for question in &questions {
        check_answer(question, &read_answer(question, result));
        check_several(question);
    }
    check_reported(&questions);
}

fn check_outcomes(questions: &[SentQuestion], outcomes: &[Outcome]) {
    assert_eq!(outcomes.len(), questions.len());
    for (question, outcome) in questions.iter().zip(outcomes) {
        match outcome {
            Outcome::Answered(answer) => {
                assert!(!answer.is_empty());
                check_answer(question, answer);
            }
            Outcome::Dismissed { partial, .. } => {
                check_answer(question, &partial.clone().unwrap_or_default());
            }
            Outcome::Failed { .. } | Outcome::Denied => {}
        }
        let known = Question::identify(question.clone(), &Registry::default());
        let mut event = Event {
            v: 1,
            ..Event::default()
        };
        outcome.describe(
            &known,
            question.options.first().map(String::as_str),
            &mut event,
        );
        let line = event.to_line().unwrap();
        let read: Event<'_> = serde_json::from_slice(&line).unwrap();
        assert_eq!(read.answer, event.answer);
    }
}

/// A chosen label is one that was offered.
fn check_answer(question: &SentQuestion, answer: &Answer) {
    for label in &answer.labels {
        assert!(
            question.options.contains(label),
            "{label:?} was not offered"
        );
    }
}

/// Several labels, joined as Claude Code joins them, leave nothing over as typed text.
fn check_several(question: &SentQuestion) {
    let distinct: BTreeSet<&str> = question.options.iter().map(String::as_str).collect();
    let plain = |label: &str| !label.trim().is_empty() && !label.starts_with('(');
    if distinct.len() != question.options.len()
        || !(2..=4).contains(&distinct.len())
        || !distinct.iter().all(|label| plain(label))
    {
        return;
    }
    let several = SentQuestion {
        multi_select: Some(true),
        ..question.clone()
    };
    let read = read_answer(&several, &question.options.join(", "));
    assert!(!read.labels.is_empty());
    assert_eq!(read.free_text, None, "of {:?}", question.options);
}

/// The last label of every question, reported in the ways of the native tool.
fn check_reported(questions: &[SentQuestion]) {
    let texts: BTreeSet<&str> = questions
        .iter()
        .map(|question| question.text.as_str())
        .collect();
    let plain =
        |text: &str| !text.trim().is_empty() && !text.contains(['"', '(', '\n', ':', '.', '[']);
    let wanted: Vec<&str> = questions
        .iter()
        .filter(|question| plain(&question.text))
        .filter_map(|question| question.options.last())
        .map(String::as_str)
        .filter(|label| plain(label))
        .collect();
    if wanted.len() != questions.len() || texts.len() != questions.len() || wanted.is_empty() {
        return;
    }
    let pairs: Vec<(&str, &str)> = questions
        .iter()
        .map(|question| question.text.as_str())
        .zip(wanted.iter().copied())
        .collect();
    let map: Map<String, Value> = pairs
        .iter()
        .map(|(text, label)| ((*text).to_owned(), Value::from(*label)))
        .collect();
    let answers: Vec<String> = pairs
        .iter()
        .map(|(text, label)| format!("\"{text}\"=\"{label}\""))
        .collect();
    let text = format!(
        "User has answered your questions: {}. You can now continue with the user's answers in mind.",
        answers.join(", ")
    );
    for result in [json!({"questions": [], "answers": map}), Value::from(text)] {
        for (outcome, wanted) in outcomes(questions, &result, false).iter().zip(&wanted) {
            let Outcome::Answered(answer) = outcome else {
                panic!("{wanted:?} was lost: {outcome:?}");
            };
            assert_eq!(answer.labels.len(), 1);
            assert_eq!(
                answer.labels[0].to_lowercase().trim(),
                wanted.to_lowercase().trim()
            );
        }
    }
}

/// Texts as long as somebody hostile would make them: a short pattern, many times over. Nothing but
/// the time they take is checked, by the fuzzer's limit for one input and by nobody's patience in
/// the tests: what takes the square of the length would take hours.
///
/// Input: where the text goes (a byte), then fields divided by the byte 1F: what comes before the
/// pattern, the pattern, what comes after. The byte 01 in the pattern is how often it has come.
///
/// Checks that the text in `data`, of about `length` bytes, is gone through in time.
pub(crate) fn check_stretched(data: &[u8], length: usize) {
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

const CWD: &str = "/home/dev/shop";

/// The subject of a permission prompt, and rules for it.
///
/// Input: a command, behind the byte 1F a tool, and behind another a rule.
///
/// Checks the call and the rule in `data`.
pub(crate) fn check_permissions(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut fields = text.split('\u{1f}');
    let mut next = || fields.next().unwrap_or_default();
    let (command, tool, rule) = (next(), next(), next());
    check_command(command);
    check_tool(tool, command);
    if let Some(rule) = Rule::parse(rule) {
        assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
        let input = json!({ "command": command });
        assert!(!rule.matches("Bash", &input, CWD) || rule.allows("Bash", &input, CWD));
    }
}

fn reach(command: &str) -> Reach {
    describe("Bash", &json!({ "command": command }), CWD).reach
}

fn check_command(command: &str) {
    let own = OwnReaches::default();
    let described = describe("Bash", &json!({ "command": command }), CWD);
    assert!(!described.subject.contains('\0') || command.contains('\0'));
    match parts(command, CWD, &own) {
        // A loop can be judged, but the client may part it in another way: it gets no rule.
        None => assert_eq!(
            narrowest_rules("Bash", command, CWD, &own),
            None,
            "{command:?}"
        ),
        Some(parts) => {
            let worst = parts.iter().map(|part| part.reach).max();
            assert_eq!(worst, Some(described.reach));
            for part in &parts {
                assert!(part.fixed <= part.words.len(), "{part:?}");
                assert!(
                    part.words
                        .iter()
                        .all(|word| command.contains(word.as_str()))
                );
            }
            // Substitutions and expansions are never sure.
            let quoted = command.contains(['\'', '\\']);
            assert!(quoted || !command.contains(['$', '`']), "{command:?}");
        }
    }
    // What is dangerous stays so beside what is not.
    if described.reach == Reach::Beyond {
        assert_eq!(reach(&format!("ls && {command}")), Reach::Beyond);
    }
    // A backslash at the end makes one line of the two.
    if !command.ends_with('\\') {
        assert_eq!(reach(&format!("{command}\ngit push")), Reach::Beyond);
    }
    assert_eq!(reach(&format!("git push; {command}")), Reach::Beyond);
}

fn check_tool(tool: &str, text: &str) {
    for tool in [tool, "Bash"] {
        let input = value(tool, text);
        let described = describe(tool, &input, CWD);
        assert!(described.input.len() <= 2048);
        if let Some(rules) = narrowest_rules(tool, text, CWD, &OwnReaches::default()) {
            assert_ne!(described.reach, Reach::Beyond);
            assert!(!rules.is_empty());
            assert!(allows(&rules, tool, &input, CWD), "{rules:?}");
            assert!(matches(&rules, tool, &input, CWD), "{rules:?}");
            for rule in &rules {
                assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Some(rule));
            }
        }
    }
}
