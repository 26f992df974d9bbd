//! Sums of anything, and of chance alone.

use super::*;

/// Sums of a question whose every answer was given at random, times within a factor of ten.
fn random_question() -> impl Strategy<Value = OfQuestion> {
    let answers = prop::collection::vec((0_u32..4, 0_u32..3, 1.0_f64..10.0), 0..30);
    (answers, 0_u64..30).prop_map(|(answers, before)| {
        let count = |is: &dyn Fn(&(u32, u32, f64)) -> bool| {
            answers.iter().filter(|one| is(one)).count() as u64
        };
        let logs = || answers.iter().map(|one| one.2.ln());
        let n = answers.len() as u64;
        OfQuestion {
            text: "Which?".to_owned(),
            now: sums(n, answers.iter().map(|one| one.2).sum()),
            before: sums(before, 5.0 * before as f64),
            answered: n,
            one_way: 0,
            typed: count(&|one| one.0 == 0),
            recommended: n,
            followed: count(&|one| one.1 == 0),
            options: 3,
            timed: n,
            logs: Logs {
                n: n as f64,
                sum: logs().sum(),
                squares: logs().map(|log| log * log).sum(),
            },
        }
    })
}

/// Sums of anything.
fn any_facts() -> impl Strategy<Value = Facts> {
    let some = || (0_u64..60, 0.0_f64..5000.0).prop_map(|(asked, seconds)| sums(asked, seconds));
    (
        prop::collection::vec(random_question(), 0..12),
        prop::collection::btree_map(0_u32..24, ((0_u64..7).prop_map(day), some()), 0..24),
        prop::collection::btree_map((0_u64..7).prop_map(day), some(), 0..7),
        prop::collection::btree_map(prop::option::of("[a-c]"), some(), 0..4),
        some(),
        1_u64..20,
    )
        .prop_map(|(questions, hours, days, askers, session, sessions)| {
            let mut facts = empty();
            for (number, sums) in questions.into_iter().enumerate() {
                add(&mut facts, &number.to_string(), sums);
            }
            for (hour, (day, sums)) in hours {
                facts.hours.entry(hour).or_default().insert(day, sums);
            }
            facts.days = days;
            for (asker, sums) in askers {
                facts.add_asker(asker, sums);
            }
            facts.session = Some(Session {
                session_id: "s".to_owned(),
                project: "shop".to_owned(),
                day: day(0),
                sums: session,
                sessions,
            });
            facts
        })
}

proptest! {
    #[test]
    fn never_more_than_five_lines_and_none_of_fewer_than_five_questions(facts in any_facts()) {
        let found = findings(&facts);
        prop_assert!(found.len() <= MOST);
        let worth: Vec<f64> = found.iter().map(|one| one.seconds_a_week).collect();
        prop_assert!(worth.is_sorted_by(|one, next| one >= next), "{worth:?}");
        for one in &found {
            prop_assert!(one.n >= LEAST_QUESTIONS, "{one:?}");
            prop_assert!(one.seconds_a_week.is_finite() && one.seconds_a_week >= 0.0, "{one:?}");
            let of_kind = found.iter().filter(|other| other.says.kind() == one.says.kind());
            prop_assert!(of_kind.count() <= 2);
        }
    }
}

/// A generator of numbers that are the same in every run: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// A week in which everything is chance: `n` questions, evenly over ten texts, seven days, nine hours, three
/// askers and eight sessions, answered with one of three options or typed, in 5 to 50 seconds; and a week
/// before of the same kind.
fn week_of_chance(numbers: &mut Numbers, n: u64) -> Facts {
    let mut facts = empty();
    let mut sessions = [Sums::default(); 8];
    for question in 0..2 * n {
        let key = numbers.below(10).to_string();
        let answer = numbers.below(4);
        let seconds = 5.0 + number(numbers.below(46));
        let one = sums(1, seconds);
        if question >= n {
            let before = OfQuestion {
                before: one,
                ..OfQuestion::default()
            };
            add(&mut facts, &key, before);
            continue;
        }
        let sums = OfQuestion {
            text: key.clone(),
            now: one,
            before: Sums::default(),
            answered: 1,
            one_way: 0,
            typed: u64::from(answer == 3),
            recommended: 1,
            followed: u64::from(answer == 0),
            options: 3,
            timed: 1,
            logs: Logs {
                n: 1.0,
                sum: seconds.ln(),
                squares: seconds.ln().powi(2),
            },
        };
        add(&mut facts, &key, sums);
        let day = day(numbers.below(7));
        facts.days.entry(day).or_default().add(one);
        let hour = 9 + u32::try_from(numbers.below(9)).unwrap();
        let of_hour = facts.hours.entry(hour).or_default();
        of_hour.entry(day).or_default().add(one);
        let asker = ["plan", "review", "write"][usize::try_from(numbers.below(3)).unwrap()];
        facts.add_asker(Some(asker.to_owned()), one);
        sessions[usize::try_from(numbers.below(8)).unwrap()].add(one);
    }
    facts.session = sessions
        .iter()
        .max_by_key(|sums| sums.asked)
        .map(|most| Session {
            session_id: "s".to_owned(),
            project: "shop".to_owned(),
            day: day(0),
            sums: *most,
            sessions: 8,
        });
    facts
}

#[test]
fn of_chance_alone_few_lines_are_said() {
    let mut numbers = Numbers(1);
    let weeks = 400;
    let mut lines: Vec<Finding> = Vec::new();
    for week in 0..weeks {
        lines.extend(findings(&week_of_chance(&mut numbers, 20 + week % 180)));
    }
    // Eight kinds, each of which may be wrong in one week of twenty or of a hundred.
    assert!(
        lines.len() <= 400 / 5,
        "{} lines in {weeks} weeks",
        lines.len()
    );
}
