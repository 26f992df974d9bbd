//! The part of a backtest that is about permission rules, below that of the questions on a terminal.

use plantune_domain::permissions::Reach;
use plantune_query::permissions::backtest::{Backtest, Tally};

use super::terminal::figures;
use crate::amount::{duration, percent};
use crate::prompts::reach_in_short;
use crate::terminal::Terminal;

pub(super) fn show(found: &Backtest, out: &mut Terminal) {
    if found.total.prompts == 0 {
        return;
    }
    out.line("\nPrompts for permission, had you accepted every proposed rule on the next day:\n");
    figures("spared", &spared(&found.total), out);
    for (reach, tally) in Reach::ALL.into_iter().zip(&found.by_reach) {
        let name = format!("  {}", reach_in_short(Some(reach)));
        figures(&name, &spared(tally), out);
    }
    figures("refused", &refused(found), out);
    let beyond = match found.beyond_allowed {
        0 => "none would have run unasked".to_owned(),
        count => format!("{count} would have run unasked"),
    };
    figures("beyond the project", &beyond, out);
    let rules = format!(
        "{} written, {} of them taken out after a call ran that you had refused",
        found.rules.written, found.rules.taken_out
    );
    figures("rules", &rules, out);
    figures("time saved", &time(&found.total), out);
}

fn refused(found: &Backtest) -> String {
    let Tally {
        refused,
        refused_allowed,
        ..
    } = found.total;
    if refused == 0 {
        return "none".to_owned();
    }
    let kept = match found.refused_allowed_if_kept {
        kept if kept > refused_allowed => {
            format!("; {kept} if you had kept the rules all the same")
        }
        _ => String::new(),
    };
    format!("{refused_allowed} of {refused} would have run unasked{kept}")
}

fn spared(tally: &Tally) -> String {
    let count = format!("{} of {} prompts", tally.spared, tally.prompts);
    match share(tally) {
        Some(share) => format!("{count} ({})", percent(share)),
        None => count,
    }
}

/// What a command was waited for is not known, so most rules save more than that.
fn time(tally: &Tally) -> String {
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
fn share(tally: &Tally) -> Option<f64> {
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
            seconds_saved: None,
            waits_known: 0,
        };
        let second = Tally {
            prompts: 20,
            spared: 12,
            seconds_saved: Some(300.0),
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
        show(&found, &mut out);
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
        show(&Backtest::default(), &mut nothing);
        assert_eq!(nothing.into_text(), "");
    }

    #[test]
    fn the_document_is_stable() {
        let document = serde_json::to_string_pretty(&sample()).unwrap();
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
