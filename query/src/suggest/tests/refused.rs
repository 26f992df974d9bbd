//! What is not proposed, and why.

use super::*;

#[test]
fn one_way_questions_and_split_ones_are_never_proposed() {
    let mut texts = key("a", &"r".repeat(30));
    for answer in &mut texts.answers {
        answer.question = "Delete the old tables?".to_owned();
    }
    let mut logged = key("a", &"r".repeat(30));
    for answer in &mut logged.answers {
        answer.one_way = Some("registry".to_owned());
    }
    // Only the label that would be chosen gives it away.
    let mut chosen = key("a", &"o".repeat(30));
    for answer in &mut chosen.answers {
        answer.question = "What about the old tables?".to_owned();
        answer.options = vec!["Keep them (Recommended)".to_owned(), "Drop them".to_owned()];
        answer.labels = vec!["Drop them".to_owned()];
        answer.recommended = Some("Keep them".to_owned());
    }
    for unsafe_key in [
        texts,
        logged,
        chosen,
        key("delete-user-data", &"r".repeat(30)),
    ] {
        assert!(matches!(one(&unsafe_key), Err(Reason::OneWay(_))));
    }
    assert_eq!(one(&key("x-split-2", &"r".repeat(30))), Err(Reason::Split));
    let registry = Registry::parse("[[question]]\nkey = \"a\"\ndoor = \"one-way\"").unwrap();
    let found = evaluate(
        vec![key("a", &"r".repeat(30))],
        &Inputs {
            settings: &Suggest::default(),
            registry: &registry,
            in_force: &|_, _| InForce::Nothing,
            hindsight: 0,
            now: now(),
        },
    );
    assert!(found.suggestions.is_empty());
}

#[test]
fn a_rare_one_way_asking_is_left_to_the_hook_and_does_not_stand_for_the_question() {
    let mut mixed = key("a", &"r".repeat(30));
    for answer in mixed.answers.iter_mut().rev().take(5) {
        answer.question = "Which layout for the refund of all customers?".to_owned();
    }
    let found = one(&mixed).unwrap();
    assert_eq!(found.asked.question, "Which layout?");
    // However many are held, the others are judged by themselves.
    for answer in mixed.answers.iter_mut().rev().take(14) {
        answer.one_way = Some("registry: billing".to_owned());
    }
    let found = one(&mixed).unwrap();
    assert_eq!(
        (found.asked.question.as_str(), found.evidence.answers),
        ("Which layout?", 16)
    );
    for answer in mixed.answers.iter_mut().rev().take(29) {
        answer.one_way = Some("registry: billing".to_owned());
    }
    let all = "29 of 30 are always asked (your rule billing); the other 1 could be answered";
    assert_eq!(one(&mixed), Err(Reason::OneWay(all.to_owned())));
}

#[test]
fn what_was_taken_back_takes_five_new_answers() {
    let with = |answers: &str, scope: Scope| {
        let mut habit = key("a", answers);
        for answer in habit.answers.iter_mut().filter(|one| one.labels.is_empty()) {
            answer.undone = Some(scope);
        }
        habit
    };
    for (answers, lacks) in [("rrrrrrrrrrrrt", 5), ("rrrrrrrrrrrrtrror", 2)] {
        let lacks = Lacks {
            answers: lacks,
            ..Lacks::default()
        };
        let found = one(&with(answers, Scope::Project));
        assert_eq!(found, Err(Reason::Undone(lacks)), "{answers}");
    }
    assert_ne!(level(&with("rrrrrrrrrrrrtrrrrr", Scope::Project)), None);
    // Elsewhere it says nothing, unless it held there, too.
    let elsewhere = |scope: Scope| {
        let other = KeyEvidence {
            project: "github.com/o/other".to_owned(),
            ..key("a", &"r".repeat(14))
        };
        let found = judged(&[with("rrrrrrrrrrrrt", scope), other]);
        found.suggestions.len()
    };
    assert_eq!(
        (elsewhere(Scope::Project), elsewhere(Scope::Global)),
        (1, 0)
    );
}

#[test]
fn several_choices_unknown_times_and_worthless_savings_are_not_proposed() {
    let mut several = key("a", &"r".repeat(30));
    several.answers[3].multi_select = true;
    several.answers[3].labels = LABELS.map(str::to_owned).to_vec();
    assert_eq!(one(&several), Err(Reason::SeveralChosen));
    let mut single = key("a", &"r".repeat(30));
    single
        .answers
        .iter_mut()
        .for_each(|answer| answer.multi_select = true);
    assert!(one(&single).is_ok());
    let mut untimed = key("a", &"r".repeat(30));
    untimed
        .answers
        .iter_mut()
        .for_each(|answer| answer.human_seconds = None);
    assert_eq!(one(&untimed), Err(Reason::UnknownTime));
    // Another key's times say how long this person takes.
    let both = judged(&[untimed, key("b", "rrrr")]);
    let levels: Vec<Level> = both.suggestions.iter().map(|one| one.level).collect();
    assert_eq!(levels, [Level::Standing, Level::Assist]);
    let mut quick = key("a", &"r".repeat(30));
    quick
        .answers
        .iter_mut()
        .for_each(|answer| answer.human_seconds = Some(1.0));
    assert_eq!(one(&quick), Err(Reason::NoBenefit));
}

#[test]
fn changing_options_are_no_answer() {
    let mut changing = key("a", &"r".repeat(20));
    for (index, answer) in changing.answers.iter_mut().enumerate() {
        let file = ["one", "two", "three", "four", "five", "six"][index % 6];
        answer.options = vec![format!("Commit {file} files"), "Wait".to_owned()];
        answer.labels = vec![answer.options[0].clone()];
        answer.recommended = None;
    }
    assert_eq!(one(&changing), Err(Reason::Abstains));
}

#[test]
fn what_is_decided_is_not_proposed_again_and_projects_stay_apart() {
    let mut other = key("a", &"r".repeat(20));
    other.project = "github.com/o/other".to_owned();
    let keys = vec![key("a", &"r".repeat(20)), other];
    let found = evaluate(
        keys,
        &Inputs {
            settings: &Suggest::default(),
            registry: &Registry::default(),
            in_force: &|project, key| match (project, key) {
                ("github.com/o/r", "a") => InForce::Decided,
                _ => InForce::Nothing,
            },
            hindsight: 0,
            now: now(),
        },
    );
    assert_eq!(found.suggestions.len(), 1);
    assert_eq!(found.suggestions[0].asked.project, "github.com/o/other");
    assert_eq!(found.rejected[0].reason, Reason::PreferenceInForce);
    // Seven answers each in two projects are not fourteen in one.
    let mut halves = [key("a", &"r".repeat(7)), key("a", &"r".repeat(7))];
    halves[1].project = "github.com/o/other".to_owned();
    let found = judged(&halves).suggestions;
    assert!(
        found.iter().all(|one| one.level < Level::Standing),
        "{found:?}"
    );
}

#[test]
fn time_away_does_not_age_what_is_known() {
    let keys = vec![key("a", &"r".repeat(20))];
    let mut inputs = Inputs {
        settings: &Suggest::default(),
        registry: &Registry::default(),
        in_force: &|_, _| InForce::Nothing,
        hindsight: 0,
        now: now(),
    };
    let soon = evaluate(keys.clone(), &inputs);
    inputs.now += TimeDelta::days(200);
    assert_eq!(soon, evaluate(keys, &inputs));
}

#[test]
fn what_must_be_asked_speaks_against_what_could_have_been_answered() {
    // Pushed one time in two: "Keep it" would have been wrong as often, though pushing is always asked.
    let mixed = |pattern: &str| {
        let mut key = key("branch", &"r".repeat(pattern.len()));
        for (answer, letter) in key.answers.iter_mut().zip(pattern.chars()) {
            let label = if letter == 'p' { "Push it" } else { "Keep it" };
            answer.options = vec!["Keep it".to_owned(), "Push it".to_owned()];
            answer.labels = vec![label.to_owned()];
            answer.recommended = None;
        }
        key
    };
    let half = judged(&[mixed("kpkpkpkpkpkpkpkpkpkpkpkp")]);
    assert!(half.suggestions.is_empty(), "{half:?}");
    assert!(!half.rejected.is_empty());
    assert_eq!(
        one(&mixed("kkkkkkkkkkkkkkkkkkkkkkkk")).map(|one| one.answer),
        Ok(Some("Keep it".to_owned()))
    );
}
