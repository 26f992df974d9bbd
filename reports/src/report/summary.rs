//! What the terminal and Markdown say alike: the headline's rows, the empty report, the notes.

use plantune_query::report::{QuestionCounts, SessionKindCounts, Totals, week_name};

use super::Document;
use super::heading::{day, days};
use crate::amount::{change, duration, duration_change};
use crate::text::shell_word;

/// The heading of the preferences' table.
pub(super) const PREFERENCES: &str = "Standing preferences, since each was set";

/// One row of the headline: label, the period's number, the one before, and the change.
pub(super) type Row = [String; 4];

/// The headline. The last two cells of a row say something only where [`incomparable`] says nothing.
pub(super) fn headline(document: &Document) -> Vec<Row> {
    let (now, before) = (&document.totals, &document.previous);
    let count = |label: &str, of: fn(&Totals) -> u64| {
        let (now, before) = (of(now), of(before));
        let change = change(now, before);
        [
            label.to_owned(),
            now.to_string(),
            before.to_string(),
            change,
        ]
    };
    let time = |label: &str, of: fn(&Totals) -> f64| {
        let (now, before) = (of(now), of(before));
        let change = duration_change(now, before);
        [label.to_owned(), duration(now), duration(before), change]
    };
    let mut rows = vec![
        count("Questions", |totals| totals.questions),
        count("  asked", |totals| totals.asked),
        count("    answered", |totals| totals.answered),
        count("    dismissed", |totals| totals.dismissed),
        count("    failed", |totals| totals.failed),
        count("    still open", |totals| totals.open),
        count("  answered by preferences", |totals| {
            totals.auto_decided_by.preferences
        }),
    ];
    // Off unless switched on: most people have none of these.
    let others = [
        count("  answered as before in the session", |totals| {
            totals.auto_decided_by.session
        }),
        count("  answered by your reviewer", |totals| {
            totals.auto_decided_by.reviewer
        }),
        count("  turned down by your reviewer", |totals| {
            totals.auto_decided_by.turned_down
        }),
        count("  as recommended, while you were away", |totals| {
            totals.auto_decided_by.away
        }),
    ];
    let is_some = |row: &Row| row.iter().skip(1).take(2).any(|times| times != "0");
    rows.extend(others.into_iter().filter(is_some));
    rows.extend([
        count("Calls", |totals| totals.calls),
        count("Sessions", |totals| totals.sessions),
        time("Your time spent answering", |totals| totals.human_seconds),
        time("The agent stood waiting", |totals| totals.waiting_seconds),
    ]);
    if now.waiting_away_seconds + before.waiting_away_seconds > 0.0 {
        rows.push(time("  while you were away", |totals| {
            totals.waiting_away_seconds
        }));
    }
    rows.push(time("Your time saved", |totals| totals.seconds_saved));
    rows
}

/// What counts as away in the period, and not as answering; `None` for nothing.
pub(super) fn long_answers(document: &Document) -> Option<String> {
    let (totals, bound) = (&document.totals, duration(document.away_after_seconds));
    let answers = match totals.away_answers {
        0 => return None,
        1 => "1 answer".to_owned(),
        many => format!("{many} answers"),
    };
    let away = duration(totals.away_seconds);
    Some(format!(
        "{answers} took longer than {bound}: {away} away, in no median and no sum of your time."
    ))
}

/// That the person is away, and until when.
pub(super) fn away(document: &Document) -> Option<String> {
    document
        .away
        .as_ref()
        .map(|line| format!("You are {line}."))
}

/// Why a change between the two periods would mean nothing; `None` where it means something.
pub(crate) fn incomparable(document: &Document) -> Option<String> {
    if let Some(first) = document.history_begins {
        return Some(format!(
            "Nothing to compare with: your history begins on {}, in the middle of the period before.",
            day(first)
        ));
    }
    let before = days(document.heading.previous);
    (document.totals.questions == 0 || document.previous.questions == 0)
        .then(|| format!("Nothing to compare with: no questions in {before}."))
}

/// What to say instead of numbers when the period has none; `None` when it has. `code` writes a
/// command to run the way the format does.
pub(crate) fn nothing(document: &Document, code: fn(&str) -> String) -> Option<[String; 2]> {
    if document.totals.questions > 0 {
        return None;
    }
    let project = document.heading.project.as_deref();
    Some(match (document.last_day, project) {
        (Some(last), _) => {
            let so_far = if document.heading.running {
                " so far"
            } else {
                ""
            };
            let mut command = format!("plantune report --week {}", week_name(last));
            if let Some(project) = project {
                command += &format!(" --project {}", shell_word(project));
            }
            [
                format!(
                    "No questions in this period{so_far}. The last day with anything is {}.",
                    day(last)
                ),
                format!("Run {} to see its week.", code(&command)),
            ]
        }
        (None, Some(_)) => [
            "No questions in this project yet.".to_owned(),
            format!("Run {} to see every project.", code("plantune report")),
        ],
        (None, None) => [
            "No questions yet.".to_owned(),
            format!(
                "Run {} to load your past questions, then {} to log the new ones.",
                code("plantune import claude-code"),
                code("plantune install"),
            ),
        ],
    })
}

/// What needs the person's attention: lines that could not be read.
pub(super) fn quarantined(document: &Document) -> Option<String> {
    let lines = match document.quarantined {
        0 => return None,
        1 => "1 line of the log could not be read and is".to_owned(),
        many => format!("{many} lines of the log could not be read and are"),
    };
    Some(format!(
        "{lines} kept in quarantine: run `plantune doctor`."
    ))
}

/// What could be done next: the suggestions that wait.
pub(super) fn suggestions(document: &Document) -> Option<String> {
    Some(match document.suggestions_waiting? {
        0 => "No suggestion waits; `plantune suggest` says why.".to_owned(),
        1 => "1 suggestion waits: run `plantune suggest`.".to_owned(),
        many => format!("{many} suggestions wait: run `plantune suggest`."),
    })
}

/// The questions as far as they are listed.
pub(crate) struct Listing<'a> {
    /// The heading.
    pub(crate) title: String,
    /// The questions, the most frequent first.
    pub(crate) questions: Vec<&'a QuestionCounts>,
    /// True when there are more of their kind.
    pub(crate) is_part: bool,
    /// What is said of those that came up once, where they are left out.
    pub(crate) once: Option<String>,
}

/// At most `top` of the questions that came up again; all questions where that is wanted.
pub(crate) fn listing(document: &Document, top: usize) -> Listing<'_> {
    let all = document.lists_all;
    let is_listed = |one: &&QuestionCounts| all || one.times() != 1;
    let listed = document.questions.iter().filter(is_listed);
    let questions: Vec<&QuestionCounts> = listed.take(if all { usize::MAX } else { top }).collect();
    let once = if all { 0 } else { document.asked_once };
    let most = document.question_keys.saturating_sub(once);
    let is_part = most > questions.len() as u64;
    Listing {
        title: match is_part {
            true => format!("Top questions ({} of {most})", questions.len()),
            false => "Questions".to_owned(),
        },
        questions,
        is_part,
        once: asked_once(once),
    }
}

/// What is said of the questions that came up `once`, which are left out; nothing where there are none.
fn asked_once(once: u64) -> Option<String> {
    Some(match once {
        0 => return None,
        1 => "1 question was asked once; `report --all` lists it.".to_owned(),
        many => format!("{many} questions were asked once; `report --all` lists them."),
    })
}

/// True when the list holds more than one project.
pub(super) fn several_projects(questions: &[&QuestionCounts]) -> bool {
    questions
        .first()
        .is_some_and(|first| questions.iter().any(|row| row.project != first.project))
}

/// The cells of the table of session kinds, names made safe by `name`.
pub(super) fn session_kinds(document: &Document, name: fn(&str) -> String) -> Vec<Vec<String>> {
    let cells = |kind: &SessionKindCounts| {
        let counts = [
            kind.sessions,
            kind.questions,
            kind.asked,
            kind.answered,
            kind.auto_decided,
            kind.failed,
            kind.dismissed,
        ];
        let counts = counts.iter().map(ToString::to_string);
        std::iter::once(name(&kind.session_kind))
            .chain(counts)
            .collect()
    };
    document.session_kinds.iter().map(cells).collect()
}
