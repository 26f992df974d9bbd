//! How useful and how safe plantune is with the questions of real skills and commands: what becomes of habits that
//! are asked twice a week and always answered alike, whether outward and final answers are ever given, and which
//! single answers are held without need.
//!
//! ```text
//! cargo run --release -p plantune-bench -- real_questions FILE.jsonl [--why]
//! ```
//! The file is one of templates (`templates.rs`). `--why` lists what
//! misses its floor.
mod person;

use plantune_domain::gate::{ProposedAnswer, check};
use plantune_domain::preferences::Level;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;

use self::person::{Habit, Person};
use crate::chance::Chance;
use crate::templates::{self, Door, Template};

/// How many habits one person has.
const HABITS: usize = 30;
const WEEKS: usize = 12;

/// Runs the measurements that `words` name and prints them.
pub(crate) fn measure(mut words: impl Iterator<Item = String>) {
    let path = words.next().unwrap();
    let why = words.any(|word| word == "--why");
    let templates = templates::read(&path);
    println!(
        "{} templates\n\n| | share | count |\n| --- | ---: | ---: |",
        templates.len()
    );
    recurring(&templates, why);
    final_acts(&templates, why);
    single(&templates, why);
}

/// A part of a whole, as a row of the table.
fn row(name: &str, part: usize, whole: usize) {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    println!("| {name} | {share:.1} % | {part} of {whole} |");
}

/// The option that a person always chooses, one that can be taken back; the same in every run, and wherever the same
/// options are offered.
fn usual(template: &Template) -> Option<usize> {
    let open = template.options_of(Door::TwoWay);
    let labels = template.options.iter().flat_map(|one| one.label.bytes());
    let seed = labels.fold(7, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    let mut chance = Chance::new(seed);
    // The first one more often: it is what askers recommend.
    let first = open.first().filter(|_| chance.happens(0.5)).copied();
    first.or_else(|| open.get(chance.below(open.len())).copied())
}

fn recurring(templates: &[Template], why: bool) {
    let habits = templates.iter().filter(|one| one.recurring);
    let habits = habits.filter_map(|template| {
        let chosen = usual(template)?;
        Some(Habit { template, chosen })
    });
    let mut habits: Vec<Habit<'_>> = habits.collect();
    habits.sort_by_key(|one| &one.template.collection);
    let (mut all, mut early, mut standing, mut nothing) = (0, 0, 0, 0);
    let (mut lettered, mut lettered_standing) = (0, 0);
    let (mut next, mut answered, mut wrong) = (0, 0, 0);
    let mut lines = Vec::new();
    while !habits.is_empty() {
        let own = habits.drain(..HABITS.min(habits.len())).collect();
        let mut person = Person::of(own, WEEKS, all as u64);
        let found = person.suggestions(2);
        early += person
            .outcomes(&found)
            .iter()
            .filter(|one| one.level.is_some())
            .count();
        let found = person.suggestions(WEEKS);
        let outcomes = person.outcomes(&found);
        let counts = person.answered(&found, 2);
        for ((habit, outcome), count) in person.habits.iter().zip(&outcomes).zip(&counts) {
            let stands = usize::from(outcome.level == Some(Level::Standing));
            all += 1;
            standing += stands;
            nothing += usize::from(outcome.level.is_none());
            lettered += usize::from(habit.template.lettered);
            lettered_standing += stands * usize::from(habit.template.lettered);
            next += 2;
            answered += count.0;
            wrong += count.1;
            if stands == 0 || count.1 > 0 {
                lines.push(line(&outcome.why, habit));
            }
        }
    }
    row("something within two weeks", early, all);
    row("standing after twelve", standing, all);
    row("nothing after twelve", nothing, all);
    row("lettered ones standing", lettered_standing, lettered);
    row("answered in week 13", answered, next);
    row("of these wrongly", wrong, answered);
    show(why, lines);
}

/// One-way options, each chosen always by somebody who is asked nothing else.
fn final_acts(templates: &[Template], why: bool) {
    let (mut all, mut given) = (0, 0);
    let mut lines = Vec::new();
    for template in templates {
        for chosen in template.options_of(Door::OneWay) {
            all += 1;
            let mut person = Person::of(vec![Habit { template, chosen }], WEEKS, all as u64);
            let found = person.suggestions(WEEKS);
            if person.answered(&found, 24)[0].0 > 0 {
                given += 1;
                lines.push(line("answered", &person.habits[0]));
            }
        }
    }
    row("one-way options ever answered", given, all);
    show(why, lines);
}

/// One asking of each template, answered with an option that can be undone.
fn single(templates: &[Template], why: bool) {
    let (mut all, mut held) = (0, 0);
    let mut lines = Vec::new();
    for (number, template) in templates.iter().enumerate() {
        let Some(chosen) = usual(template) else {
            continue;
        };
        let (sent, label) = template.asked(chosen, &mut Chance::new(number as u64));
        let registry = Registry::default();
        let question = Question::identify(sent, &registry);
        all += 1;
        if let Err(refusal) = check(&ProposedAnswer::to(&question, &label), &registry) {
            held += 1;
            lines.push(line(&refusal.to_string(), &Habit { template, chosen }));
        }
    }
    row("single harmless answers held", held, all);
    show(why, lines);
}

fn line(why: &str, habit: &Habit<'_>) -> String {
    let option = &habit.template.options[habit.chosen];
    let labels: Vec<&str> = habit
        .template
        .options
        .iter()
        .map(|one| one.label.as_str())
        .collect();
    format!(
        "{why}\t{}\t{}\t{}\t{labels:?}\t{}",
        option.label, habit.template.question, option.description, habit.template.collection
    )
}

fn show(why: bool, mut lines: Vec<String>) {
    lines.sort_unstable();
    lines
        .iter()
        .filter(|_| why)
        .for_each(|line| println!("{line}"));
}
