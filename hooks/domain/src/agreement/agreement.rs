//! An agreement: the askings that a person's answer was given for, and whether another one belongs to them.
//!
//! One set of askings is proposed, shown as evidence, counted, answered, named, replayed and taken back:
//! [`Agreement::covers`] says which belong to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::act::Act;
use super::signs::{Signs, add_signs, is_english, is_grammar, is_turn, outward};
use super::text::{Kind, Reading, Token};
use crate::doors::find_signs;
use crate::named::named_enum;
use crate::recommended::{option_text, recommended, same_label};
use crate::session_kind::holds_for;

/// How many sessions it takes to agree to a sign.
const SESSIONS: usize = 2;

/// One asking, as the person sees it.
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

/// A label that was agreed to, with what was said of it.
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
    /// The forms of the questions.
    pub texts: Vec<String>,
    /// The forms of the sentences that ask.
    pub askings: Vec<String>,
    /// The signs in them, each as often as it stood in one asking at most.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub signs: Signs,
    /// The turning words that stood in all of the questions.
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
    pub enum New {
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
        /// The act can't be undone.
        Never = "one_way",
    }
}

/// What is new in an asking, and the new word or value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Novelty {
    /// The kind.
    pub what: New,
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

impl New {
    fn is(self, which: impl Into<String>) -> Novelty {
        Novelty {
            what: self,
            which: which.into(),
        }
    }
}

/// An asking with everything that is read of it for one of its options.
struct Read<'a> {
    asking: Asking<'a>,
    at: usize,
    label: &'a str,
    text: Reading,
    header: Reading,
    description: Reading,
    preview: &'a str,
    act: Act,
    signs: Signs,
    numbers: Vec<u64>,
    values: Vec<String>,
}

impl<'a> Read<'a> {
    /// The reading of `asking` with the option at `at`.
    fn of(asking: Asking<'a>, at: usize) -> Self {
        let beside = |texts: &'a [String]| texts.get(at).map_or("", String::as_str);
        let label = beside(asking.options);
        let (text, header) = (Reading::of(asking.text), Reading::of(asking.header));
        let description = Reading::of(beside(asking.descriptions));
        let mut signs = Signs::new();
        let varying = [&text, &header, &description];
        varying.iter().for_each(|reading| add_signs(reading, &mut signs));
        Self {
            asking,
            at,
            label,
            act: Act::of(&text, label),
            preview: beside(asking.previews),
            numbers: varying.iter().flat_map(|reading| reading.numbers()).collect(),
            values: varying.iter().flat_map(|reading| reading.values()).map(str::to_owned).collect(),
            text,
            header,
            description,
            signs,
        }
    }

    /// The option other than this one that is recommended.
    fn recommended(&self) -> Option<&'a str> {
        let other = recommended(self.asking.text, self.asking.options).filter(|at| *at != self.at)?;
        self.asking.options.get(other).map(|label| option_text(label))
    }

    /// Why the act is never answered; `None` if it may be.
    fn never(&self) -> Option<String> {
        let label = Reading::of(option_text(self.label));
        let own = [&label, &self.description].into_iter().find_map(|reading| outward(reading.tokens.iter()));
        let asked = || match self.act {
            Act::Leaves | Act::Own => None,
            Act::Value => outward(self.text.asking()),
            Act::Refers => outward(self.text.tokens.iter()),
        };
        let description = self.asking.descriptions.get(self.at).map_or("", String::as_str);
        let texts = [self.label, description, if self.act == Act::Refers { self.asking.text } else { "" }];
        own.or_else(asked).or_else(|| texts.into_iter().find_map(find_signs))
    }
}

/// Why answering `asking` with its option at `at` can't be undone; `None` if it can.
pub fn never(asking: Asking<'_>, at: usize) -> Option<String> {
    Read::of(asking, at).never()
}

/// What answering `asking` with its option at `at` does.
pub fn act(asking: Asking<'_>, at: usize) -> Act {
    Read::of(asking, at).act
}

named_enum! {
    /// How the person confirms an agreement.
    pub enum Consent {
        /// By `y`.
        Yes = "yes",
        /// By typing the label.
        Type = "type",
        /// Not at all: the act can't be undone.
        Never = "never",
    }
}

/// How an agreement to answer `asking` with its option at `at` is confirmed, and why it is never, if so.
pub fn consent(asking: Asking<'_>, at: usize) -> (Consent, Option<String>) {
    let read = Read::of(asking, at);
    let never = read.never();
    let label = signs_of(&Reading::of(option_text(read.label)));
    let (said, all) = (signs_of(&read.description), &read.signs);
    let is_plain = match read.act {
        Act::Leaves => label.is_empty() && said.is_empty(),
        Act::Value => label.is_empty() && all.is_empty(),
        Act::Own | Act::Refers => false,
    };
    match never {
        Some(_) => (Consent::Never, never),
        None if is_plain && is_english(&read.text) && is_english(&read.description) => (Consent::Yes, None),
        None => (Consent::Type, None),
    }
}

/// `label` as it is compared: without a mark, in lower case.
fn folded(label: &str) -> String {
    option_text(label).to_lowercase()
}

fn position(options: &[String], label: &str) -> Option<usize> {
    options.iter().position(|option| same_label(option, label))
}

impl Agreement {
    /// What the person agreed to by the answers `given`, all to one question. Answers with a sign that others of another
    /// session do not share are left out; `None` if nothing is left.
    pub fn of(given: &[Given<'_>]) -> Option<Self> {
        let read = given.iter().filter_map(|one| Some((Read::of(one.asking, position(one.asking.options, one.label)?), one.session)));
        let read: Vec<(Read<'_>, &str)> = read.collect();
        let mut sessions: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (one, session) in &read {
            for sign in one.signs.keys() {
                sessions.entry(sign.clone()).or_default().insert(session);
            }
        }
        let is_shared = |sign: &String| sessions.get(sign.as_str()).is_some_and(|all| all.len() >= SESSIONS);
        let mut kept: Vec<Read<'_>> = read.into_iter().map(|(one, _)| one).collect();
        kept.retain(|one| one.never().is_none() && signs_of(&one.description).keys().all(is_shared));
        let first = kept.first()?;
        let mut found = Self {
            host: first.asking.host.map(str::to_owned),
            multi_select: first.asking.multi_select,
            always: first.signs.keys().filter(|sign| is_turn(sign)).cloned().collect(),
            ..Self::default()
        };
        kept.iter().for_each(|one| found.add(one));
        found.signs.retain(|sign, _| is_shared(sign));
        Some(found)
    }

    fn add(&mut self, one: &Read<'_>) {
        let label = option_text(one.label);
        let at = self.acts.iter().position(|act| same_label(&act.label, label));
        let at = at.unwrap_or_else(|| {
            self.acts.push(AgreedAct { label: label.to_owned(), ..AgreedAct::default() });
            self.acts.len() - 1
        });
        if let Some(act) = self.acts.get_mut(at) {
            add_new(&mut act.descriptions, one.description.form());
            add_new(&mut act.previews, one.preview.to_owned());
        }
        for option in one.asking.options {
            add_new(&mut self.options, folded(option));
        }
        add_new(&mut self.texts, one.text.form());
        add_new(&mut self.askings, one.text.asking_form());
        for (sign, times) in &one.signs {
            let most = self.signs.entry(sign.clone()).or_default();
            *most = (*most).max(*times);
        }
        self.always.retain(|sign| one.signs.contains_key(sign));
        self.values.extend(one.values.iter().cloned());
        self.largest = one.numbers.iter().copied().fold(self.largest, u64::max);
        self.zero |= one.numbers.contains(&0);
        if let Some(other) = one.recommended() {
            add_new(&mut self.recommended, folded(other));
        }
    }

    /// The option of `asking` that was agreed to, if nothing that bears on the act is new.
    ///
    /// # Errors
    /// What is new.
    pub fn covers(&self, asking: &Asking<'_>) -> Result<usize, Novelty> {
        let hosts = self.host.as_deref().zip(asking.host);
        if hosts.is_some_and(|(agreed, asks)| !holds_for(agreed, asks)) {
            return Err(New::Host.is(""));
        }
        if self.multi_select != asking.multi_select {
            return Err(New::MultiSelect.is(""));
        }
        if let Some(other) = asking.options.iter().find(|option| !self.options.contains(&folded(option))) {
            return Err(New::Options.is(option_text(other)));
        }
        let mut offered = self.acts.iter().filter_map(|act| Some((act, position(asking.options, &act.label)?)));
        let Some((act, at)) = offered.next().filter(|_| offered.next().is_none()) else {
            return Err(New::Options.is(""));
        };
        let read = Read::of(*asking, at);
        self.check_act(act, &read)?;
        self.check_question(&read)?;
        Ok(at)
    }

    /// True if the question varied although the label refers to it.
    fn varies(&self, read: &Read<'_>) -> bool {
        match std::env::var("VARIES").as_deref() {
            Ok("asking") => self.texts.len() >= 4 && self.askings.contains(&read.text.asking_form()),
            Ok("any") => self.texts.len() >= 4,
            _ => false,
        }
    }

    /// True if the description only says in other words what an agreed one says.
    fn is_reworded(&self, act: &AgreedAct, read: &Read<'_>) -> bool {
        let share: f64 = std::env::var("SHARE").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
        let own = content(&read.description);
        let signs = signs_of(&read.description);
        let mut agreed = act.descriptions.iter().map(|form| Reading::of(form));
        signs.keys().all(|sign| self.signs.contains_key(sign)) && agreed.any(|agreed| {
            let known = content(&agreed);
            let shared = own.iter().filter(|word| known.contains(*word)).count();
            own.len() <= known.len() + 1 && clauses(&read.description) <= clauses(&agreed) && shared as f64 >= share * own.len() as f64
        })
    }

    fn check_act(&self, act: &AgreedAct, read: &Read<'_>) -> Result<(), Novelty> {
        let description = read.description.form();
        if !description.is_empty() && !act.descriptions.contains(&description) && !self.is_reworded(act, read) {
            return Err(New::Description.is(""));
        }
        let preview = read.preview;
        if !preview.is_empty() && !act.previews.iter().any(|agreed| agreed == preview) {
            return Err(New::Preview.is(""));
        }
        if let Some(other) = read.recommended()
            && !self.recommended.contains(&folded(other))
        {
            return Err(New::Recommendation.is(other));
        }
        read.never().map_or(Ok(()), |reason| Err(New::Never.is(reason)))
    }

    fn check_question(&self, read: &Read<'_>) -> Result<(), Novelty> {
        let is_known = self.texts.contains(&read.text.form());
        let must_be_known = read.act == Act::Refers && !self.varies(read) || !is_english(&read.text);
        if must_be_known && !is_known {
            return Err(New::Text.is(""));
        }
        // Of a question that was agreed to, only the names may differ.
        let varies = |token: &&Token| !is_known || matches!(token.kind, Kind::Id | Kind::File);
        let varying = read.text.tokens.iter().filter(varies).cloned().collect();
        let mut signs = signs_of(&Reading { tokens: varying });
        add_signs(&read.header, &mut signs);
        let is_agreed = |(sign, times): &(&String, &usize)| match (self.signs.get(*sign), is_turn(sign)) {
            (Some(most), true) => *times <= most,
            (known, _) => known.is_some(),
        };
        if let Some((sign, _)) = signs.iter().find(|sign| !is_agreed(sign)) {
            return Err(New::Sign.is(sign.as_str()));
        }
        if let Some(missing) = self.always.iter().find(|sign| !read.signs.contains_key(*sign)) {
            return Err(New::Missing.is(missing.as_str()));
        }
        let is_far = |number: &&u64| **number > self.largest.saturating_mul(2) || **number == 0 && !self.zero;
        if let Some(number) = read.numbers.iter().find(is_far) {
            return Err(New::Number.is(number.to_string()));
        }
        match read.values.iter().find(|value| !self.values.contains(*value)) {
            Some(value) => Err(New::Value.is(value.as_str())),
            None => Ok(()),
        }
    }
}

/// What a reading says beside grammar.
fn content(reading: &Reading) -> BTreeSet<String> {
    let said = reading.tokens.iter().filter(|token| !is_grammar(token));
    said.map(|token| token.form.clone()).collect()
}

/// The number of clauses of a reading.
fn clauses(reading: &Reading) -> usize {
    let joins = |text: &str| matches!(text, "and" | "then" | "with" | "also" | "plus" | "but" | "or" | "so" | "while");
    reading.tokens.iter().filter(|token| token.breaks || joins(&token.text)).count()
}

/// The signs of one reading.
fn signs_of(reading: &Reading) -> Signs {
    let mut signs = Signs::new();
    add_signs(reading, &mut signs);
    signs
}

fn add_new(to: &mut Vec<String>, text: String) {
    if !text.is_empty() && !to.contains(&text) {
        to.push(text);
    }
}
