//! What a verb gives back: a text to print, and what it found out on its way.

use std::collections::BTreeMap;

use plantune_domain::teach::Habit;
use plantune_reports::standing::StandingPreference;
use plantune_reports::terminal::Show;
use plantune_reports::text::json_document;
use serde::Serialize;

use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::ScreenText;

/// What a verb gives back. A verb that talks with the person, or that writes as it reads, has printed that already.
#[derive(Default)]
#[must_use]
pub struct Document {
    pub(crate) text: ScreenText,
    pub(crate) findings: Findings,
    /// What is wrong all the same: reported after the text, with its exit code.
    pub(crate) failure: Option<Failure>,
}

impl Document {
    /// `text` for a person.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: ScreenText::ForPeople(text.into()),
            ..Self::default()
        }
    }

    /// `text` as it is.
    pub fn exact(text: impl Into<String>) -> Self {
        Self {
            text: ScreenText::Exact(text.into()),
            ..Self::default()
        }
    }

    /// `document` as JSON, with the version of its schema.
    ///
    /// # Errors
    /// The errors of the serialiser; none is known.
    pub fn json(document: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self::exact(json_document(document)?))
    }

    /// `document` as JSON for scripts, else as text for a person.
    ///
    /// # Errors
    /// The errors of [`json`](Self::json).
    pub(crate) fn of(
        document: &(impl Serialize + Show),
        json: bool,
        session: &Session,
    ) -> Result<Self, Failure> {
        if json {
            return Self::json(document);
        }
        let mut out = session.terminal();
        document.show(&mut out);
        Ok(Self::text(out.into_text()))
    }

    /// Nothing more to print; whether preferences were changed.
    pub(crate) fn after_change(is_changed: bool) -> Self {
        Self::default().with(Findings {
            is_outdated: is_changed,
            ..Findings::default()
        })
    }

    /// The same, which is shown before the verb fails with `failure`.
    pub(crate) fn but(self, failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..self
        }
    }

    /// The same with `findings`.
    pub(crate) fn with(self, findings: Findings) -> Self {
        Self { findings, ..self }
    }
}

/// What a verb found out that the hook, the status line and shells are left, which open no store; `None` for what it was
/// not asked.
#[derive(Default)]
pub(crate) struct Findings {
    /// How every preference stands.
    pub(crate) standing: Option<Vec<StandingPreference>>,
    /// The proposals.
    pub(crate) proposed: Option<LeftProposals>,
    /// The seconds that were saved in the last seven days, in all projects.
    pub(crate) seconds_saved: Option<f64>,
    /// True when the verb changed a preference: what was proposed before is no longer so.
    pub(crate) is_outdated: bool,
}

/// The proposals, as far as others need them.
pub(crate) struct LeftProposals {
    /// The project that was asked about; `None` for all.
    pub(crate) project: Option<String>,
    /// The habits that would be answered, by project.
    pub(crate) habits: BTreeMap<String, Vec<Habit>>,
    /// How many proposals wait.
    pub(crate) waiting: u64,
}
