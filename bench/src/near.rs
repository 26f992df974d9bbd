//! Near questions: whether an agreement made of a habit's answers covers changed askings that a careful person would
//! want to see, and those that they would want answered.
//!
//! ```text
//! cargo run -p plantune-bench -- near FILE.jsonl … [--why]
//! ```
//! `bench/data/near-1.jsonl` and `near-2.jsonl` were written by readers who had not seen the rules. `near-2.jsonl` is only
//! counted, so that the rules are not made for it.
//! A line is a habit: `{"habit": "…", "answered": [{"question": {…}, "answer": "…"}], "must_be_asked": [{"question": {…},
//! "differs_in": "…"}], "wished_for": […]}`. The latest answered asking, asked again, is the control: it must be covered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
use plantune_domain::gate;
use plantune_domain::gate::ProposedAnswer;
use plantune_domain::registry::Registry;
use serde::Deserialize;

#[derive(Deserialize)]
struct Habit {
    habit: String,
    answered: Vec<Answered>,
    must_be_asked: Vec<Near>,
    wished_for: Vec<Near>,
}

#[derive(Deserialize)]
struct Answered {
    question: Question,
    answer: String,
}

#[derive(Deserialize)]
struct Near {
    question: Question,
    #[serde(default)]
    differs_in: String,
}

#[derive(Deserialize)]
#[serde(from = "Sent")]
pub(crate) struct Question {
    text: String,
    header: String,
    options: Vec<String>,
    descriptions: Vec<String>,
    previews: Vec<String>,
    multi_select: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    question: String,
    #[serde(default)]
    header: String,
    options: Vec<SentOption>,
    #[serde(default)]
    multi_select: bool,
}

#[derive(Deserialize)]
struct SentOption {
    label: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    preview: String,
}

impl From<Sent> for Question {
    fn from(sent: Sent) -> Self {
        let each = |of: fn(&SentOption) -> &String| sent.options.iter().map(of).cloned().collect();
        Self {
            options: each(|one| &one.label),
            descriptions: each(|one| &one.description),
            previews: each(|one| &one.preview),
            text: sent.question,
            header: sent.header,
            multi_select: sent.multi_select,
        }
    }
}

impl Question {
    pub(crate) fn asking(&self) -> Asking<'_> {
        Asking {
            host: None,
            text: &self.text,
            header: &self.header,
            options: &self.options,
            descriptions: &self.descriptions,
            previews: &self.previews,
            multi_select: self.multi_select,
            unknown_field: None,
            is_opened: false,
        }
    }
}

/// Counts of one kind of near question.
#[derive(Default)]
struct Count {
    answered: usize,
    all: usize,
}

/// The files that are `named`; without any, `ours`.
fn files(named: impl Iterator<Item = String>, ours: &[&str]) -> Vec<PathBuf> {
    let named: Vec<PathBuf> = named.map(PathBuf::from).collect();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    match named.is_empty() {
        true => ours.iter().map(|name| data.join(name)).collect(),
        false => named,
    }
}

/// Measures the files that `words` name.
pub(crate) fn measure(words: impl Iterator<Item = String>) {
    let words: Vec<String> = words.collect();
    let why = words.iter().any(|word| word == "--why");
    let (mut must, mut wished, mut control) =
        (Count::default(), Count::default(), Count::default());
    let named = words.into_iter().filter(|word| !word.starts_with("--"));
    for file in files(named, &["near-1.jsonl", "near-2.jsonl"]) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let habit: Habit = serde_json::from_str(line).unwrap();
            let sessions: Vec<String> =
                (0..habit.answered.len()).map(|at| at.to_string()).collect();
            let given = habit
                .answered
                .iter()
                .zip(&sessions)
                .map(|(one, session)| Given {
                    asking: one.question.asking(),
                    label: &one.answer,
                    session,
                });
            let agreement = Agreement::of(&given.collect::<Vec<_>>());
            let covers = |question: &Question| match &agreement {
                Some(agreement) => agreement
                    .covers(&question.asking(), false)
                    .map_err(|new| new.to_string()),
                None => Err("no agreement".to_owned()),
            };
            let one = |count: &mut Count, question: &Question, differs: &str, wanted: bool| {
                let covered = covers(question);
                count.all += 1;
                count.answered += usize::from(covered.is_ok());
                if why && covered.is_ok() != wanted {
                    let text = question.text.replace('\n', " ");
                    let label = &habit.answered[0].answer;
                    let at = question
                        .options
                        .iter()
                        .position(|one| one == label)
                        .unwrap_or(0);
                    println!(
                        "{}\t{}\t{differs}\t{}\t{text}\t{label}\t{}",
                        if wanted { "WISHED" } else { "MUST" },
                        habit.habit,
                        covered.err().unwrap_or_default(),
                        question.descriptions.get(at).map_or("", String::as_str)
                    );
                }
            };
            for near in &habit.must_be_asked {
                one(&mut must, &near.question, &near.differs_in, false);
            }
            for near in &habit.wished_for {
                one(&mut wished, &near.question, &near.differs_in, true);
            }
            one(
                &mut control,
                &habit.answered.last().unwrap().question,
                "control",
                true,
            );
        }
    }
    for (name, count) in [
        ("must be asked, answered", must),
        ("wished for, answered", wished),
        ("control, answered", control),
    ] {
        let share = 100.0 * count.answered as f64 / count.all.max(1) as f64;
        println!("{name}: {} of {} ({share:.1} %)", count.answered, count.all);
    }
}

#[derive(Deserialize)]
struct Labelled {
    question: Question,
    answer: String,
    set: String,
}

/// Prints how strictly each labelled answer of the files that `words` name would have to be confirmed: lines of
/// `{"question": {…}, "answer": "…", "set": "…"}`. With `--why`, each of them, and what refuses it.
pub(crate) fn consent(words: impl Iterator<Item = String>) {
    let words: Vec<String> = words.collect();
    let why = words.iter().any(|word| word == "--why");
    let words = words.into_iter().filter(|word| !word.starts_with("--"));
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for file in files(words, &["consent.jsonl"]) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let one: Labelled = serde_json::from_str(line).unwrap();
            let options = &one.question.options;
            let at = options
                .iter()
                .position(|label| *label == one.answer)
                .unwrap();
            let proposed = ProposedAnswer {
                key: "",
                text: &one.question.text,
                header: Some(&one.question.header),
                options,
                label: Some(&one.answer),
                description: one.question.descriptions.get(at).map_or("", String::as_str),
                preview: "",
            };
            let (consent, refusal) = gate::consent(&proposed, &Registry::default());
            if why {
                let reason = refusal.map_or_else(String::new, |refusal| refusal.to_string());
                let text = one.question.text.replace('\n', " ");
                let described = proposed.description;
                println!(
                    "{}\t{consent}\t{reason}\t{}\t{described}\t{text}",
                    one.set, one.answer
                );
            }
            *counts.entry((one.set, consent.as_str())).or_default() += 1;
        }
    }
    for ((set, consent), count) in counts {
        println!("{set}: {consent} {count}");
    }
}
