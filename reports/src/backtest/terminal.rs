//! A backtest on a terminal.

use plantune_domain::keys::is_made_up;
use plantune_query::backtest::{Interval, Score};

use super::document::{Counts, Document, Key, Trial};
use super::permissions;
use crate::amount::{duration, percent};
use crate::inert::one_line;
use crate::table::{Table, known, main, number, text};
use crate::terminal::{Show, Terminal};

/// How many questions are listed.
const MOST_KEYS: usize = 15;

/// How much of a key or a question is shown, in characters.
const SHOWN: usize = 120;

impl Show for Document<'_> {
    fn show(&self, out: &mut Terminal) {
        questions(self, out);
        permissions::show(self.permissions, out);
    }
}

/// A line of figures, with what they are about before it.
pub(super) fn figures(name: &str, text: &str, out: &mut Terminal) {
    out.hanging(&format!("  {name:<19}"), &" ".repeat(21), text);
}

fn questions(document: &Document<'_>, out: &mut Terminal) {
    let total = document.total.0;
    let since = document.since.as_ref();
    let since = since.map_or_else(String::new, |day| format!(" since {day}"));
    if total.questions == 0 {
        return out.line(format!(
            "Nothing to replay: you answered no question{since}.\n\
             `plantune import claude-code` reads the transcripts that are there already."
        ));
    }
    out.line(format!(
        "Had you accepted every automatic proposal as soon as it could be made{since}:\n"
    ));
    let answered = format!(
        "{} of {} questions ({})",
        total.auto_decided(),
        total.questions,
        between(total.coverage(), total.coverage_interval())
    );
    figures("answered for you", &answered, out);
    let right = format!(
        "{} of {} ({})",
        total.correct,
        total.auto_decided(),
        precision(total)
    );
    figures("as you answered", &right, out);
    figures("otherwise", &total.wrong.to_string(), out);
    figures("time saved", &duration(total.seconds_saved), out);
    if total.unanswered_decided > 0 {
        let besides = format!(
            "{} of {} that you never answered: not known",
            total.unanswered_decided, total.unanswered
        );
        figures("besides", &besides, out);
    }
    out.line("\nEach level, had you accepted every proposal at that level:\n");
    let levels = &document.by_level;
    let by_level = [
        ("hint", &levels.assist),
        ("trial", &levels.trial.counts),
        ("automatic", &levels.standing),
    ];
    for (does, Counts(score)) in by_level {
        let (correct, of, sure) = (score.correct, score.auto_decided(), precision(score));
        out.line(format!("  {does:<18} {correct} of {of} right ({sure})"));
    }
    if levels.trial.trials > 0 {
        let Trial {
            trials,
            on,
            stopped,
            on_trial,
            ..
        } = levels.trial;
        out.line(format!(
            "  {:<18} {trials}: {on} on in the end, {stopped} stopped, {on_trial} still on trial",
            "trials"
        ));
    }
    by_key(document, out);
}

fn by_key(document: &Document<'_>, out: &mut Terminal) {
    let keys = document.by_key.iter();
    let decided: Vec<&Key<'_>> = keys.filter(|key| key.counts.0.auto_decided() > 0).collect();
    if decided.is_empty() {
        return;
    }
    let least = |least: Interval| percent(least.low);
    out.line("");
    let mut table = Table::of(decided.iter().take(MOST_KEYS).copied());
    table.add(main("question"), |key| one_line(key.name, SHOWN));
    table.add(number("answers").rank(1), |key| key.counts.0.questions);
    table.add(number("for you"), |key| key.counts.0.auto_decided());
    table.add(number("right"), |key| key.counts.0.correct);
    table.add(number("wrong"), |key| key.counts.0.wrong);
    table.add(number("right, at least").rank(2), |key| {
        known(key.counts.0.precision_interval().map(least))
    });
    table.add(text("key").rank(3), |key| {
        match is_made_up(key.question_key) {
            true => String::new(),
            false => one_line(key.question_key, SHOWN),
        }
    });
    out.table(&table);
    if decided.len() > MOST_KEYS {
        out.line(format!("… and {} more", decided.len() - MOST_KEYS));
    }
    out.line("\n(95 % credible intervals in brackets.)");
}

fn precision(score: &Score) -> String {
    between(score.precision(), score.precision_interval())
}

/// `98% [96%, 99%]`.
fn between(share: Option<f64>, interval: Option<Interval>) -> String {
    match (share, interval) {
        (Some(share), Some(Interval { low, high })) => {
            format!("{} [{}, {}]", percent(share), percent(low), percent(high))
        }
        _ => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::state::State;
    use plantune_query::backtest::{Backtest, ByLevel, KeyScore, Score, TrialRun};
    use plantune_query::permissions::backtest::Backtest as RulesBacktest;

    use super::*;

    fn written(found: &Backtest) -> String {
        let mut out = Terminal::new(80, false);
        Document::new(found, &RulesBacktest::default()).show(&mut out);
        out.into_text()
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
                state: State::On,
                askings: 7,
                wrong: 0,
            }],
            by_key: vec![KeyScore {
                project: "github.com/o/r".to_owned(),
                question_key: "layout".to_owned(),
                key_source: "marker".to_owned(),
                question: "Which layout for the cart?".to_owned(),
                name: "Which\u{1b}[31m layout for …?".to_owned(),
                options: vec!["Grid".to_owned(), "List".to_owned()],
                by_level: ByLevel {
                    standing: score,
                    ..ByLevel::default()
                },
                trials: Vec::new(),
            }],
        }
    }

    #[test]
    fn what_would_have_been_is_told_with_its_doubt() {
        insta::assert_snapshot!(written(&sample()), @r"
        Had you accepted every automatic proposal as soon as it could be made since 2026-09-01:

          answered for you   25 of 40 questions (63% [47%, 76%])
          as you answered    24 of 25 (96% [83%, 99%])
          otherwise          1
          time saved         18 min
          besides            2 of 3 that you never answered: not known

        Each level, had you accepted every proposal at that level:

          hint               0 of 0 right (unknown)
          trial              5 of 5 right (100% [62%, 100%])
          automatic          24 of 25 right (96% [83%, 99%])
          trials             1: 1 on in the end, 0 stopped, 0 still on trial

        question             answers  for you  right  wrong  right, at least  key
        Which layout for …?       40       25     24      1              83%  layout

        (95 % credible intervals in brackets.)
        ");
    }

    #[test]
    fn a_key_that_says_nothing_is_not_shown() {
        let mut found = sample();
        let unmarked = KeyScore {
            question_key: "fam-0123456789abcdef".to_owned(),
            ..found.by_key.remove(0)
        };
        found.by_key.push(unmarked);
        let text = written(&found);
        assert!(text.contains("Which layout for …?"), "{text}");
        assert!(!text.contains("fam-") && !text.contains("key"), "{text}");
    }

    #[test]
    fn without_answers_there_is_nothing_to_replay() {
        insta::assert_snapshot!(written(&Backtest::default()), @"
        Nothing to replay: you answered no question.
        `plantune import claude-code` reads the transcripts that are there already.
        ");
    }
}
