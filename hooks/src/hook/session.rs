//! What is done at the start and end of a session, and at the end of a turn.

use std::path::Path;
use std::time::SystemTime;

use super::{Hook, Printed};
use crate::announce::announcement;
use crate::wire::{context_for_model, message_for_user};
use crate::{marks, turn};
use plantune_domain::config::Config;
use plantune_domain::event::{Kind, Text};
use plantune_domain::hash;
use plantune_domain::project::project_key;

impl Hook<'_> {
    pub(super) fn session_started(&self) -> Printed {
        marks::sweep(
            &self.surroundings.paths,
            SystemTime::from(self.surroundings.now),
        );
        self.log_session(Kind::SessionStarted)?;
        self.announcement()
    }

    /// The standing preferences for the model, where the person wants it to have them.
    fn announcement(&self) -> Printed {
        let paths = &self.surroundings.paths;
        // What is wrong with the configuration is logged when a question comes.
        let config = Config::load(&paths.config_file()).unwrap_or_default();
        if !config.announce || !config.enabled || self.surroundings.disabled {
            return Ok(None);
        }
        let Some(registry) = self.registry() else {
            return Ok(None);
        };
        let project = project_key(Path::new(self.call.cwd()));
        let mine = paths.project_preferences(&project);
        let told = announcement(&[&mine, &paths.global_preferences()], &registry)?;
        Ok(told.map(|told| context_for_model(self.call.event_name(), &told)))
    }

    /// The line about what was answered since the last time. It never blocks, so it does not matter
    /// whether another hook has kept the turn going (`stop_hook_active`).
    pub(super) fn turn_ended(&self) -> Option<String> {
        let paths = &self.surroundings.paths;
        let told = turn::take(paths, self.call.session_id())?;
        let config = Config::load(&paths.config_file()).unwrap_or_default();
        config.tell_at_stop.then(|| message_for_user(&told))
    }

    pub(super) fn session_ended(&self) -> Printed {
        marks::forget(&self.surroundings.paths, self.call.session_id());
        self.log_session(Kind::SessionEnded)?;
        Ok(None)
    }

    fn log_session(&self, kind: Kind) -> Result<(), String> {
        let project = project_key(Path::new(self.call.cwd()));
        let mut event = self.event(kind, &project);
        let reason = self.call.session_reason();
        event.reason = reason.map(Text::from);
        // A hook registered twice logs one event: the same second means the same start.
        let second = self.surroundings.now.timestamp().to_string();
        let parts = [
            kind.name(),
            self.call.session_id(),
            reason.unwrap_or_default(),
            &second,
        ];
        event.id = hash::hex(&parts).into();
        self.append_event(&event)
    }
}
