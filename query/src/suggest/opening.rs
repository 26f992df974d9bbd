//! Habits that only words keep closed: a rule of `registry.toml` may open them, where the person says that the words
//! are wrong.

use plantune_domain::commitment::Act;
use plantune_domain::gate::{self, Refusal};
use plantune_domain::registry::Registry;

use super::candidate::PolicyScore;
use super::held::{is_by_rule, proposed};
use super::judge::Rules;
use super::policy::{AnswerPolicy, Verdict};
use crate::binding::{most_different, rule_patterns};
use crate::evidence::{HumanAnswer, KeyEvidence};

/// So many answers, all alike, are enough to ask whether the words are wrong.
const LEAST: usize = 10;

/// Texts that take more patterns than this have too little in common for a rule.
const MOST_PATTERNS: usize = 3;

/// How many of the texts are shown.
const SHOWN_TEXTS: usize = 3;

/// What a rule that opens a habit needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The patterns that its texts have between them, with `*` for what varied.
    pub patterns: Vec<String>,
    /// Its labels, as last sent.
    pub options: Vec<String>,
    /// Those of its texts that differ most.
    pub texts: Vec<String>,
    askings: Vec<HumanAnswer>,
}

impl Opening {
    /// What opens `key`, of which every asking is held: `None` unless `best` is one label, chosen each time, words
    /// alone hold it, and a rule can name it. A marker names more than what was seen, so it is left as it is.
    pub(super) fn of(key: &KeyEvidence, best: &PolicyScore, rules: &Rules<'_>) -> Option<Self> {
        let is_unmarked = matches!(key.key_source.as_str(), "fingerprint" | "family");
        let is_alike = matches!(best.policy, AnswerPolicy::Pin(_))
            && best.verdicts.iter().all(|one| *one == Verdict::Agree);
        let by_words = |one: &HumanAnswer| is_held_by_words(one, rules.registry);
        if !is_unmarked
            || !is_alike
            || key.answers.len() < LEAST
            || !key.answers.iter().all(by_words)
        {
            return None;
        }
        let texts: Vec<&str> = key.answers.iter().map(|one| &*one.question).collect();
        let patterns = rule_patterns(&texts, rules.fillers);
        (patterns.len() <= MOST_PATTERNS).then(|| Self {
            patterns,
            options: key
                .answers
                .last()
                .map_or_else(Vec::new, |one| one.options.clone()),
            texts: most_different(&texts, SHOWN_TEXTS),
            askings: key.answers.clone(),
        })
    }

    /// True when under `registry` every asking is called `key`, and none of them is held.
    pub fn is_opened_by(&self, registry: &Registry, key: &str) -> bool {
        self.askings.iter().all(|one| {
            name(one, registry) == Some(key)
                && gate::check(&proposed(one, key, one.chosen()), registry).is_ok()
        })
    }

    /// True when a rule of `registry` names one of its askings.
    pub fn is_named_by(&self, registry: &Registry) -> bool {
        self.askings.iter().any(|one| name(one, registry).is_some())
    }
}

fn name<'r>(answer: &HumanAnswer, registry: &'r Registry) -> Option<&'r str> {
    registry.key_of(&answer.question, answer.header.as_deref(), &answer.options)
}

/// True when words hold the answer, and neither a rule nor anything that no rule opens.
fn is_held_by_words(answer: &HumanAnswer, registry: &Registry) -> bool {
    let proposed = proposed(answer, "", answer.chosen());
    let Some(label) = proposed.label else {
        return false;
    };
    let header = proposed.header.unwrap_or_default();
    let act = Act::of(
        "",
        proposed.text,
        header,
        Some(label),
        proposed.description,
        "",
    );
    !answer.one_way.as_deref().is_some_and(is_by_rule)
        && matches!(gate::check(&proposed, registry), Err(Refusal::Words(_)))
        && act.hard_reason().is_none()
}
