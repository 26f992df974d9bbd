//! What every format says alike: the empty report, the notes, which questions are listed.

use plantune_query::report::{Part, QuestionCounts, Timeline, week_name};

use super::Document;
use super::heading::day;
use crate::amount::counted;
use crate::text::shell_word;

/// That the person is away, and until when.
pub(super) fn away(document: &Document) -> Option<String> {
    document
        .away
        .as_ref()
        .map(|line| format!("You are {line}."))
}

/// Why a change between the two periods would mean nothing; `None` where that need not be said.
pub(crate) fn incomparable(document: &Document) -> Option<String> {
    let first = document.report.history_begins?;
    Some(format!(
        "Your history begins on {}, so there is nothing to compare these days with yet.",
        day(first)
    ))
}

/// How many questions and prompts came over time, as bars; `None` without anything.
pub(super) fn over_time(document: &Document) -> Option<String> {
    let Timeline { unit, parts } = &document.report.timeline;
    let first = parts.first().filter(|_| parts.len() > 2)?;
    let line = |name: &str, of: fn(&Part) -> u64| {
        let counts: Vec<u64> = parts.iter().map(of).collect();
        let most = counts.iter().max().copied().filter(|most| *most > 0)?;
        let bars: String = counts.iter().map(|count| bar(*count, most)).collect();
        Some(format!("{name} {bars} (at most {most})"))
    };
    let lines = [
        line("questions", |part| part.questions),
        line("prompts", |part| part.prompts),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    let (unit, first) = (unit.as_str(), day(first.start));
    (!lines.is_empty()).then(|| format!("By {unit} since {first}: {}", lines.join(", ")))
}

/// A bar for `count` beside a greatest count of `most`; a dot for none.
fn bar(count: u64, most: u64) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    if count == 0 {
        return '·';
    }
    // 1 … most onto the eight bars, the greatest always the highest.
    let step = (u128::from(count) * 8).div_ceil(u128::from(most.max(1)));
    let index = usize::try_from(step.saturating_sub(1)).unwrap_or(7);
    BARS.get(index).copied().unwrap_or('█')
}

/// What to say instead of numbers when the period has none; `None` when it has. `code` writes a
/// command to run the way the format does.
pub(crate) fn nothing(document: &Document, code: fn(&str) -> String) -> Option<[String; 2]> {
    if document.report.totals.questions > 0 {
        return None;
    }
    let project = document.heading.project.as_deref();
    let so_far = match document.heading.running {
        true => " so far",
        false => "",
    };
    Some(match (document.report.last_day, project) {
        (Some(last), _) if last >= document.heading.period.start => [
            format!("No questions in this period{so_far}, but prompts for permission."),
            format!(
                "Run {} to see them.",
                code(&format!("{} --prompts", document.heading.command()))
            ),
        ],
        (Some(last), _) => {
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
                "Run {} to read your past questions, then {} to log the new ones.",
                code("plantune import claude-code"),
                code("plantune install"),
            ),
        ],
    })
}

/// What needs the person's attention: lines that could not be read.
pub(super) fn quarantined(document: &Document) -> Option<String> {
    let lines = counted(
        document.report.quarantined,
        "line of the log could not be read and is",
        "lines of the log could not be read and are",
    );
    let line = format!("{lines} kept in quarantine: run `plantune doctor`.");
    (document.report.quarantined > 0).then_some(line)
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
    let listed = document.report.questions.iter().filter(is_listed);
    let questions: Vec<&QuestionCounts> = listed.take(if all { usize::MAX } else { top }).collect();
    let once = if all { 0 } else { document.report.asked_once };
    let most = document.report.question_keys.saturating_sub(once);
    let is_part = most > questions.len() as u64;
    Listing {
        title: match is_part {
            true => format!("Questions ({} of {most})", questions.len()),
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
        1 => "1 question was asked once; `plantune report --all` lists it.".to_owned(),
        many => format!("{many} questions were asked once; `plantune report --all` lists them."),
    })
}

/// True when the list holds more than one project.
pub(super) fn several_projects(questions: &[&QuestionCounts]) -> bool {
    questions
        .first()
        .is_some_and(|first| questions.iter().any(|row| row.project != first.project))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_rise_with_the_counts() {
        let bars = |counts: &[u64], most| -> String {
            counts.iter().map(|count| bar(*count, most)).collect()
        };
        assert_eq!(bars(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 8), "·▁▂▃▄▅▆▇█");
        assert_eq!(bars(&[1, 500, 1000], 1000), "▁▄█");
        assert_eq!(bars(&[0, 1], 1), "·█");
        assert_eq!(bars(&[u64::MAX], u64::MAX), "█");
    }
}
