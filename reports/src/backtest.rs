//! The backtest: what the proposals would have done, had they been accepted; one document, for a terminal and as JSON.
//! Counts are of questions that the person answered, shares 0–1, intervals their two ends at 95 % credibility, seconds
//! numbers, dates ISO 8601; unknown is null.

#[cfg(test)]
mod tests;

use chrono::NaiveDate;
use plantune_domain::keys::is_made_up;
use plantune_domain::permissions::Reach;
use plantune_domain::state::State;
use plantune_query::backtest::{Backtest, KeyScore, TrialRun};
use plantune_query::permissions::backtest::{RuleBacktest, RuleTally};
use plantune_query::suggest::{ByLevel, Interval, Score};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::humanize::{duration, percent};
use crate::prompts::reach_in_short;
use crate::table::{Table, known, main, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::{four_decimals, one_line};

/// The whole backtest.
#[derive(Clone, Debug, Serialize)]
pub struct BacktestDocument<'a> {
    since: Option<NaiveDate>,
    #[serde(flatten)]
    scores: Scores<'a>,
    by_key: Vec<KeyScores<'a>>,
    permissions: &'a RuleBacktest,
}

impl<'a> BacktestDocument<'a> {
    /// Of questions, and of permission rules.
    pub fn new(questions: &'a Backtest, rules: &'a RuleBacktest) -> Self {
        let by_key = questions.by_key.iter();
        let by_key = by_key.map(|key| KeyScores {
            key,
            scores: Scores::new(&key.by_level, &key.trials),
        });
        Self {
            since: questions.since,
            scores: Scores::new(&questions.by_level, &questions.trials),
            by_key: by_key.collect(),
            permissions: rules,
        }
    }
}

/// One question.
#[derive(Clone, Debug, Serialize)]
struct KeyScores<'a> {
    #[serde(flatten)]
    key: &'a KeyScore,
    #[serde(flatten)]
    scores: Scores<'a>,
}

/// The score by standing proposals alone, and the score of each level, had every proposal that reaches it been accepted
/// at it.
#[derive(Clone, Debug, Serialize)]
struct Scores<'a> {
    #[serde(flatten)]
    total: ScoreCounts<'a>,
    by_level: Levels<'a>,
}

#[derive(Clone, Debug, Serialize)]
struct Levels<'a> {
    trial: TrialScore<'a>,
    standing: ScoreCounts<'a>,
}

impl<'a> Scores<'a> {
    fn new(levels: &'a ByLevel, trials: &[TrialRun]) -> Self {
        let standing = ScoreCounts(&levels.standing);
        Self {
            total: standing,
            by_level: Levels {
                trial: TrialScore::new(&levels.trial, levels.checks, trials),
                standing,
            },
        }
    }
}

/// The score of trials until they ended, without their checks, and how they ended.
#[derive(Clone, Debug, Serialize)]
struct TrialScore<'a> {
    #[serde(flatten)]
    counts: ScoreCounts<'a>,
    /// The questions that would have been asked to check a trial.
    checks: u64,
    /// The trials that would have begun.
    trials: usize,
    on: usize,
    stopped: usize,
    on_trial: usize,
    /// The median number of questions asked until a trial was on, and until it was stopped.
    askings_until_on: Option<u64>,
    askings_until_stopped: Option<u64>,
}

impl<'a> TrialScore<'a> {
    fn new(score: &'a Score, checks: u64, trials: &[TrialRun]) -> Self {
        let askings = |state: State| -> Vec<u64> {
            let ended = trials.iter().filter(|run| run.state == state);
            let mut askings: Vec<u64> = ended.map(|run| run.askings).collect();
            askings.sort_unstable();
            askings
        };
        let median = |askings: &[u64]| askings.get(askings.len() / 2).copied();
        let (on, stopped) = (askings(State::On), askings(State::Stopped));
        Self {
            counts: ScoreCounts(score),
            checks,
            trials: trials.len(),
            on: on.len(),
            stopped: stopped.len(),
            on_trial: trials.len() - on.len() - stopped.len(),
            askings_until_on: median(&on),
            askings_until_stopped: median(&stopped),
        }
    }
}

/// A score, with what follows from it.
#[derive(Clone, Copy, Debug)]
struct ScoreCounts<'a>(&'a Score);

impl Serialize for ScoreCounts<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(score) = self;
        let ends = |one: Interval| [one.low, one.high].map(four_decimals);
        to.collect_map([
            ("questions", json!(score.questions)),
            ("auto_decided", json!(score.auto_decided())),
            ("correct", json!(score.correct)),
            ("wrong", json!(score.wrong)),
            ("precision", json!(score.precision().map(four_decimals))),
            (
                "precision_interval",
                json!(score.precision_interval().map(ends)),
            ),
            ("coverage", json!(score.coverage().map(four_decimals))),
            (
                "coverage_interval",
                json!(score.coverage_interval().map(ends)),
            ),
            ("seconds_saved", json!(four_decimals(score.seconds_saved))),
            ("unanswered", json!(score.unanswered)),
            ("unanswered_auto_decided", json!(score.unanswered_decided)),
        ])
    }
}

/// How many questions are listed.
const MOST_KEYS: usize = 15;

/// How much of a key or a question is shown, in characters.
const SHOWN: usize = 120;

impl Show for BacktestDocument<'_> {
    fn show(&self, out: &mut Terminal) {
        questions(self, out);
        show_rules(self.permissions, out);
    }
}

/// A line of figures, with what they are about before it.
fn figures(name: &str, text: &str, out: &mut Terminal) {
    out.hanging(&format!("  {name:<19}"), &" ".repeat(21), text);
}

fn questions(document: &BacktestDocument<'_>, out: &mut Terminal) {
    let total = document.scores.total.0;
    let since = document.since.as_ref();
    let since = since.map_or_else(String::new, |day| format!(" since {day}"));
    if total.questions == 0 {
        return out.line(format!(
            "Nothing to replay: you answered no questions{since}.\n\
             `plantune import claude-code` reads your transcripts."
        ));
    }
    out.line(format!(
        "If you had accepted every automatic proposal as soon as it came{since}:\n"
    ));
    let answered = format!(
        "{} of {} questions ({})",
        total.auto_decided(),
        total.questions,
        between(total.coverage(), total.coverage_interval())
    );
    figures("answered for you", &answered, out);
    if total.auto_decided() > 0 {
        let right = format!(
            "{} of {} ({})",
            total.correct,
            total.auto_decided(),
            precision(total)
        );
        figures("same as yours", &right, out);
        figures("different", &total.wrong.to_string(), out);
        figures("time saved", &duration(total.seconds_saved), out);
    }
    if total.unanswered_decided > 0 {
        let besides = format!(
            "{} of {} questions you never answered",
            total.unanswered_decided, total.unanswered
        );
        figures("also answered", &besides, out);
    }
    out.line("\nIf you had accepted every proposal of one level:\n");
    let levels = &document.scores.by_level;
    let by_level = [
        ("trial", &levels.trial.counts),
        ("automatic", &levels.standing),
    ];
    for (does, ScoreCounts(score)) in by_level {
        let (correct, of, sure) = (score.correct, score.auto_decided(), precision(score));
        let right = match of {
            0 => "none".to_owned(),
            _ => format!("{correct} of {of} right ({sure})"),
        };
        out.line(format!("  {does:<18} {right}"));
    }
    if levels.trial.trials > 0 {
        let TrialScore {
            trials,
            on,
            stopped,
            on_trial,
            ..
        } = levels.trial;
        out.line(format!(
            "  {:<18} {trials}: {on} now on, {stopped} stopped, {on_trial} still on trial",
            "trials"
        ));
    }
    by_key(document, out);
}

fn by_key(document: &BacktestDocument<'_>, out: &mut Terminal) {
    let is_decided = |one: &&KeyScores<'_>| one.score().auto_decided() > 0;
    let decided: Vec<&KeyScores<'_>> = document.by_key.iter().filter(is_decided).collect();
    if decided.is_empty() {
        return;
    }
    let least = |least: Interval| percent(least.low);
    out.line("");
    let mut table = Table::of(decided.iter().take(MOST_KEYS).copied());
    table.add(main("question"), |one| one_line(&one.key.name, SHOWN));
    table.add(number("answers").rank(1), |one| one.score().questions);
    table.add(number("for you"), |one| one.score().auto_decided());
    table.add(number("right"), |one| one.score().correct);
    table.add(number("wrong"), |one| one.score().wrong);
    table.add(number("at least").rank(2), |one| {
        known(one.score().precision_interval().map(least))
    });
    table.add(text("key").rank(3), |one| {
        match is_made_up(&one.key.question_key) {
            true => String::new(),
            false => one_line(&one.key.question_key, SHOWN),
        }
    });
    out.table(&table);
    if decided.len() > MOST_KEYS {
        out.line(format!("… and {} more", decided.len() - MOST_KEYS));
    }
    out.hanging(
        "\n",
        "",
        "In brackets: how low and how high the true share could be, with that few answers.",
    );
}

impl KeyScores<'_> {
    /// By standing proposals alone.
    fn score(&self) -> &Score {
        self.scores.total.0
    }
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

fn show_rules(found: &RuleBacktest, out: &mut Terminal) {
    if found.total.prompts == 0 {
        return;
    }
    out.line("\nPermission prompts, if you had accepted every proposed rule a day later:\n");
    figures("saved", &spared(&found.total), out);
    for (reach, tally) in Reach::ALL.into_iter().zip(&found.by_reach) {
        let name = format!("  {}", reach_in_short(Some(reach)));
        figures(&name, &spared(tally), out);
    }
    if found.spared_by_any_arguments > 0 {
        let count = format!("{} of the saved", found.spared_by_any_arguments);
        figures("  any arguments", &count, out);
    }
    figures("refused", &refused(found), out);
    let beyond = match found.beyond_allowed {
        0 => "none would have run without a prompt".to_owned(),
        count => format!("{count} would have run without a prompt"),
    };
    figures("outside project", &beyond, out);
    let rules = format!(
        "{} written, {} removed after a call ran that you had refused",
        found.rules.written, found.rules.taken_out
    );
    figures("rules", &rules, out);
    figures("time saved", &time(&found.total), out);
}

fn refused(found: &RuleBacktest) -> String {
    let RuleTally {
        refused,
        refused_allowed,
        ..
    } = found.total;
    if refused == 0 {
        return "none".to_owned();
    }
    let kept = match found.refused_allowed_if_kept {
        kept if kept > refused_allowed => {
            format!("; {kept} if you had kept the rules")
        }
        _ => String::new(),
    };
    format!("{refused_allowed} of {refused} would have run without a prompt{kept}")
}

fn spared(tally: &RuleTally) -> String {
    let count = format!("{} of {} prompts", tally.spared, tally.prompts);
    match share(tally) {
        Some(share) => format!("{count} ({})", percent(share)),
        None => count,
    }
}

/// The time that the spared prompts took, as far as it is known.
fn time(tally: &RuleTally) -> String {
    match tally.seconds_saved {
        None => "unknown: no wait was logged".to_owned(),
        Some(seconds) if tally.waits_known == tally.spared => duration(seconds),
        Some(seconds) => format!(
            "{} for {} of {}; the wait for the others is unknown",
            duration(seconds),
            tally.waits_known,
            tally.spared
        ),
    }
}

#[allow(clippy::cast_precision_loss, reason = "nobody is asked that often")]
fn share(tally: &RuleTally) -> Option<f64> {
    (tally.prompts > 0).then(|| tally.spared as f64 / tally.prompts as f64)
}
