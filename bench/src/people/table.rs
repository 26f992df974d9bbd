//! The tables that are printed.

use std::collections::BTreeMap;
use std::fmt;

use super::life::{Changed, Kind, Record, WEEKS};

impl Record {
    fn is_asked_in_week_13(&self) -> bool {
        self.week == WEEKS && self.right.is_none()
    }

    /// Why it was asked: the log's reason, without what is quoted in it; without a preference, why none was proposed.
    fn reason(&self) -> String {
        let asked = &self.logged.ask_reason;
        let reason = match asked.as_str() {
            "no_preference" => &self.not_proposed,
            _ => &self.logged.reason,
        };
        let end = reason.find(['"', '`', ':', '(']).unwrap_or(reason.len());
        format!("{asked} {}", &reason[..end]).trim().to_owned()
    }

    /// A line about what should have been otherwise.
    pub(super) fn fault(&self) -> Option<String> {
        let what = match (self.kind, self.right) {
            (Kind::OneOff, Some(_)) => "ANSWERED ONCE".to_owned(),
            (kind, Some(false)) => format!("WRONG {kind}"),
            (Kind::Always, None) if self.week == WEEKS => {
                format!(
                    "ASKED {} {}: {}",
                    self.times,
                    self.reason(),
                    self.logged.reason
                )
            }
            _ => return None,
        };
        Some(format!("{what}\t{}", self.line))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Always => "always alike",
            Self::NineOfTen => "nine of ten",
            Self::Changing => "changed in week seven",
            Self::Depends => "depends",
            Self::OneOff => "came once",
        })
    }
}

pub(super) fn share<'a>(
    of: impl Iterator<Item = &'a Record> + Clone,
    is: impl Fn(&Record) -> bool,
) -> f64 {
    let all = of.clone().count().max(1);
    of.filter(|one| is(one)).count() as f64 / all as f64
}

pub(super) fn steady(records: &[Record]) {
    println!("| always alike, came | habits | answered in week 13 | | checked | asked, and why |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    for (name, from, to) in [
        ("3–5", 3, 5),
        ("6–14", 6, 14),
        ("15 and more", 15, usize::MAX),
        ("6 and more", 6, usize::MAX),
    ] {
        let is_it = |one: &&Record| {
            one.kind == Kind::Always && one.week == WEEKS && (from..=to).contains(&one.times)
        };
        let of = records.iter().filter(is_it);
        let answered = share(of.clone(), |one| one.right.is_some());
        let asked: Vec<String> = of
            .clone()
            .filter(|one| one.is_asked_in_week_13())
            .map(Record::reason)
            .collect();
        let checked = asked
            .iter()
            .filter(|reason| reason.starts_with("spot_check"))
            .count();
        let mut reasons: BTreeMap<&String, usize> = BTreeMap::new();
        for reason in asked
            .iter()
            .filter(|reason| !reason.starts_with("spot_check"))
        {
            *reasons.entry(reason).or_default() += 1;
        }
        let mut reasons: Vec<(usize, &String)> = reasons
            .into_iter()
            .map(|(reason, times)| (times, reason))
            .collect();
        reasons.sort_unstable_by(|one, other| other.cmp(one));
        let reasons: Vec<String> = reasons
            .iter()
            .map(|(times, reason)| format!("{times} {reason}"))
            .collect();
        let habits = of.clone().count();
        let count = of.filter(|one| one.right.is_some()).count();
        println!(
            "| {name} | {habits} | {count} | {:.0} % | {checked} | {} |",
            100.0 * answered,
            reasons.join("; ")
        );
    }
}

pub(super) fn wrong(records: &[Record]) {
    println!(
        "\n| habit | asked in week 13 | answered | wrongly | asked in all weeks | answered | wrongly |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let cells = |name: &str, is: &dyn Fn(&Record) -> bool| {
        let count = |from: usize| {
            let of = records.iter().filter(|one| is(one) && one.week >= from);
            let answers: Vec<bool> = of.clone().filter_map(|one| one.right).collect();
            let wrong = answers.iter().filter(|right| !**right).count();
            let share = 100.0 * wrong as f64 / answers.len().max(1) as f64;
            format!(
                "{} | {} | {wrong} ({share:.1} %)",
                of.count(),
                answers.len()
            )
        };
        println!("| {name} | {} | {} |", count(WEEKS), count(0));
    };
    for kind in [Kind::Always, Kind::NineOfTen, Kind::Changing, Kind::Depends] {
        cells(&kind.to_string(), &|one| one.kind == kind);
    }
    cells("all habits", &|one| one.kind != Kind::OneOff);
}

pub(super) fn changed(changed: &[Changed]) {
    println!(
        "\n| a changed mind, nobody running anything | habits | wrong answers, mean | most | did not stop |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    let mut levels: Vec<&str> = changed.iter().map(|one| one.level.as_str()).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        let of: Vec<&Changed> = changed.iter().filter(|one| one.level == level).collect();
        let wrong: usize = of.iter().map(|one| one.wrong).sum();
        let most = of.iter().map(|one| one.wrong).max().unwrap_or(0);
        let still = of.iter().filter(|one| !one.stopped).count();
        let mean = wrong as f64 / of.len() as f64;
        println!("| {level} | {} | {mean:.1} | {most} | {still} |", of.len());
    }
}
