//! A backtest for a terminal: what the proposals would have got right and wrong.

use std::io::{self, Write};

use plantune_query::backtest::{Backtest, Interval, KeyScore, Score, TrialEnd};
use plantune_query::suggest::Level;

use crate::amount::duration;
use crate::inert::one_line;
use crate::table::{Column, lines};
use crate::text::hanging;

/// How many questions are listed.
const MOST_KEYS: usize = 15;

/// How much of a key or a question is shown, in characters.
const SHOWN: usize = 120;

/// Writes `found` for a terminal `width` columns wide.
///
/// # Errors
/// Those of `out`.
pub fn write(found: &Backtest, width: u16, out: &mut dyn Write) -> io::Result<()> {
    let total = &found.total;
    let since = found
        .since
        .map_or_else(String::new, |day| format!(" since {day}"));
    if total.questions == 0 {
        return writeln!(
            out,
            "Nothing to replay: you answered no question{since}.\n\
             `plantune import claude-code` reads the transcripts that are there already."
        );
    }
    writeln!(
        out,
        "Had you accepted every standing proposal as soon as it could be made{since}:\n"
    )?;
    writeln!(
        out,
        "  answered for you   {} of {} questions ({})",
        total.auto_decided(),
        total.questions,
        percent(total.coverage(), total.coverage_interval())
    )?;
    writeln!(
        out,
        "  as you answered    {} of {} ({})",
        total.correct,
        total.auto_decided(),
        percent(total.precision(), total.precision_interval())
    )?;
    writeln!(out, "  otherwise          {}", total.wrong)?;
    writeln!(
        out,
        "  time saved         {}",
        duration(total.seconds_saved)
    )?;
    if total.unanswered_decided > 0 {
        let besides = format!(
            "{} of {} that you never answered: not known",
            total.unanswered_decided, total.unanswered
        );
        let (first, rest) = ("  besides            ", " ".repeat(21));
        write!(
            out,
            "{}",
            hanging(first, &rest, &besides, usize::from(width))
        )?;
    }
    writeln!(
        out,
        "\nEach level, had you accepted every proposal at that level:\n"
    )?;
    for (level, score) in found.by_level.levels() {
        let does = match level {
            Level::Assist => "shown first",
            Level::Trial => "on trial",
            Level::Standing => "standing",
        };
        let right = format!(
            "{} of {} right ({})",
            score.correct,
            score.auto_decided(),
            percent(score.precision(), score.precision_interval())
        );
        writeln!(out, "  {does:<18} {right}")?;
    }
    if !found.trials.is_empty() {
        writeln!(out, "  {}", trials(found))?;
    }
    let decided: Vec<&KeyScore> = found
        .by_key
        .iter()
        .filter(|key| key.score.auto_decided() > 0)
        .collect();
    if decided.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for line in table(&decided, usize::from(width)) {
        writeln!(out, "{line}")?;
    }
    if decided.len() > MOST_KEYS {
        writeln!(out, "… and {} more", decided.len() - MOST_KEYS)?;
    }
    writeln!(out, "\n(95 % credible intervals in brackets.)")
}

/// How the trials would have ended.
fn trials(found: &Backtest) -> String {
    let ended = |end: TrialEnd| found.trials.iter().filter(|run| run.end == end).count();
    format!(
        "trials             {}: {} held, {} ended by a disagreement, {} under way",
        found.trials.len(),
        ended(TrialEnd::Held),
        ended(TrialEnd::Fell),
        ended(TrialEnd::Open)
    )
}

fn table(keys: &[&KeyScore], width: usize) -> Vec<String> {
    let columns = [
        Column::main("question"),
        Column::number("answers").rank(1),
        Column::number("for you"),
        Column::number("right"),
        Column::number("wrong"),
        Column::number("right, at least").rank(2),
        Column::text("key").rank(3),
    ];
    let row = |key: &&KeyScore| {
        let score: &Score = &key.score;
        let least = score.precision_interval();
        vec![
            one_line(&key.question, SHOWN),
            score.questions.to_string(),
            score.auto_decided().to_string(),
            score.correct.to_string(),
            score.wrong.to_string(),
            least.map_or_else(String::new, |least| {
                format!("{:.0}%", (least.low * 100.0).floor())
            }),
            one_line(&key.question_key, SHOWN),
        ]
    };
    let rows: Vec<Vec<String>> = keys.iter().take(MOST_KEYS).map(row).collect();
    lines(&columns, &rows, width)
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
    use plantune_query::backtest::{ByLevel, TrialRun};

    use super::*;

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
        let mut out = Vec::new();
        write(&sample(), 80, &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @"
        Had you accepted every standing proposal as soon as it could be made since 2026-09-01:

          answered for you   25 of 40 questions (62.5%, [47.0, 76.2])
          as you answered    24 of 25 (96.0%, [82.7, 99.5])
          otherwise          1
          time saved         18 min
          besides            2 of 3 that you never answered: not known

        Each level, had you accepted every proposal at that level:

          shown first        0 of 0 right (unknown)
          on trial           5 of 5 right (100.0%, [62.0, 100.0])
          standing           24 of 25 right (96.0%, [82.7, 99.5])
          trials             1: 1 held, 0 ended by a disagreement, 0 under way

        question       answers  for you  right  wrong  right, at least  key
        Which layout?       40       25     24      1              82%  layout

        (95 % credible intervals in brackets.)
        ");
    }

    #[test]
    fn without_answers_there_is_nothing_to_replay() {
        let mut out = Vec::new();
        write(&Backtest::default(), 80, &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @"
        Nothing to replay: you answered no question.
        `plantune import claude-code` reads the transcripts that are there already.
        ");
    }
}
