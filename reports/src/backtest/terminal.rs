//! A backtest on a terminal.

use std::io::{self, Write};

use plantune_query::backtest::Interval;

use super::document::{Document, Key, Trial};
use crate::Format;
use crate::amount::duration;
use crate::inert::one_line;
use crate::table::{Column, lines};
use crate::text::hanging;

/// How many questions are listed.
const MOST_KEYS: usize = 15;

/// How much of a key or a question is shown, in characters.
const SHOWN: usize = 120;

/// Lines no wider than `width`.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Columns of the terminal.
    pub width: usize,
}

impl Format<Document<'_>> for Terminal {
    fn write(&self, document: &Document<'_>, out: &mut dyn Write) -> io::Result<()> {
        questions(document, self.width, out)?;
        document.permissions.write(self.width, out)
    }
}

fn questions(document: &Document<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let total = &document.total;
    let since = document.since.as_ref();
    let since = since.map_or_else(String::new, |day| format!(" since {day}"));
    if total.questions == 0 {
        return writeln!(
            out,
            "Nothing to replay: you answered no question{since}.\n\
             `plantune import claude-code` reads the transcripts that are there already."
        );
    }
    writeln!(
        out,
        "Had you accepted every automatic proposal as soon as it could be made{since}:\n"
    )?;
    let mut line = |name: &str, text: &str| {
        let (first, rest) = (format!("  {name:<19}"), " ".repeat(21));
        write!(out, "{}", hanging(&first, &rest, text, width))
    };
    let answered = format!(
        "{} of {} questions ({})",
        total.auto_decided,
        total.questions,
        percent(total.coverage, total.coverage_interval)
    );
    line("answered for you", &answered)?;
    line(
        "as you answered",
        &format!(
            "{} of {} ({})",
            total.correct,
            total.auto_decided,
            percent(total.precision, total.precision_interval)
        ),
    )?;
    line("otherwise", &total.wrong.to_string())?;
    line("time saved", &duration(total.seconds_saved))?;
    if total.unanswered_auto_decided > 0 {
        let besides = format!(
            "{} of {} that you never answered: not known",
            total.unanswered_auto_decided, total.unanswered
        );
        line("besides", &besides)?;
    }
    writeln!(
        out,
        "\nEach level, had you accepted every proposal at that level:\n"
    )?;
    let levels = &document.by_level;
    let by_level = [
        ("hint", &levels.assist),
        ("trial", &levels.trial.counts),
        ("automatic", &levels.standing),
    ];
    for (does, counts) in by_level {
        let right = format!(
            "{} of {} right ({})",
            counts.correct,
            counts.auto_decided,
            percent(counts.precision, counts.precision_interval)
        );
        writeln!(out, "  {does:<18} {right}")?;
    }
    if levels.trial.trials > 0 {
        let Trial {
            trials,
            held,
            fell,
            open,
            ..
        } = levels.trial;
        writeln!(
            out,
            "  {:<18} {trials}: {held} held, {fell} ended by a disagreement, {open} under way",
            "trials"
        )?;
    }
    by_key(document, width, out)
}
/// The questions that would have been answered.
fn by_key(document: &Document<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let keys = document.by_key.iter();
    let decided: Vec<&Key<'_>> = keys.filter(|key| key.counts.auto_decided > 0).collect();
    if decided.is_empty() {
        return Ok(());
    }
    let columns = [
        Column::main("question"),
        Column::number("answers").rank(1),
        Column::number("for you"),
        Column::number("right"),
        Column::number("wrong"),
        Column::number("right, at least").rank(2),
        Column::text("key").rank(3),
    ];
    let row = |key: &&Key<'_>| {
        let least = key.counts.precision_interval;
        vec![
            one_line(key.question, SHOWN),
            key.counts.questions.to_string(),
            key.counts.auto_decided.to_string(),
            key.counts.correct.to_string(),
            key.counts.wrong.to_string(),
            least.map_or_else(String::new, |least| {
                format!("{:.0}%", (least.low * 100.0).floor())
            }),
            one_line(key.question_key, SHOWN),
        ]
    };
    let rows: Vec<Vec<String>> = decided.iter().take(MOST_KEYS).map(row).collect();
    writeln!(out)?;
    for line in lines(&columns, &rows, width) {
        writeln!(out, "{line}")?;
    }
    if decided.len() > MOST_KEYS {
        writeln!(out, "… and {} more", decided.len() - MOST_KEYS)?;
    }
    writeln!(out, "\n(95 % credible intervals in brackets.)")
}

/// `97.9%, [96.1, 98.9]`; cut rather than rounded: 99.96% is not all.
fn percent(share: Option<f64>, interval: Option<Interval>) -> String {
    let cut = |share: f64| (share * 1000.0).floor() / 10.0;
    match (share, interval) {
        (Some(share), Some(Interval { low, high })) => {
            format!("{:.1}%, [{:.1}, {:.1}]", cut(share), cut(low), cut(high))
        }
        _ => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use plantune_query::backtest::{Backtest, ByLevel, KeyScore, Score, TrialEnd, TrialRun};
    use plantune_query::permissions::backtest::Backtest as RulesBacktest;

    use super::*;

    fn written(found: &Backtest) -> String {
        let mut out = Vec::new();
        let document = Document::new(found, &RulesBacktest::default());
        Terminal { width: 80 }.write(&document, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn sample() -> Backtest {
        let score = Score {
            questions: 40,
            correct: 24,
            wrong: 1,
            seconds_saved: 1080.0,
            unanswered: 3,
            unanswered_decided: 2,
        };
        Backtest {
            since: "2026-09-01".parse().ok(),
            total: score,
            together: score,
            by_level: ByLevel {
                trial: Score {
                    correct: 5,
                    wrong: 0,
                    ..score
                },
                standing: score,
                ..ByLevel::default()
            },
            trials: vec![TrialRun {
                end: TrialEnd::Held,
                askings: 7,
                wrong: 0,
            }],
            by_key: vec![KeyScore {
                project: "github.com/o/r".to_owned(),
                question_key: "layout".to_owned(),
                key_source: "marker".to_owned(),
                question: "Which\u{1b}[31m layout?".to_owned(),
                options: vec!["Grid".to_owned(), "List".to_owned()],
                score,
                by_level: ByLevel::default(),
                trials: Vec::new(),
            }],
        }
    }

    #[test]
    fn what_would_have_been_is_told_with_its_doubt() {
        insta::assert_snapshot!(written(&sample()), @r"
        Had you accepted every automatic proposal as soon as it could be made since 2026-09-01:

          answered for you   25 of 40 questions (62.5%, [47.0, 76.2])
          as you answered    24 of 25 (96.0%, [82.7, 99.5])
          otherwise          1
          time saved         18 min
          besides            2 of 3 that you never answered: not known

        Each level, had you accepted every proposal at that level:

          hint               0 of 0 right (unknown)
          trial              5 of 5 right (100.0%, [62.0, 100.0])
          automatic          24 of 25 right (96.0%, [82.7, 99.5])
          trials             1: 1 held, 0 ended by a disagreement, 0 under way

        question       answers  for you  right  wrong  right, at least  key
        Which layout?       40       25     24      1              82%  layout

        (95 % credible intervals in brackets.)
        ");
    }

    #[test]
    fn without_answers_there_is_nothing_to_replay() {
        insta::assert_snapshot!(written(&Backtest::default()), @"
        Nothing to replay: you answered no question.
        `plantune import claude-code` reads the transcripts that are there already.
        ");
    }
}
