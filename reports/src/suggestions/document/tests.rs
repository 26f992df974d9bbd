use super::*;
use crate::inert;
use crate::suggestions::tests::sample::sample;

#[test]
fn the_document_is_stable() {
    let mut found = sample();
    found.suggestions.remove(0);
    found.rejected.truncate(1);
    let text = inert::document(&Document::from(Found {
        questions: Some(&found),
        rules: &Proposals::default(),
        tighten: &[],
        notes_on_questions: &[],
        notes: &[],
        next: "",
    }))
    .unwrap();
    insta::assert_snapshot!(text, @r#"
    {
      "schema_version": 1,
      "suggestions": [
        {
          "question_key": "style",
          "name": "Style\u001b[31m\nguide\u202e?",
          "key_source": "marker",
          "question": "Style\u001b[31m\nguide\u202e?",
          "options": [
            "Create it (Recommended)",
            "Skip"
          ],
          "level": "trial",
          "scope": "project",
          "project": "github.com/o/r",
          "projects": [
            "github.com/o/r"
          ],
          "preference": "never-ask",
          "assist": null,
          "answer": null,
          "covers": [
            "Style guide?",
            "Style guide, then?"
          ],
          "coverage": null,
          "confidence": 0.9999,
          "evidence": {
            "answers": 22,
            "agreed": 20,
            "added": 0,
            "assisted": 0,
            "imported": 0,
            "sessions": 18,
            "days": 17,
            "first": "2026-09-01",
            "last": "2026-11-19",
            "last_disagreement": null
          },
          "seconds_saved_per_week": 31.25,
          "kind": "content",
          "wrong_answer_seconds": 120.0,
          "lacks": "needs 3 more agreeing answers, on 2 more days",
          "backtest": null
        },
        {
          "question_key": "todo",
          "name": "What would you like to do with this todo?",
          "key_source": "marker",
          "question": "What would you like to do with this todo?",
          "options": [
            "Create it (Recommended)",
            "Skip"
          ],
          "level": "assist",
          "scope": "global",
          "project": null,
          "projects": [
            "github.com/o/other",
            "github.com/o/r"
          ],
          "preference": "assist",
          "assist": "first",
          "answer": "Work on it now",
          "covers": [
            "What would you like to do with this todo?"
          ],
          "coverage": null,
          "confidence": 0.478,
          "evidence": {
            "answers": 5,
            "agreed": 4,
            "added": 1,
            "assisted": 0,
            "imported": 0,
            "sessions": 18,
            "days": 17,
            "first": "2026-09-01",
            "last": "2026-11-19",
            "last_disagreement": "2026-10-02"
          },
          "seconds_saved_per_week": 40.0,
          "kind": "go_on",
          "wrong_answer_seconds": 30.0,
          "lacks": "you often add something to this answer",
          "backtest": null
        }
      ],
      "rejected": [
        {
          "question_key": "layout",
          "name": "Which layout?",
          "question": "Which layout?",
          "options": [
            "Create it (Recommended)",
            "Skip"
          ],
          "project": "github.com/o/r",
          "reason": "too_little",
          "explanation": "needs 3 more agreeing answers, on 2 more days",
          "evidence": {
            "answers": 8,
            "agreed": 8,
            "added": 0,
            "assisted": 0,
            "imported": 0,
            "sessions": 18,
            "days": 17,
            "first": "2026-09-01",
            "last": "2026-11-19",
            "last_disagreement": null
          }
        }
      ],
      "permissions": [],
      "permissions_left": {
        "beyond": 0,
        "no_rule": 0,
        "known": 0,
        "mode": 0,
        "refused": 0,
        "varied": 0,
        "unsure": 0
      },
      "tighten": [],
      "notes": []
    }
    "#);
}
