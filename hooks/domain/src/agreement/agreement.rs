//! An agreement: the askings that a person's answer was given for, and whether another one belongs to them.
//!
//! One set of askings is proposed, shown as evidence, counted, answered, named, replayed and taken back:
//! [`Agreement::covers`] says which belong to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::act::Act;
use super::read::{ReadAsking, ReadText};
use super::signs::{is_foundation, is_thing, is_turn};
use crate::named::named_enum;
use crate::recommended::{option_text, recommended, same_label};
use crate::session_kind::holds_for;

/// How many sessions it takes to agree to a sign.
const SESSIONS: usize = 2;

/// How many different questions must be known before the question may vary although the label refers to it.
const VARIED: usize = 3;

/// How many different areas of a program must be known before another one is not new any more.
const MANY_AREAS: usize = 2;

/// How many questions are kept, the latest: the file that the hook reads stays small.
const MOST_TEXTS: usize = 40;

/// The most options that are compared.
pub(crate) const MOST_OPTIONS: usize = 64;

/// The digest of a preview: 16 hexadecimal digits, or empty for an empty preview. A question whose preview differs at
/// all is asked, so the text itself is not needed.
pub(crate) fn preview_digest(preview: &str) -> String {
    if preview.is_empty() {
        return String::new();
    }
    let mut digits = crate::hash::hex(&["preview", preview]);
    digits.truncate(16);
    digits
}

/// One time that a question is asked, as the person sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asking<'a> {
    /// The host ([`crate::host`]) of the tool that asks; `None` if not known.
    pub host: Option<&'a str>,
    /// The text, without a marker.
    pub text: &'a str,
    /// The header; empty if there is none.
    pub header: &'a str,
    /// The labels.
    pub options: &'a [String],
    /// The descriptions, one an option or none at all.
    pub descriptions: &'a [String],
    /// The digests of the previews, one an option or none at all.
    pub previews: &'a [String],
    /// Whether several may be chosen.
    pub multi_select: bool,
    /// A field that no known agent shows ([`crate::wire::SentQuestion::unknown_field`]).
    pub unknown_field: Option<&'a str>,
    /// Whether a rule in `registry.toml` allows it to be answered although its words look dangerous.
    pub is_opened: bool,
}

/// An asking and the label that it was answered with.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The asking.
    pub asking: Asking<'a>,
    /// The label.
    pub label: &'a str,
    /// The session.
    pub session: &'a str,
}

/// A label that was agreed to, with its descriptions and previews.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedAct {
    /// The label, without a mark.
    pub label: String,
    /// The forms of its descriptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub descriptions: Vec<String>,
    /// The digests of its previews.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previews: Vec<String>,
}

/// A question that was agreed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedText {
    /// The text, as last asked.
    pub text: String,
    /// Its form.
    pub form: String,
}

/// What a person agreed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// The labels that it answers with. Several differ in their numbers, or were recommended.
    pub acts: Vec<AgreedAct>,
    /// Every option that was offered.
    pub options: Vec<String>,
    /// The host that the answers were given to; any if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Whether several could be chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multi_select: bool,
    /// The questions.
    pub texts: Vec<AgreedText>,
    /// The forms of the sentences that ask.
    pub askings: Vec<String>,
    /// True if a label refers to its question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refers: bool,
    /// The signs in them, and for each the most times that it was in one asking.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub signs: BTreeMap<String, usize>,
    /// The areas of a program that they were about. If there were several, others are allowed, too.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub areas: BTreeSet<String>,
    /// The words such as "not" that were in all of the questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<String>,
    /// The amounts, shares, versions, dates and addresses in them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub values: BTreeSet<String>,
    /// The largest number in them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub largest: u64,
    /// Whether there was a zero.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zero: bool,
    /// The other labels that were recommended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommended: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

named_enum! {
    /// What is new in an asking.
    pub enum NoveltyKind {
        /// What was agreed to is not known.
        NotBound = "not_bound",
        /// The tool that asks.
        Host = "host_differs",
        /// An option, or the agreed label is not offered.
        Options = "options_differ",
        /// One allows several choices, the other only one.
        MultiSelect = "multi_select_differs",
        /// The question that the label refers to.
        Text = "text_differs",
        /// The description of the chosen option.
        Description = "new_in_description",
        /// Its preview.
        Preview = "preview_differs",
        /// A sign.
        Sign = "new_sign",
        /// A word such as "not" is missing.
        Missing = "missing_word",
        /// A number beyond those seen.
        Number = "new_number",
        /// An amount, share, version, date or address.
        Value = "new_value",
        /// Another option is recommended.
        Recommendation = "recommendation_differs",
        /// A field that is not shown to the person.
        Field = "unknown_field",
        /// The act can't be undone.
        Never = "one_way",
    }
}

/// What is new in an asking, and the new word or value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Novelty {
    /// The kind.
    pub what: NoveltyKind,
    /// The word, value or reason; empty if the kind says it all.
    pub which: String,
}

impl fmt::Display for Novelty {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.which.as_str() {
            "" => write!(to, "{}", self.what),
            which => write!(to, "{}: {which}", self.what),
        }
    }
}

impl NoveltyKind {
    pub(crate) fn is(self, which: impl Into<String>) -> Novelty {
        Novelty {
            what: self,
            which: which.into(),
        }
    }
}

/// An asking and one of its options.
struct ReadOption<'a> {
    asking: Asking<'a>,
    at: usize,
    label: &'a str,
    /// The digest of the preview.
    preview: &'a str,
    said: ReadAsking,
}

impl<'a> ReadOption<'a> {
    /// The reading of `asking` with the option at `at`.
    fn of(asking: Asking<'a>, at: usize) -> Self {
        let beside = |texts: &'a [String]| texts.get(at).map_or("", String::as_str);
        let (label, description) = (beside(asking.options), beside(asking.descriptions));
        Self {
            asking,
            at,
            label,
            preview: beside(asking.previews),
            said: ReadAsking::of(asking.text, asking.header, label, description, ""),
        }
    }

    /// Why the act is never answered; `None` if it may be.
    fn never(&self) -> Option<&str> {
        self.said.never(self.asking.is_opened)
    }

    /// The option other than this one that is recommended.
    fn recommended(&self) -> Option<&'a str> {
        let other =
            recommended(self.asking.text, self.asking.options).filter(|at| *at != self.at)?;
        self.asking
            .options
            .get(other)
            .map(|label| option_text(label))
    }
}

/// Why answering `asking` with its option at `at` can't be undone; `None` if it can.
pub fn never(asking: Asking<'_>, at: usize) -> Option<String> {
    ReadOption::of(asking, at).never().map(str::to_owned)
}

named_enum! {
    /// How the person confirms an agreement.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Consent {
        /// By `y`.
        Yes = "yes",
        /// By typing the label.
        Type = "type",
        /// Not at all: the act can't be undone.
        Never = "never",
    }
}

/// `label` as it is compared: without a mark, in lower case.
fn comparable(label: &str) -> String {
    option_text(label).to_lowercase()
}

fn position(options: &[String], label: &str) -> Option<usize> {
    options.iter().position(|option| same_label(option, label))
}

impl Agreement {
    /// What the person agreed to by the answers `given`, all to one question. Answers with a sign that others of another
    /// session do not share are left out; `None` if nothing is left.
    pub fn of(given: &[Given<'_>]) -> Option<Self> {
        let read = given.iter().filter_map(|one| {
            Some((
                ReadOption::of(one.asking, position(one.asking.options, one.label)?),
                one.session,
            ))
        });
        let read: Vec<(ReadOption<'_>, &str)> = read.collect();
        let mut sessions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (one, session) in &read {
            for sign in one.said.signs().keys() {
                sessions.entry(sign).or_default().insert(session);
            }
        }
        let is_shared = |sign: &str| sessions.get(sign).is_some_and(|all| all.len() >= SESSIONS);
        let mut kept: Vec<ReadOption<'_>> = read.into_iter().map(|(one, _)| one).collect();
        kept.retain(|one| {
            one.never().is_none()
                && one
                    .said
                    .description
                    .signs()
                    .keys()
                    .all(|sign| is_shared(sign))
        });
        if kept.is_empty() {
            return None;
        }
        let mut found = Self::of_all(&kept);
        let is_soft = |sign: &str| is_turn(sign) || is_thing(sign);
        found
            .signs
            .retain(|sign, _| is_soft(sign) || is_shared(sign));
        Some(found)
    }

    /// What the person agreed to by answers that they meant for these askings. Unlike in [`of`](Self::of), a sign that
    /// only one session has counts. `None` if no asking offers its label.
    pub fn exactly(given: &[Given<'_>]) -> Option<Self> {
        let read = given.iter().filter_map(|one| {
            let at = position(one.asking.options, one.label)?;
            Some(ReadOption::of(one.asking, at))
        });
        let read: Vec<ReadOption<'_>> = read.collect();
        (!read.is_empty()).then(|| Self::of_all(&read))
    }

    /// This agreement, extended by an answer that the person meant for its asking.
    #[must_use]
    pub fn with(&self, given: Given<'_>) -> Self {
        let mut with = self.clone();
        if let Some(at) = position(given.asking.options, given.label) {
            with.add(&ReadOption::of(given.asking, at));
        }
        with
    }

    fn of_all(kept: &[ReadOption<'_>]) -> Self {
        let first = kept.first();
        let turns = first
            .iter()
            .flat_map(|one| one.said.signs().keys())
            .filter(|sign| is_turn(sign));
        let mut found = Self {
            host: first.and_then(|one| one.asking.host.map(str::to_owned)),
            multi_select: first.is_some_and(|one| one.asking.multi_select),
            always: turns.map(|sign| (*sign).to_owned()).collect(),
            ..Self::default()
        };
        kept.iter().for_each(|one| found.add(one));
        found
    }

    fn add(&mut self, one: &ReadOption<'_>) {
        let label = option_text(one.label);
        let at = self
            .acts
            .iter()
            .position(|act| same_label(&act.label, label));
        let at = at.unwrap_or_else(|| {
            self.acts.push(AgreedAct {
                label: label.to_owned(),
                ..AgreedAct::default()
            });
            self.acts.len() - 1
        });
        if let Some(act) = self.acts.get_mut(at) {
            add_new(
                &mut act.descriptions,
                one.said.description.form().to_owned(),
            );
            add_new(&mut act.previews, one.preview.to_owned());
        }
        for option in one.asking.options {
            add_new(&mut self.options, comparable(option));
        }
        self.add_text(one);
        self.refers |= one.said.act == Act::Refers;
        add_new(&mut self.askings, one.said.text.asking_form().to_owned());
        for (sign, times) in one.said.signs() {
            let most = self.signs.entry((*sign).to_owned()).or_default();
            *most = (*most).max(*times);
        }
        let areas = one.said.text.areas().iter();
        self.areas.extend(areas.map(|area| (*area).to_owned()));
        self.always
            .retain(|sign| one.said.signs().contains_key(sign.as_str()));
        self.values.extend(one.said.values().map(str::to_owned));
        self.largest = one.said.numbers().fold(self.largest, u64::max);
        self.zero |= one.said.numbers().any(|number| number == 0);
        if let Some(other) = one.recommended() {
            add_new(&mut self.recommended, comparable(other));
        }
    }

    /// The option of `asking` that was agreed to, if nothing is new that could change what the answer does. If the
    /// agreement `follows` the recommendation, it is the recommended option, otherwise the only agreed one on offer.
    ///
    /// # Errors
    /// What is new.
    pub fn covers(&self, asking: &Asking<'_>, follows: bool) -> Result<usize, Novelty> {
        let read = self.read(asking, follows)?;
        self.check_numbers(read.said.text.numbers())?;
        Ok(read.at)
    }

    /// True if it covers `asking`, but perhaps for the numbers in its text.
    pub fn covers_words(&self, asking: &Asking<'_>, follows: bool) -> bool {
        self.read(asking, follows).is_ok()
    }

    /// True if it allows these `numbers` in a text.
    pub fn covers_numbers(&self, numbers: impl Iterator<Item = u64>) -> bool {
        self.check_numbers(numbers).is_ok()
    }

    /// `asking` with the option that was agreed to, if nothing but the numbers in the text can be new.
    fn read<'a>(&self, asking: &Asking<'a>, follows: bool) -> Result<ReadOption<'a>, Novelty> {
        let hosts = self.host.as_deref().zip(asking.host);
        if hosts.is_some_and(|(agreed, asks)| !holds_for(agreed, asks)) {
            return Err(NoveltyKind::Host.is(""));
        }
        if self.multi_select != asking.multi_select {
            return Err(NoveltyKind::MultiSelect.is(""));
        }
        if let Some(other) = asking
            .options
            .iter()
            .find(|option| !self.options.contains(&comparable(option)))
        {
            return Err(NoveltyKind::Options.is(option_text(other)));
        }
        if let Some(field) = asking.unknown_field {
            return Err(NoveltyKind::Field.is(field));
        }
        let wanted = follows.then(|| recommended(asking.text, asking.options));
        let is_wanted = |at: &usize| wanted.is_none_or(|wanted| wanted == Some(*at));
        let offered = self
            .acts
            .iter()
            .filter_map(|act| Some((act, position(asking.options, &act.label).filter(is_wanted)?)));
        let mut offered = offered;
        let Some((act, at)) = offered.next().filter(|_| offered.next().is_none()) else {
            return Err(NoveltyKind::Options.is(""));
        };
        let read = ReadOption::of(*asking, at);
        self.check_act(act, &read)?;
        self.check_question(&read)?;
        self.check_numbers(read.said.beside_text())?;
        Ok(read)
    }

    /// True if it covers questions with other texts than the agreed ones, although a label refers to its question.
    pub fn takes_others(&self) -> bool {
        self.texts.len() >= VARIED && self.askings.len() < self.texts.len()
    }

    /// True if it is likely to answer later questions: the question may vary, or was asked more than once among the
    /// `askings` (their number) that the agreement was given for.
    pub fn recurs(&self, askings: usize) -> bool {
        !self.refers || self.texts.len() < askings || self.takes_others()
    }

    /// This agreement, extended by new texts that the person answered in the same way (`given`), and those texts;
    /// `None` if there are none to add. A text is added once two sessions answered it alike and none of `against`, the
    /// askings that were answered otherwise, has the same text. A text with a new sign is never added. `follows` is
    /// that of [`covers`](Self::covers).
    pub fn grown(
        &self,
        given: &[Given<'_>],
        against: &[Asking<'_>],
        follows: bool,
    ) -> Option<(Self, Vec<String>)> {
        let against: Vec<String> = against
            .iter()
            .map(|asking| ReadText::of(asking.text).form().to_owned())
            .collect();
        let mut found: BTreeMap<(String, String), (ReadOption<'_>, BTreeSet<&str>)> =
            BTreeMap::new();
        for one in given {
            let new = self.covers(&one.asking, follows).err().map(|new| new.what);
            if !matches!(new, Some(NoveltyKind::Text | NoveltyKind::Description)) {
                continue;
            }
            let Some(at) = position(one.asking.options, one.label) else {
                continue;
            };
            let read = ReadOption::of(one.asking, at);
            let form = (
                read.said.text.form().to_owned(),
                read.said.description.form().to_owned(),
            );
            let has_new_sign = read
                .said
                .signs()
                .keys()
                .any(|sign| !self.signs.contains_key(*sign));
            if !has_new_sign && !against.contains(&form.0) && read.never().is_none() {
                let entry = found.entry(form).or_insert_with(|| (read, BTreeSet::new()));
                entry.1.insert(one.session);
            }
        }
        let mut grown = self.clone();
        found.retain(|_, (_, sessions)| sessions.len() >= SESSIONS);
        found.values().for_each(|(read, _)| grown.add(read));
        let texts = found
            .values()
            .map(|(read, _)| read.asking.text.to_owned())
            .collect();
        (!found.is_empty()).then_some((grown, texts))
    }

    fn add_text(&mut self, one: &ReadOption<'_>) {
        let form = one.said.text.form().to_owned();
        self.texts.retain(|known| known.form != form);
        self.texts.push(AgreedText {
            text: one.asking.text.to_owned(),
            form,
        });
        self.texts
            .drain(..self.texts.len().saturating_sub(MOST_TEXTS));
    }

    fn knows(&self, form: &str) -> bool {
        self.texts.iter().any(|known| known.form == form)
    }

    /// True if the question may vary although the label refers to it, and its sentences that ask are known.
    fn varies(&self, read: &ReadOption<'_>) -> bool {
        self.texts.len() >= VARIED
            && self
                .askings
                .iter()
                .any(|known| known == read.said.text.asking_form())
    }

    fn check_act(&self, act: &AgreedAct, read: &ReadOption<'_>) -> Result<(), Novelty> {
        let description = read.said.description.form();
        let is_known =
            description.is_empty() || act.descriptions.iter().any(|known| known == description);
        let may_vary = match read.said.act {
            // The words for leaving things as they are do not matter.
            Act::Leaves => true,
            // A value may be described in other words, but the description must not add anything.
            Act::Value => {
                let mut known = act.descriptions.iter();
                known.len() > 0 && !known.any(|known| adds_to(known, description))
            }
            Act::Own | Act::Refers => false,
        };
        if !is_known && !may_vary {
            return Err(NoveltyKind::Description.is(""));
        }
        let signs = read.said.description.may_be_new(is_known);
        if let Some(sign) = signs.keys().find(|sign| !self.signs.contains_key(**sign)) {
            return Err(NoveltyKind::Sign.is(*sign));
        }
        let preview = read.preview;
        if !preview.is_empty() && !act.previews.iter().any(|agreed| agreed == preview) {
            return Err(NoveltyKind::Preview.is(""));
        }
        if let Some(other) = read.recommended()
            && !self.recommended.contains(&comparable(other))
        {
            return Err(NoveltyKind::Recommendation.is(other));
        }
        read.never()
            .map_or(Ok(()), |reason| Err(NoveltyKind::Never.is(reason)))
    }

    fn check_question(&self, read: &ReadOption<'_>) -> Result<(), Novelty> {
        let said = &read.said;
        let is_known = self.knows(said.text.form());
        let must_be_known =
            said.act == Act::Refers && !self.varies(read) || !said.text.is_english();
        if must_be_known && !is_known {
            return Err(NoveltyKind::Text.is(""));
        }
        let mut signs = said.text.may_be_new(is_known).clone();
        for (sign, times) in said.header.signs() {
            *signs.entry(sign).or_default() += times;
        }
        if said.act == Act::Leaves {
            signs.retain(|sign, _| !is_foundation(sign));
        }
        signs.retain(|sign, _| !said.text.passing().contains(sign));
        if self.areas.len() >= MANY_AREAS {
            signs.retain(|sign, _| !said.text.areas().contains(sign));
        }
        let is_agreed = |sign: &str, times: usize| match (self.signs.get(sign), is_turn(sign)) {
            (Some(most), true) => times <= *most,
            (known, _) => known.is_some(),
        };
        if let Some((sign, _)) = signs.iter().find(|(sign, times)| !is_agreed(sign, **times)) {
            return Err(NoveltyKind::Sign.is(*sign));
        }
        let is_missing = |sign: &&String| !said.signs().contains_key(sign.as_str());
        if let Some(missing) = self.always.iter().find(is_missing) {
            return Err(NoveltyKind::Missing.is(missing.as_str()));
        }
        match said.values().find(|value| !self.values.contains(*value)) {
            Some(value) => Err(NoveltyKind::Value.is(value)),
            None => Ok(()),
        }
    }

    fn check_numbers(&self, mut numbers: impl Iterator<Item = u64>) -> Result<(), Novelty> {
        let is_far =
            |number: &u64| *number > self.largest.saturating_mul(2) || *number == 0 && !self.zero;
        match numbers.find(is_far) {
            Some(number) => Err(NoveltyKind::Number.is(number.to_string())),
            None => Ok(()),
        }
    }
}

/// True if the form `longer` has all of the form `known`, and more.
fn adds_to(known: &str, longer: &str) -> bool {
    let apart = |form: &str| [" ", form, " "].concat();
    apart(longer).contains(&apart(known)) && known != longer
}

fn add_new(to: &mut Vec<String>, text: String) {
    if !text.is_empty() && !to.contains(&text) {
        to.push(text);
    }
}
