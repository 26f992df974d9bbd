//! Prompts counted by subject.

use std::collections::HashMap;

use super::event::{Counted, Outcome, is_unattended};
use super::given::{Given, shown_at};
use super::rows::Subject;
use super::wanted::{Grouping, WantedSubjects};
use crate::asker::{bare, framework};
use crate::seconds::to_milliseconds;
use crate::suggest::benefit::median;

/// The subjects of the `prompts` that are `wanted`, the most frequent first, and those that took longest before
/// others. What was chosen for them is looked for in all `prompts`.
pub(super) fn subjects(prompts: &[Counted], wanted: &WantedSubjects<'_>) -> Vec<Subject> {
    let given = Given::of(prompts);
    let mut found: HashMap<(String, &str), (Subject, Vec<f64>)> = HashMap::new();
    for one in prompts.iter().filter(|one| is_wanted(one, wanted)) {
        let (name, tool) = group(one, wanted.by);
        let (subject, waits) = found
            .entry((key(&name, wanted.by).to_owned(), tool))
            .or_insert_with(|| (named(name.clone(), tool, one), Vec::new()));
        subject.subject = name.min(std::mem::take(&mut subject.subject));
        add(subject, one, wanted, &given);
        match one.waited_seconds {
            Some(seconds) if one.while_away => {
                subject.waits_away += 1;
                subject.seconds_away += seconds;
            }
            seconds => waits.extend(seconds),
        }
    }
    let mut found: Vec<Subject> = found
        .into_values()
        .map(|(subject, waits)| with_waits(subject, waits))
        .collect();
    found.sort_by(|one, other| {
        let names = (&one.subject, &one.tool).cmp(&(&other.subject, &other.tool));
        let longest = other.seconds_waited.total_cmp(&one.seconds_waited);
        other.asked.cmp(&one.asked).then(longest).then(names)
    });
    found
}

fn is_wanted(one: &Counted, wanted: &WantedSubjects<'_>) -> bool {
    wanted
        .days
        .is_none_or(|days| (days.start..=days.end).contains(&one.day))
        && wanted.reach.is_none_or(|reach| one.reach == Some(reach))
        && wanted.tool.is_none_or(|tool| one.tool == tool)
}

/// What `one` is counted under: a name, empty for no asker that is known, and the tool where that counts.
fn group(one: &Counted, by: Grouping) -> (String, &str) {
    let asker = || one.asker.clone().unwrap_or_default();
    match by {
        Grouping::Subject => (one.subject.clone(), &one.tool),
        Grouping::Asker => (asker(), ""),
        Grouping::Framework => (framework(&asker()).unwrap_or_else(asker), ""),
    }
}

/// What is the same in names that are one.
fn key(name: &str, by: Grouping) -> &str {
    match by {
        Grouping::Subject => name,
        Grouping::Asker | Grouping::Framework => bare(name),
    }
}

fn named(subject: String, tool: &str, one: &Counted) -> Subject {
    Subject {
        subject,
        tool: tool.to_owned(),
        last_at: one.at,
        last_day: one.day,
        ..Subject::default()
    }
}

fn add(subject: &mut Subject, one: &Counted, wanted: &WantedSubjects<'_>, given: &Given) {
    let is_refused = one.outcome == Outcome::Refused;
    let reason = one.reason.as_deref().unwrap_or_default();
    let shown_at = shown_at(one.asked_at, one.at, one.waited_seconds);
    let names = [&one.project, &one.session_id, &one.tool, &one.subject];
    let is_again = given.before(names.map(String::as_str), shown_at).is_some();
    let said = [one.session_kind.as_str(), one.outcome.as_str(), reason];
    subject.asked += 1;
    *match one.outcome {
        Outcome::Granted => &mut subject.granted,
        Outcome::Refused => &mut subject.refused,
        Outcome::Ambiguous => &mut subject.ambiguous,
        Outcome::Open => &mut subject.open,
    } += 1;
    subject.reach = subject.reach.max(one.reach);
    subject.asked_again += u64::from(is_again);
    subject.unattended += u64::from(is_unattended(said, one.day, wanted.open_from));
    subject.without_approvals += u64::from(is_refused && reason == "unknown");
    subject.last_at = subject.last_at.max(one.at);
    subject.last_day = subject.last_day.max(one.day);
}

fn with_waits(mut subject: Subject, waits: Vec<f64>) -> Subject {
    subject.waits_known = waits.len() as u64;
    subject.seconds_waited = to_milliseconds(waits.iter().sum());
    subject.seconds_away = to_milliseconds(subject.seconds_away);
    subject.median_seconds = median(waits).map(to_milliseconds);
    subject
}

#[cfg(test)]
mod tests {
    use plantune_domain::permissions::Reach;

    use super::super::event::{Logged, joined};
    use super::*;

    fn event(kind: &str, id: &str, minute: u32) -> Logged {
        Logged {
            kind: format!("permission_{kind}"),
            id: id.to_owned(),
            at: format!("2026-11-20T09:{minute:02}:00Z").parse().unwrap(),
            day: "2026-11-20".parse().unwrap(),
            session_id: "s".to_owned(),
            tool: Some("Bash".to_owned()),
            subject: Some("npm test".to_owned()),
            reach: Some(Reach::Reads),
            ..Logged::default()
        }
    }

    fn granted(of: &str, grant: &str, minute: u32, waited: Option<f64>) -> Logged {
        Logged {
            asked_id: Some(of.to_owned()),
            grant: Some(grant.to_owned()),
            waited_seconds: waited,
            ..event("granted", &format!("d{of}"), minute)
        }
    }

    fn counted(events: &[Logged]) -> Vec<Subject> {
        subjects(&joined(events), &WantedSubjects::default())
    }

    #[test]
    fn each_prompt_counts_once_whatever_the_order() {
        let mut events = vec![
            event("asked", "1", 1),
            granted("1", "once", 2, Some(60.0)),
            event("asked", "2", 3),
            granted("2", "once", 4, Some(30.0)),
            event("asked", "3", 5),
            // Of a prompt that no hook logged.
            granted("9", "once", 6, None),
        ];
        let found = counted(&events);
        assert_eq!(found.len(), 1);
        let one = &found[0];
        assert_eq!((one.asked, one.granted, one.open), (4, 3, 1));
        assert_eq!((one.seconds_waited, one.waits_known), (90.0, 2));
        assert_eq!((one.median_seconds, one.asked_again), (Some(45.0), 0));
        events.reverse();
        assert_eq!(counted(&events), found);
        assert_eq!(counted(&[]), []);
    }

    #[test]
    fn what_a_hook_registered_twice_logged_counts_once() {
        let mut second = event("asked", "2", 1);
        second.at += chrono::TimeDelta::milliseconds(40);
        let both = [event("asked", "1", 1), second];
        assert_eq!(counted(&both)[0].asked, 1);
        let decided: Vec<Logged> = both
            .into_iter()
            .chain([granted("2", "once", 5, None)])
            .collect();
        let one = &counted(&decided)[0];
        assert_eq!((one.asked, one.granted, one.open), (2, 1, 1));
    }

    #[test]
    fn only_what_came_later_was_asked_again() {
        let later = |grant: &str, session: &str, minute: u32| {
            let mut later = event("asked", "2", minute);
            later.session_id = session.to_owned();
            let events = [event("asked", "1", 1), granted("1", grant, 10, None), later];
            counted(&events)[0].asked_again
        };
        for (grant, session, minute, again) in [
            ("always", "other", 11, 1),
            // It was on the screen already.
            ("always", "other", 10, 0),
            ("always", "s", 5, 0),
            ("session", "s", 11, 1),
            ("session", "other", 11, 0),
            ("once", "s", 11, 0),
        ] {
            assert_eq!(
                later(grant, session, minute),
                again,
                "{grant} {session} {minute}"
            );
        }
        // What cannot be told apart was chosen for nobody knows which.
        let mut unclear = granted("1", "always", 10, None);
        unclear.ambiguous = true;
        let events = [event("asked", "1", 1), unclear, event("asked", "2", 11)];
        let found = counted(&events);
        assert_eq!((found[0].asked_again, found[0].ambiguous), (0, 1));
    }

    #[test]
    fn the_furthest_reach_counts_and_names_keep_subjects_apart() {
        let mut further = event("asked", "2", 3);
        further.reach = Some(Reach::Beyond);
        let mut other = event("asked", "3", 4);
        other.tool = Some("Other".to_owned());
        let mut nameless = event("asked", "4", 5);
        (nameless.subject, nameless.reach) = (None, None);
        let found = counted(&[event("asked", "1", 1), further, other, nameless]);
        let names: Vec<_> = found
            .iter()
            .map(|one| (one.subject.as_str(), one.tool.as_str(), one.reach))
            .collect();
        assert_eq!(
            names,
            [
                ("npm test", "Bash", Some(Reach::Beyond)),
                ("Bash", "Bash", None),
                ("npm test", "Other", Some(Reach::Reads))
            ]
        );
    }

    #[test]
    fn prompts_are_counted_by_who_was_at_work() {
        let by = |id: &str, asker: Option<&str>| Logged {
            asker: asker.map(str::to_owned),
            ..event("asked", id, id.parse().unwrap())
        };
        let of_skill = Logged {
            asker: Some("gsd:plan".to_owned()),
            ..granted("4", "once", 9, None)
        };
        let events = [
            by("1", Some("ship")),
            by("4", Some("/gsd:discuss-phase")),
            of_skill,
            by("7", Some("/ship")),
            by("8", None),
            by("10", Some("/gsd:discuss-phase")),
        ];
        let found = |by: Grouping| -> Vec<(String, u64, u64)> {
            let wanted = WantedSubjects {
                by,
                ..WantedSubjects::default()
            };
            let found = subjects(&joined(&events), &wanted);
            let row = |one: Subject| (one.subject, one.asked, one.granted);
            found.into_iter().map(row).collect()
        };
        let row = |name: &str, asked, granted| (name.to_owned(), asked, granted);
        let (ship, nobody) = (row("/ship", 2, 0), row("", 1, 0));
        assert_eq!(
            found(Grouping::Asker),
            [
                ship.clone(),
                nobody.clone(),
                row("/gsd:discuss-phase", 1, 0),
                row("gsd:plan", 1, 1)
            ]
        );
        assert_eq!(
            found(Grouping::Framework),
            [ship, row("gsd:*", 2, 1), nobody]
        );
    }

    #[test]
    fn a_prompt_that_nobody_decided_was_left_a_day_later() {
        let wanted = |open_from: &str| WantedSubjects {
            open_from: Some(open_from.parse().unwrap()),
            ..WantedSubjects::default()
        };
        let prompts = joined(&[event("asked", "1", 1)]);
        assert_eq!(subjects(&prompts, &wanted("2026-11-20"))[0].unattended, 0);
        assert_eq!(subjects(&prompts, &wanted("2026-11-21"))[0].unattended, 1);
    }
}
