//! The part of a backtest that is about permission rules: below that of the questions on a terminal, and in its
//! JSON.

use plantune_domain::permissions::Reach;
use plantune_query::permissions::backtest::{Backtest, Tally};
use serde::Serialize;

use super::terminal::figures;
use crate::amount::{duration, percent};
use crate::prompts::reach_in_short;
use crate::terminal::Terminal;

/// The backtest in JSON: counts of prompts that the person decided, seconds as numbers, unknown is null.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Document {
    #[serde(flatten)]
    total: Counts,
    refused_allowed_if_kept: u64,
    beyond_allowed: u64,
    rules: u64,
    rules_taken_out: u64,
    by_reach: Vec<OfReach>,
}

#[derive(Clone, Debug, Serialize)]
struct OfReach {
    reach: Reach,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Clone, Debug, Serialize)]
struct Counts {
    prompts: u64,
    spared: u64,
    refused: u64,
    refused_allowed: u64,
    /// Over the spared ones whose wait is known.
    seconds_saved: Option<f64>,
    waits_known: u64,
}

impl From<&Backtest> for Document {
    fn from(found: &Backtest) -> Self {
        let all = Reach::ALL.into_iter().zip(&found.by_reach);
        let by_reach = all.map(|(reach, tally)| OfReach {
            reach,
            counts: tally.into(),
        });
        Self {
            total: (&found.total).into(),
            refused_allowed_if_kept: found.refused_allowed_if_kept,
            beyond_allowed: found.beyond_allowed,
            rules: found.rules.written,
            rules_taken_out: found.rules.taken_out,
            by_reach: by_reach.collect(),
        }
    }
}

impl From<&Tally> for Counts {
    fn from(tally: &Tally) -> Self {
        Self {
            prompts: tally.prompts,
            spared: tally.spared,
            refused: tally.refused,
            refused_allowed: tally.refused_allowed,
            seconds_saved: (tally.waits_known > 0).then_some(tally.seconds_saved),
            waits_known: tally.waits_known,
        }
    }
}

impl Document {
    pub(super) fn show(&self, out: &mut Terminal) {
        if self.total.prompts == 0 {
            return;
        }
        out.line(
            "\nPrompts for permission, had you accepted every proposed rule on the next day:\n",
        );
        figures("spared", &spared(&self.total), out);
        for OfReach { reach, counts } in &self.by_reach {
            let name = format!("  {}", reach_in_short(Some(*reach)));
            figures(&name, &spared(counts), out);
        }
        figures("refused", &self.refused(), out);
        let beyond = match self.beyond_allowed {
            0 => "none would have run unasked".to_owned(),
            count => format!("{count} would have run unasked"),
        };
        figures("beyond the project", &beyond, out);
        let rules = format!(
            "{} written, {} of them taken out after a call ran that you had refused",
            self.rules, self.rules_taken_out
        );
        figures("rules", &rules, out);
        figures("time saved", &time(&self.total), out);
    }

    fn refused(&self) -> String {
        let Counts {
            refused,
            refused_allowed,
            ..
        } = self.total;
        if refused == 0 {
            return "none".to_owned();
        }
        let kept = match self.refused_allowed_if_kept {
            kept if kept > refused_allowed => {
                format!("; {kept} if you had kept the rules all the same")
            }
            _ => String::new(),
        };
        format!("{refused_allowed} of {refused} would have run unasked{kept}")
    }
}

fn spared(tally: &Counts) -> String {
    let count = format!("{} of {} prompts", tally.spared, tally.prompts);
    match share(tally) {
        Some(share) => format!("{count} ({})", percent(share)),
        None => count,
    }
}

/// What a command was waited for is not known, so most rules save more than that.
fn time(tally: &Counts) -> String {
    match tally.seconds_saved {
        None => "not known: no wait was logged".to_owned(),
        Some(seconds) if tally.waits_known == tally.spared => duration(seconds),
        Some(seconds) => format!(
            "{} over {} of {}; the wait for the others is not known",
            duration(seconds),
            tally.waits_known,
            tally.spared
        ),
    }
}

#[allow(clippy::cast_precision_loss, reason = "nobody is asked that often")]
fn share(tally: &Counts) -> Option<f64> {
    (tally.prompts > 0).then(|| tally.spared as f64 / tally.prompts as f64)
}

#[cfg(test)]
mod tests {
    use plantune_query::permissions::backtest::Rules;

    use super::*;

    fn sample() -> Backtest {
        let first = Tally {
            prompts: 40,
            spared: 30,
            refused: 2,
            refused_allowed: 1,
            seconds_saved: 0.0,
            waits_known: 0,
        };
        let second = Tally {
            prompts: 20,
            spared: 12,
            seconds_saved: 300.0,
            waits_known: 12,
            ..Tally::default()
        };
        let third = Tally {
            prompts: 10,
            refused: 6,
            ..Tally::default()
        };
        Backtest {
            total: Tally {
                prompts: 70,
                spared: 42,
                refused: 8,
                ..second
            },
            by_reach: [first, second, Tally::default(), third],
            beyond_allowed: 0,
            refused_allowed_if_kept: 2,
            rules: Rules {
                written: 5,
                taken_out: 1,
            },
        }
    }

    #[test]
    fn what_rules_would_have_done() {
        let mut found = sample();
        found.total.refused_allowed = 1;
        let mut out = Terminal::new(80, false);
        Document::from(&found).show(&mut out);
        insta::assert_snapshot!(out.into_text(), @"

        Prompts for permission, had you accepted every proposed rule on the next day:

          spared             42 of 70 prompts (60%)
            reads            30 of 40 prompts (75%)
            project          12 of 20 prompts (60%)
            not known        0 of 0 prompts
            beyond           0 of 10 prompts (0%)
          refused            1 of 8 would have run unasked; 2 if you had kept the rules
                             all the same
          beyond the project none would have run unasked
          rules              5 written, 1 of them taken out after a call ran that you
                             had refused
          time saved         5 min over 12 of 42; the wait for the others is not known
        ");
        let mut nothing = Terminal::new(80, false);
        Document::from(&Backtest::default()).show(&mut nothing);
        assert_eq!(nothing.into_text(), "");
    }

    #[test]
    fn the_document_is_stable() {
        let document = serde_json::to_string_pretty(&Document::from(&sample())).unwrap();
        insta::assert_snapshot!(document, @r#"
        {
          "prompts": 70,
          "spared": 42,
          "refused": 8,
          "refused_allowed": 0,
          "seconds_saved": 300.0,
          "waits_known": 12,
          "refused_allowed_if_kept": 2,
          "beyond_allowed": 0,
          "rules": 5,
          "rules_taken_out": 1,
          "by_reach": [
            {
              "reach": "reads",
              "prompts": 40,
              "spared": 30,
              "refused": 2,
              "refused_allowed": 1,
              "seconds_saved": null,
              "waits_known": 0
            },
            {
              "reach": "project",
              "prompts": 20,
              "spared": 12,
              "refused": 0,
              "refused_allowed": 0,
              "seconds_saved": 300.0,
              "waits_known": 12
            },
            {
              "reach": "unknown",
              "prompts": 0,
              "spared": 0,
              "refused": 0,
              "refused_allowed": 0,
              "seconds_saved": null,
              "waits_known": 0
            },
            {
              "reach": "beyond",
              "prompts": 10,
              "spared": 0,
              "refused": 6,
              "refused_allowed": 0,
              "seconds_saved": null,
              "waits_known": 0
            }
          ]
        }
        "#);
    }
}
