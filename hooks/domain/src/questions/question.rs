//! A question as plantune sees it: the sent question, and its key.

use crate::agreement::act::Act;
use crate::agreement::agreement::{Asking, preview_digest};
use crate::agreement::read::{ReadAsking, act_of};
use crate::doors::Door;
use crate::event::{AskReason, Event};
use crate::json::Text;
pub use crate::keys::KeySource;
use crate::keys::{key_of, take_markers};
use crate::recommended::{marked, recommended, strip_mark};
use crate::registry::{QuestionRule, Registry};
use crate::wire::{SentQuestion, mask};

/// One question of a call, identified.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question as sent, without its secrets. This is logged and compared.
    pub sent: SentQuestion,
    /// The question as sent, if it has secrets.
    pub as_sent: Option<Box<SentQuestion>>,
    /// The text without its marker, after the additional texts of a form. All of it is read before an answer.
    pub text: String,
    /// The key that identifies the question over time.
    pub key: String,
    /// How the key was found.
    pub key_source: KeySource,
    /// The host ([`crate::host`]) of the tool that asks; `None` if not known.
    pub tool: Option<String>,
    /// True if its text has markers with different ids, so that its key is a guess.
    pub has_several_ids: bool,
    /// The digests of the options' previews, which are compared and logged.
    pub preview_digests: Vec<String>,
    /// The index of the recommended option, when there is exactly one.
    pub recommended: Option<usize>,
    /// Why the answer can't be undone, judging by question, header and the recommended option; `None` if it can.
    pub door_reason: Option<String>,
}

impl Question {
    /// Identifies `sent` by marker, otherwise by registry, otherwise by its options or its text.
    pub fn identify(sent: SentQuestion, registry: &Registry) -> Self {
        let (marker, has_several_ids, mut text) = take_markers(&sent.text);
        if !sent.context.is_empty() {
            text = format!("{}\n\n{text}", sent.context);
        }
        // The hook and imports get the same key, and a logged key does not reveal a secret.
        let (sent, as_sent) = match sent.masked() {
            Some(masked) => (masked, Some(Box::new(sent))),
            None => (sent, None),
        };
        match &as_sent {
            // Most texts have no marker.
            Some(as_sent) if as_sent.text == text => text.clone_from(&sent.text),
            Some(_) => drop(mask(&mut text)),
            None => {}
        }
        let header = sent.header.as_deref();
        let (key, key_source) = match marker {
            Some(id) => (id, KeySource::Marker),
            None => match registry.key_of(&text, header, &sent.options) {
                Some(key) => (key.to_owned(), KeySource::Registry),
                None => key_of(&text, &sent.options),
            },
        };
        let recommended = recommended(&text, &sent.options);
        let preview_digests = sent.previews.iter().map(|text| preview_digest(text));
        let mut question = Self {
            preview_digests: preview_digests.collect(),
            tool: None,
            sent,
            as_sent,
            text,
            key,
            key_source,
            has_several_ids,
            recommended,
            door_reason: None,
        };
        question.door_reason = question.one_way_reason(&question.sent, &question.text, registry);
        if let (None, Some(sent)) = (&question.door_reason, &question.as_sent) {
            // The rules see the text without masks. The reason that they find is logged, so it is masked.
            question.door_reason = question.one_way_reason(sent, &sent.text, registry);
            question.door_reason.as_mut().map(mask);
        }
        question
    }

    /// The text exactly as it was sent.
    pub fn text_as_sent(&self) -> &str {
        &self.as_sent.as_deref().unwrap_or(&self.sent).text
    }

    /// `label`, one of the options, exactly as it was sent; `None` if it cannot be distinguished from another one.
    pub fn label_as_sent<'a>(&'a self, label: &'a str) -> Option<&'a str> {
        let Some(as_sent) = &self.as_sent else {
            return Some(label);
        };
        let mut same = (0..)
            .zip(&self.sent.options)
            .filter(|(_, other)| *other == label);
        match (same.next(), same.next()) {
            (Some((at, _)), None) => as_sent.options.get(at).map(String::as_str),
            _ => None,
        }
    }

    /// Whether the answer can be undone.
    pub fn door(&self) -> Door {
        match self.door_reason {
            Some(_) => Door::OneWay,
            None => Door::TwoWay,
        }
    }

    /// Why it is asked without a preference: because its answer can't be undone, or just because there is no
    /// preference.
    ///
    /// The door is that of the recommended answer. Without a recommendation, it is that of the question's proposal,
    /// which counts only if one of the answers accepts the proposal, or if a rule sets the door.
    pub fn unanswered_reason(&self) -> AskReason {
        let accepts = |label: &String| act_of(&self.text, label) == Act::Refers;
        match &self.door_reason {
            Some(reason)
                if self.recommended.is_some()
                    || reason.starts_with(QuestionRule::REASON)
                    || self.sent.options.iter().any(accepts) =>
            {
                AskReason::OneWay
            }
            _ => AskReason::NoPreference,
        }
    }

    /// Why the question, header and recommended option in `sent` and `text` make it one-way; `None` if they do not.
    fn one_way_reason(
        &self,
        sent: &SentQuestion,
        text: &str,
        registry: &Registry,
    ) -> Option<String> {
        let header = sent.header.as_deref();
        let options = &sent.options;
        if let Some(rule) = registry.one_way_rule(&self.key, text, header, options) {
            return Some(rule.reason());
        }
        let beside = |texts| beside(texts, self.recommended).unwrap_or_default();
        let read = ReadAsking::of(
            text,
            header.unwrap_or_default(),
            beside(options),
            beside(&sent.descriptions),
            beside(&sent.previews),
        );
        let is_opened = registry.opens(&self.key, text, header, options);
        read.never(is_opened).map(str::to_owned)
    }

    /// The text of the option `label` in `texts`, which has one per option or none at all.
    pub(crate) fn of_label<'a>(&self, label: &str, texts: &'a [String]) -> &'a str {
        let place = self.sent.options.iter().position(|other| other == label);
        place
            .and_then(|place| texts.get(place))
            .map_or("", String::as_str)
    }

    /// The recommended label as sent.
    pub fn recommended_label(&self) -> Option<&str> {
        self.sent.options.get(self.recommended?).map(String::as_str)
    }

    /// True if no other one of `questions`, those of its call, has the same text: answers are matched by text.
    pub fn is_alone_in(&self, questions: &[Self]) -> bool {
        let same = |other: &&Self| other.sent.text == self.sent.text;
        questions.iter().filter(same).count() == 1
    }

    /// The recommended label as sent.
    ///
    /// # Errors
    /// The reason if there is none.
    pub(crate) fn recommended_or_why(&self) -> Result<&str, &'static str> {
        let why = match marked(&self.sent.options) {
            0 | 1 => "none_recommended",
            _ => "several_recommended",
        };
        self.recommended_label().ok_or(why)
    }

    /// The recommended label without its mark, as in events.
    pub fn recommended_name(&self) -> Option<&str> {
        self.recommended_label().map(|label| strip_mark(label).0)
    }

    /// Everything of it that the person would read.
    pub fn asking(&self) -> Asking<'_> {
        Asking {
            host: self.tool.as_deref(),
            text: &self.text,
            header: self.sent.header.as_deref().unwrap_or_default(),
            options: &self.sent.options,
            multi_select: self.sent.multi_select.unwrap_or_default(),
            descriptions: &self.sent.descriptions,
            previews: &self.preview_digests,
            unknown_field: self.sent.unknown_field.as_deref(),
            is_opened: false,
        }
    }

    /// Writes everything that the person would read, except text and labels, into `event`. Once per question is enough:
    /// when it is asked or answered for them.
    pub fn describe_options<'a>(&'a self, event: &mut Event<'a>) {
        event.descriptions = Some(texts(&self.sent.descriptions));
        event.previews = Some(texts(&self.preview_digests));
    }

    /// Writes the fields that identify the question into `event`.
    pub fn describe<'a>(&'a self, index: usize, count: usize, event: &mut Event<'a>) {
        let number = |number: usize| u32::try_from(number).ok();
        event.question_index = number(index);
        event.question_count = number(count);
        event.question_key = Some(self.key.as_str().into());
        event.key_source = Some(self.key_source.as_str().into());
        event.question = Some(self.text.as_str().into());
        event.header = self.sent.header.as_deref().map(Text::from);
        event.options = Some(texts(&self.sent.options));
        event.recommended = self.recommended_name().map(Text::from);
        event.multi_select = self.sent.multi_select;
        event.door = Some(self.door().as_str().into());
        event.door_reason = self.door_reason.as_deref().map(Text::from);
    }
}

/// `texts` in the form of events.
pub fn texts(texts: &[String]) -> Vec<Text<'_>> {
    texts.iter().map(|text| text.as_str().into()).collect()
}

/// The text at `place` in `texts`.
fn beside(texts: &[String], place: Option<usize>) -> Option<&str> {
    texts.get(place?).map(String::as_str)
}
