use plantune_domain::state::State;
use plantune_query::backtest::{KeyScore, TrialRun};
use plantune_query::permissions::backtest::RuleChanges;
use plantune_query::suggest::{ByLevel, Score};

use super::*;
use crate::text;

#[test]
fn the_document_is_stable() {
    let (questions, rules) = (Backtest::default(), RuleBacktest::default());
    let text = text::json_document(&BacktestDocument::new(&questions, &rules)).unwrap();
    insta::assert_snapshot!(text, @r#"
        {
          "schema_version": 1,
          "since": null,
          "questions": 0,
          "auto_decided": 0,
          "correct": 0,
          "wrong": 0,
          "precision": null,
          "precision_interval": null,
          "coverage": null,
          "coverage_interval": null,
          "seconds_saved": 0.0,
          "unanswered": 0,
          "unanswered_auto_decided": 0,
          "by_level": {
            "trial": {
              "questions": 0,
              "auto_decided": 0,
              "correct": 0,
              "wrong": 0,
              "precision": null,
              "precision_interval": null,
              "coverage": null,
              "coverage_interval": null,
              "seconds_saved": 0.0,
              "unanswered": 0,
              "unanswered_auto_decided": 0,
              "checks": 0,
              "trials": 0,
              "on": 0,
              "stopped": 0,
              "on_trial": 0,
              "askings_until_on": null,
              "askings_until_stopped": null
            },
            "standing": {
              "questions": 0,
              "auto_decided": 0,
              "correct": 0,
              "wrong": 0,
              "precision": null,
              "precision_interval": null,
              "coverage": null,
              "coverage_interval": null,
              "seconds_saved": 0.0,
              "unanswered": 0,
              "unanswered_auto_decided": 0
            }
          },
          "by_key": [],
          "permissions": {
            "prompts": 0,
            "spared": 0,
            "refused": 0,
            "refused_allowed": 0,
            "seconds_saved": null,
            "waits_known": 0,
            "refused_allowed_if_kept": 0,
            "beyond_allowed": 0,
            "spared_by_any_arguments": 0,
            "rules": 0,
            "rules_taken_out": 0,
            "by_reach": [
              {
                "reach": "reads",
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              },
              {
                "reach": "project",
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
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
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              }
            ]
          }
        }
        "#);
}

fn written(found: &Backtest) -> String {
    let mut out = Terminal::new(80, false);
    BacktestDocument::new(found, &RuleBacktest::default()).show(&mut out);
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
        If you had accepted every automatic proposal as soon as it came since 2026-09-01:

          answered for you   25 of 40 questions (63% [47%, 76%])
          same as yours      24 of 25 (96% [83%, 99%])
          different          1
          time saved         18 min
          also answered      2 of 3 questions you never answered

        If you had accepted every proposal of one level:

          trial              5 of 5 right (100% [62%, 100%])
          automatic          24 of 25 right (96% [83%, 99%])
          trials             1: 1 now on, 0 stopped, 0 still on trial

        question             answers  for you  right  wrong  at least  key
        Which layout for …?       40       25     24      1       83%  layout

        In brackets: how low and how high the true share could be, with that few
        answers.
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
    insta::assert_snapshot!(written(&Backtest::default()), @r"
        Nothing to replay: you answered no questions.
        `plantune import claude-code` reads your transcripts.
        ");
}

fn rules_sample() -> RuleBacktest {
    let first = RuleTally {
        prompts: 40,
        spared: 30,
        refused: 2,
        refused_allowed: 1,
        seconds_saved: None,
        waits_known: 0,
    };
    let second = RuleTally {
        prompts: 20,
        spared: 12,
        seconds_saved: Some(300.0),
        waits_known: 12,
        ..RuleTally::default()
    };
    let third = RuleTally {
        prompts: 10,
        refused: 6,
        ..RuleTally::default()
    };
    RuleBacktest {
        total: RuleTally {
            prompts: 70,
            spared: 42,
            refused: 8,
            ..second
        },
        by_reach: [first, second, RuleTally::default(), third],
        beyond_allowed: 0,
        spared_by_any_arguments: 4,
        refused_allowed_if_kept: 2,
        rules: RuleChanges {
            written: 5,
            taken_out: 1,
        },
    }
}

#[test]
fn what_rules_would_have_done() {
    let mut found = rules_sample();
    found.total.refused_allowed = 1;
    let mut out = Terminal::new(80, false);
    show_rules(&found, &mut out);
    insta::assert_snapshot!(out.into_text(), @r"
        Permission prompts, if you had accepted every proposed rule a day later:

          saved              42 of 70 prompts (60%)
            reads            30 of 40 prompts (75%)
            project          12 of 20 prompts (60%)
            unknown          0 of 0 prompts
            outside          0 of 10 prompts (0%)
            any arguments    4 of the saved
          refused            1 of 8 would have run without a prompt; 2 if you had kept
                             the rules
          outside project    none would have run without a prompt
          rules              5 written, 1 removed after a call ran that you had refused
          time saved         5 min for 12 of 42; the wait for the others is unknown
        ");
    let mut nothing = Terminal::new(80, false);
    show_rules(&RuleBacktest::default(), &mut nothing);
    assert_eq!(nothing.into_text(), "");
}

#[test]
fn the_part_about_rules_is_stable() {
    let document = serde_json::to_string_pretty(&rules_sample()).unwrap();
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
          "spared_by_any_arguments": 4,
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
