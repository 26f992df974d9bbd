//! What nearly everybody answers alike: what `plantune-fleet adopt --json` writes, and `plantune` takes over.

use serde::{Deserialize, Serialize};

use super::document::{Advice, Period};

/// What there is to take over.
#[derive(Debug, Serialize, Deserialize)]
pub struct Starters {
    /// The version of this schema: 1.
    pub schema_version: u32,
    /// In which days.
    pub period: Period,
    /// At least so many machines agree.
    pub k: u32,
    /// The questions, with their answers.
    pub starters: Vec<Shown>,
}

/// A starter preference, and whether it can be taken over here.
#[derive(Debug, Serialize, Deserialize)]
pub struct Shown {
    /// How many say what.
    #[serde(flatten)]
    pub starter: Starter,
    /// The share (0–1) of people who would answer so, at least.
    pub at_least: f64,
    /// Why it cannot be taken over here; `None` where it can.
    pub obstacle: Option<String>,
}

/// How many machines say the same to a question of a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Starter {
    /// The group: an asker, or the question itself.
    #[serde(rename = "shown_name", skip_serializing, default)]
    pub group: String,
    /// The question's key, as it is published; what is shown is the one on this machine, where it was asked here.
    pub question_key: String,
    /// The name that a registry gives it, where a machine published that.
    pub label: Option<String>,
    /// The answer's keyed hash.
    pub answer_hash: String,
    /// The answer in clear, where a machine published that or this one has seen it.
    pub answer: Option<String>,
    /// Machines of which at least three of four answers are this one.
    pub agreeing: u64,
    /// All machines that answered.
    pub machines: u64,
    /// How often this answer was given, of `answers`.
    pub times: u64,
    /// All answers.
    pub answers: u64,
    /// The time that people spent answering it, in seconds.
    #[serde(skip_serializing, default)]
    pub human_seconds: f64,
}

impl From<Starter> for Advice {
    fn from(voice: Starter) -> Self {
        Self {
            agreement: voice.times as f64 / voice.answers.max(1) as f64,
            asker: voice.group,
            question_key: voice.question_key,
            label: voice.label,
            answer_hash: voice.answer_hash,
            answer: voice.answer,
            machines: voice.machines,
            answers: voice.answers,
            human_seconds: voice.human_seconds,
        }
    }
}
