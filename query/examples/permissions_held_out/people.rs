//! Made-up people: what they are asked about, and what they say to it.

use chrono::{NaiveDate, TimeDelta};
use plantune_query::permissions::evidence::{Outcome, Prompt};

use crate::calls::{AREAS, BEYOND, Call, EDITS, SERVICES, STACKS, Sort, TWINS, WORDS};
use crate::chance::Chance;

/// How somebody decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Allows everything.
    Everything,
    /// Never allows force, production, push and look-alikes, and three of ten others beyond the project.
    Careful,
    /// Allows nothing beyond the project, and never two of the things that everybody else allows.
    Strict,
    /// Careful, and changes their mind about one thing, which may be any, some day.
    Changes,
    /// Careful, and refuses one of fifty whatever it is: for what stands in it, or because now is no time.
    Moody,
}

/// Those that the floors are for.
pub(crate) const KINDS: [Kind; 4] = [Kind::Everything, Kind::Careful, Kind::Strict, Kind::Changes];

/// One prompt, and the truth about it.
pub(crate) struct Asked {
    pub(crate) prompt: Prompt,
    pub(crate) call: &'static Call,
}

const WORKING_DAYS: usize = 60;

/// How often each sort is asked about; drawn around these for each person.
const SHARES: [(Sort, f64); 6] = [
    (Sort::Same, 0.36),
    (Sort::Varied, 0.12),
    (Sort::Edit, 0.24),
    (Sort::Service, 0.08),
    (Sort::Beyond, 0.16),
    (Sort::LookAlike, 0.04),
];

struct Person {
    kind: Kind,
    projects: usize,
    shares: Vec<(Sort, f64)>,
    /// What they are asked about.
    calls: Vec<&'static Call>,
    /// What they always refuse although it does no harm.
    dislikes: Vec<&'static Call>,
    /// What they decide the other way from that day on.
    change: Option<(&'static Call, usize)>,
}

/// The prompts of the person `seed`, in the order of time, each at a moment of its own.
pub(crate) fn history(kind: Kind, seed: u64) -> Vec<Asked> {
    let mut chance = Chance::new(seed);
    let person = Person::new(kind, &mut chance);
    let mut day: NaiveDate = "2026-03-02".parse().unwrap();
    let mut all = Vec::new();
    for number in 0..WORKING_DAYS {
        day += TimeDelta::days(if number % 5 == 0 && number > 0 { 3 } else { 1 });
        let sessions = 1 + chance.below(3);
        for session in 0..sessions {
            person.session(number, day, session, &mut chance, &mut all);
        }
    }
    all
}

impl Person {
    fn new(kind: Kind, chance: &mut Chance) -> Self {
        let stack = &STACKS[chance.below(STACKS.len())];
        let mut calls: Vec<&Call> = Vec::new();
        draw(&mut calls, stack.same, 7, chance);
        let harmless = calls.len();
        draw(&mut calls, stack.varied, 3, chance);
        draw(&mut calls, stack.twins, 3, chance);
        draw(&mut calls, &TWINS, 4, chance);
        draw(&mut calls, &EDITS, 3, chance);
        draw(&mut calls, &SERVICES, 4, chance);
        draw(&mut calls, &BEYOND, 9, chance);
        let dislikes = match kind {
            Kind::Strict => vec![calls[chance.below(harmless)], calls[harmless]],
            _ => Vec::new(),
        };
        let change = match kind {
            Kind::Changes => {
                let day = chance.within(0.3, 0.8) * WORKING_DAYS as f64;
                Some((calls[chance.below(calls.len())], day as usize))
            }
            _ => None,
        };
        let around = |(sort, share): (Sort, f64)| (sort, share * chance.within(0.6, 1.4));
        Self {
            kind,
            shares: SHARES.map(around).to_vec(),
            projects: 1 + chance.below(3),
            calls,
            dislikes,
            change,
        }
    }

    fn session(
        &self,
        number: usize,
        day: NaiveDate,
        session: usize,
        chance: &mut Chance,
        all: &mut Vec<Asked>,
    ) {
        // The first project is worked in most.
        let project = chance.below(self.projects).min(chance.below(self.projects));
        let root = format!("/home/dev/{}", ["shop", "api", "site"][project]);
        let (session_kind, mode) = match chance.share() {
            share if share < 0.05 => ("headless", "default"),
            share if share < 0.10 => ("spawned", "default"),
            share if share < 0.20 => ("interactive", "acceptEdits"),
            share if share < 0.25 => ("interactive", "plan"),
            _ => ("interactive", "default"),
        };
        let mut at = day.and_hms_opt(8, 0, 0).unwrap() + TimeDelta::hours(4 * session as i64);
        for _ in 0..3 + chance.below(8) {
            let call = self.next(chance);
            at += TimeDelta::seconds(60 + chance.below(600) as i64);
            if mode == "acceptEdits" && call.sort == Sort::Edit {
                continue;
            }
            let input = filled(call.input, &root, chance);
            let wait = chance.normal(25.0, 8.0).max(1.0);
            let outcome = match session_kind {
                "headless" => Outcome::Nobody,
                _ if chance.happens(0.02) => Outcome::Ambiguous,
                _ if chance.happens(0.01) => Outcome::Open,
                _ if self.allows(call, number, chance) => Outcome::Granted,
                _ => Outcome::Refused,
            };
            // How long a command was waited for is known of refusals alone.
            let is_known = call.tool != "Bash" || outcome == Outcome::Refused;
            let prompt = Prompt {
                at,
                day,
                project: root.clone(),
                cwd: match chance.happens(0.1) {
                    true => format!("{root}/src"),
                    false => root.clone(),
                },
                root: root.clone(),
                session_id: format!("{day} {session}"),
                session_kind: session_kind.to_owned(),
                permission_mode: Some(mode.to_owned()),
                tool_name: call.tool.to_owned(),
                input,
                outcome,
                waited_seconds: is_known.then_some(wait),
                asks_all: false,
                is_imported: number < WORKING_DAYS / 4,
            };
            all.push(Asked { prompt, call });
        }
    }

    fn next(&self, chance: &mut Chance) -> &'static Call {
        let whole: f64 = self.shares.iter().map(|(_, share)| share).sum();
        let mut drawn = chance.share() * whole;
        let mut sort = Sort::Same;
        for (one, share) in &self.shares {
            sort = *one;
            drawn -= share;
            if drawn < 0.0 {
                break;
            }
        }
        let is_of = |one: Sort| match one {
            Sort::Grave => sort == Sort::Beyond,
            one => one == sort,
        };
        let calls: Vec<&Call> = self
            .calls
            .iter()
            .copied()
            .filter(|one| is_of(one.sort))
            .collect();
        // Some things come more often than others.
        calls[chance.below(calls.len()).min(chance.below(calls.len()))]
    }

    /// True for what they never allow, and for a line with it.
    fn dislikes(&self, call: &Call) -> bool {
        let mut dislikes = self.dislikes.iter();
        dislikes.any(|one| call.tool == one.tool && call.input.contains(one.input))
    }

    fn allows(&self, call: &Call, day: usize, chance: &mut Chance) -> bool {
        let usually = match (self.kind, call.sort) {
            (Kind::Everything, _) => true,
            (Kind::Strict, _) => call.reach < 3 && !self.dislikes(call),
            (_, Sort::Grave | Sort::LookAlike) => false,
            (_, Sort::Beyond) => chance.happens(0.7),
            (Kind::Moody, _) => !chance.happens(0.02),
            _ => true,
        };
        match self.change {
            Some((about, from)) if about == call && day >= from => !usually,
            _ => usually,
        }
    }
}

/// Adds up to `most` of `from` to `calls`.
fn draw(calls: &mut Vec<&'static Call>, from: &'static [Call], most: usize, chance: &mut Chance) {
    let mut left: Vec<&Call> = from.iter().collect();
    for _ in 0..most.min(left.len()) {
        calls.push(left.swap_remove(chance.below(left.len())));
    }
}

fn filled(input: &str, root: &str, chance: &mut Chance) -> String {
    let mut word = || WORDS[chance.below(WORDS.len())];
    let (file, other) = (word(), word());
    let area = AREAS[chance.below(AREAS.len())];
    input
        .replace("{root}", root)
        .replace("{file}", file)
        .replace("{word}", other)
        .replace("{area}", area)
        .replace("{n}", &(1 + chance.below(900)).to_string())
}
