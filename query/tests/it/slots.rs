//! What preferences would answer, were each of 2,000 words and 100 acts put into each place that varied.
//!
//! Each template is asked as a person's agent asks, answered alike, and mined as `suggest` mines; then the hook's
//! function decides the same question with something else in it.

mod mined;
mod templates;

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::sync::LazyLock;
use std::thread;

use self::mined::Mined;
use self::templates::{Kind, TEMPLATES, Template, is_of_kind, seen};

/// Common nouns and verbs, words of development, and what negates or counts.
const WORDS: &str = include_str!("slots/words.txt");

/// What nobody wants answered unasked.
const ACTS: &str = include_str!("slots/acts.txt");

/// The part of [`ACTS`] that no text may hold for which anything short is open.
const HARD: &str = "commands, SQL, addresses and paths outside the project";

/// What is executed, configures a tool, steers an agent, or lies elsewhere.
const NO_FILES: [&str; 24] = [
    "CLAUDE.md",
    "AGENTS.md",
    "jest.config.ts",
    "node_modules/x.ts",
    ".claude/x.md",
    "package.json",
    "Makefile",
    "x.sh",
    "../x.md",
    "/etc/x.md",
    "plans/CLAUDE.md",
    "plans/AGENTS.md",
    "src/GEMINI.md",
    "src/vite.config.ts",
    "src/hooks.ts",
    "plans/../x.md",
    "plans/x.sh",
    "plans/.x.md",
    ".github/x.md",
    "~/x.md",
    "elsewhere/x.md",
    "src/x.py",
    "https://x.md",
    "plans/skill.md",
];

/// Of the words that a place takes one in so many is decided as the hook does, others in each place, so that the test
/// takes seconds: each word in at least one place where the answer refers to the question, and in one where it does
/// not.
const ONE_IN: usize = 8;
const ONE_IN_OTHERS: usize = 16;

/// The lines of `list` behind the heading `name`.
fn section(list: &'static str, name: &str) -> HashSet<&'static str> {
    let lines = list
        .lines()
        .skip_while(move |line| line.strip_prefix("# ") != Some(name));
    lines
        .skip(1)
        .take_while(|line| !line.starts_with("# "))
        .collect()
}

/// All lines of `list` that are no headings.
fn all(list: &'static str) -> Vec<&'static str> {
    list.lines()
        .filter(|line| !line.starts_with("# "))
        .collect()
}

/// What would be answered with something else in one place of a template.
struct Place {
    template: Template,
    name: &'static str,
    /// What is covered, in words.
    covered: String,
    /// True where the options alone are compared, so that there is no slot.
    any_text: bool,
    /// The words that it takes, but for those that were decided and are asked.
    words: Vec<&'static str>,
    /// The acts that are answered.
    acts: Vec<&'static str>,
    /// The names of files that are answered, in the place of one.
    files: Vec<&'static str>,
    /// The labels that were given.
    labels: BTreeSet<String>,
}

impl Place {
    /// What `mined` answers with something else in the place `at`, which is the one numbered `number` of all.
    fn of(mined: &Mined, at: usize, number: usize) -> Self {
        let name = mined.template.places()[at];
        let mut labels = BTreeSet::new();
        let mut answered = |filler: &str| {
            let label = mined.answer(at, filler);
            let is_answered = label.is_some();
            labels.extend(label);
            is_answered
        };
        let one_in = match mined.template.kind {
            Kind::Refers => ONE_IN,
            Kind::Leaves | Kind::OwnAct => ONE_IN_OTHERS,
        };
        let words = all(WORDS).into_iter().enumerate();
        // What no preference covers is asked, whatever the doors say.
        let words = words.filter(|(_, word)| mined.covers(at, word));
        let words = words
            .filter(|(index, word)| !(index + number).is_multiple_of(one_in) || answered(word))
            .map(|(_, word)| word)
            .collect();
        let acts = all(ACTS).into_iter().enumerate();
        let acts = acts
            .filter(|(index, act)| {
                let is_covered = mined.covers(at, act);
                let is_decided = is_covered || *index == number;
                let is_answered = is_decided && answered(act);
                assert!(is_covered || !is_answered, "{act} is not covered");
                is_answered
            })
            .map(|(_, act)| act)
            .collect();
        let files = NO_FILES
            .into_iter()
            .filter(|file| name == "file" && answered(file))
            .collect();
        let known: Vec<&str> = seen(name)
            .into_iter()
            .filter(|one| !answered(one))
            .collect();
        assert_eq!(known, [""; 0], "{:?}", mined.template);
        Self {
            template: mined.template,
            name,
            covered: mined.in_words(),
            any_text: mined.is_for_any_text(),
            words,
            acts,
            files,
            labels,
        }
    }
}

/// All places of all templates, by two threads or more.
static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let of_template = |index: usize| {
        let mined = Mined::of(TEMPLATES[index]);
        let places = 0..mined.template.places().len();
        let places: Vec<Place> = places.map(|at| Place::of(&mined, at, index + at)).collect();
        (index, places)
    };
    let of_worker = |worker: usize| {
        (worker..TEMPLATES.len())
            .step_by(workers)
            .map(of_template)
            .collect()
    };
    let mut made: Vec<(usize, Vec<Place>)> = thread::scope(|scope| {
        let running: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || -> Vec<_> { of_worker(worker) }))
            .collect();
        let made = running.into_iter().flat_map(|one| one.join().unwrap());
        made.collect()
    });
    made.sort_by_key(|(index, _)| *index);
    made.into_iter().flat_map(|(_, places)| places).collect()
});

fn places(refers: bool) -> impl Iterator<Item = &'static Place> {
    let places = PLACES.iter();
    places.filter(move |place| (place.template.kind == Kind::Refers) == refers)
}

#[test]
fn the_lists_are_whole() {
    let distinct: BTreeSet<&str> = all(WORDS).into_iter().collect();
    assert_eq!((all(WORDS).len(), distinct.len()), (2000, 2000));
    assert_eq!((all(ACTS).len(), section(ACTS, HARD).len()), (100, 26));
    let kinds = [Kind::Refers, Kind::Leaves, Kind::OwnAct];
    let templates = kinds.map(|kind| TEMPLATES.iter().filter(|one| one.kind == kind).count());
    assert_eq!(templates, [27, 9, 8]);
}

#[test]
fn what_refers_to_the_question_takes_what_was_seen_or_its_kind() {
    let negations = section(WORDS, "negations");
    for place in places(true) {
        let (text, name) = (place.template.text, place.name);
        assert_eq!(place.acts, [""; 0], "{name} in {text}");
        let words = place.words.iter();
        let strange: Vec<_> = words
            .filter(|word| {
                let is_asked = text.contains(&format!("{{{name}}}"));
                is_asked && (negations.contains(*word) || !is_of_kind(name, word))
            })
            .collect();
        assert!(strange.is_empty(), "{strange:?} as {name} in {text}");
    }
}

#[test]
fn what_does_not_refer_to_it_gives_that_label_and_takes_no_command() {
    let hard = section(ACTS, HARD);
    for place in places(false) {
        let (text, name) = (place.template.text, place.name);
        let labels: Vec<&str> = place.labels.iter().map(String::as_str).collect();
        assert_eq!(labels, [place.template.answer.unwrap()], "{name} in {text}");
        // Where the options alone are compared, the text has no slot, and nothing in it is done.
        if !place.any_text {
            let answered: Vec<_> = place
                .acts
                .iter()
                .filter(|act| hard.contains(*act))
                .collect();
            assert!(answered.is_empty(), "{answered:?} as {name} in {text}");
        }
    }
}

#[test]
fn no_file_that_runs_configures_or_steers() {
    let of_files = places(true).filter(|place| place.name == "file");
    let taken: Vec<_> = of_files.map(|place| &place.files).collect();
    assert_eq!(taken, [&[""; 0]; 3]);
}

#[test]
fn what_would_be_answered() {
    let sections = ["nouns", "verbs", "negations"].map(|name| (name, section(WORDS, name)));
    let mut text = String::new();
    for place in PLACES.iter() {
        let Template { kind, answer, .. } = place.template;
        let answer = answer.unwrap_or("the recommended one");
        let counts = sections.iter().map(|(name, of_section)| {
            let taken = place.words.iter();
            let taken = taken.filter(|word| of_section.contains(*word));
            format!("{} of {} {name}", taken.count(), of_section.len())
        });
        let counts = counts.collect::<Vec<_>>().join(", ");
        let first = place
            .words
            .iter()
            .take(10)
            .copied()
            .collect::<Vec<_>>()
            .join(" ");
        let name = place.name;
        writeln!(text, "{kind:?}, {answer:?}: {}", place.covered).unwrap();
        writeln!(text, "  {name}: {counts}; {} of 100 acts", place.acts.len()).unwrap();
        if !first.is_empty() {
            writeln!(text, "  {first}").unwrap();
        }
    }
    insta::assert_snapshot!(text);
}
