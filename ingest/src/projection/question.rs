//! What the events about one question say together. Pure: where events come from and where the question
//! goes is not known here.
//!
//! Of several events of a kind one wins, by an order that does not depend on which was read first, and
//! each kind fills its own fields. So merging is commutative, associative and idempotent: events may be
//! applied in any order, and twice.

use std::borrow::Cow;

use plantune_domain::event::{Event, Text};
use plantune_domain::recommended::strip_mark;

use super::words;

/// The kinds of events about a question, by rank: the description is taken from the first there is.
pub(crate) const KINDS: [&str; 5] = ["asked", "auto_decided", "answered", "dismissed", "failed"];

/// What describes a question. The order of the fields is the order that decides which event describes
/// it: the kind's rank first; of two that ask, the hook's before an import's; then the earlier one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Description<'a> {
    pub(crate) rank: u8,
    pub(crate) is_imported_asking: bool,
    /// Microseconds since 1970, UTC, as all times here.
    pub(crate) ts: i64,
    pub(crate) session_id: &'a str,
    pub(crate) session_kind: &'a str,
    pub(crate) project: &'a str,
    pub(crate) source: &'a str,
    pub(crate) question_count: Option<u32>,
    pub(crate) question_key: &'a str,
    pub(crate) key_source: &'a str,
    pub(crate) question: &'a str,
    pub(crate) header: Option<&'a str>,
    pub(crate) options: Option<Cow<'a, str>>,
    pub(crate) recommended: Option<&'a str>,
    pub(crate) multi_select: Option<bool>,
    pub(crate) door: &'a str,
    pub(crate) door_reason: Option<&'a str>,
    pub(crate) skill: Option<&'a str>,
}

/// The fields of an `asked` event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked<'a> {
    pub(crate) is_imported: bool,
    pub(crate) ts: i64,
    pub(crate) reason: Option<&'a str>,
    pub(crate) detail: Option<&'a str>,
    pub(crate) spot_check_answer: Option<Cow<'a, str>>,
    pub(crate) spot_check_preference: Option<&'a str>,
    pub(crate) spot_check_scope: Option<&'a str>,
}

/// The fields of an `auto_decided` event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AutoDecided<'a> {
    pub(crate) ts: i64,
    pub(crate) answer: Option<Cow<'a, str>>,
    pub(crate) preference: Option<&'a str>,
    pub(crate) preference_scope: Option<&'a str>,
    pub(crate) mechanism: Option<&'a str>,
    pub(crate) reason: Option<&'a str>,
}

/// The fields of an `answered` event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Answered<'a> {
    pub(crate) ts: i64,
    pub(crate) answer: Option<Cow<'a, str>>,
    /// What the answer is counted by.
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) free_text: Option<&'a str>,
    pub(crate) notes: Option<&'a str>,
    pub(crate) was_auto_decided: Option<bool>,
    pub(crate) followed_recommendation: Option<bool>,
}

/// The fields of a `dismissed` event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dismissed<'a> {
    pub(crate) ts: i64,
    pub(crate) reason: Option<&'a str>,
}

/// The fields of a `failed` event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Failed<'a> {
    pub(crate) ts: i64,
    pub(crate) error_kind: Option<&'a str>,
    pub(crate) error: Option<&'a str>,
}

/// How a question ended, as far as its own events say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Open,
    Answered,
    AutoDecided,
    Failed,
    Dismissed,
}

impl Outcome {
    /// The word in the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered => "answered",
            Self::AutoDecided => "auto_decided",
            Self::Failed => "failed",
            Self::Dismissed => "dismissed",
        }
    }
}

/// One question of one call, as some events describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question<'a> {
    pub(crate) tool_use_id: &'a str,
    pub(crate) index: u32,
    pub(crate) description: Description<'a>,
    pub(crate) asked: Option<Asked<'a>>,
    pub(crate) auto_decided: Option<AutoDecided<'a>>,
    pub(crate) answered: Option<Answered<'a>>,
    pub(crate) dismissed: Option<Dismissed<'a>>,
    pub(crate) failed: Option<Failed<'a>>,
}

impl<'a> Question<'a> {
    /// The question that `event` (logged at `ts`) is about; `None` for an event that is about none.
    pub(crate) fn of(event: &'a Event<'_>, ts: i64) -> Option<Self> {
        let rank = KINDS.iter().position(|kind| *kind == &*event.kind)?;
        let (tool_use_id, index) = identity(event)?;
        let is_imported = event.source.starts_with("import");
        let mut question = Self {
            tool_use_id,
            index,
            description: Description {
                rank: rank as u8,
                is_imported_asking: rank == 0 && is_imported,
                ts,
                session_id: &event.session_id,
                session_kind: words::session_kind(&event.session_kind),
                project: &event.project,
                source: &event.source,
                question_count: event.question_count,
                question_key: event.question_key.as_deref()?,
                key_source: words::key_source(event.key_source.as_deref()),
                question: event.question.as_deref().unwrap_or_default(),
                header: event.header.as_deref(),
                options: event.options.as_deref().map(labels),
                recommended: event.recommended.as_deref(),
                multi_select: event.multi_select,
                door: words::door(event.door.as_deref()),
                door_reason: event.door_reason.as_deref(),
                skill: event.skill.as_deref(),
            },
            asked: None,
            auto_decided: None,
            answered: None,
            dismissed: None,
            failed: None,
        };
        match rank {
            0 => {
                question.asked = Some(Asked {
                    is_imported,
                    ts,
                    reason: event.ask_reason.as_deref().map(words::ask_reason),
                    detail: event.reason.as_deref(),
                    spot_check_answer: event.answer.as_deref().map(labels),
                    spot_check_preference: event.preference.as_deref(),
                    spot_check_scope: event.preference_scope.as_deref(),
                });
            }
            1 => {
                question.auto_decided = Some(AutoDecided {
                    ts,
                    answer: event.answer.as_deref().map(labels),
                    preference: event.preference.as_deref(),
                    preference_scope: event.preference_scope.as_deref(),
                    mechanism: event.mechanism.as_deref(),
                    reason: event.reason.as_deref(),
                });
            }
            2 => {
                question.answered = Some(Answered {
                    ts,
                    answer: event.answer.as_deref().map(labels),
                    name: answer_name(event),
                    free_text: event.free_text.as_deref(),
                    notes: event.notes.as_deref(),
                    was_auto_decided: event.was_auto_decided,
                    followed_recommendation: event.followed_recommendation.flatten(),
                });
            }
            3 => {
                question.dismissed = Some(Dismissed {
                    ts,
                    reason: event.reason.as_deref(),
                });
            }
            _ => {
                question.failed = Some(Failed {
                    ts,
                    error_kind: event.error_kind.as_deref(),
                    error: event.error.as_deref(),
                });
            }
        }
        Some(question)
    }

    /// What both say together, of the same question.
    pub(crate) fn merge(&mut self, other: Self) {
        if other.description < self.description {
            self.description = other.description;
        }
        keep_first(&mut self.asked, other.asked);
        keep_first(&mut self.auto_decided, other.auto_decided);
        keep_first(&mut self.answered, other.answered);
        keep_first(&mut self.dismissed, other.dismissed);
        keep_first(&mut self.failed, other.failed);
    }

    /// When it came up: the time of its first event in the order of [`KINDS`].
    pub(crate) fn ts(&self) -> i64 {
        self.description.ts
    }

    /// How the question ended. One that nothing came of is open here; that its session went on without
    /// it is found out in the store.
    pub(crate) fn outcome(&self) -> Outcome {
        let was_auto_decided = self
            .answered
            .as_ref()
            .and_then(|answered| answered.was_auto_decided);
        if was_auto_decided == Some(false) && self.was_answered_otherwise() {
            Outcome::Answered
        } else if self.auto_decided.is_some() || was_auto_decided == Some(true) {
            Outcome::AutoDecided
        } else if self.answered.is_some() {
            Outcome::Answered
        } else if self.failed.is_some() {
            Outcome::Failed
        } else if self.dismissed.is_some() {
            Outcome::Dismissed
        } else {
            Outcome::Open
        }
    }

    /// True when somebody gave another answer than the preference: then the answer is theirs.
    fn was_answered_otherwise(&self) -> bool {
        let decided = self
            .auto_decided
            .as_ref()
            .and_then(|decided| decided.answer.as_deref());
        let answered = self
            .answered
            .as_ref()
            .and_then(|answered| answered.name.as_deref());
        decided
            .zip(answered)
            .is_some_and(|(decided, answered)| name_of_labels(decided) != answered)
    }

    /// From asked to answered in seconds, shared among the questions of the call; `None` for what no
    /// person answered.
    pub(crate) fn human_seconds(&self) -> Option<f64> {
        let (asked, answered) = (self.asked.as_ref()?, self.answered.as_ref()?);
        (self.outcome() == Outcome::Answered && answered.ts >= asked.ts).then(|| {
            let count = self.description.question_count.unwrap_or(1).max(1);
            (answered.ts - asked.ts) as f64 / 1_000_000.0 / f64::from(count)
        })
    }
}

/// The call and the index that identify the question that `event` is about.
pub(crate) fn identity<'e>(event: &'e Event<'_>) -> Option<(&'e str, u32)> {
    Some((event.tool_use_id.as_deref()?, event.question_index?))
}

/// Finds a question's row: FNV-1a, 64 bits, of the call and the index. Two questions may share one; what
/// tells them apart are the call and the index themselves.
pub(crate) fn row_id(tool_use_id: &str, index: u32) -> u64 {
    let bytes = tool_use_id.bytes().chain(index.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn keep_first<T: Ord>(one: &mut Option<T>, other: Option<T>) {
    *one = one.take().into_iter().chain(other).min();
}

/// Labels as the store has them: a JSON array.
pub(crate) fn labels<'a>(labels: &[Text<'_>]) -> Cow<'a, str> {
    // Writing strings to memory cannot fail.
    Cow::Owned(serde_json::to_string(labels).unwrap_or_default())
}

/// What an answer is counted by: the labels without marks of recommendation, joined, or `(typed)` or
/// `(noted)`.
fn answer_name<'e>(event: &'e Event<'_>) -> Option<Cow<'e, str>> {
    match event.answer.as_deref() {
        Some([]) | None if event.free_text.is_some() => Some("(typed)".into()),
        Some([]) => Some("(noted)".into()),
        Some([label]) => Some(strip_mark(label).0.into()),
        Some(labels) => Some(joined(labels.iter().map(|label| &**label)).into()),
        None => None,
    }
}

fn name_of_labels(json: &str) -> String {
    let labels: Vec<String> = serde_json::from_str(json).unwrap_or_default();
    if labels.is_empty() {
        return "(noted)".to_owned();
    }
    joined(labels.iter().map(String::as_str))
}

fn joined<'l>(labels: impl Iterator<Item = &'l str>) -> String {
    labels
        .map(|label| strip_mark(label).0)
        .collect::<Vec<_>>()
        .join(", ")
}
