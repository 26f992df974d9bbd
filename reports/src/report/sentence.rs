//! The sentences that a report begins with. A terminal, Markdown, JSON and the page have the same words, but each makes
//! the names in them safe in its own way.

use plantune_domain::keys::typed;
use serde_json::Map;

use super::document::{Piece, ReportDocument, ReportedProposal, Sentence, SentenceKind};
use crate::humanize::{a_week, duration};
use crate::text::{clean, four_decimals, one_line, shell_word, with_plain_spaces};

/// How much of a question or a name is shown, in columns.
const SHOWN: usize = 60;

use Piece::{Count, Date, Seconds, Text, Weekly, Words};

impl Piece {
    fn name(&self) -> &'static str {
        match self {
            Text(name, _) | Date(name, _) | Count(name, _) => name,
            Seconds(name, _) | Weekly(name, _) => name,
            Words(_) => "",
        }
    }
}

impl Sentence {
    fn new(kind: SentenceKind, pieces: Vec<Piece>) -> Self {
        let figures = pieces.iter().filter_map(|piece| match piece {
            Count(name, count) => Some(((*name).to_owned(), (*count).into())),
            Seconds(name, number) | Weekly(name, number) => {
                Some(((*name).to_owned(), (*number).into()))
            }
            _ => None,
        });
        Self {
            kind,
            text: with_plain_spaces(&in_words(&pieces, clean)),
            figures: figures.collect(),
            about: Map::new(),
            show: None,
            pieces,
        }
    }

    fn about(mut self, name: &str, value: Option<&str>) -> Self {
        let value = value.map(|value| (name.to_owned(), value.into()));
        self.about.extend(value);
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
        Text(_, text) => safe(text),
        Date(_, date) => date.clone(),
        Count(_, count) => count.to_string(),
        Seconds(_, seconds) => duration(*seconds),
        Weekly(_, times) => a_week(*times),
    });
    words.collect()
}

/// Adds `template` to `pieces`: `{name}` is the value of that name, `{name:one:many}` a count with the word for what
/// it counts.
fn say(pieces: &mut Vec<Piece>, template: &'static str, values: &[Piece]) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (field, behind) = after.split_once('}').unwrap_or((after, ""));
        let mut parts = field.split(':');
        let name = parts.next().unwrap_or_default();
        let value = values.iter().find(|value| value.name() == name);
        pieces.push(Words(before));
        match (value, parts.next(), parts.next()) {
            (Some(Count(name, count)), Some(one), many) => {
                let noun = if *count == 1 { Some(one) } else { many };
                pieces.push(Count(name, *count));
                pieces.extend(noun.into_iter().flat_map(|noun| [Words(" "), Words(noun)]));
            }
            (Some(Weekly(name, times)), Some(one), many) => {
                let noun = if a_week(*times) == "1" {
                    Some(one)
                } else {
                    many
                };
                pieces.push(Weekly(name, *times));
                pieces.extend(noun.into_iter().flat_map(|noun| [Words(" "), Words(noun)]));
            }
            (value, ..) => pieces.extend(value.cloned()),
        }
        rest = behind;
    }
    pieces.push(Words(rest));
}

/// The time of this name, rounded to the millisecond, as all seconds of the report.
fn seconds(name: &'static str, seconds: f64) -> Piece {
    Seconds(name, (seconds * 1000.0).round() / 1000.0)
}

/// The text from outside of this name.
fn text(name: &'static str, text: &str) -> Piece {
    Text(name, one_line(text, SHOWN))
}

/// The sentence of `kind` that `template` says alone.
fn sentence(kind: SentenceKind, template: &'static str, values: &[Piece]) -> Sentence {
    let mut pieces = Vec::new();
    say(&mut pieces, template, values);
    Sentence::new(kind, pieces)
}

impl ReportDocument {
    /// The same document with its sentences, which are made from everything else in it.
    pub fn with_sentences(mut self) -> Self {
        self.summary = summary(&self);
        self.stands_out = stands_out(&self);
        self
    }
}

/// How many seconds agents must have waited while nobody was there for a sentence about it.
const LEAST_AWAY: f64 = 600.0;

/// The sentences that sum up `document`.
fn summary(document: &ReportDocument) -> Vec<Sentence> {
    let found = [
        asked(document),
        answered_for_you(document),
        turned_down(document),
        unanswered(document),
        asks_most(document),
        could(document),
    ];
    found.into_iter().flatten().collect()
}

/// The sentences about what the person can change, at most three.
fn stands_out(document: &ReportDocument) -> Vec<Sentence> {
    let found = [
        nobody_there(document),
        asked_again(document),
        rejected(document),
    ];
    found.into_iter().flatten().collect()
}

/// How many questions and prompts came, how long agents waited for that, and how long answering took.
fn asked(document: &ReportDocument) -> Option<Sentence> {
    let (totals, permissions) = (&document.report.totals, &document.report.permissions);
    let template = match (totals.questions, permissions.asked) {
        (0, 0) => return None,
        (_, 0) => "{questions:question:questions} {period}.",
        (0, _) => "{prompts:permission prompt:permission prompts} {period}.",
        _ => {
            "{questions:question:questions} and {prompts:permission prompt:permission prompts} \
             {period}."
        }
    };
    let waited = totals.waiting_seconds + permissions.seconds_waited + permissions.seconds_away;
    let answering = totals.human_seconds + permissions.seconds_waited;
    let times = match (waited >= 1.0, answering >= 1.0) {
        (true, true) => " Agents waited {waiting_seconds}; answering took you {answering_seconds}.",
        (true, false) => " Agents waited {waiting_seconds}.",
        (false, true) => " Answering took you {answering_seconds}.",
        (false, false) => "",
    };
    let begins = document.report.timeline.parts.first();
    let values = [
        Count("questions", totals.questions),
        Count("prompts", permissions.asked),
        Date(
            "period",
            document.heading.when(begins.map(|first| first.start)),
        ),
        seconds("waiting_seconds", waited),
        seconds("answering_seconds", answering),
    ];
    let mut pieces = Vec::new();
    say(&mut pieces, template, &values);
    say(&mut pieces, times, &values);
    Some(Sentence::new(SentenceKind::Stopped, pieces))
}

/// How many questions got no answer.
fn unanswered(document: &ReportDocument) -> Option<Sentence> {
    let totals = &document.report.totals;
    let parts = [
        (
            totals.dismissed,
            "You left {dismissed:question:questions} unanswered.",
        ),
        (
            totals.timed_out,
            match totals.timed_out == totals.dismissed {
                true => "The agent stopped waiting and went on: nobody chose.",
                false => {
                    "For {timed_out} of them, the agent stopped waiting and went on: nobody chose."
                }
            },
        ),
        (
            totals.failed,
            "{failed:question:questions} could not be asked.",
        ),
        (totals.open, "{open:question is:questions are} still open."),
    ];
    let counts = [
        Count("dismissed", totals.dismissed),
        Count("timed_out", totals.timed_out),
        Count("failed", totals.failed),
        Count("open", totals.open),
    ];
    let mut pieces = Vec::new();
    for (_, template) in parts.iter().filter(|(count, _)| *count > 0) {
        if !pieces.is_empty() {
            pieces.push(Words(" "));
        }
        say(&mut pieces, template, &counts);
    }
    (!pieces.is_empty()).then(|| Sentence::new(SentenceKind::Unanswered, pieces))
}

/// How many of the questions they were asked, and how many were answered without them.
fn answered_for_you(document: &ReportDocument) -> Option<Sentence> {
    let totals = &document.report.totals;
    let answered = totals.auto_decided - totals.auto_decided_by.turned_down;
    let template = match totals.seconds_saved >= 1.0 {
        true => {
            "You were asked {asked:question:questions}; {answered_for_you:was:were} answered for you. That saved \
             about {seconds_saved}."
        }
        false => {
            "You were asked {asked:question:questions}; {answered_for_you:was:were} answered for you."
        }
    };
    let values = [
        Count("asked", totals.asked),
        Count("answered_for_you", answered),
        seconds("seconds_saved", totals.seconds_saved),
    ];
    (answered > 0).then(|| sentence(SentenceKind::AnsweredForYou, template, &values))
}

/// Questions that their reviewer turned down.
fn turned_down(document: &ReportDocument) -> Option<Sentence> {
    let count = document.report.totals.auto_decided_by.turned_down;
    let template = "Your reviewer turned down {turned_down:question:questions}.";
    let values = [Count("turned_down", count)];
    (count > 0).then(|| sentence(SentenceKind::TurnedDown, template, &values))
}

/// Who asks most.
fn asks_most(document: &ReportDocument) -> Option<Sentence> {
    let most = document.report.asks_most.as_ref()?;
    let project = most.project.as_deref();
    let template = match (most.asked == most.of, project) {
        (true, None) => "All {asked} questions you were asked came from {asker}.",
        (true, Some(_)) => "All {asked} questions you were asked in {project} came from {asker}.",
        (false, None) => "{asked} of the {of} questions you were asked came from {asker}.",
        (false, Some(_)) => {
            "{asked} of the {of} questions you were asked in {project} came from {asker}."
        }
    };
    let values = [
        Count("asked", most.asked),
        Count("of", most.of),
        text("asker", &most.asker),
        text("project", project.unwrap_or_default()),
    ];
    let mut command = format!("{} --by asker", document.heading.command());
    if let Some(project) = project {
        command += &format!(" --project {}", shell_word(&clean(project)));
    }
    let sentence = sentence(SentenceKind::AsksMost, template, &values).show(command);
    Some(
        sentence
            .about("asker", Some(&most.asker))
            .about("project", project),
    )
}

/// Questions that could be answered for them, and prompts that could be allowed.
fn could(document: &ReportDocument) -> Option<Sentence> {
    let habits: Vec<&ReportedProposal> = document.proposals.iter().flatten().collect();
    let (many, rules) = (habits.len() as u64, document.rules.rules);
    let weekly = four_decimals(habits.iter().map(|one| one.asked_per_week).sum());
    let prompts = four_decimals(document.rules.prompts_per_week);
    let values = [
        Count("habits", many),
        Weekly("questions_per_week", weekly),
        Count("permission_rules", rules),
        Weekly("prompts_per_week", prompts),
    ];
    let mut pieces = Vec::new();
    let mut add = |when: bool, template| {
        if when {
            say(&mut pieces, template, &values);
        }
    };
    add(
        many > 0,
        "{habits:recurring question:recurring questions} could be answered for you",
    );
    add(
        many > 0 && weekly > 0.0,
        ", about {questions_per_week:time a week:times a week}",
    );
    add(many > 0, ".");
    add(many > 0 && rules > 0, " ");
    add(
        rules > 0,
        "{permission_rules:permission rule:permission rules} would save you ",
    );
    add(rules > 0 && prompts <= 0.0, "prompts.");
    add(
        rules > 0 && prompts > 0.0,
        "about {prompts_per_week:prompt a week:prompts a week}.",
    );
    (many + rules > 0)
        .then(|| Sentence::new(SentenceKind::CouldBeAnswered, pieces).show("plantune suggest"))
}

/// That agents waited while nobody was there.
fn nobody_there(document: &ReportDocument) -> Option<Sentence> {
    let seconds =
        document.report.totals.waiting_away_seconds + document.report.permissions.seconds_away;
    let (template, command) = match document.can_notify {
        true => (
            "Agents waited {seconds} while you were away. Claude Code can ring the terminal's bell when it \
             needs you:",
            "plantune install --notify",
        ),
        false => (
            "Agents waited {seconds} while you were away. Before you leave, you can have the recommended answers \
             given for you:",
            "plantune away",
        ),
    };
    let values = [self::seconds("seconds", seconds)];
    (seconds >= LEAST_AWAY)
        .then(|| sentence(SentenceKind::NobodyThere, template, &values).show(command))
}

/// The habit that takes most time, of those that could be answered.
fn asked_again(document: &ReportDocument) -> Option<Sentence> {
    let mut habits = document.proposals.iter().flatten();
    let first = habits.next()?;
    let habit = habits.fold(first, |best, one| {
        match one.seconds_saved_per_week > best.seconds_saved_per_week {
            true => one,
            false => best,
        }
    });
    let evidence = &habit.evidence;
    let template = match (&habit.answer, evidence.agreed == evidence.answers) {
        (Some(_), true) => {
            "You always answered \"{answer}\" to \"{question}\" ({answers:time:times}):"
        }
        (Some(_), false) => {
            "You answered \"{answer}\" to \"{question}\" {agreed} of {answers:time:times}:"
        }
        (None, true) => {
            "You always took the recommended answer to \"{question}\" ({answers:time:times}):"
        }
        (None, false) => {
            "You took the recommended answer to \"{question}\" {agreed} of {answers:time:times}:"
        }
    };
    let values = [
        text("answer", habit.answer.as_deref().unwrap_or_default()),
        Count("agreed", evidence.agreed),
        Count("answers", evidence.answers),
        text("question", &habit.question),
    ];
    let key = shell_word(&clean(typed(&habit.question_key, &habit.question)));
    let sentence = sentence(SentenceKind::AskedAgain, template, &values)
        .about("question_key", Some(&habit.question_key))
        .about("question", Some(&habit.question))
        .about("project", habit.project.as_deref());
    Some(sentence.show(format!("plantune suggest {key}")))
}

/// Whose calls Claude Code rejected.
fn rejected(document: &ReportDocument) -> Option<Sentence> {
    let rejected = document.report.rejected_calls.as_ref()?;
    let template = "Claude Code rejected {calls:malformed call:malformed calls} from {asker}, which then asked again. \
                    Its author can fix that:";
    let values = [
        Count("calls", rejected.calls),
        text("asker", &rejected.asker),
    ];
    let sentence = sentence(SentenceKind::RejectedCalls, template, &values)
        .about("asker", Some(&rejected.asker));
    Some(sentence.show(document.heading.asked("reason = 'validation'")))
}
