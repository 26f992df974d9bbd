//! A person's answers to one question, as the store has them.

use std::cmp::Ordering;
use std::fmt::{self, Debug, Formatter};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::answer::Answer;
use plantune_domain::commitment::{Commitment, commitment, stands_alone};
use plantune_domain::familiar::{Agreed, Seen, Stems, signature};
use plantune_domain::family;
use plantune_domain::preferences::Scope;
use plantune_domain::recommended::same_label;
use plantune_domain::teach::{Lesson, Teach};
use plantune_domain::wire::SentQuestion;

use serde::{Deserialize, Deserializer};

use crate::a_week::a_week;
use crate::rows::json;

/// One answer of a person's to one question. Copies share what it holds, as many habits are looked at with the same
/// answers; one that is changed has its own.
#[derive(Clone, Default)]
pub struct HumanAnswer(Arc<Shared>);

#[derive(Clone, Default)]
struct Shared {
    given: GivenAnswer,
    reading: Reading,
}

/// What is read of the texts of an answer, once somebody wants it.
#[derive(Clone, Default)]
struct Reading {
    words: OnceLock<Vec<String>>,
    seen: OnceLock<Vec<Seen>>,
    signature: OnceLock<Stems>,
    refers: OnceLock<bool>,
    stands: OnceLock<bool>,
}

impl From<GivenAnswer> for HumanAnswer {
    fn from(given: GivenAnswer) -> Self {
        Self(Arc::new(Shared {
            given,
            reading: Reading::default(),
        }))
    }
}

impl Debug for HumanAnswer {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        self.0.given.fmt(to)
    }
}

impl PartialEq for HumanAnswer {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.given == other.0.given
    }
}

impl<'de> Deserialize<'de> for HumanAnswer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        GivenAnswer::deserialize(from).map(Self::from)
    }
}

impl Deref for HumanAnswer {
    type Target = GivenAnswer;

    fn deref(&self) -> &GivenAnswer {
        &self.0.given
    }
}

impl DerefMut for HumanAnswer {
    fn deref_mut(&mut self) -> &mut GivenAnswer {
        let shared = Arc::make_mut(&mut self.0);
        shared.reading = Reading::default();
        &mut shared.given
    }
}

/// What a [`HumanAnswer`] holds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct GivenAnswer {
    /// The project it was asked in, where answers of several are put together; else empty.
    #[serde(skip)]
    pub project: Arc<str>,
    /// The key it was logged under.
    pub question_key: String,
    /// When the question was asked (UTC).
    pub at: NaiveDateTime,
    /// The day of that moment in the person's time zone.
    pub day: NaiveDate,
    /// The session.
    pub session_id: String,
    /// Which question of the call.
    pub question_index: u32,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
    /// What was offered beside them, where the answer counts for the question without it.
    pub added: Option<String>,
    /// Their descriptions, one an option or none at all; `None` where they were not logged.
    #[serde(deserialize_with = "json")]
    pub descriptions: Option<Vec<String>>,
    /// The digests of their previews, likewise.
    #[serde(deserialize_with = "json")]
    pub previews: Option<Vec<String>>,
    /// The host (`plantune_domain::host`) that it was given at.
    pub tool: Option<String>,
    /// True when it was read from a transcript, and not logged by the hook.
    pub is_imported: bool,
    /// The recommended label without its mark.
    pub recommended: Option<String>,
    /// True when several options could be chosen.
    pub multi_select: bool,
    /// Why this asking was logged as one-way, if it was.
    pub one_way: Option<String>,
    /// The labels chosen, as sent.
    #[serde(deserialize_with = "json")]
    pub labels: Vec<String>,
    /// True when something was typed or noted.
    pub said_more: bool,
    /// What was typed, where nothing was chosen or noted and it is short enough to be read.
    pub typed: Option<String>,
    /// True when the usual answer was shown to the person.
    pub assisted: bool,
    /// The skill or plugin that asked, where it is known.
    pub asker: Option<String>,
    /// Where the preference held whose answer the person took back: of what they took back, which is no answer.
    pub undone: Option<Scope>,
    /// How long the person took, in seconds; `None` where that is not known, or they were away.
    pub human_seconds: Option<f64>,
}

impl HumanAnswer {
    /// The order of time; what happened at once is put in an order that does not depend on how it
    /// was read.
    pub fn in_time(one: &Self, other: &Self) -> Ordering {
        (one.at, one.question_index)
            .cmp(&(other.at, other.question_index))
            .then_with(|| one.session_id.cmp(&other.session_id))
            .then_with(|| one.question_key.cmp(&other.question_key))
            .then_with(|| one.labels.cmp(&other.labels))
            .then_with(|| one.said_more.cmp(&other.said_more))
    }

    /// The words of the part of the question that asks.
    pub(crate) fn words(&self) -> &[String] {
        let words = || family::words(family::asking_part(&self.question));
        self.0.reading.words.get_or_init(words)
    }

    /// The words of what the person read, once for each label that they chose.
    pub(crate) fn seen(&self) -> &[Seen] {
        self.0
            .reading
            .seen
            .get_or_init(|| self.agreed().map(Seen::of).collect())
    }

    /// The words of the question in their order.
    pub(crate) fn signature(&self) -> &Stems {
        (self.0.reading.signature).get_or_init(|| signature(&self.question))
    }

    /// Whether what was answered refers to the question.
    pub(crate) fn refers_to_question(&self) -> bool {
        let commits = |label: &String| commitment(&self.question, label);
        let refers = |label: &String| commits(label) == Commitment::RefersToQuestion;
        let refers = || self.labels.iter().any(refers);
        *self.0.reading.refers.get_or_init(refers)
    }

    /// Whether every label that was chosen says by itself what it does.
    pub(crate) fn stands_alone(&self) -> bool {
        let stands = |label: &String| stands_alone(&self.question, label);
        let stand = || self.labels.iter().all(stands);
        *self.0.reading.stands.get_or_init(stand)
    }

    /// True for a copy of the same answer.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The same number for all copies of one answer, and another for each other one while it is kept.
    pub(crate) fn number(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    pub(crate) fn agreed(&self) -> impl Iterator<Item = Agreed<'_>> {
        fn at(texts: Option<&Vec<String>>, place: Option<usize>) -> &str {
            let text = texts.zip(place).and_then(|(texts, place)| texts.get(place));
            text.map_or("", String::as_str)
        }
        self.labels.iter().map(|label| {
            let mut options = self.options.iter();
            let place = options.position(|other| same_label(label, other));
            Agreed {
                question: &self.question,
                header: self.header.as_deref().unwrap_or_default(),
                label,
                description: at(self.descriptions.as_ref(), place),
                preview: at(self.previews.as_ref(), place),
                descriptions: self.descriptions.as_deref().unwrap_or_default(),
            }
        })
    }

    /// The one label that was chosen.
    pub(crate) fn chosen(&self) -> Option<&str> {
        match self.labels.as_slice() {
            [label] => Some(label),
            _ => None,
        }
    }

    /// The answer without the word that taught it, which says nothing more about the question.
    pub(crate) fn meant(mut self) -> Self {
        if self.said_more && is_taught(&self) {
            self.said_more = false;
        }
        self
    }

    /// The same, put together with those of other projects: it was given in `project`.
    pub(crate) fn of_project(mut self, project: &Arc<str>) -> Self {
        self.project = Arc::clone(project);
        self
    }
}

/// What is known about one question, or one family of questions, of one project.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct KeyEvidence {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `fingerprint` or `family`.
    pub key_source: String,
    /// Of a family: the words that all its texts hold, in their order; none where the options say
    /// enough.
    #[serde(skip)]
    pub template: Option<Vec<String>>,
    /// How often it was asked in the four weeks before it was last asked, that time included, answered
    /// by whomever.
    #[serde(default)]
    pub recent_askings: u64,
    /// The first day that `recent_askings` know of, where that may lie in these four weeks.
    #[serde(skip)]
    pub known_since: Option<NaiveDate>,
    /// The person's answers, the latest forty. With the weights by age, and few that count a day,
    /// earlier ones would change nothing.
    #[serde(skip)]
    pub answers: Vec<HumanAnswer>,
}

impl KeyEvidence {
    /// How often it is asked in a week.
    pub(crate) fn a_week(&self) -> f64 {
        let last = self
            .answers
            .last()
            .map_or(NaiveDate::MAX, |answer| answer.day);
        #[allow(
            clippy::cast_precision_loss,
            reason = "a count of askings is far below 2^52"
        )]
        let askings = self.recent_askings as f64;
        a_week(askings, self.known_since, last)
    }

    /// Its project and key.
    pub(crate) fn name(&self) -> (String, String) {
        (self.project.clone(), self.question_key.clone())
    }
}

/// True for a label that was typed with the word that teaches it (`always: Next area`): the word is for
/// plantune, and says nothing more about the question.
fn is_taught(answer: &HumanAnswer) -> bool {
    let question = SentQuestion {
        options: answer.options.clone(),
        multi_select: Some(answer.multi_select),
        ..SentQuestion::default()
    };
    let typed = Answer {
        free_text: answer.typed.clone(),
        ..Answer::default()
    };
    let option = match Teach::default().lesson(&question, &typed) {
        Some(Lesson::Always(option) | Lesson::AlwaysAsk(Some(option))) => Some(option),
        _ => None,
    };
    let option = option.and_then(|option| answer.options.get(option));
    option.is_some_and(|option| answer.chosen() == Some(option))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::tests::answer;

    #[test]
    fn a_label_that_was_taught_is_an_answer() {
        let mut taught = answer(&["More questions", "Next area"], &["Next area"]);
        for (typed, expected) in [
            ("always: Next area", true),
            ("Immer: next area", false),
            ("always: More questions", false),
            ("Next area, and note that", false),
        ] {
            taught.typed = Some(typed.to_owned());
            assert_eq!(is_taught(&taught), expected, "{typed}");
        }
        taught.typed = None;
        assert!(!is_taught(&taught));
    }
}
