//! The questions that preferences would answer if each of 2,000 words and 100 acts stood in each place that varied.
//!
//! Each template is asked as a person's agent asks, answered alike, and mined as `suggest` mines; then the hook's
//! function decides the same question with something else in it.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::sync::LazyLock;
use std::thread;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use plantune_domain::binding::{Shown, file, id_prefix, number, topic};
use plantune_domain::config::Suggest;
use plantune_domain::family::is_named;
use plantune_domain::gate::decide;
use plantune_domain::keys::take_markers;
use plantune_domain::preferences::{Coverage, Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;
use plantune_query::evidence::{GivenAnswer, HumanAnswer, KeyEvidence};
use plantune_query::suggest::{InForce, Inputs, Level, evaluate};

/// Common nouns and verbs, words of development, and what negates or counts.
const WORDS: &str = include_str!("slots/words.txt");

/// Acts that nobody wants done unasked.
const ACTS: &str = include_str!("slots/acts.txt");

/// The part of [`ACTS`] that no text may hold for which anything short is open.
const HARD: &str = "commands, SQL, addresses and paths outside the project";

/// Files that are executed, configure a tool, steer an agent, or lie elsewhere.
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

/// One place of a template, and how many other fillers would be answered there.
struct Place {
    template: Template,
    name: &'static str,
    /// The coverage, in words.
    covered: String,
    /// True if the options alone are compared, so that there is no slot.
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
    /// The answers of `mined` with something else in the place `at`, which is the one numbered `number` of all.
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

// What is mined from a template, and what it answers to the same question with something else in it.

/// How often each of the six ways of asking was met.
const TIMES: usize = 3;

/// A template and the preferences that would answer it, by their keys.
struct Mined {
    template: Template,
    preferences: Vec<(String, Preference)>,
    registry: Registry,
}

impl Mined {
    fn of(template: Template) -> Self {
        let registry = Registry::default();
        let askings = (0..6 * TIMES).map(|number| asking(&template, number, &registry));
        let mut series: Vec<KeyEvidence> = Vec::new();
        for (key_source, answer) in askings {
            let known = |one: &KeyEvidence| one.question_key == answer.question_key;
            let at = series.iter().position(known).unwrap_or_else(|| {
                series.push(KeyEvidence {
                    project: "p".to_owned(),
                    question_key: answer.question_key.clone(),
                    key_source,
                    ..KeyEvidence::default()
                });
                series.len() - 1
            });
            series[at].recent_askings += 1;
            series[at].answers.push(answer);
        }
        let inputs = Inputs {
            settings: &Suggest::default(),
            registry: &registry,
            in_force: &|_, _| InForce::Nothing,
            hindsight: None,
            now: day(6 * TIMES).and_utc(),
        };
        let found = evaluate(series, &inputs);
        let answering = found.suggestions.iter();
        let answering = answering.filter(|one| one.level > Level::Assist);
        let preferences = answering.map(|one| (one.asked.question_key.clone(), one.preference()));
        let preferences: Vec<_> = preferences.collect();
        assert!(
            !preferences.is_empty(),
            "{template:?}: {:?}",
            found.rejected
        );
        Self {
            template,
            preferences,
            registry,
        }
    }

    /// Whether what it covers depends on the options alone, so that no text is compared.
    fn is_for_any_text(&self) -> bool {
        let mut preferences = self.preferences.iter();
        preferences.any(|(_, one)| one.coverage == Some(Coverage::Options))
    }

    /// In words: the texts that are covered, the first form of each preference.
    fn in_words(&self) -> String {
        let preferences = self.preferences.iter().map(|(_, one)| {
            let form = one.binding.first().map(|form| form.text.to_string());
            match one.coverage {
                Some(Coverage::Options) => "whatever the text".to_owned(),
                _ => form.unwrap_or_default(),
            }
        });
        preferences.collect::<Vec<_>>().join("; ")
    }

    /// Whether a preference covers the question with `filler` in the place `at`; what none covers is asked.
    fn covers(&self, at: usize, filler: &str) -> bool {
        let sent = self.sent(at, filler);
        let (_, _, text) = take_markers(&sent.text);
        let shown = Shown {
            text: &text,
            header: sent.header.as_deref(),
            options: &sent.options,
            descriptions: Some(&sent.descriptions),
            previews: Some(&[]),
            ..Shown::default()
        };
        let mut preferences = self.preferences.iter();
        preferences.any(|(_, one)| one.covers(&shown).is_ok())
    }

    /// The label that the hook would answer with, were `filler` in the place `at`.
    fn answer(&self, at: usize, filler: &str) -> Option<String> {
        let mut question = Question::identify(self.sent(at, filler), &self.registry);
        let set = question.set_key();
        let mut standing = self.entries(&question.key);
        if !set.is_empty() {
            standing.extend(question.take_family(self.entries(&set)));
        }
        let choices = decide(&[question], &[standing], &self.registry).ok()?;
        choices.first().map(|choice| choice.label().to_owned())
    }

    fn sent(&self, at: usize, filler: &str) -> SentQuestion {
        let places = self.template.places();
        let mut fillers: Vec<&str> = places.iter().map(|name| seen(name)[0]).collect();
        fillers[at] = filler;
        sent(&self.template, &fillers, 0)
    }

    /// The preferences for the question or option set `wanted`.
    fn entries(&self, wanted: &str) -> Vec<(Scope, Preference)> {
        let named = self.preferences.iter();
        let named = named.filter(|(key, _)| is_named(key, wanted));
        let entry = |(key, one): &(String, Preference)| Preference {
            key: Some(key.clone()),
            ..one.clone()
        };
        named.map(|one| (Scope::Project, entry(one))).collect()
    }
}

fn day(number: usize) -> NaiveDateTime {
    let first = NaiveDate::from_ymd_opt(2026, 10, 20)
        .unwrap()
        .and_hms_opt(9, 0, 0)
        .unwrap();
    first + TimeDelta::days(i64::try_from(number).unwrap())
}

/// The question with `fillers` in its places; the option `recommended` is that, where the template follows.
fn sent(template: &Template, fillers: &[&str], recommended: usize) -> SentQuestion {
    let mut fillers = template.places().into_iter().zip(fillers);
    let mut put = |text: &str| {
        let mut parts = text.split('{');
        let mut put = parts.next().unwrap().to_owned();
        for part in parts {
            let (name, after) = part.split_once('}').unwrap();
            let (_, filler) = fillers.next().filter(|(place, _)| *place == name).unwrap();
            put.push_str(filler);
            put.push_str(after);
        }
        put
    };
    let options = template.options.iter().enumerate();
    let options = options.map(|(at, label)| match template.answer {
        None if at == recommended => format!("{label} (Recommended)"),
        _ => (*label).to_owned(),
    });
    let (text, header) = (put(template.text), put(template.header));
    let description = put(template.description);
    let descriptions = match description.is_empty() {
        true => Vec::new(),
        false => vec![description, "Leaves it".to_owned()],
    };
    SentQuestion {
        text,
        context: String::new(),
        header: Some(header).filter(|header| !header.is_empty()),
        options: options.collect(),
        descriptions,
        previews: Vec::new(),
        multi_select: Some(false),
        unknown_field: None,
    }
}

/// The answer to the asking `number`, a day and a session each, and how its key was found.
fn asking(template: &Template, number: usize, registry: &Registry) -> (String, HumanAnswer) {
    let places = template.places();
    let fillers = places.iter().enumerate();
    let fillers: Vec<&str> = fillers
        .map(|(at, name)| seen(name)[(number + at) % 6])
        .collect();
    let recommended = number % 2;
    let question = Question::identify(sent(template, &fillers, recommended), registry);
    let chosen = match template.answer {
        Some(label) => label.to_owned(),
        None => question.sent.options[recommended].clone(),
    };
    let answer = HumanAnswer::from(GivenAnswer {
        at: day(number),
        day: day(number).date(),
        session_id: format!("s{number}"),
        recommended: question.recommended_name().map(str::to_owned),
        question_key: question.key,
        question: question.text,
        header: question.sent.header,
        options: question.sent.options,
        descriptions: Some(question.sent.descriptions),
        previews: Some(question.preview_digests),
        labels: vec![chosen],
        human_seconds: Some(30.0),
        ..GivenAnswer::default()
    });
    (question.key_source.as_str().to_owned(), answer)
}

// Ways of asking, with the places that vary in them.

/// The effect of the label that is always chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It refers to the question.
    Refers,
    /// It leaves things as they are.
    Leaves,
    /// It names its own act, or is a value.
    OwnAct,
}

/// A question that is asked again and again, with something else in its places: `{topic}`.
#[derive(Clone, Copy, Debug)]
struct Template {
    kind: Kind,
    /// The text, with a marker where it has one.
    text: &'static str,
    header: &'static str,
    options: &'static [&'static str],
    /// The first option's description; empty if none has one.
    description: &'static str,
    /// The label that was always chosen; `None` if it was the recommended one, a different one each time.
    answer: Option<&'static str>,
}

impl Template {
    /// The names of its places, in the order in which they stand.
    fn places(&self) -> Vec<&'static str> {
        let texts = [self.text, self.header, self.description];
        let open = texts.iter().flat_map(|text| text.split('{').skip(1));
        open.map(|rest| rest.split('}').next().unwrap()).collect()
    }
}

/// The words that stood in the place `name`.
fn seen(name: &str) -> [&'static str; 6] {
    match name {
        "topic" | "object" | "quote" => {
            ["footer", "sidebar", "themes", "charts", "search", "layout"]
        }
        "topics" => [
            "search form",
            "login form",
            "chart colours",
            "themes",
            "page layout",
            "footer",
        ],
        "file" => [
            "plans/a.md",
            "plans/b-c.md",
            "plans/d.md",
            "src/x.ts",
            "README.md",
            "plans/e.md",
        ],
        "number" | "amount" => ["2", "4", "9", "3", "7", "5"],
        "id" => ["US-0042", "US-0043", "US-0050", "BUG-7", "BUG-9", "US-0061"],
        "version" => ["1.2.0", "1.3.0", "2.0.0", "2.1.0", "1.2.1", "2.1.3"],
        "percent" => ["20", "35", "50", "80", "95", "10"],
        "date" => [
            "2026-10-01",
            "2026-10-14",
            "2026-11-02",
            "2026-09-30",
            "2026-10-21",
            "2026-11-11",
        ],
        _ => panic!("no place is called {name}"),
    }
}

/// True for what is of the kind that the place `name` has, where the answer refers to the question: only some
/// places are open then, and the others take what was seen.
fn is_of_kind(name: &str, filler: &str) -> bool {
    seen(name).contains(&filler)
        || match name {
            "topic" => topic(filler) == Some(1),
            "topics" => topic(filler).is_some_and(|words| words <= 3),
            "number" => number(filler).is_some(),
            "id" => id_prefix(filler).is_some_and(|prefix| ["US", "BUG"].contains(&prefix)),
            "file" => file(filler).is_some_and(|(folder, ending)| {
                ["", "plans", "src"].contains(&folder) && ["md", "ts"].contains(&ending)
            }),
            _ => false,
        }
}

const YES: &[&str] = &["Yes", "No"];

const fn refers(text: &'static str) -> Template {
    Template {
        kind: Kind::Refers,
        text,
        header: "",
        options: YES,
        description: "",
        answer: Some("Yes"),
    }
}

const fn leaves(text: &'static str, options: &'static [&'static str]) -> Template {
    Template {
        kind: Kind::Leaves,
        options,
        answer: Some(options[1]),
        ..refers(text)
    }
}

const fn own_act(text: &'static str, options: &'static [&'static str]) -> Template {
    Template {
        kind: Kind::OwnAct,
        options,
        answer: Some(options[0]),
        ..refers(text)
    }
}

const TEMPLATES: &[Template] = &[
    refers("{topic}: shall I format the draft?"),
    Template {
        options: &["Format it", "Leave it"],
        answer: Some("Format it"),
        ..refers("{topic}: in which style is the draft written?")
    },
    Template {
        options: &["Go ahead", "Later"],
        answer: Some("Go ahead"),
        ..refers("{topics}: write the outline now?")
    },
    Template {
        options: &["Format it", "Draft them"],
        answer: None,
        ..refers("{topic}: how is the outline of the draft written?")
    },
    refers("<plantune:draft-scope> {topic}: shall I format the draft?"),
    refers("{topic}: step {number} of the outline is written, format it?"),
    Template {
        options: &["Continue", "Stop"],
        answer: Some("Continue"),
        ..refers("Enough was said about {topic} in the outline, go on?")
    },
    refers("Shall I write the outline about {topic}?"),
    refers("<plantune:outline-next> Shall I write on about {topics}?"),
    refers("Add {object} to the page?"),
    refers("<plantune:page-add> Add {object} to the page?"),
    Template {
        options: &["Proceed", "Stop"],
        answer: Some("Proceed"),
        ..refers("Work through {object}, then format the summary?")
    },
    refers("Format the draft and write {object}?"),
    refers("Plan ready at `{file}`, build it?"),
    refers("Format the sources in {file} after the outline?"),
    refers("<plantune:plan-ready> Look at {file}?"),
    refers("Step {number} is done. Go on with the outline?"),
    refers("Done with PR {number}, go on with the outline?"),
    refers("Format {amount} files of the outline?"),
    refers("{id} is outlined, write the summary?"),
    refers("Take \"{quote}\" as the title of the draft?"),
    refers("Write version {version} of the outline?"),
    refers("{percent} % of the outline is written, go on with the summary?"),
    refers("The outline of {date} is written, go on with the summary?"),
    Template {
        header: "Phase {number}",
        ..refers("Shall I format the draft?")
    },
    Template {
        header: "{object}",
        ..refers("Shall I format the outline?")
    },
    Template {
        description: "Formats what the draft says about {topic}",
        ..refers("Shall I format the summary?")
    },
    leaves(
        "More questions about {topic}, or move to the next area?",
        &["More questions", "Next area"],
    ),
    leaves("Add {object} to the page?", YES),
    leaves("{topic}: shall I format the draft?", &["Format", "Skip"]),
    leaves(
        "Step {number} of the outline is done, format it?",
        &["Format", "Skip"],
    ),
    leaves("{id} is outlined, write the summary?", &["Write", "Later"]),
    leaves(
        "Take \"{quote}\" as the title of the draft?",
        &["Yes", "Not now"],
    ),
    leaves(
        "{percent} % of the outline is written, format it?",
        &["Format", "Skip"],
    ),
    leaves(
        "Version {version} of the outline is written, format it?",
        &["Format", "Skip"],
    ),
    leaves(
        "Format the sources in {file} after the outline?",
        &["Format", "Skip"],
    ),
    own_act(
        "{topic} is outlined. What comes now?",
        &["Write the summary", "Format the outline"],
    ),
    own_act(
        "The outline of {object} is ready, what comes now?",
        &["Write CONTEXT.md", "Stop"],
    ),
    own_act(
        "Step {number} of the outline is ready, what comes now?",
        &["Run the full test suite", "Stop"],
    ),
    own_act(
        "The plan at `{file}` is ready, what comes now?",
        &["Write the summary", "Stop"],
    ),
    own_act(
        "The title \"{quote}\" is in the draft, what comes now?",
        &["Write the summary", "Stop"],
    ),
    own_act(
        "{percent} % of version {version} is written, what comes now?",
        &["Write the summary", "Stop"],
    ),
    own_act(
        "Which layout suits {object} in the outline?",
        &["Grid", "List"],
    ),
    own_act(
        "Write the outline about {topic}?",
        &["Yes, write the outline", "No"],
    ),
];
