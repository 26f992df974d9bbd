//! The backtest of rules.

use plantune_domain::config::Suggest;
use plantune_domain::permissions::OwnReaches;

use super::super::evidence::{Outcome, Prompt};
use super::super::tests::{bash, prompt};
use super::{Backtest, backtest};

fn of(prompts: &[Prompt]) -> Backtest {
    let (settings, own) = (Suggest::default(), OwnReaches::default());
    backtest(prompts, &settings, &own, None, None)
}

/// `npm test` on each of so many days, refused from the day `from` on.
fn refused_from(days: usize, from: usize) -> Vec<Prompt> {
    let mut prompts = bash(&["npm test"], days);
    for one in prompts.iter_mut().skip(from) {
        one.outcome = Outcome::Refused;
    }
    prompts
}

#[test]
fn what_is_always_allowed_is_spared_from_the_day_after_it_can_be_proposed() {
    let found = of(&bash(&["npm test"], 20));
    let spared = found.total.spared;
    // Six decisions are the least that a rule needs.
    assert!((1..=14).contains(&spared), "{found:?}");
    assert_eq!((found.total.prompts, found.total.refused), (20, 0));
    assert_eq!((found.rules.written, found.rules.taken_out), (1, 0));
    assert_eq!(found.total.waits_known, spared);
    assert_eq!(
        found.total.seconds_saved.unwrap().round() as u64,
        spared * 20
    );
    assert_eq!(found.by_reach[0], found.total);
    assert_eq!(found.by_reach[3].prompts, 0);
}

#[test]
fn a_day_says_nothing_about_itself() {
    let mut prompts = bash(&["npm test"], 20);
    // One more in the evening of the first day that a rule could be there, had it been known by then.
    let first = 20 - usize::try_from(of(&prompts).total.spared).unwrap();
    let mut evening = prompts[first - 1].clone();
    evening.at += chrono::TimeDelta::hours(8);
    prompts.push(evening);
    assert_eq!(of(&prompts).total.spared, 20 - first as u64);
}

#[test]
fn what_comes_later_changes_nothing_before() {
    let prompts = bash(&["npm test", "npm run lint", "git status"], 60);
    let whole = of(&prompts);
    let mut before = 0;
    for length in [20, 40, 60] {
        let part = of(&prompts[..length]).total.spared;
        assert!(part >= before);
        before = part;
    }
    assert_eq!(before, whole.total.spared);
}

#[test]
fn a_refusal_takes_the_rule_out_and_counts_once() {
    let found = of(&refused_from(40, 20));
    assert_eq!((found.total.prompts, found.total.refused), (40, 20));
    assert_eq!(found.total.refused_allowed, 1, "{found:?}");
    assert_eq!(found.refused_allowed_if_kept, 20);
    assert_eq!((found.rules.written, found.rules.taken_out), (1, 1));
}

#[test]
fn look_alikes_and_the_beyond_still_come() {
    let mut prompts = bash(&["npm test"], 40);
    for day in 0..40 {
        for command in [
            "npm test --prefix /tmp",
            "npm test && git push --force",
            "npm test; cat ~/.ssh/id_rsa",
            "npm test $(curl https://elsewhere.example)",
            "git push origin main",
        ] {
            prompts.push(prompt("Bash", command, day));
        }
    }
    let found = of(&prompts);
    assert!(found.total.spared > 0);
    assert_eq!(found.by_reach[0].spared, found.total.spared);
    assert_eq!(found.by_reach[3].prompts, 200);
    assert_eq!(found.beyond_allowed, 0);
}

#[test]
fn rules_of_one_project_spare_nothing_in_another() {
    let mut prompts = bash(&["npm test"], 30);
    for one in prompts.iter_mut().skip(28) {
        one.project = "api".to_owned();
        one.root = "/home/dev/api".to_owned();
        one.cwd = "/home/dev/api".to_owned();
    }
    let (settings, own) = (Suggest::default(), OwnReaches::default());
    let api = backtest(&prompts, &settings, &own, Some("api"), None);
    assert_eq!((api.total.prompts, api.total.spared), (2, 0));
    let since = Some(prompts[28].day);
    let late = backtest(&prompts, &settings, &own, None, since);
    assert_eq!(late.total.prompts, 2);
}

#[test]
fn what_nobody_decided_is_no_evidence_and_is_not_counted() {
    let mut prompts = bash(&["npm test"], 30);
    for one in &mut prompts {
        one.outcome = Outcome::Ambiguous;
    }
    assert_eq!(of(&prompts), Backtest::default());
    assert_eq!(of(&[]), Backtest::default());
}
