//! What a report says in sentences: the same words for a terminal, Markdown, JSON and the page.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::amount::duration;
use crate::text::{clean, cut, shell_word};

use super::{Document, Proposal};

/// How much of a question or a name is shown, in columns.
const SHOWN: usize = 60;

/// The least time, in seconds, that agents waited for nobody before that is worth a sentence.
const LEAST_AWAY: f64 = 600.0;

/// A sentence. Serialised, it is an entry of `summary` or `stands_out` in `report --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sentence {
    /// What it is about.
    pub kind: &'static str,
    /// The sentence.
    pub text: String,
    /// Its figures by name.
    pub figures: Map<String, Value>,
    /// Whom or what it names: an asker, a project, a question.
    pub about: Map<String, Value>,
    /// The command that shows more, or does something about it.
    pub show: Option<String>,
    /// What `text` is made of.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Words of plantune's own.
    Words(&'static str),
    /// A text from outside, cut but not made harmless.
    Text(String),
    /// A period in words.
    Date(String),
    /// The figure of this name, a count.
    Count(&'static str, u64),
    /// The figure of this name, a time in seconds.
    Seconds(&'static str, f64),
}

use Piece::{Count, Date, Seconds, Text, Words};

/// Permission rules that are proposed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rules {
    /// How many.
    pub rules: u64,
    /// How many prompts a week they would spare.
    pub prompts_per_week: f64,
}

impl Sentence {
    fn new(kind: &'static str, pieces: Vec<Piece>) -> Self {
        let figures = pieces.iter().filter_map(|piece| match piece {
            Count(name, count) => Some(((*name).to_owned(), (*count).into())),
            Seconds(name, seconds) => Some(((*name).to_owned(), (*seconds).into())),
            _ => None,
        });
        Self {
            kind,
            text: in_words(&pieces, clean),
            figures: figures.collect(),
            about: Map::new(),
            show: None,
            pieces,
        }
    }

    fn about(mut self, name: &str, value: &str) -> Self {
        self.about.insert(name.to_owned(), value.into());
        self
    }

    fn show(mut self, command: impl Into<String>) -> Self {
        self.show = Some(command.into());
        self
    }

    /// The words, texts from outside made harmless by `safe`.
    pub(super) fn words(&self, safe: fn(&str) -> String) -> String {
        in_words(&self.pieces, safe)
    }
}

fn in_words(pieces: &[Piece], safe: fn(&str) -> String) -> String {
    let words = pieces.iter().map(|piece| match piece {
        Words(words) => (*words).to_owned(),
        Text(text) => safe(text),
        Date(date) => date.clone(),
        Count(_, count) => count.to_string(),
        Seconds(_, seconds) => duration(*seconds),
    });
    words.collect()
}

/// `one` or `many`, by `count`.
fn plural(count: u64, one: &'static str, many: &'static str) -> Piece {
    Words(if count == 1 { one } else { many })
}

fn quoted(text: &str) -> [Piece; 3] {
    [Words("\""), Text(cut(text, SHOWN)), Words("\"")]
}

/// What `document` comes to.
pub(super) fn summary(document: &Document) -> Vec<Sentence> {
    let found = [
        stopped(document),
        unanswered(document),
        answered_for_you(document),
        turned_down(document),
        asks_most(document),
        could(document),
    ];
    found.into_iter().flatten().collect()
}

/// What in `document` the person can do something about: at most three things.
pub(super) fn stands_out(document: &Document) -> Vec<Sentence> {
    let found = [
        nobody_there(document),
        asked_again(document),
        rejected(document),
    ];
    found.into_iter().flatten().collect()
}

/// How often agents stopped the person, and how long that took.
fn stopped(document: &Document) -> Option<Sentence> {
    let (totals, permissions) = (&document.totals, &document.permissions);
    let (questions, prompts) = (totals.asked, permissions.asked);
    let mut pieces = vec![Date(document.heading.in_words())];
    match (questions, prompts) {
        (0, 0) if totals.questions == 0 => return None,
        (0, 0) => pieces.push(Words(" no agent stopped you")),
        (asked, 0) => pieces.extend([
            Words(" agents stopped you "),
            Count("questions", asked),
            plural(asked, " time", " times"),
        ]),
        (0, prompts) => pieces.extend([
            Words(" agents asked you "),
            Count("prompts", prompts),
            plural(prompts, " time for permission", " times for permission"),
        ]),
        (asked, prompts) => pieces.extend([
            Words(" agents stopped you "),
            Count("stops", asked + prompts),
            Words(" times, with "),
            Count("questions", asked),
            plural(asked, " question and ", " questions and "),
            Count("prompts", prompts),
            plural(
                prompts,
                " prompt for permission,",
                " prompts for permission,",
            ),
        ]),
    }
    let waited = totals.waiting_seconds + permissions.seconds_waited + permissions.seconds_away;
    if waited >= 1.0 {
        pieces.extend([
            Words(" and waited "),
            Seconds("waiting_seconds", milli(waited)),
            Words(" for you"),
        ]);
    }
    let answering = totals.human_seconds + permissions.seconds_waited;
    if answering >= 1.0 {
        pieces.extend([
            Words("; answering took "),
            Seconds("answering_seconds", milli(answering)),
        ]);
    }
    pieces.push(Words("."));
    Some(Sentence::new("stopped", pieces))
}

/// How many questions got no answer.
fn unanswered(document: &Document) -> Option<Sentence> {
    let totals = &document.totals;
    let mut pieces = Vec::new();
    let parts = [
        ("dismissed", totals.dismissed, " left without an answer"),
        ("failed", totals.failed, " could not be asked"),
        ("open", totals.open, " still open"),
    ];
    for (name, count, words) in parts {
        if count == 0 {
            continue;
        }
        let verb = match (pieces.is_empty(), name, count) {
            (true, "failed", 1) => " question",
            (true, "failed", _) => " questions",
            (true, _, 1) => " question was",
            (true, ..) => " questions were",
            (false, "failed", _) => "",
            (false, _, 1) => " is",
            (false, ..) => " are",
        };
        if !pieces.is_empty() {
            pieces.push(Words(", "));
        }
        pieces.extend([Count(name, count), Words(verb), Words(words)]);
    }
    if pieces.is_empty() {
        return None;
    }
    pieces.push(Words("."));
    Some(Sentence::new("unanswered", pieces))
}

/// What was answered without them.
fn answered_for_you(document: &Document) -> Option<Sentence> {
    let totals = &document.totals;
    let answered = totals.auto_decided - totals.auto_decided_by.turned_down;
    if answered == 0 {
        return None;
    }
    let mut pieces = vec![
        Count("answered_for_you", answered),
        plural(
            answered,
            " question was answered for you",
            " questions were answered for you",
        ),
    ];
    if totals.seconds_saved >= 1.0 {
        pieces.extend([
            Words(", which saved you about "),
            Seconds("seconds_saved", totals.seconds_saved),
        ]);
    }
    pieces.push(Words("."));
    Some(Sentence::new("answered_for_you", pieces))
}

/// What their reviewer turned down.
fn turned_down(document: &Document) -> Option<Sentence> {
    let count = document.totals.auto_decided_by.turned_down;
    (count > 0).then(|| {
        let end = plural(count, " question.", " questions.");
        let pieces = vec![
            Words("Your reviewer turned down "),
            Count("turned_down", count),
            end,
        ];
        Sentence::new("turned_down", pieces)
    })
}

/// Who asks most.
fn asks_most(document: &Document) -> Option<Sentence> {
    let most = document.asks_most.as_ref()?;
    let mut pieces = match most.asked == most.of {
        true => vec![Words("All "), Count("asked", most.asked)],
        false => vec![
            Count("asked", most.asked),
            Words(" of the "),
            Count("of", most.of),
        ],
    };
    pieces.push(Words(" questions"));
    if let Some(project) = &most.project {
        pieces.extend([Words(" in "), Text(cut(project, SHOWN))]);
    }
    pieces.extend([
        Words(" came from "),
        Text(cut(&most.asker, SHOWN)),
        Words("."),
    ]);
    let sentence = Sentence::new("asks_most", pieces).about("asker", &most.asker);
    let command = format!("{} --by asker", document.heading.command());
    Some(match &most.project {
        Some(project) => {
            let command = format!("{command} --project {}", shell_word(&clean(project)));
            sentence.about("project", project).show(command)
        }
        None => sentence.show(command),
    })
}

/// What could be answered for them, and what could be allowed.
fn could(document: &Document) -> Option<Sentence> {
    let habits = || {
        document
            .proposals
            .iter()
            .flatten()
            .filter(|one| one.answers())
    };
    let (many, rules) = (habits().count() as u64, &document.rules);
    let weekly = whole(habits().map(|one| one.asked_per_week).sum());
    let mut pieces = Vec::new();
    if many > 0 {
        pieces.extend([
            Count("habits", many),
            plural(
                many,
                " habit could be answered for you",
                " habits could be answered for you",
            ),
        ]);
        if weekly > 0 {
            pieces.extend([
                Words(" (about "),
                Count("questions_per_week", weekly),
                plural(weekly, " question a week)", " questions a week)"),
            ]);
        }
    }
    if rules.rules > 0 {
        if many > 0 {
            pieces.push(Words(", "));
        }
        pieces.extend([
            Count("permission_rules", rules.rules),
            plural(
                rules.rules,
                " permission rule would spare you ",
                " permission rules would spare you ",
            ),
        ]);
        match whole(rules.prompts_per_week) {
            0 => pieces.push(Words("prompts")),
            prompts => pieces.extend([
                Words("about "),
                Count("prompts_per_week", prompts),
                plural(prompts, " prompt a week", " prompts a week"),
            ]),
        }
    }
    if pieces.is_empty() {
        return None;
    }
    pieces.push(Words("."));
    Some(Sentence::new("could_be_answered", pieces).show("plantune suggest"))
}

/// That agents waited while nobody was there.
fn nobody_there(document: &Document) -> Option<Sentence> {
    let seconds = document.totals.waiting_away_seconds + document.permissions.seconds_away;
    if seconds < LEAST_AWAY {
        return None;
    }
    let mut pieces = vec![
        Words("Agents waited "),
        Seconds("seconds", milli(seconds)),
        Words(" while nobody was there."),
    ];
    let command = if document.can_notify {
        pieces.push(Words(
            " Claude Code can ring the terminal's bell when it needs you:",
        ));
        "plantune install --notify"
    } else {
        pieces.push(Words(
            " When you leave, the answer that is recommended can be given for you:",
        ));
        "plantune away"
    };
    Some(Sentence::new("nobody_there", pieces).show(command))
}

/// The habit that takes most time, of those that could be answered.
fn asked_again(document: &Document) -> Option<Sentence> {
    let habits = document
        .proposals
        .iter()
        .flatten()
        .filter(|one| one.answers());
    let mut with_text = habits.filter_map(|one| Some((one, one.question.as_deref()?)));
    // Of equals the first, which is the one that `suggest` shows first.
    let first = with_text.next()?;
    let (habit, question) = with_text.fold(first, |best, one| {
        match one.0.seconds_saved_per_week > best.0.seconds_saved_per_week {
            true => one,
            false => best,
        }
    });
    let Proposal {
        evidence, answer, ..
    } = habit;
    let mut pieces = match answer {
        Some(answer) => [vec![Words("You answered ")], quoted(answer).into()].concat(),
        None => vec![Words("You followed the recommendation")],
    };
    match evidence.agreed == evidence.answers {
        true => pieces.extend([Words(" all "), Count("answers", evidence.answers)]),
        false => pieces.extend([
            Words(" "),
            Count("agreed", evidence.agreed),
            Words(" of "),
            Count("answers", evidence.answers),
        ]),
    }
    pieces.push(Words(match answer {
        Some(_) => " times to ",
        None => " times in ",
    }));
    pieces.extend(quoted(question));
    pieces.push(Words(":"));
    let sentence = Sentence::new("asked_again", pieces)
        .about("question_key", &habit.question_key)
        .about("question", question)
        .show(format!(
            "plantune suggest {}",
            shell_word(&clean(&habit.question_key))
        ));
    Some(match &habit.project {
        Some(project) => sentence.about("project", project),
        None => sentence,
    })
}

/// Whose calls Claude Code rejected.
fn rejected(document: &Document) -> Option<Sentence> {
    let rejected = document.rejected_calls.as_ref()?;
    let pieces = vec![
        Words("Claude Code rejected "),
        Count("calls", rejected.calls),
        Words(" calls of "),
        Text(cut(&rejected.asker, SHOWN)),
        Words(" as malformed, so that it had to ask again; its author can correct that:"),
    ];
    let sentence = Sentence::new("rejected_calls", pieces).about("asker", &rejected.asker);
    Some(sentence.show(document.heading.asked("reason = 'validation'")))
}

/// Rounded to the millisecond, as all seconds of the report.
fn milli(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn whole(number: f64) -> u64 {
    number.round().max(0.0) as u64
}
