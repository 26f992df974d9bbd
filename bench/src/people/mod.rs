//! How much plantune answers for people as they are, and how much of that wrongly. Most questions come once; a habit
//! comes three to fifteen times in twelve weeks; models reword; people waver and change their minds.
//!
//! ```text
//! cargo build --bins && cargo run -p plantune-bench -- people FILE.jsonl [WORD …]
//! ```
//! The file is one of templates (`templates.rs`). The measurement runs the built programs beside it, or those that
//! `PLANTUNE` and `PLANTUNE_HOOK` name. They must be built with debug assertions, since released ones ignore
//! `PLANTUNE_NOW`.
//!
//! | word | |
//! | --- | --- |
//! | `--one-off 0.85` | the share of all questions that come once; 0.5 where it is missing |
//! | `--users 24` | how many people; 12 where it is missing |
//! | `--seed 2` | other people |
//! | `--half b` | the collections of one half (`a` or `b`) or `all`; `a` where it is missing. Make rules with one half, and judge them by the other |
//! | `--why` | lists what was answered wrongly, or should not have been, and what of steady habits was asked in week 13 |
//!
//! Each week every asking goes through the hook. What it does not answer, the person answers. At the end of the week
//! they import their transcripts and set whatever `suggest` proposes. In week 13 each habit is asked once more.
//! Two more measurements follow: one-way options that a person chose 24 times, and a mind that changed in week seven
//! while nobody runs anything.
//!
//! A habit counts by how often it came before week 13, whoever answered: a program that answers early does not move
//! it to another row.
mod asking;
mod home;
mod life;
mod table;

use std::collections::BTreeMap;
use std::thread;

use self::life::{FRAMEWORK, Kind, ONE_WAY, Record, WEEKS, change_of_mind, live, one_way_acts};
use crate::chance::Chance;
use crate::templates::{self, Door, Template};

struct Words {
    file: String,
    one_off: f64,
    users: usize,
    seed: u64,
    half: String,
    why: bool,
}

impl Words {
    fn read(words: impl Iterator<Item = String>) -> Self {
        let mut read = Self {
            file: String::new(),
            one_off: 0.5,
            users: 12,
            seed: 1,
            half: "a".to_owned(),
            why: false,
        };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap();
            match word.as_str() {
                "--one-off" => read.one_off = value().parse().unwrap(),
                "--users" => read.users = value().parse().unwrap(),
                "--seed" => read.seed = value().parse().unwrap(),
                "--half" => read.half = value(),
                "--why" => read.why = true,
                _ => read.file = word,
            }
        }
        read
    }

    /// Whether the collection called `name` belongs to the half that is measured, by FNV-1a of its name.
    fn measures(&self, name: &str) -> bool {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let half = if (hash >> 32).is_multiple_of(2) {
            "a"
        } else {
            "b"
        };
        self.half == "all" || self.half == half
    }
}

/// Runs the measurements and prints them.
pub(crate) fn measure(words: impl Iterator<Item = String>) {
    let words = Words::read(words);
    let mut all = templates::read(&words.file);
    all.retain(|one| words.measures(&one.collection));
    let mut frameworks: BTreeMap<&str, Vec<&Template>> = BTreeMap::new();
    for one in all
        .iter()
        .filter(|one| one.recurring && one.options_of(Door::TwoWay).len() > 1)
    {
        frameworks.entry(&one.collection).or_default().push(one);
    }
    frameworks.retain(|_, of| of.len() >= FRAMEWORK);
    let frameworks: Vec<&Vec<&Template>> = frameworks.values().collect();

    let mut records = Vec::new();
    let mut changed = Vec::new();
    let mut unset = Vec::new();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let users: Vec<usize> = (0..words.users).collect();
    for some in users.chunks(threads) {
        let lives = thread::scope(|scope| {
            let start = |user: &usize| {
                let framework = frameworks[user % frameworks.len()];
                let seed = 2 * (words.seed * 1000 + *user as u64);
                let (all, one_off) = (&all, words.one_off);
                scope.spawn(move || {
                    let (records, unset) = live(framework, all, one_off, &mut Chance::new(seed));
                    let changed = change_of_mind(framework, &mut Chance::new(seed + 1));
                    (records, unset, changed)
                })
            };
            let running: Vec<_> = some.iter().map(start).collect();
            running
                .into_iter()
                .map(|one| one.join().unwrap())
                .collect::<Vec<_>>()
        });
        for life in lives {
            records.extend(life.0);
            unset.extend(life.1);
            changed.extend(life.2);
        }
    }
    let one_way = one_way_acts(&all, &mut Chance::new(words.seed));

    let lived = records.iter().filter(|one| one.week < WEEKS);
    println!(
        "{} questions of half {}; {} people of {} frameworks, {:.0} % of their questions come once\n",
        all.len(),
        words.half,
        words.users,
        frameworks.len(),
        100.0 * table::share(lived, |one| one.kind == Kind::OneOff),
    );
    table::steady(&records);
    table::wrong(&records);
    table::changed(&changed);
    let answered = one_way.iter().filter(|one| one.answered > 0).count();
    println!("\n| never to be answered | answered | of |\n| --- | ---: | ---: |");
    let once: Vec<&Record> = records
        .iter()
        .filter(|one| one.kind == Kind::OneOff)
        .collect();
    let of_once = once.iter().filter(|one| one.right.is_some()).count();
    println!("| questions that came once | {of_once} | {} |", once.len());
    println!(
        "| one-way options, chosen {ONE_WAY} times | {answered} | {} |",
        one_way.len()
    );
    if !unset.is_empty() {
        println!(
            "\n{} proposals could not be set, such as {}",
            unset.len(),
            unset[0]
        );
    }
    if words.why {
        let of_records = records.iter().filter_map(Record::fault);
        let of_one_way = one_way.iter().filter(|one| one.answered > 0);
        let mut lines: Vec<String> = of_records.collect();
        lines.extend(of_one_way.map(|one| format!("ONE WAY {}\t{}", one.answered, one.line)));
        lines.sort_unstable();
        println!("\n{}", lines.join("\n"));
    }
    let is_answered = records.iter().any(|one| one.right.is_some());
    assert!(
        is_answered,
        "nothing was answered: silence is not what is measured here"
    );
}
