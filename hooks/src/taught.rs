//! Preferences that the person sets in the dialog itself: from now on this label, or always ask. The one place where
//! the hook writes a preference.

use std::path::PathBuf;
use std::slice;

use plantune_agents::HookReply;
use plantune_domain::agreement::agreement::{Agreement, Given};
use plantune_domain::answer::Answer;
use plantune_domain::event::{AskReason, ChangeReason, Event, Kind, WhyAsked};
use plantune_domain::json::Text;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::{
    Level, Policy, Preference, PreferenceFile, Scope, Setter, try_hold,
};
use plantune_domain::question::{Question, texts};
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::registry::Registry;
use plantune_domain::state::{State, count_file, counted};
use plantune_domain::teach::{Lesson, lesson};
use plantune_domain::wire::SentQuestion;
use plantune_domain::{atomic_file, clock, gate, hash};
use serde_json::json;

use crate::call::{CallError, HookCall, event_lines};
use crate::marks::CallMark;
use crate::{marks, messages};

/// An answer that teaches something.
pub(crate) struct Taught {
    lesson: Lesson,
    /// The label that the person means, if any.
    labels: Vec<String>,
    /// The words as typed or noted.
    words: String,
}

/// The lesson of `answer` about the question `sent`, if it is the person's own: typed into the agent's own
/// dialog, in a session in which they answer themselves.
pub(crate) fn read(
    call: &HookCall<'_>,
    mark: Option<&CallMark>,
    sent: &SentQuestion,
    answer: &Answer,
) -> Option<Taught> {
    let words = answer.free_text.as_ref().or(answer.notes.as_ref())?;
    // A preference is only set this way where the person sees a message about it.
    let is_person = call.is_in_dialog()
        && call.environment.agent.profile().tells_person_afterwards
        && !call.sent.tool_use_id().is_empty()
        && !mark.is_some_and(|mark| mark.has_answers);
    if !is_person || call.environment.disabled {
        return None;
    }
    // A mistake in the configuration is logged when a question comes, not here.
    let config = call.config().ok()?;
    if !config.enabled || !config.teach {
        return None;
    }
    let lesson = lesson(sent, answer)?;
    let label = match lesson {
        Lesson::Always(option) | Lesson::AlwaysAsk(Some(option)) => sent.options.get(option),
        Lesson::AlwaysAsk(None) | Lesson::NoSuchOption => None,
    };
    Some(Taught {
        lesson,
        words: words.clone(),
        labels: label.cloned().into_iter().collect(),
    })
}

impl Taught {
    /// True if the answer counts as the label that it names.
    pub(crate) fn names_a_label(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Replaces the typed words in `event` by the label that the person means.
    pub(crate) fn describe<'e>(&'e self, question: &Question, event: &mut Event<'e>) {
        let answer = Answer {
            labels: self.labels.clone(),
            ..Answer::default()
        };
        event.answer = Some(texts(&self.labels));
        event.followed_recommendation = Some(answer.followed(question.recommended_label()));
    }

    /// Sets the preference for `question`, numbered `index` in its call, and adds the messages about it.
    pub(crate) fn apply(
        &self,
        call: &HookCall<'_>,
        question: &Question,
        index: usize,
        project: &str,
        messages: &mut HookReply<'_>,
    ) {
        let lesson = Learned {
            call,
            question,
            index,
            project,
            words: &self.words,
        };
        let label = self.labels.first().map(String::as_str);
        let for_user = match (self.lesson, label) {
            (Lesson::Always(_), Some(label)) => lesson.always(label),
            (Lesson::AlwaysAsk(_), _) => lesson.always_ask(),
            (Lesson::Always(_) | Lesson::NoSuchOption, _) => {
                Some(messages::teaches_nothing(question))
            }
        };
        messages.for_user.extend(for_user);
        let for_model = match (self.lesson, label) {
            (Lesson::NoSuchOption, _) => None,
            (_, Some(label)) => Some(messages::label_is_meant(label)),
            (_, None) => Some(messages::nothing_is_chosen()),
        };
        messages.for_model.extend(for_model);
    }
}

/// A lesson about one question.
struct Learned<'a> {
    call: &'a HookCall<'a>,
    question: &'a Question,
    index: usize,
    project: &'a str,
    words: &'a str,
}

/// Why nothing was written, in words for the user; `None` if the other hook that is registered for this call has
/// done it.
type NotWritten = Option<String>;

impl Learned<'_> {
    /// Sets a preference on trial for `label`; returns the message for the user.
    fn always(&self, label: &str) -> Option<String> {
        let question = Question {
            tool: Some(self.call.sent.tool_name().to_owned()),
            ..self.question.clone()
        };
        let given = Given {
            asking: question.asking(),
            label,
            session: self.call.sent.session_id(),
        };
        let preference = Preference {
            answer: Some(strip_mark(label).0.to_owned()),
            level: Some(Level::Trial),
            agreement: self.agreement(&question, given),
            ..self.preference(Policy::NeverAsk)
        };
        let written = self
            .check(&question, &preference)
            .and_then(|obstacle| match obstacle {
                Some(obstacle) => Ok(Some(obstacle)),
                None => self.write(&preference).map(|()| None),
            });
        match written {
            Ok(None) => Some(messages::taught_always(self.question, label, self.project)),
            Ok(Some(stands)) => Some(stands),
            Err(why) => Some(messages::not_taught(self.question, &why?)),
        }
    }

    /// The agreement to `given`, in addition to what the project's preference for the same label covers already.
    fn agreement(&self, question: &Question, given: Given<'_>) -> Option<Agreement> {
        let standing = self
            .call
            .standing_preferences(slice::from_ref(question), self.project);
        let standing = standing.unwrap_or_default().into_iter().flatten();
        let mut own = standing.filter(|(scope, _)| *scope == Scope::Project);
        let known = own.find_map(|(_, entry)| {
            let answer = entry.answer.as_deref()?;
            same_label(answer, given.label).then_some(entry.agreement)?
        });
        match known {
            Some(known) => Some(known.with(given)),
            None => Agreement::exactly(&[given]),
        }
    }

    /// Sets the question to always ask; returns the message for the user.
    fn always_ask(&self) -> Option<String> {
        match self.write(&self.preference(Policy::AlwaysAsk)) {
            Ok(()) => Some(messages::taught_always_ask(self.question, self.project)),
            Err(why) => Some(messages::not_taught(self.question, &why?)),
        }
    }

    /// A preference for exactly what the person has seen.
    fn preference(&self, policy: Policy) -> Preference {
        let Question { sent, text, .. } = self.question;
        Preference {
            key_source: Some(self.question.key_source.as_str().to_owned()),
            question: Some(text.clone()),
            header: sent.header.clone(),
            options: Some(sent.options.clone()),
            set_at: Some(clock::timestamp(self.call.environment.now)),
            set_by: Some(Setter::Dialog.as_str().to_owned()),
            evidence: Some(json!({
                "taught": self.words,
                "tool_use_id": self.call.sent.tool_use_id(),
            })),
            ..Preference::of(policy)
        }
    }

    /// Checks that `preference` would answer `question` from now on. Returns the message if an existing one
    /// says the same already.
    ///
    /// # Errors
    /// Why it would not.
    fn check(
        &self,
        question: &Question,
        preference: &Preference,
    ) -> Result<Option<String>, NotWritten> {
        let because = |why: &str| Some(why.to_owned());
        let Some(registry) = self.call.registry() else {
            return Err(because("registry.toml cannot be read"));
        };
        may_answer(question, preference, &registry)?;
        let standing = self
            .call
            .standing_preferences(slice::from_ref(question), self.project)
            .map_err(Some)?;
        for (scope, entry) in standing.iter().flatten() {
            let is_own = *scope == Scope::Project;
            let covers = entry.covers(&question.asking()).is_ok();
            let same = match (&entry.answer, &preference.answer) {
                (Some(one), Some(other)) => same_label(one, other),
                _ => false,
            };
            if entry.preference.answers() && covers && same {
                let on_trial = entry.level() == Level::Trial;
                if counted(&self.count(*scope, entry), on_trial).state == State::On {
                    return Ok(Some(messages::stands_already(
                        question,
                        entry,
                        *scope,
                        self.project,
                    )));
                }
                continue;
            }
            let asks = entry.preference == Policy::AlwaysAsk;
            let obstructs = match is_own {
                // The project has one preference per key, so this one would be replaced. It must not be if it gives
                // another answer to other wordings: the person does not see them here.
                true => !asks && !covers && !same,
                false => asks || entry.preference.answers() && covers,
            };
            if obstructs {
                return Err(Some(messages::in_the_way(
                    &question.key,
                    *scope,
                    self.project,
                )));
            }
        }
        Ok(None)
    }

    /// The file that counts the calls of `entry`, a preference in `scope`.
    fn count(&self, scope: Scope, entry: &Preference) -> PathBuf {
        let paths = &self.call.environment.paths;
        let set_at = entry.set_at.as_deref();
        count_file(paths, scope, self.project, &self.question.key, set_at)
    }

    /// Writes `preference` into the file of the project, and logs it before it takes effect.
    ///
    /// # Errors
    /// Why not; the file is then unchanged.
    fn write(&self, preference: &Preference) -> Result<(), NotWritten> {
        let paths = &self.call.environment.paths;
        let failed = |error: std::io::Error| Some(error.to_string());
        let (session, id) = (self.call.sent.session_id(), self.call.sent.tool_use_id());
        if !marks::claim(paths, session, id, self.index) {
            return Err(None);
        }
        // The hook does not wait for the lock: the person can set the preference again.
        let Some(_lock) = try_hold(paths.config()).map_err(failed)? else {
            let busy = "another plantune command is changing preferences at this moment";
            return Err(Some(busy.to_owned()));
        };
        let path = paths.project_preferences(self.project);
        let mut file = PreferenceFile::load(&path)
            .map_err(Some)?
            .unwrap_or_else(|| PreferenceFile::empty(Some(self.project)));
        file.set(&self.question.key, preference.clone());
        let bytes = file
            .to_bytes()
            .map_err(std::io::Error::from)
            .map_err(failed)?;
        if let Some(folder) = path.parent() {
            create_private_dir(folder).map_err(failed)?;
        }
        let staged = atomic_file::stage(&path, &bytes, 0o600).map_err(failed)?;
        self.log(preference)
            .map_err(|error| Some(error.to_string()))?;
        staged.put_in_place().map_err(failed)
    }

    fn log(&self, preference: &Preference) -> Result<(), CallError> {
        let kind = Kind::PreferenceChanged;
        let mut event = self.call.event(kind, self.project);
        let (id, index) = (self.call.sent.tool_use_id(), self.index.to_string());
        event.id = hash::hex(&[kind.as_str(), id, &index]).into();
        event.source = Setter::Dialog.as_str().into();
        event.reason = Some(ChangeReason::Dialog.as_str().into());
        event.question_key = Some(self.question.key.as_str().into());
        event.key_source = preference.key_source.as_deref().map(Text::from);
        event.question = Some(self.question.text.as_str().into());
        event.header = preference.header.as_deref().map(Text::from);
        event.options = Some(texts(&self.question.sent.options));
        event.answer = preference.answer.as_deref().map(|label| vec![label.into()]);
        event.preference = Some(preference.preference.as_str().into());
        event.preference_scope = Some(Scope::Project.as_str().into());
        event.level = preference.level.map(|level| level.as_str().into());
        let detail = json!({"taught": self.words, "tool_use_id": id}).to_string();
        event.detail = Some(detail.into());
        self.call.append(&event_lines([event])?)
    }
}

/// Checks that `preference` would answer the very question that it was set for.
///
/// # Errors
/// Why not, in words.
fn may_answer(
    question: &Question,
    preference: &Preference,
    registry: &Registry,
) -> Result<(), NotWritten> {
    let why = match gate::check_preference(&question.key, preference, registry) {
        Err(refusal) => match refusal.door_reason() {
            Some(reason) => one_way(reason),
            None => refusal.to_string(),
        },
        Ok(()) => {
            let standing = [(Scope::Project, preference.clone())];
            let Err(WhyAsked { reason, because }) = gate::answer(question, &standing, registry)
            else {
                return Ok(());
            };
            let what = because.unwrap_or_default();
            match reason {
                AskReason::OneWay => one_way(question.door_reason.as_deref().unwrap_or(&what)),
                AskReason::Split => gate::Refusal::Split.to_string(),
                _ => format!("it is unclear what it would answer ({what})"),
            }
        }
    };
    Err(Some(why))
}

fn one_way(reason: &str) -> String {
    format!("its answer can't be undone ({reason})")
}
