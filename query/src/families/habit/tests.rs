use chrono::TimeDelta;

use super::*;
use crate::evidence::tests::{answer, at};

/// A series of an unmarked question: its texts, one a day, answered with `label`.
fn series(key: &str, texts: &[&str], options: &[&str], label: &str) -> KeyEvidence {
    let answers = texts.iter().enumerate().map(|(index, text)| {
        let mut answer = answer(options, &[label]);
        answer.question_key = key.to_owned();
        answer.question = (*text).to_owned();
        answer.at = at("2026-11-01 10:00") + TimeDelta::days(index as i64);
        answer.day = answer.at.date();
        answer
    });
    KeyEvidence {
        project: "p".to_owned(),
        question_key: key.to_owned(),
        key_source: "fingerprint".to_owned(),
        answers: answers.collect(),
        ..KeyEvidence::default()
    }
}

fn found(series: Vec<KeyEvidence>) -> Vec<Habit> {
    groups(series)
        .into_iter()
        .flat_map(|(group, series)| habits(&group, series))
        .collect()
}

const AREAS: [&str; 2] = ["More questions", "Next area"];

#[test]
fn a_specific_set_is_one_family_whatever_the_texts() {
    let texts = [
        "Anything else on login?",
        "Shall we move on?",
        "Billing: enough?",
    ];
    let given: Vec<KeyEvidence> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| series(&format!("fp-{index}"), &[text], &AREAS, "Next area"))
        .collect();
    let mut other_way = given.clone();
    other_way.reverse();
    let family = found(given);
    assert_eq!(family.len(), 1);
    let evidence = &family[0].evidence;
    assert_eq!(evidence.answers.len(), 3);
    assert_eq!(evidence.template.as_deref(), Some(&[][..]));
    assert_eq!(evidence.key_source, "family");
    let options = AREAS.map(str::to_owned);
    assert_eq!(evidence.question_key, family::set_key(&options));
    assert_eq!(found(other_way), family);
}

#[test]
fn the_words_that_a_specific_set_shares_are_its_template_and_not_its_name() {
    let one = series(
        "fp-1",
        &["login: shall I go to the area?"; 2],
        &AREAS,
        "Next area",
    );
    let mut other = series(
        "fp-2",
        &["search: shall I go to the area?"; 2],
        &AREAS,
        "Next area",
    );
    let family = found(vec![one.clone(), other.clone()]);
    // "Area" alone says something of its own: too little.
    assert_eq!(family[0].evidence.template.as_deref(), Some(&[][..]));
    for answer in &mut other.answers {
        answer.question = "search: shall I map the area?".to_owned();
    }
    let mut one = one;
    for answer in &mut one.answers {
        answer.question = "login: shall I map the area?".to_owned();
    }
    let family = found(vec![one, other]);
    let words = ["shall", "i", "map", "the", "area"].map(str::to_owned);
    assert_eq!(family[0].evidence.template.as_deref(), Some(&words[..]));
    let options = AREAS.map(str::to_owned);
    assert_eq!(family[0].evidence.question_key, family::set_key(&options));
}

#[test]
fn general_sets_need_a_template() {
    let yes = |key: &str, text: &str| series(key, &[text], &["Yes", "No"], "Yes");
    let found = found(vec![
        yes("fp-1", "login: run the linter now?"),
        yes("fp-2", "search: run the linter now?"),
        yes("fp-3", "charts: run the linter now?"),
        yes("fp-4", "Overwrite the schema?"),
        yes("fp-5", "Proceed?"),
        yes("fp-6", "Use tabs?"),
    ]);
    assert_eq!(found.len(), 1);
    let evidence = &found[0].evidence;
    assert_eq!(evidence.answers.len(), 3);
    let template = ["run", "the", "linter", "now"].map(str::to_owned);
    assert_eq!(evidence.template.as_deref(), Some(&template[..]));
    let options = ["Yes", "No"].map(str::to_owned);
    let set = family::set_key(&options);
    assert_eq!(evidence.question_key, family::template_key(&set, &template));
}

#[test]
fn one_text_variant_is_no_family_and_marked_questions_are_never_one() {
    let alone = found(vec![series(
        "fp-1",
        &["Same text?"; 4],
        &AREAS,
        "Next area",
    )]);
    assert_eq!(alone.len(), 1);
    assert_eq!(alone[0].evidence.question_key, "fp-1");
    assert_eq!(alone[0].evidence.template, None);
    let marked = |key: &str| {
        let mut marked = series(key, &["One text?", "Another?"], &AREAS, "Next area");
        marked.key_source = "marker".to_owned();
        marked
    };
    assert!(found(vec![marked("a"), marked("b")]).is_empty());
}

#[test]
fn frequent_text_variants_stand_beside_their_family() {
    let found = found(vec![
        series("fp-1", &["Enough of login?"; 3], &AREAS, "Next area"),
        series("fp-2", &["And now?"], &AREAS, "More questions"),
    ]);
    let keys: Vec<(&str, bool)> = found
        .iter()
        .map(|habit| (habit.evidence.key_source.as_str(), habit.within_family))
        .collect();
    assert_eq!(keys, [("family", false), ("fingerprint", true)]);
}

#[test]
fn projects_stay_apart() {
    let one = series("fp-1", &["Enough of login?"], &AREAS, "Next area");
    let mut others = [one.clone(), one.clone(), one];
    for (index, other) in others.iter_mut().enumerate() {
        other.project = index.to_string();
    }
    assert!(found(others.to_vec()).is_empty());
}

#[test]
fn what_a_program_was_answered_says_nothing_of_the_person() {
    let at_host = |host: &str, texts: &[&str], label: &str| {
        let mut one = series("k", texts, &AREAS, label);
        one.key_source = "marker".to_owned();
        for answer in &mut one.answers {
            answer.tool = Some(host.to_owned());
        }
        one
    };
    let kept = |hosts: &[(&str, usize)]| {
        let mut merged = at_host("", &[], "");
        for (host, count) in hosts {
            let mut answers = at_host(host, &vec!["On?"; *count], "Next area").answers;
            let later = TimeDelta::days(merged.answers.len() as i64);
            answers.iter_mut().for_each(|answer| answer.at += later);
            merged.answers.extend(answers);
        }
        let habit = found(vec![merged]).pop().unwrap();
        let first = habit.evidence.answers[0].tool.clone().unwrap();
        (first, habit.evidence.answers.len())
    };
    let dialog = "AskUserQuestion";
    let of = |host: &str, count| (host.to_owned(), count);
    assert_eq!(kept(&[(dialog, 3), ("sdk-ts", 30)]), of(dialog, 3));
    assert_eq!(kept(&[("sdk-ts", 9), (dialog, 4)]), of(dialog, 4));
    assert_eq!(kept(&[(dialog, 2), ("sdk-ts", 5)]), of("sdk-ts", 5));
    assert_eq!(kept(&[("sdk-ts", 5), (dialog, 2)]), of("sdk-ts", 5));
}
