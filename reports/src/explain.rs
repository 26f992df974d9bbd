//! One question in full: why it was asked or answered (`log KEY`), and every time that it was (`report KEY`).

use plantune_domain::doors::Door;
use plantune_domain::event::{AskReason, QuestionOutcome};
use plantune_domain::keys::{KeySource, typed};
use plantune_domain::preferences::Policy;
use plantune_query::permissions::prompts::LoggedPrompt;
use plantune_query::questions::{Listed, LoggedDecision, Occurrence, PreferenceChange};
use plantune_query::report::AnswerCount;
use plantune_query::suggest::door_words;
use serde::Serialize;

use crate::humanize::counted;
use crate::log::{labels, may_join, new_in_words, outcome, what_happened};
use crate::standing::{StandingPreference, StoredPreference, record_in_words};
use crate::suggestions::answer_in_words;
use crate::table::{Table, known, main, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::{both_ends, in_two_lines, one_line};
use crate::{prompts, standing};

/// How much of a key, project or reason is shown, in characters.
const SHOWN: usize = 200;

/// Everything about a key or an id. Serialised, it is the document of `log KEY --json`.
#[derive(Debug, Default, Serialize)]
pub struct Explanations {
    /// The questions: that of a key, or all of a call.
    pub explanations: Vec<Explanation>,
    /// The permission prompts of an id.
    pub prompts: Vec<LoggedPrompt>,
}

impl Explanations {
    /// The projects that it names, so that they can be shortened.
    pub fn projects(&mut self) -> impl Iterator<Item = &mut String> {
        let of_questions = self.explanations.iter_mut().flat_map(Explanation::projects);
        of_questions.chain(self.prompts.iter_mut().map(|one| &mut one.project))
    }
}

impl Show for Explanations {
    fn show(&self, out: &mut Terminal) {
        let gap = |number: usize, out: &mut Terminal| {
            if number > 0 {
                out.line("");
            }
        };
        for (number, one) in self.explanations.iter().enumerate() {
            gap(number, out);
            one.show(out);
        }
        for (number, one) in self.prompts.iter().enumerate() {
            gap(number, out);
            prompts::show_explanation(one, out);
        }
    }
}

/// Everything about one question.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The key.
    pub question_key: String,
    /// The askings that are explained, the latest first.
    pub decisions: Vec<LoggedDecision>,
    /// The registry's rule for the key, if any.
    pub registry_door: Option<Door>,
    /// The preferences for it, wherever they hold.
    pub preferences: Vec<Held>,
    /// The files of preferences that are ignored as a whole, and why.
    pub problems: Vec<String>,
    /// The person's answers by name, the most frequent first.
    pub answers: Vec<AnswerCount>,
    /// The judgements of `plantune suggest`, one a project.
    pub judgements: Vec<Judgement>,
    /// The person's changes, the latest first.
    pub changes: Vec<PreferenceChange>,
}

/// A preference for it.
#[derive(Clone, Debug, Serialize)]
pub struct Held {
    /// The preference as its file has it.
    #[serde(flatten)]
    pub stored: StoredPreference,
    /// How it stands, if it answers.
    pub standing: Option<StandingPreference>,
}

/// The judgement of the question in one project.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The project.
    pub project: String,
    /// True when a preference is proposed.
    pub proposed: bool,
    /// The answer that comes nearest to a habit; `None` for the recommended one.
    pub answer: Option<String>,
    /// The person's answers that were looked at.
    pub answers: usize,
    /// Of these, those that it would have given.
    pub agreed: usize,
    /// Why it is not proposed.
    pub reason: Option<String>,
}

impl Explanation {
    fn projects(&mut self) -> impl Iterator<Item = &mut String> {
        let decisions = self.decisions.iter_mut().map(|one| &mut one.project);
        let preferences = self.preferences.iter_mut();
        decisions
            .chain(preferences.filter_map(|one| one.stored.project.as_mut()))
            .chain(self.judgements.iter_mut().map(|one| &mut one.project))
            .chain(self.changes.iter_mut().map(|one| &mut one.project))
    }

    fn show(&self, out: &mut Terminal) {
        out.line(one_line(&self.question_key, SHOWN));
        for decision in &self.decisions {
            asking(decision, self.label(), out);
        }
        if let Some(door) = self.registry_door {
            let says = match door {
                Door::OneWay => "it can't be undone",
                Door::TwoWay => "it can be undone",
            };
            out.line(format!("\nregistry.toml says {says}"));
        }
        out.line("\nPreferences");
        if self.preferences.is_empty() && self.problems.is_empty() {
            out.line("  none, so you are asked");
        }
        for problem in &self.problems {
            out.hanging(
                "  ",
                "    ",
                format!("ignored: {}", one_line(problem, SHOWN)),
            );
        }
        for held in &self.preferences {
            preference(held, &self.question_key, out);
        }
        self.evidence(out);
        if !self.changes.is_empty() {
            out.line("\nChanges");
        }
        for one in &self.changes {
            let at = format!("  {}  ", out.moment(one.at));
            out.hanging(&at, "    ", change(one));
        }
    }

    /// The label that a preference for it would answer, if it names one.
    fn label(&self) -> Option<&str> {
        let stored = self.preferences.iter().map(|held| &held.stored);
        let mut answering = stored.filter(|one| one.level.is_some());
        answering.next()?.answer.as_deref()
    }

    fn evidence(&self, out: &mut Terminal) {
        let n: u64 = self.answers.iter().map(|answer| answer.times).sum();
        out.line(format!("\nYour answers ({n})"));
        for answer in &self.answers {
            let label = one_line(&answer.answer, SHOWN);
            out.hanging("  ", "    ", format!("{} × {label}", answer.times));
        }
        for one in &self.judgements {
            let judged = match (&one.reason, one.proposed) {
                (_, true) => "proposed by `plantune suggest`".to_owned(),
                (Some(reason), false) => format!("not proposed: {}", one_line(reason, SHOWN)),
                (None, false) => "not proposed".to_owned(),
            };
            let answer = answer_in_words(one.answer.as_deref());
            let (agreed, of, place) = (one.agreed, one.answers, one_line(&one.project, SHOWN));
            let line = format!("You gave {answer} {agreed} of {of} times in {place}: {judged}");
            out.hanging("  ", "    ", line);
        }
    }
}

/// One asking; `label` is what a preference would answer.
fn asking(decision: &LoggedDecision, label: Option<&str>, out: &mut Terminal) {
    let at = format!("\n{}  ", out.moment(decision.asked_at));
    out.hanging(
        &at,
        "    ",
        format!("in {}", one_line(&decision.project, SHOWN)),
    );
    let question = in_two_lines(("  ", "    "), &decision.question, out.width, both_ends);
    out.line(question.trim_end_matches('\n'));
    let key = match KeySource::parse(&decision.key_source) {
        Some(KeySource::Marker) => "the marker in its text",
        Some(KeySource::Registry) => "a rule of registry.toml",
        Some(KeySource::Options) => "its options",
        Some(KeySource::Text) | None => "what it asks, with its options",
    };
    let mut lines = vec![format!("options: {}", labels(&decision.options))];
    lines.extend(match new_in_words(decision, label) {
        Some(new) => {
            let counts = match may_join(decision) {
                true => "; answer it the same way in two sessions, and plantune does",
                false => "",
            };
            vec![format!("asked because {new}{counts}"), outcome(decision)]
        }
        None => vec![what_happened(decision)],
    });
    lines.push(format!("recognised by {key}"));
    lines.push(match (&decision.one_way, decision.why_asked()) {
        (Some(rule), _) => format!("can't be undone ({})", one_line(&door_words(rule), SHOWN)),
        (None, Some(AskReason::OneWay)) => {
            "can't be undone with the answer plantune would have given".to_owned()
        }
        (None, _) => "can be undone".to_owned(),
    });
    lines.push(match decision.recommended.as_deref() {
        Some(label) => format!("recommended: \"{}\"", one_line(label, SHOWN)),
        None => "recommended: none of the options, or several".to_owned(),
    });
    lines
        .iter()
        .for_each(|line| out.hanging("  ", "    ", line));
}

fn preference(Held { stored, standing }: &Held, key: &str, out: &mut Terminal) {
    let name = match stored.question_key.as_str() {
        same if same == key => String::new(),
        other => format!("{}: ", one_line(other, SHOWN)),
    };
    let place = stored.project.as_deref().map_or_else(
        || "everywhere".to_owned(),
        |project| format!("in {}", one_line(project, SHOWN)),
    );
    let StoredPreference { does, set, .. } = stored;
    out.hanging("  ", "    ", format!("{name}{does}, {place}{set}"));
    let evidence = stored.evidence.as_ref();
    let evidence = evidence.map(|one| format!("when you set it: {}", in_words(one)));
    let record = standing.as_ref().map(|one| record_in_words(&one.standing));
    for line in evidence.iter().chain(&record).chain(&stored.remarks) {
        out.hanging("    ", "    ", line);
    }
}

/// Evidence as its file has it: how many of the answers agreed, else `prompts 14, …` for an object of plain values.
fn in_words(evidence: &serde_json::Value) -> String {
    let count = |name: &str| evidence.get(name)?.as_u64();
    if let (Some(agreed), Some(answers)) = (count("agreed"), count("answers")) {
        return format!("you had given this answer {agreed} of {answers} times");
    }
    let shown = |(name, value): (&String, &serde_json::Value)| match value {
        serde_json::Value::String(text) => format!("{name} {text}"),
        serde_json::Value::Null => format!("{name} –"),
        other => format!("{name} {other}"),
    };
    let words = match evidence {
        serde_json::Value::Object(fields) => {
            fields.iter().map(shown).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    one_line(&words.replace('_', " "), SHOWN)
}

/// A change in words: `suggest: never-ask, "Grid" in github.com/o/r`.
fn change(change: &PreferenceChange) -> String {
    let place = match change.project.as_str() {
        "" => "everywhere".to_owned(),
        project => format!("in {}", one_line(project, SHOWN)),
    };
    let what = match (&change.preference, change.answer.as_slice()) {
        (None, []) if change.reason == "questions register" => "given a key by a rule".to_owned(),
        (None, []) => "removed".to_owned(),
        (None, undone) => format!("{} was wrong", labels(undone)),
        (Some(preference), pinned) => {
            let answers = Policy::parse(preference).is_some_and(Policy::answers);
            let does = match answers {
                true => "answered",
                false => standing::word(preference, None),
            };
            match pinned {
                [] => one_line(does, SHOWN),
                pinned => format!("{}, {}", one_line(does, SHOWN), labels(pinned)),
            }
        }
    };
    format!("{}: {what} {place}", one_line(&change.reason, SHOWN))
}

// `report KEY`: a question with all its askings.

/// Questions with every time that they were asked: `report KEY`.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionList {
    questions: Vec<ListedQuestion>,
}

/// A question: counts as numbers, dates ISO 8601, unknown is null.
#[derive(Clone, Debug, Serialize)]
struct ListedQuestion {
    /// The question, and how often it was asked.
    #[serde(flatten)]
    listed: Listed,
    /// Every time that it was asked.
    askings: Vec<Occurrence>,
}

impl QuestionList {
    /// The document of some questions and their askings.
    pub fn new(shown: Vec<(Listed, Vec<Occurrence>)>) -> Self {
        let shown = shown.into_iter();
        let questions = shown.map(|(listed, askings)| ListedQuestion { listed, askings });
        Self {
            questions: questions.collect(),
        }
    }
}

/// How much of a text is shown, in characters.
const SHOWN_TEXT: usize = 400;

/// How much of a label is shown, in characters.
const SHOWN_LABEL: usize = 60;

impl Show for QuestionList {
    fn show(&self, out: &mut Terminal) {
        for (number, question) in self.questions.iter().enumerate() {
            if number > 0 {
                out.line("");
            }
            show_askings(question, out);
        }
    }
}

fn show_askings(ListedQuestion { listed, askings }: &ListedQuestion, out: &mut Terminal) {
    let source = one_line(&listed.key_source, SHOWN_TEXT);
    out.hanging("", "  ", format!("{} ({source})", named(listed)));
    if KeySource::parse(&listed.key_source) == Some(KeySource::Options) {
        out.hanging("", "", its_options(listed));
    }
    let times = counted(listed.asked, "time", "times");
    let (by_you, for_you) = (listed.answered, listed.auto_decided);
    out.line(format!(
        "Asked {times}. You answered {by_you}; plantune answered {for_you}.\n"
    ));
    let whole = |seconds: f64| format!("{seconds:.0}");
    let mut table = Table::of(askings);
    table.add(text("day"), |one| known(one.day));
    table.add(main("question"), |one| one_line(&one.question, SHOWN_TEXT));
    table.add(text("answer").least(14), |one| {
        one_line(&said_at(one), SHOWN_TEXT)
    });
    table.add(number("seconds").rank(1), |one| {
        known(one.human_seconds.map(whole))
    });
    out.table(&table);
}

/// The question and the project.
fn named(listed: &Listed) -> String {
    let key = one_line(typed(&listed.question_key, &listed.name), SHOWN_TEXT);
    format!("{key} in {}", one_line(&listed.project, SHOWN_TEXT))
}

/// The options that the question is known by.
fn its_options(listed: &Listed) -> String {
    let labels = listed.options.iter();
    let labels: Vec<String> = labels
        .map(|label| format!("\"{}\"", one_line(label, SHOWN_LABEL)))
        .collect();
    format!("every question with the options {}", labels.join(", "))
}

/// What was answered, or how it ended otherwise.
fn said_at(asking: &Occurrence) -> String {
    let labels = asking.answer.join(", ");
    let said = match (&asking.free_text, &asking.notes) {
        (Some(text), _) if labels.is_empty() => format!("typed: {text}"),
        (Some(text), _) => format!("{labels}; typed: {text}"),
        (None, Some(notes)) => format!("{labels}; noted: {notes}"),
        (None, None) => labels,
    };
    match asking.outcome {
        QuestionOutcome::Answered => said,
        QuestionOutcome::AutoDecided => format!("{said} (by plantune)"),
        other => format!("({other})"),
    }
}
