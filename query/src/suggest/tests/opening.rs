//! Which habits the person is offered to open, because words alone keep them closed.

use super::*;

const MERGE: [&str; 2] = ["Merge and go on", "Wait for me"];

/// `count` unmarked askings, answered with the first of `labels`, the texts by turns.
fn unmarked(count: usize, texts: &[&str], labels: [&str; 2]) -> Vec<KeyEvidence> {
    let answers = key("x", &"r".repeat(count)).answers.into_iter();
    let series = answers.enumerate().map(|(at, mut answer)| {
        answer.question = texts[at % texts.len()].to_owned();
        answer.question_key = format!("fp-{}", at % texts.len());
        answer.options = labels.map(str::to_owned).to_vec();
        answer.labels = vec![labels[0].to_owned()];
        answer.recommended = None;
        KeyEvidence {
            question_key: answer.question_key.clone(),
            key_source: "fingerprint".to_owned(),
            answers: vec![answer],
            ..key("x", "")
        }
    });
    let mut by_key: std::collections::BTreeMap<String, KeyEvidence> = Default::default();
    for one in series {
        match by_key.get_mut(&one.question_key) {
            Some(known) => known.answers.extend(one.answers),
            None => {
                by_key.insert(one.question_key.clone(), one);
            }
        }
    }
    by_key.into_values().collect()
}

fn opening(series: &[KeyEvidence]) -> Option<Opening> {
    let found = judged(series);
    assert!(found.suggestions.is_empty(), "{:?}", found.suggestions);
    found.rejected.into_iter().find_map(|one| one.opens)
}

#[test]
fn what_words_alone_hold_can_be_opened_for_what_was_seen() {
    let texts = ["Work on # is done. Next?"];
    let same = opening(&unmarked(14, &texts, MERGE)).unwrap();
    assert_eq!(same.patterns, texts);
    let topics = ["login", "billing", "search", "themes", "charts", "footers"];
    let texts =
        topics.map(|topic| format!("The work on {topic} is done. How shall the branch go on?"));
    let texts = texts.each_ref().map(String::as_str);
    let varied = opening(&unmarked(18, &texts, MERGE)).unwrap();
    assert_eq!(
        varied.patterns,
        ["The work on * is done. How shall the branch go on?"]
    );
    assert_eq!((varied.options.len(), varied.texts.len()), (2, 3));

    let rule = |door: &str| {
        let rule = format!(
            "[[question]]\nkey = \"landing\"\ntext = \"The work on * is done. How shall the branch go on?\"\n{door}"
        );
        Registry::parse(&rule).unwrap()
    };
    let two_way = rule("door = \"two-way\"");
    assert!(varied.is_opened_by(&two_way, "landing"));
    assert!(!varied.is_opened_by(&two_way, "other"));
    assert!(!varied.is_opened_by(&rule(""), "landing"));
    assert!(varied.is_named_by(&two_way) && !same.is_named_by(&two_way));
}

#[test]
fn hard_signs_rules_and_habits_that_are_none_stay_closed() {
    let text = ["The work on login is done. How shall the branch go on?"];
    let nine = unmarked(9, &text, MERGE);
    let mut one_other = unmarked(14, &text, MERGE);
    one_other[0].answers[2].labels = vec![MERGE[1].to_owned()];
    let mut by_rule = unmarked(14, &text, MERGE);
    by_rule[0].answers[2].one_way = Some("registry: money".to_owned());
    let mut hard_beside = unmarked(14, &text, MERGE);
    let beside = vec!["Runs `git push --force`".to_owned(), String::new()];
    hard_beside[0].answers[2].descriptions = Some(beside);
    let mut marked = unmarked(14, &text, MERGE);
    marked[0].key_source = "marker".to_owned();
    for closed in [nine, one_other, by_rule, hard_beside, marked] {
        let found = judged(&closed);
        assert!(found.rejected.iter().all(|one| one.opens.is_none()));
    }
    for label in [
        "Run `git push --force`",
        "Force push",
        "Drop the database",
        "Pay $40 for it",
    ] {
        assert_eq!(
            opening(&unmarked(14, &text, [label, MERGE[1]])),
            None,
            "{label}"
        );
    }
}
