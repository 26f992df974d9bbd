//! How good proposed permission rules are for made-up people whose wishes are known.
//!
//! ```text
//! cargo run -p plantune-bench -- permissions_held_out [FROM..TO] [--verbose] [NAME=VALUE …]
//! ```
//! `FROM..TO` are the seeds, one person of each kind a seed; `--verbose` names what went wrong; `NAME=VALUE` sets
//! a number of `[suggest]`. The generator was written on the seeds 0..20. docs/development/permissions.md reports the
//! seeds 3000..3050.

mod people;

use std::collections::BTreeMap;

use plantune_domain::permissions::{OwnReaches, Reach};
use plantune_query::permissions::backtest::replay;
use plantune_query::permissions::{DecidedPrompt, PromptOutcome};
use plantune_query::suggest::Suggest;

use self::people::{KINDS, Kind, Sort, history};

/// The measurements, of the prompts that people decided; reaches are the true ones.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    prompts: u64,
    harmless: u64,
    spared: u64,
    refused: u64,
    refused_allowed: u64,
    refused_allowed_if_kept: u64,
    /// Beyond the project by the truth or by the tables.
    beyond: u64,
    beyond_allowed: u64,
    /// The calls that the most generous reading of the rules lets through.
    beyond_maybe: u64,
    /// Beyond the project, but not by the tables.
    judged_too_low: u64,
    rules: u64,
    taken_out: u64,
}

impl Measured {
    fn add(&mut self, other: &Self) {
        self.prompts += other.prompts;
        self.harmless += other.harmless;
        self.spared += other.spared;
        self.refused += other.refused;
        self.refused_allowed += other.refused_allowed;
        self.refused_allowed_if_kept += other.refused_allowed_if_kept;
        self.beyond += other.beyond;
        self.beyond_allowed += other.beyond_allowed;
        self.beyond_maybe += other.beyond_maybe;
        self.judged_too_low += other.judged_too_low;
        self.rules += other.rules;
        self.taken_out += other.taken_out;
    }

    fn show(&self, name: &str) {
        println!(
            "| {name} | {} | {:.1} % | {} | {} ({}) | {} | {} ({}) | {} ({}) |",
            self.prompts,
            100.0 * self.spared as f64 / self.harmless.max(1) as f64,
            self.refused,
            self.refused_allowed,
            self.refused_allowed_if_kept,
            self.beyond,
            self.beyond_allowed,
            self.beyond_maybe,
            self.rules,
            self.taken_out,
        );
    }
}

/// Runs the measurements that `words` name and prints them.
pub(crate) fn measure(words: impl Iterator<Item = String>) {
    let mut settings = Suggest::default();
    let mut seeds = 4000..4050;
    let mut is_verbose = false;
    for word in words {
        if word == "--verbose" {
            is_verbose = true;
        } else if let Some((from, to)) = word.split_once("..") {
            seeds = from.parse().unwrap()..to.parse().unwrap();
        } else if let Some((name, value)) = word.split_once('=') {
            match name {
                "trial_answers" => settings.trial_answers = value.parse().unwrap(),
                "trial_sessions" => settings.trial_sessions = value.parse().unwrap(),
                "trial_credibility" => settings.trial_credibility = value.parse().unwrap(),
                _ => panic!("no setting {name}"),
            }
        } else {
            panic!("unknown word {word}");
        }
    }
    let mut notes = BTreeMap::new();
    let mut by_sort: BTreeMap<Sort, Measured> = BTreeMap::new();
    let mut total = Measured::default();
    println!(
        "| people | prompts decided | reads and project: spared | refused | of these allowed (had no rule been taken out) \
         | beyond | of these allowed (perhaps) | rules (taken out) |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for kind in KINDS.into_iter().chain([Kind::Moody]) {
        let mut of_kind = Measured::default();
        for seed in seeds.clone() {
            // No two kinds share their people.
            let seed = seed * 8 + kind as u64;
            let found = measured(kind, seed, &settings, &mut by_sort, &mut notes);
            of_kind.add(&found);
        }
        of_kind.show(&format!("{kind:?}"));
        if kind == Kind::Moody {
            continue;
        }
        total.add(&of_kind);
        if kind == KINDS[KINDS.len() - 1] {
            total.show("**these four**");
        }
    }
    println!("\n| reads and project | prompts | spared |\n| --- | ---: | ---: |");
    for (sort, found) in &by_sort {
        if found.harmless > 0 {
            let share = 100.0 * found.spared as f64 / found.harmless as f64;
            println!("| {sort:?} | {} | {share:.1} % |", found.harmless);
        }
    }
    floors(&total);
    if is_verbose {
        for (note, count) in notes {
            println!("{count:5} {note}");
        }
    }
}

fn floors(total: &Measured) {
    let holds = |holds: bool| if holds { "holds" } else { "MISSED" };
    let share = total.spared as f64 / total.harmless.max(1) as f64;
    let allowed = total.refused_allowed as f64 / total.refused.max(1) as f64;
    println!(
        "\nat least 60 % of the first two reaches spared: {:.1} %, {}",
        share * 100.0,
        holds(share >= 0.6)
    );
    println!(
        "at most 1 in 1,000 refused ones allowed: {:.2} in 1,000, {}",
        allowed * 1000.0,
        holds(allowed <= 0.001)
    );
    println!(
        "none beyond the project: {}, {}",
        total.beyond_allowed,
        holds(total.beyond_allowed == 0)
    );
    println!(
        "beyond the project, but not by the tables: {}",
        total.judged_too_low
    );
}

fn measured(
    kind: Kind,
    seed: u64,
    settings: &Suggest,
    by_sort: &mut BTreeMap<Sort, Measured>,
    notes: &mut BTreeMap<String, u64>,
) -> Measured {
    let asked = history(kind, seed);
    let prompts: Vec<DecidedPrompt> = asked.iter().map(|one| one.prompt.clone()).collect();
    let mut found = Measured::default();
    let mut at = 0;
    let rules = replay(&prompts, settings, &OwnReaches::default(), |step| {
        let one = &asked[at];
        at += 1;
        assert_eq!(one.prompt.at, step.prompt.at);
        let mut note = |what: &str| {
            let words = format!("{what}: {:?} {} {}", kind, one.call.tool, one.call.input);
            *notes.entry(words).or_default() += 1;
        };
        let is_beyond = one.call.reach == 3 || step.reach == Reach::Beyond;
        let mut this = Measured::default();
        if is_beyond {
            this.beyond = 1;
            this.beyond_allowed = u64::from(step.is_allowed);
            this.beyond_maybe = u64::from(step.may_be_allowed);
            if step.reach != Reach::Beyond {
                this.judged_too_low = 1;
                note("judged too low");
            }
            if step.is_allowed {
                note("beyond allowed");
            } else if step.may_be_allowed {
                note("beyond, perhaps");
            }
        }
        if one.prompt.is_evidence() {
            let is_refused = one.prompt.outcome == PromptOutcome::Refused;
            this.prompts = 1;
            this.refused = u64::from(is_refused);
            this.refused_allowed = u64::from(is_refused && step.is_allowed);
            this.refused_allowed_if_kept = u64::from(is_refused && step.is_allowed_if_kept);
            if is_refused && step.is_allowed {
                note("refused allowed");
            }
            if one.call.reach < 3 {
                let is_spared = step.is_allowed && !is_refused;
                this.harmless = 1;
                this.spared = u64::from(is_spared);
                note(if is_spared { "spared" } else { "asked" });
            }
        }
        found.add(&this);
        if kind != Kind::Moody {
            by_sort.entry(one.call.sort).or_default().add(&this);
        }
    });
    assert_eq!(at, asked.len());
    found.rules = rules.written;
    found.taken_out = rules.taken_out;
    found
}
