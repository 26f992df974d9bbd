use chrono::{NaiveDate, TimeDelta};
use proptest::prelude::*;

use plantune_domain::preferences::Policy;

use super::*;
use crate::evidence::tests::{answer, at};
use crate::habits::is_answered;
use crate::suggest::{Inputs, evaluate};

/// Guards that a handful of answers pass, so that short histories decide something.
fn settings() -> Suggest {
    Suggest {
        min_answers: 3,
        min_sessions: 2,
        min_days: 2,
        min_agreement: 0.5,
        credibility: 0.8,
        recent_agreeing: 1,
        ..Suggest::default()
    }
}

/// One asking, hours after the last one: which of four questions, what was answered (`r` the
/// recommended first label, `o` the other, `t` typed, `-` nothing), and how many hours it took.
#[derive(Clone, Debug)]
struct Turn {
    question: usize,
    said: char,
    hours: i64,
    with_last: bool,
}

const OPTIONS: [&str; 2] = ["Create it (Recommended)", "Leave it there"];

/// Marked questions 0 and 1; 2 and 3 are unmarked.
fn askings(steps: &[Turn]) -> Vec<PastAsking> {
    let mut now = at("2026-06-01 08:00");
    let mut call = 0;
    let of = |(index, step): (usize, &Turn)| {
        if !step.with_last || index == 0 {
            now += TimeDelta::hours(7);
            call += 1;
        }
        let labels: &[&str] = match step.said {
            'r' => &OPTIONS[..1],
            'o' => &OPTIONS[1..],
            _ => &[],
        };
        let mut answer = answer(&OPTIONS, labels);
        answer.said_more = step.said == 't';
        answer.at = now;
        answer.day = now.date();
        answer.session_id = format!("s{call}");
        answer.question_index = index as u32;
        answer.question = format!(
            "Question {} of what is left?",
            ["a", "b", "c", "d"][step.question]
        );
        answer.question_key = ["a", "b", "opt-c", "txt-d"][step.question].to_owned();
        PastAsking {
            project: "p".to_owned(),
            key_source: if step.question < 2 { "marker" } else { "text" }.to_owned(),
            call: format!("call-{call}"),
            answered_at: (step.said != '-').then(|| now + TimeDelta::hours(step.hours)),
            answer: Arc::new(answer),
        }
    };
    steps.iter().enumerate().map(of).collect()
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Turn>> {
    let said = prop_oneof![8 => Just('r'), 1 => Just('o'), 1 => Just('t'), 1 => Just('-')];
    let step = (0..4_usize, said, 0..20_i64, prop::bool::weighted(0.15));
    let step = step.prop_map(|(question, said, hours, with_last)| Turn {
        question,
        said,
        hours,
        with_last,
    });
    prop::collection::vec(step, 2..most)
}

fn replayed(all: &[PastAsking], settings: &Suggest) -> Backtest {
    let registry = Registry::default();
    let mut replay = Replay::new(settings, &registry, None);
    all.iter().cloned().for_each(|asking| replay.take(asking));
    replay.finish()
}

/// Which of the calls were decided, by their last asking.
fn decisions(all: &[PastAsking], settings: &Suggest) -> Vec<u64> {
    let registry = Registry::default();
    let mut replay = Replay::new(settings, &registry, None);
    let decided = |score: Score| score.auto_decided() + score.unanswered_decided;
    let mut found = Vec::new();
    for asking in all {
        replay.take(asking.clone());
        found.push(decided(replay.so_far()));
    }
    let total = replay.finish().by_level.standing;
    found.push(decided(total));
    found
}

fn habit(letters: &str) -> Vec<PastAsking> {
    let steps: Vec<Turn> = letters
        .chars()
        .map(|said| Turn {
            question: 0,
            said,
            hours: 1,
            with_last: false,
        })
        .collect();
    askings(&steps)
}

#[test]
fn what_would_have_been_decided_is_held_against_what_was_said() {
    let found = replayed(&habit("rrrrrrrrrrorrrr-rrt"), &settings());
    let total = found.by_level.standing;
    assert_eq!(total.questions, 18);
    assert_eq!(total.wrong, 2);
    assert!(total.correct >= 10, "{total:?}");
    assert_eq!((total.unanswered, total.unanswered_decided), (1, 1));
    let seconds = total.seconds_saved / total.correct as f64;
    assert!((seconds - 30.0).abs() < 1e-9);
    assert_eq!(found.by_key.len(), 1);
    assert_eq!(found.by_key[0].by_level.standing, total);
    assert_eq!(found.by_key[0].question_key, "a");
    let nothing = replayed(&[], &settings());
    assert_eq!(
        (
            nothing.by_level.standing.precision(),
            nothing.by_level.standing.coverage()
        ),
        (None, None)
    );
}

#[test]
fn an_answer_counts_only_from_when_it_was_given() {
    let mut late = habit("rrrrrrrrrr");
    let end = late.last().unwrap().answer.at;
    for asking in &mut late {
        asking.answered_at = Some(end);
    }
    assert_eq!(
        replayed(&late, &settings())
            .by_level
            .standing
            .auto_decided(),
        0
    );
    assert!(
        replayed(&habit("rrrrrrrrrr"), &settings())
            .by_level
            .standing
            .auto_decided()
            > 3
    );
}

#[test]
fn a_call_is_decided_as_a_whole() {
    let mut all = habit("rrrrrrrrrr");
    let mut other = all[9].clone();
    let answer = Arc::make_mut(&mut other.answer);
    answer.question_key = "never-asked-before".to_owned();
    answer.question = "What else?".to_owned();
    let before = replayed(&all, &settings()).by_level.standing.auto_decided();
    all.push(other);
    assert_eq!(
        replayed(&all, &settings()).by_level.standing.auto_decided(),
        before - 1
    );
    // Two questions of one text cannot be distinguished by it.
    let mut twice = habit("rrrrrrrrrr");
    twice.push(twice[9].clone());
    assert_eq!(
        replayed(&twice, &settings())
            .by_level
            .standing
            .auto_decided(),
        before - 1
    );
}

#[test]
fn days_before_the_first_are_evidence_only() {
    let all = habit("rrrrrrrrrrrrrrrr");
    let whole = replayed(&all, &settings());
    let since = all[12].answer.day;
    let registry = Registry::default();
    let settings = settings();
    let mut replay = Replay::new(&settings, &registry, Some(since));
    all.iter().cloned().for_each(|asking| replay.take(asking));
    let late = replay.finish();
    assert_eq!(late.since, Some(since));
    assert!(late.by_level.standing.questions < whole.by_level.standing.questions);
    assert_eq!(late.by_level.standing.coverage(), Some(1.0));
}

#[test]
fn a_one_way_asking_is_asked() {
    let mut all = habit("rrrrrrrrrr");
    Arc::make_mut(&mut all[9].answer).question = "Delete the old tables?".to_owned();
    let before = replayed(&habit("rrrrrrrrrr"), &settings())
        .by_level
        .standing
        .auto_decided();
    assert_eq!(
        replayed(&all, &settings()).by_level.standing.auto_decided(),
        before - 1
    );
}

// One set of askings is proposed, counted, replayed and answered.

/// An answer to a marked question that is not always asked alike: its text, options, description and host, the label that
/// was chosen, and whether something was typed or a rule held it.
type Varied = (usize, usize, usize, usize, usize, bool, bool);

const TEXTS: [&str; 5] = [
    "Run the linter on the cart?",
    "Run the linter on the menu?",
    "The build fails. Run the linter on the menu?",
    "Run the linter on the customer data?",
    "Delete the old tables?",
];
const CHOICES: [&[&str]; 3] = [
    &["Yes (Recommended)", "No"],
    &["Yes", "No (Recommended)"],
    &["Yes", "No", "Ask me later"],
];
const DESCRIBED: [&str; 3] = ["", "Reads the files", "Mails the team"];
const HOSTS: [Option<&str>; 3] = [None, Some("claude-code"), Some("codex")];

/// The answers, a day apart, each in a session of its own.
fn varied(history: &[Varied]) -> Vec<Arc<HumanAnswer>> {
    let one = |(index, step): (usize, &Varied)| {
        let &(text, choices, described, host, label, said_more, is_held) = step;
        let options = CHOICES[choices];
        let mut answer = answer(options, &options[label..=label]);
        answer.question = TEXTS[text].to_owned();
        answer.at += TimeDelta::days(index as i64);
        answer.day = answer.at.date();
        answer.session_id = format!("s{index}");
        answer.tool = HOSTS[host].map(str::to_owned);
        answer.said_more = said_more;
        answer.one_way = is_held.then(|| "registry: rule".to_owned());
        let described = DESCRIBED[described].to_owned();
        answer.descriptions =
            (!described.is_empty()).then(|| options.iter().map(|_| described.clone()).collect());
        Arc::new(answer)
    };
    history.iter().enumerate().map(one).collect()
}

/// Whether something is proposed for `history`, having shown that what it rests on, how often it is asked, what the
/// backtest replays and what its preference covers are the same askings.
fn is_one_set(history: &[Varied]) -> bool {
    let answers = varied(history);
    let (settings, registry) = (settings(), Registry::default());
    let found = evaluate(
        vec![KeyEvidence {
            project: "p".to_owned(),
            question_key: "a".to_owned(),
            key_source: "marker".to_owned(),
            recent_askings: 20,
            answers: answers.clone(),
            ..KeyEvidence::default()
        }],
        &Inputs {
            settings: &settings,
            registry: &registry,
            in_force: &|_, _| PriorDecision::None,
            hindsight: None,
            now: at("2027-01-01 10:00").and_utc(),
        },
    );
    let Some(proposal) = found.suggestions.first() else {
        return false;
    };
    let preference = Preference {
        preference: Policy::NeverAsk,
        ..proposal.preference()
    };
    let is_covered =
        |one: &&HumanAnswer| !one.is_held() && preference.covers(&one.asking()).is_ok();
    let replay = Replay::new(&settings, &registry, None);
    for answer in &answers {
        let asking = PastAsking {
            project: "p".to_owned(),
            key_source: "marker".to_owned(),
            call: String::new(),
            answered_at: Some(answer.at),
            answer: answer.clone(),
        };
        let is_answered = replay.answered_by(preference.clone(), &asking).is_some();
        assert_eq!(is_answered, is_covered(&&**answer), "{answer:?}");
    }
    let host = answers.iter().rev().find_map(|one| one.tool.clone());
    let of_host = |one: &&HumanAnswer| one.tool.is_none() || one.tool == host;
    let known = answers.iter().map(|answer| &**answer).filter(of_host);
    let known: Vec<&HumanAnswer> = known.collect();
    let covered: Vec<&HumanAnswer> = known.iter().copied().filter(is_covered).collect();
    let label = preference.answer.as_deref();
    let agreed = covered.iter().filter(|one| is_answered(one, label)).count();
    let evidence = &proposal.evidence;
    assert_eq!((evidence.answers, evidence.agreed), (covered.len(), agreed));
    assert_eq!(
        (evidence.first, evidence.last, evidence.sessions),
        (
            covered.first().map(|one| one.day),
            covered.last().map(|one| one.day),
            covered.len()
        )
    );
    let last = known.last().map_or(NaiveDate::MIN, |last| last.day);
    let is_late = |one: &&HumanAnswer| last - one.day < TimeDelta::days(28);
    let lately: Vec<&HumanAnswer> = known.iter().copied().filter(is_late).collect();
    let share = lately.iter().copied().filter(is_covered).count() as f64 / lately.len() as f64;
    assert!((proposal.asked_per_week - 5.0 * share).abs() < 1e-9);
    true
}

#[test]
fn one_set_of_askings_is_proposed_counted_and_answered() {
    let plain = (0, 0, 0, 0, 0, false, false);
    let mut history = vec![plain; 12];
    assert!(is_one_set(&history));
    // Another text, a sign, another description, another host, and a rule.
    history.extend([
        (1, 0, 0, 0, 0, false, false),
        (2, 0, 0, 0, 0, false, false),
        (0, 0, 2, 0, 0, false, false),
        (0, 0, 0, 0, 1, false, false),
        (0, 0, 0, 0, 0, false, true),
    ]);
    history.extend([plain; 8]);
    assert!(is_one_set(&history));
}

fn varied_steps() -> impl Strategy<Value = Vec<Varied>> {
    let mostly = |most: usize| prop_oneof![6 => Just(0), 1 => 0..most];
    let rarely = || prop::bool::weighted(0.05);
    let step = (
        prop_oneof![4 => Just(0), 3 => Just(1), 1 => 0..TEXTS.len()],
        mostly(CHOICES.len()),
        mostly(DESCRIBED.len()),
        mostly(HOSTS.len()),
        prop_oneof![9 => Just(0), 1 => Just(1)],
        rarely(),
        rarely(),
    );
    prop::collection::vec(step, 3..40)
}

proptest! {
    #[test]
    fn any_history_is_one_set(history in varied_steps()) {
        is_one_set(&history);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_future_does_not_matter(all in steps(60), cut in 0.0..1.0_f64, other in steps(60), flip in any::<u64>()) {
        let settings = settings();
        let past = askings(&all);
        let cut = (cut * past.len() as f64) as usize;
        let now = past[cut].answer.at;
        // Another future: other askings after, and what was not answered yet is answered otherwise.
        let mut changed: Vec<PastAsking> = past.iter().filter(|one| one.answer.at <= now).cloned().collect();
        for (index, asking) in changed.iter_mut().enumerate() {
            if asking.answered_at.is_some_and(|answered_at| answered_at >= now) {
                let label = OPTIONS[usize::from(flip >> (index % 64) & 1 == 1)];
                let answer = Arc::make_mut(&mut asking.answer);
                answer.labels = vec![label.to_owned()];
                answer.said_more = flip & 1 == 1;
                answer.human_seconds = Some(1.0);
            }
        }
        let known = changed.len();
        let later = past.last().unwrap().answer.at - at("2026-06-01 08:00") + TimeDelta::hours(30);
        changed.extend(askings(&other).into_iter().map(|mut asking| {
            Arc::make_mut(&mut asking.answer).at += later;
            asking.call.push_str("-later");
            asking.answered_at = asking.answered_at.map(|answered_at| answered_at + later);
            asking
        }));
        let one = decisions(&past, &settings);
        let two = decisions(&changed, &settings);
        prop_assert_eq!(one.get(..=known.min(past.len())), two.get(..=known.min(past.len())));
    }

    #[test]
    fn it_decides_what_suggest_would_have_proposed(all in steps(50)) {
        let settings = settings();
        let registry = Registry::default();
        let single: Vec<Turn> = all.into_iter().map(|step| Turn { with_last: false, ..step }).collect();
        let all = askings(&single);
        let decided = decisions(&all, &settings);
        for (index, asking) in all.iter().enumerate() {
            let known = all.iter().filter(|one| one.answered_at.is_some_and(|moment| moment < asking.answer.at));
            let series = known.map(|one| KeyEvidence {
                project: one.project.clone(),
                question_key: one.answer.question_key.clone(),
                key_source: one.key_source.clone(),
                recent_askings: 1,
                known_since: None,
                answers: vec![one.answer.clone()],
            });
            let found = evaluate(series.collect(), &Inputs {
                settings: &settings,
                registry: &registry,
                in_force: &|_, _| PriorDecision::None,
                hindsight: None,
                now: asking.answer.at.and_utc(),
            });
            let standing = found.suggestions.iter().filter(|one| one.level == Level::Standing);
            let proposed = standing
                .into_iter()
                .any(|one| one.asked.question_key == asking.answer.question_key);
            prop_assert_eq!(decided[index + 1] - decided[index] == 1, proposed, "asking {}", index);
        }
    }
}
