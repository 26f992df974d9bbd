//! Whole keys, from answers to a verdict.

#[path = "../../../tests/shared/chance.rs"]
mod chance;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::keys::key_of;
use plantune_domain::preferences::Scope;
use plantune_domain::registry::Registry;
use proptest::prelude::*;

use self::chance::Chance;
use super::policy::AnswerPolicy;
use super::spread::{Sitting, Sittings, Within, weigh};
use super::*;
use crate::evidence::tests::{answer, at};
use crate::evidence::{HumanAnswer, KeyEvidence};

const LABELS: [&str; 2] = ["Create it", "Skip"];

fn now() -> DateTime<Utc> {
    at("2026-11-20 12:00").and_utc()
}

/// A key whose answers lie a day apart, each in a session of its own, the last one yesterday.
/// A letter an answer: `r` took the recommended first option, `o` the other one, `R` the second
/// option, recommended this time, `p` the first option, the second being recommended, `n` the
/// recommended one with a note, `t` typed something.
fn key(name: &str, answers: &str) -> KeyEvidence {
    let count = i64::try_from(answers.len()).unwrap();
    let answers: Vec<Arc<HumanAnswer>> = answers
        .chars()
        .enumerate()
        .map(|(index, letter)| {
            let first = ["Create it (Recommended)", "Skip"];
            let second = ["Create it", "Skip (Recommended)"];
            let mut answer = match letter {
                'r' | 'n' => answer(&first, &first[..1]),
                'o' => answer(&first, &first[1..]),
                'R' => answer(&second, &second[1..]),
                'p' => answer(&second, &second[..1]),
                _ => answer(&first, &[]),
            };
            answer.said_more = "nt".contains(letter);
            let age = TimeDelta::days(count - i64::try_from(index).unwrap());
            answer.at = now().naive_utc() - age;
            answer.day = answer.at.date();
            answer.session_id = format!("{name}-{index}");
            name.clone_into(&mut answer.question_key);
            Arc::new(answer)
        })
        .collect();
    KeyEvidence {
        project: "github.com/o/r".to_owned(),
        question_key: name.to_owned(),
        key_source: "marker".to_owned(),
        recent_askings: 20,
        known_since: None,
        answers,
    }
}

/// The answers of `key`, to be changed.
fn each(key: &mut KeyEvidence) -> impl DoubleEndedIterator<Item = &mut HumanAnswer> {
    key.answers.iter_mut().map(Arc::make_mut)
}

fn judged(keys: &[KeyEvidence]) -> Suggestions {
    evaluate(
        keys.to_vec(),
        &Inputs {
            settings: &Suggest::default(),
            registry: &Registry::default(),
            in_force: &|_, _| PriorDecision::None,
            hindsight: None,
            now: now(),
        },
    )
}

/// The standing proposal for `key`, or what it lacks.
fn one(key: &KeyEvidence) -> Result<Suggestion, RejectReason> {
    let mut found = judged(std::slice::from_ref(key));
    match found.suggestions.pop() {
        Some(suggestion) if suggestion.level == Level::Standing => Ok(suggestion),
        Some(suggestion) => Err(suggestion.lacks.unwrap()),
        None => Err(found.rejected.pop().unwrap().reason),
    }
}

/// The level at which `key` is proposed.
fn level(key: &KeyEvidence) -> Option<Level> {
    let found = judged(std::slice::from_ref(key));
    found.suggestions.first().map(|one| one.level)
}

// Which level a key is proposed at.

#[test]
fn levels_come_one_after_the_other() {
    let levels = |answers: &str| level(&key("a", answers));
    assert_eq!(levels("rr"), None);
    assert_eq!(levels("rrr"), Some(Level::Trial));
    assert_eq!(levels("rrro"), None);
    assert_eq!(levels("rrrorrr"), None);
    assert_eq!(levels("rrrrrr"), Some(Level::Trial));
    assert_eq!(levels("rrrrrro"), None);
    assert_eq!(levels(&"r".repeat(12)), Some(Level::Standing));
}

#[test]
fn three_answers_of_one_session_are_no_trial() {
    let mut one_session = key("a", "rrr");
    for answer in each(&mut one_session) {
        answer.session_id = "one".to_owned();
    }
    assert_eq!(level(&one_session), None);
    assert_eq!(level(&key("a", "rrr")), Some(Level::Trial));
}

#[test]
fn whoever_adds_something_is_not_answered_for() {
    let mut todo = key("a", &"r".repeat(14));
    for answer in each(&mut todo).step_by(4) {
        answer.labels.clear();
        answer.said_more = true;
        answer.typed = Some("Yes, create it, and link it".to_owned());
    }
    assert_eq!(level(&todo), None);
    assert_eq!(one(&todo), Err(RejectReason::WantsToAdd));
    // Once in a while is no reason.
    let mut seldom = key("a", &"r".repeat(14));
    seldom.answers[3] = Arc::clone(&todo.answers[4]);
    Arc::make_mut(&mut seldom.answers[3]).at -= TimeDelta::days(1);
    assert_eq!(level(&seldom), Some(Level::Standing));
    // What no rule explains differs.
    each(&mut todo).for_each(|answer| answer.typed = None);
    assert_eq!(one(&todo), Err(RejectReason::Disagreement));
}

#[test]
fn what_a_wrong_answer_costs_is_part_of_it() {
    let with = |header: &str, seconds: f64| {
        let mut habit = key("a", &format!("{}o{}", "r".repeat(20), "r".repeat(20)));
        for answer in each(&mut habit) {
            answer.header = Some(header.to_owned());
            answer.human_seconds = Some(seconds);
        }
        let one = judged(&[habit]).suggestions.pop().unwrap();
        (one.wrong.kind.as_str(), one.level, one.lacks)
    };
    assert_eq!(with("Style", 10.0), ("content", Level::Standing, None));
    // A trial checks itself: it may cost more than it saves.
    let too_dear = Some(RejectReason::NoBenefit);
    assert_eq!(
        with("Database", 10.0),
        ("architecture", Level::Trial, too_dear)
    );
    assert_eq!(
        with("Database", 90.0),
        ("architecture", Level::Standing, None)
    );
}

// What is proposed, and with which evidence.

#[test]
fn a_steady_answer_is_proposed_with_its_evidence() {
    let found = one(&key("a", &"r".repeat(20))).unwrap();
    assert_eq!(found.answer.as_deref(), Some("Create it"));
    assert_eq!(
        found.evidence,
        Evidence {
            answers: 20,
            agreed: 20,
            added: 0,
            imported: 0,
            sessions: 20,
            days: 20,
            first: Some(at("2026-10-31 00:00").date()),
            last: Some(at("2026-11-19 00:00").date()),
            last_disagreement: None,
            other_answer: None,
        }
    );
    // Twenty askings in four weeks are five a week, thirty seconds each.
    assert!((found.seconds_saved_per_week - 150.0).abs() < 1e-9);
    assert!(found.confidence > 0.75 && found.confidence < found.expected);
}

#[test]
fn the_policy_that_explains_the_answers_wins() {
    // The recommendation moves, and the person follows it.
    assert_eq!(one(&key("a", &"rR".repeat(10))).unwrap().answer, None);
    assert_eq!(
        one(&key("a", &format!("{}R{}", "r".repeat(10), "r".repeat(10))))
            .unwrap()
            .answer,
        None
    );
    // It moves, and the person stays with one label.
    let pinned = one(&key("a", &"rp".repeat(10))).unwrap();
    assert_eq!(pinned.answer.as_deref(), Some("Create it"));
    let against = one(&key("a", &"o".repeat(20))).unwrap();
    assert_eq!(against.answer.as_deref(), Some("Skip"));
}

#[test]
fn doubt_is_not_proposed() {
    for answers in [
        "rorroorrorrorrorrorr",
        "rrtrrtrtrrrtrrrrtrrr",
        "rnrnrrnrnrrnrnrnrrrn",
    ] {
        assert_eq!(
            one(&key("a", answers)),
            Err(RejectReason::Disagreement),
            "{answers}"
        );
    }
    let recent = one(&key("a", &format!("{}or", "r".repeat(40)))).unwrap_err();
    assert_eq!(recent.name(), "recent_disagreement");
    assert_eq!(recent.lacks().map(|lacks| lacks.answers), Some(1));
    assert!(one(&key("a", &format!("{}orr", "r".repeat(40)))).is_ok());
}

#[test]
fn little_says_what_it_lacks() {
    let Err(RejectReason::TooLittle(lacks)) = one(&key("a", "rrr")) else {
        panic!("three answers are too little");
    };
    assert_eq!((lacks.sessions, lacks.days), (1, 1));
    // With nothing known of the person, Beta(1 + n, 1) passes 0.74 at n = 9.
    assert!((5..=7).contains(&lacks.answers), "{lacks:?}");
}

#[test]
fn what_is_not_proposed_lacks_a_trial() {
    let lacks = |key: &KeyEvidence| {
        assert_eq!(level(key), None);
        one(key).unwrap_err().to_string()
    };
    assert_eq!(
        lacks(&key("a", "rrro")),
        "a recent answer differed: needs 6 more matching answers"
    );
    assert_eq!(
        lacks(&key("a", "rrrorr")),
        "a recent answer differed: needs 4 more matching answers"
    );
    // As many as they are: of one session.
    let mut one_session = key("a", &"r".repeat(30));
    for answer in each(&mut one_session) {
        answer.session_id = "one".to_owned();
    }
    assert_eq!(
        lacks(&one_session),
        "needs 1 more matching answer, in 1 more session"
    );
    // By so many answers before it, the latest run is enough sooner.
    let mut strong = key("a", &format!("{}orr", "r".repeat(10)));
    assert_eq!(
        lacks(&strong),
        "a recent answer differed: needs 1 more matching answer"
    );
    strong.answers.push(key("a", "r").answers.remove(0));
    assert_ne!(level(&strong), None);
}

#[test]
fn a_burst_is_no_habit() {
    for (sessions, days) in [(1, 30), (30, 1)] {
        let mut burst = key("a", &"r".repeat(30));
        for (index, answer) in (0_i64..).zip(each(&mut burst)) {
            answer.session_id = format!("s{}", index % sessions);
            answer.at = at("2026-10-01 01:00")
                + TimeDelta::days(index % days)
                + TimeDelta::minutes(30 * index);
            answer.day = answer.at.date();
        }
        let mut late = key("a", "rrr").answers;
        burst.answers.append(&mut late);
        assert!(one(&burst).is_err(), "{sessions} sessions, {days} days");
    }
}

// What is not proposed, and why.

#[test]
fn one_way_questions_and_split_ones_are_never_proposed() {
    let mut texts = key("a", &"r".repeat(30));
    for answer in each(&mut texts) {
        answer.question = "Delete the old tables?".to_owned();
    }
    let mut logged = key("a", &"r".repeat(30));
    for answer in each(&mut logged) {
        answer.one_way = Some("registry".to_owned());
    }
    // Only the label that would be chosen gives it away.
    let mut chosen = key("a", &"o".repeat(30));
    for answer in each(&mut chosen) {
        answer.question = "What about the old tables?".to_owned();
        answer.options = vec!["Keep them (Recommended)".to_owned(), "Drop them".to_owned()];
        answer.labels = vec!["Drop them".to_owned()];
        answer.recommended = Some("Keep them".to_owned());
    }
    for unsafe_key in [texts, logged, chosen] {
        assert!(matches!(one(&unsafe_key), Err(RejectReason::OneWay(_))));
    }
    assert_eq!(
        one(&key("x-split-2", &"r".repeat(30))),
        Err(RejectReason::Split)
    );
    let registry = Registry::parse("[[question]]\nkey = \"a\"\ndoor = \"one-way\"").unwrap();
    let found = evaluate(
        vec![key("a", &"r".repeat(30))],
        &Inputs {
            settings: &Suggest::default(),
            registry: &registry,
            in_force: &|_, _| PriorDecision::None,
            hindsight: None,
            now: now(),
        },
    );
    assert!(found.suggestions.is_empty());
}

#[test]
fn a_rare_one_way_asking_is_left_to_the_hook_and_does_not_stand_for_the_question() {
    let mut mixed = key("a", &"r".repeat(30));
    for answer in each(&mut mixed).rev().take(5) {
        answer.question = "Delete the old tables?".to_owned();
    }
    let found = one(&mixed).unwrap();
    assert_eq!(
        (found.asked.question.as_str(), found.evidence.answers),
        ("Which layout?", 25)
    );
    // However many are held, the others are judged by themselves.
    for answer in each(&mut mixed).rev().take(14) {
        answer.one_way = Some("registry: billing".to_owned());
    }
    let found = one(&mixed).unwrap();
    assert_eq!(
        (found.asked.question.as_str(), found.evidence.answers),
        ("Which layout?", 16)
    );
    for answer in each(&mut mixed).rev().take(29) {
        answer.one_way = Some("registry: billing".to_owned());
    }
    let held = "always asked (your rule billing)";
    assert_eq!(one(&mixed), Err(RejectReason::OneWay(held.to_owned())));
}

#[test]
fn what_was_taken_back_takes_five_new_answers() {
    let with = |answers: &str, scope: Scope| {
        let mut habit = key("a", answers);
        for answer in each(&mut habit).filter(|one| one.labels.is_empty()) {
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
        assert_eq!(found, Err(RejectReason::Undone(lacks)), "{answers}");
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
    let answer = Arc::make_mut(&mut several.answers[3]);
    answer.multi_select = true;
    answer.labels = LABELS.map(str::to_owned).to_vec();
    assert_eq!(one(&several), Err(RejectReason::SeveralChosen));
    let mut single = key("a", &"r".repeat(30));
    each(&mut single).for_each(|answer| answer.multi_select = true);
    assert!(one(&single).is_ok());
    let mut untimed = key("a", &"r".repeat(30));
    each(&mut untimed).for_each(|answer| answer.human_seconds = None);
    assert_eq!(one(&untimed), Err(RejectReason::UnknownTime));
    // Another key's times say how long this person takes.
    let both = judged(&[untimed, key("b", "rrrr")]);
    let levels: Vec<Level> = both.suggestions.iter().map(|one| one.level).collect();
    assert_eq!(levels, [Level::Standing, Level::Trial]);
    let mut quick = key("a", &"r".repeat(30));
    each(&mut quick).for_each(|answer| answer.human_seconds = Some(1.0));
    assert_eq!(one(&quick), Err(RejectReason::NoBenefit));
}

#[test]
fn changing_options_are_no_answer() {
    let mut changing = key("a", &"r".repeat(20));
    for (index, answer) in each(&mut changing).enumerate() {
        let file = ["one", "two", "three", "four", "five", "six"][index % 6];
        answer.options = vec![format!("Commit {file} files"), "Wait".to_owned()];
        answer.labels = vec![answer.options[0].clone()];
        answer.recommended = None;
    }
    assert_eq!(one(&changing), Err(RejectReason::Abstains));
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
                ("github.com/o/r", "a") => PriorDecision::AlwaysAsk,
                _ => PriorDecision::None,
            },
            hindsight: None,
            now: now(),
        },
    );
    assert_eq!(found.suggestions.len(), 1);
    assert_eq!(found.suggestions[0].asked.project, "github.com/o/other");
    assert_eq!(found.rejected[0].reason, RejectReason::PreferenceInForce);
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
        in_force: &|_, _| PriorDecision::None,
        hindsight: None,
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
        for (answer, letter) in each(&mut key).zip(pattern.chars()) {
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

// Questions without a marker.

/// The answers of `key` as an unmarked question gets them: a text each, with the same options.
fn unmarked(key: &KeyEvidence, options: [&str; 2], text: &str) -> Vec<KeyEvidence> {
    let series = key.answers.iter().enumerate().map(|(index, answer)| {
        let mut answer = HumanAnswer::clone(answer);
        let label = |one: &String| {
            let at = answer.options.iter().position(|option| option == one);
            options[at.unwrap()].to_owned()
        };
        answer.labels = answer.labels.iter().map(label).collect();
        answer.options = options.map(str::to_owned).to_vec();
        answer.recommended = None;
        answer.question = text.replace('#', &format!("area {}", ["a", "b", "c", "d"][index % 4]));
        let (question_key, source) = key_of(&answer.question, &answer.options);
        answer.question_key.clone_from(&question_key);
        KeyEvidence {
            question_key,
            key_source: source.as_str().to_owned(),
            recent_askings: 0,
            answers: vec![Arc::new(answer)],
            ..key.clone()
        }
    });
    series.collect()
}

#[test]
fn a_question_has_one_proposal_here_or_everywhere() {
    let areas = ["Next area", "More questions"];
    let in_project = |project: &str, answers: usize| {
        let mut habit = key("x", &"r".repeat(answers));
        project.clone_into(&mut habit.project);
        let mut series = unmarked(&habit, areas, "Enough of #?");
        for one in &mut series {
            let answer = Arc::make_mut(&mut one.answers[0]);
            answer.session_id = format!("{project} {}", answer.session_id);
        }
        series
    };
    let proposed = |projects: &[(&str, usize)]| {
        let series = projects.iter().flat_map(|one| in_project(one.0, one.1));
        let found = judged(&series.collect::<Vec<_>>()).suggestions;
        let mut names: Vec<(String, Level)> = found
            .into_iter()
            .map(|one| {
                assert_eq!(one.asked.key_source, "options", "{one:?}");
                (one.asked.project, one.level)
            })
            .collect();
        names.sort_unstable();
        names
    };
    let named = |project: &str, level| (project.to_owned(), level);
    // What stands in both projects says too little of a third: no trial for everywhere beside it.
    assert_eq!(
        proposed(&[("shop", 24), ("blog", 24)]),
        [
            named("blog", Level::Standing),
            named("shop", Level::Standing)
        ]
    );
    assert_eq!(
        proposed(&[("shop", 3), ("blog", 3)]),
        [named("blog", Level::Trial), named("shop", Level::Trial)]
    );
    assert_eq!(proposed(&[("shop", 2), ("blog", 2)]), []);
}

#[test]
fn what_never_reads_the_same_is_one_question_by_its_options_or_what_it_asks() {
    let areas = ["Next area", "More questions"];
    let habit = key("x", &format!("{}o{}", "r".repeat(12), "r".repeat(12)));
    let found = judged(&unmarked(&habit, areas, "Enough of #?"));
    assert_eq!((found.suggestions.len(), found.rejected.len()), (1, 0));
    let one = &found.suggestions[0];
    assert_eq!(one.asked.key_source, "options");
    assert_eq!(one.answer.as_deref(), Some("Next area"));
    assert_eq!((one.evidence.agreed, one.evidence.answers), (24, 25));
    // The same of options that any question could have: as far as it asks the same.
    let yes_no = ["Yes", "No"];
    let found = judged(&unmarked(&habit, yes_no, "We are at #. Run the linter?"));
    assert_eq!(found.suggestions.len(), 1);
    assert_eq!(found.suggestions[0].asked.key_source, "text");
    let found = judged(&unmarked(&habit, yes_no, "Run the linter on #?"));
    assert_eq!(found.suggestions.len(), 3, "one of each area");
    // Of its seven answers the fourth differed, which is too recent.
    let [differed] = &found.rejected[..] else {
        panic!("{found:?}")
    };
    assert_eq!(differed.asked.question, "Run the linter on area a?");
    assert!(matches!(
        differed.reason,
        RejectReason::RecentDisagreement(_)
    ));
    // An answer that refers to texts of which none comes twice.
    let proposals = ["Apply it to the page", "Try something else first"];
    let mut series = unmarked(&key("x", &"r".repeat(16)), proposals, "#");
    let nouns = "garden river letter window market planet violin button summer engine pillow copper forest \
        basket ladder puzzle";
    for (one, noun) in series.iter_mut().zip(nouns.split(' ')) {
        Arc::make_mut(&mut one.answers[0]).question = format!("A {noun}?");
    }
    let found = judged(&series);
    assert!(found.suggestions.is_empty(), "{found:?}");
    assert_eq!(found.rejected[0].reason, RejectReason::TextsVary);
    // Now this, now that.
    let coin = judged(&unmarked(
        &key("x", &"roor".repeat(6)),
        areas,
        "Enough of #?",
    ));
    assert!(coin.suggestions.is_empty());
    assert_eq!(coin.rejected[0].reason, RejectReason::Disagreement);
}

#[test]
fn what_a_rule_names_now_was_its_evidence_before() {
    let habit = key("x", &"r".repeat(20));
    let series = unmarked(&habit, ["Next area", "More questions"], "Enough of #?");
    let rule = "[[question]]\nkey = \"enough\"\noptions = [\"Next area\", \"More questions\"]";
    let registry = Registry::parse(rule).unwrap();
    let found = evaluate(
        series,
        &Inputs {
            settings: &Suggest::default(),
            registry: &registry,
            in_force: &|_, _| PriorDecision::None,
            hindsight: None,
            now: now(),
        },
    );
    let asked = &found.suggestions[0].asked;
    assert_eq!(
        (asked.question_key.as_str(), asked.key_source.as_str()),
        ("enough", "registry")
    );
}

// What holds for any answers.

proptest! {
    #[test]
    fn one_more_agreeing_answer_never_lowers_the_bound(answers in "[ropRnt]{3,30}", extra in 1_usize..5) {
        // The new answers are the latest; ages are counted from a fixed moment.
        let settings = Suggest::default();
        let reference = now().naive_utc();
        let all = key("a", &format!("{answers}{}", "r".repeat(extra)));
        let mut before = all.clone();
        before.answers.truncate(answers.len());
        let bound = |key: &KeyEvidence, policy: &AnswerPolicy| {
            let verdicts = policy::Answers::of(&key.answers).verdicts(policy);
            let sittings = Sittings::of(key.answers.iter().map(|answer| Sitting::from(&**answer)));
            let weighed = weigh(&sittings, verdicts, reference, settings.half_life_days);
            let tally = weighed.independent(Within::default().correlation());
            posterior::Posterior::UNIFORM.after(tally).lower_bound(settings.credibility)
        };
        for policy in [AnswerPolicy::Follow, AnswerPolicy::Pin("Create it".to_owned())] {
            prop_assert!(bound(&all, &policy) >= bound(&before, &policy) - 1e-9);
        }
    }

    #[test]
    fn the_order_of_what_was_read_does_not_matter(
        one in "[ropRnt]{3,25}",
        other in "r{10,30}",
        seed in any::<u64>(),
    ) {
        let mut keys = vec![key("a", &one), key("b", &other), key("c", &one)];
        let straight = judged(&keys);
        let mut chance = Chance::new(seed);
        for key in &mut keys {
            chance.shuffle(&mut key.answers);
        }
        keys.rotate_left(1);
        prop_assert_eq!(straight, judged(&keys));
    }

    #[test]
    fn nothing_is_proposed_below_its_guards(answers in "[ropRnt]{3,40}") {
        let settings = Suggest::default();
        for found in judged(&[key("a", &answers), key("b", "rrrrrrrrrrrrrrrr")]).suggestions {
            if found.level < Level::Standing {
                continue;
            }
            prop_assert!(found.confidence >= settings.min_agreement);
            prop_assert!(found.evidence.agreed >= 5 && found.evidence.answers >= 8);
        }
    }
}
