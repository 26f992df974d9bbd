//! Who is at work: the slash command of the last prompt, or the skill that was started since.

use serde::{Deserialize, Serialize};

use super::wire::{Line, Prompt};

/// Who is at work in the main conversation of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AtWork {
    /// As it is written there: `/gsd:discuss-phase`, `superpowers:brainstorming`.
    name: Option<String>,
    /// The session: lines of several can stand in one file.
    session: Option<String>,
    /// True when a question of its own was left without an answer: a prompt then is the reply.
    pub(super) awaits_reply: bool,
}

impl AtWork {
    /// Takes in a line of the transcript.
    pub(super) fn take(&mut self, line: Line<'_>) {
        if line.is_sidechain() {
            return;
        }
        match line.prompt() {
            Some(Prompt::Command(name)) => *self = Self::of(name, line),
            Some(Prompt::Text) if !self.awaits_reply => *self = Self::default(),
            _ => {}
        }
        if let Some(skill) = line.started_skill() {
            *self = Self::of(skill, line);
        }
    }

    fn of(name: &str, line: Line<'_>) -> Self {
        Self {
            name: Some(name.to_owned()),
            session: line.session_id().map(str::to_owned),
            awaits_reply: false,
        }
    }

    /// Who made the call of `line`: whom it names, else who is at work. A command that was typed is named with its
    /// slash, also where the host leaves that out.
    pub(super) fn asker(&self, line: Line<'_>) -> Option<String> {
        let is_its = !line.is_sidechain() && line.session_id() == self.session.as_deref();
        let name = self.name.clone().filter(|_| is_its);
        let is_typed = |skill: &String| {
            let command = name.as_ref().and_then(|name| name.strip_prefix('/'));
            command == Some(skill.as_str())
        };
        match line.skill() {
            Some(skill) if !is_typed(&skill) => Some(skill),
            _ => name.or(line.agent().map(str::to_owned)),
        }
    }
}
