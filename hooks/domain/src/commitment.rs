//! What a chosen label makes the agent do, and which of the texts say so.
//!
//! A label *leaves things as they are* ("Skip", "Next area"), *names its own act, whole* ("Write CONTEXT.md"),
//! *is a value* ("Balanced"), or *refers to the question* ("Yes", "Delete them"); unsure is the last. Only
//! what says what will be done is held against the door rules: a word in a topic is no act.

mod outward;
mod sentences;
mod words;

use crate::doors::entries::{List, list};
use std::borrow::Cow::{self, Borrowed};

use crate::doors::{Reading, find_act, find_hard, find_signs, one_way_reason};
use crate::named::named_enum;
use crate::recommended::option_text;

pub use outward::outward_act;
use sentences::{asking_sentence, without_design, without_refusals};
use words::{
    ALL, ENDING, GROUPS, HARMLESS_WITH_PRONOUN, KEEPING, LITTLE, MOVING_ON, NEGATIVE, PRONOUNS,
    PROTECTING, SAFEGUARDS, SAYING, SHOWING, is_verb, words,
};

named_enum! {
    /// What choosing a label commits to.
    pub enum Commitment {
        /// It leaves things as they are, or only moves the talk on.
        LeavesThings = "leaves_things",
        /// It names its own act, whole.
        OwnAct = "own_act",
        /// It is a value for what the question asks.
        Value = "value",
        /// It accepts what the question proposes, and names the act, whole: "Yes, create the handoff".
        NamesProposal = "names_proposal",
        /// It stands for what the question proposes.
        RefersToQuestion = "refers_to_question",
    }
}

/// What `label`, chosen in answer to `question`, commits to.
pub fn commitment(question: &str, label: &str) -> Commitment {
    let label = option_text(label);
    if let Some(word) = declining(label) {
        return match question.to_lowercase().contains(&word) {
            true => Commitment::RefersToQuestion,
            false => Commitment::LeavesThings,
        };
    }
    if label.is_empty() || !label.is_ascii() && words(label).iter().any(|word| !word.is_ascii()) {
        return Commitment::RefersToQuestion;
    }
    let clauses = clauses(label);
    let Some(first) = clauses.first() else {
        return Commitment::RefersToQuestion;
    };
    if let [negative, rest @ ..] = first.as_slice()
        && NEGATIVE.holds(negative)
    {
        // "No, delete it" is an act of its own, and "No" to keeping something another.
        let rest = rest.to_vec();
        let others = std::iter::once(&rest).chain(clauses.iter().skip(1));
        let mut others = others.filter(|clause| !clause.is_empty());
        return match others.next() {
            Some(clause) if !is_leaving(clause) => of_clause(clause),
            None if proposes_protection(question) => Commitment::RefersToQuestion,
            _ => Commitment::LeavesThings,
        };
    }
    if let [yes, rest @ ..] = first.as_slice()
        && words::YES.holds(yes)
    {
        let rest = rest.to_vec();
        let others = std::iter::once(&rest).chain(clauses.iter().skip(1));
        let named = others
            .filter(|clause| !clause.is_empty())
            .map(|clause| of_clause(clause));
        return match named.take(2).any(|one| one == Commitment::OwnAct) {
            true => Commitment::NamesProposal,
            false => Commitment::RefersToQuestion,
        };
    }
    if is_leaving(first) {
        return match is_asked_for(first, question) {
            true => Commitment::RefersToQuestion,
            false => Commitment::LeavesThings,
        };
    }
    match repeats(first, question) {
        true => Commitment::RefersToQuestion,
        false => of_clause(first),
    }
}

/// The word of another language that `label` is, but for what stands in brackets behind it, and with which one leaves
/// things as they are: "Später", "キャンセル（後で）".
fn declining(label: &str) -> Option<String> {
    let word = label.split(['(', '（']).next()?.trim().to_lowercase();
    words::DECLINING.holds(&word).then_some(word)
}

/// True for a label that says what it does whatever is offered beside it: it does not refer to the question, nor, as
/// "All" and "The others" do, to other options.
pub fn stands_alone(question: &str, label: &str) -> bool {
    let refers =
        |word: &String| PRONOUNS.holds(word) || ALL.holds(word) || words::OTHER_OPTIONS.holds(word);
    commitment(question, label) != Commitment::RefersToQuestion && !words(label).iter().any(refers)
}

/// True for a clause of a verb that is not known, and of no more than the order that the question begins with: "Fail
/// over the database?": "Fail over now".
fn repeats(clause: &[String], question: &str) -> bool {
    let asked = words(asking_sentence(question));
    asked.first() == clause.first()
        && !clause.first().is_some_and(|head| is_verb(head))
        && clause
            .iter()
            .all(|word| asked.contains(word) || LITTLE.holds(word))
}

/// What a clause that does not leave things as they are commits to.
fn of_clause(clause: &[String]) -> Commitment {
    let Some((head, rest)) = clause.split_first() else {
        return Commitment::RefersToQuestion;
    };
    // "Start to format the draft" is its formatting.
    if let ("start" | "begin", [to, act @ ..]) = (head.as_str(), rest)
        && to == "to"
        && act.first().is_some_and(|verb| is_verb(verb))
    {
        return of_clause(act);
    }
    // "Continue investigating"
    if let ("continue" | "keep", [thinking, ..]) = (head.as_str(), rest)
        && words::THINKING.holds(thinking)
    {
        return Commitment::OwnAct;
    }
    let affirms = |word: &String| words::AFFIRMATIVE.holds(word);
    if affirms(head) || !is_verb(head) && rest.iter().any(affirms) {
        return Commitment::RefersToQuestion;
    }
    let refers = |at: usize, word: &String| {
        PRONOUNS.holds(word) && !(words::MAKING.holds(head) && determines(rest, at))
    };
    let has_pronoun = rest.iter().enumerate().any(|(at, word)| refers(at, word))
        || rest.last().is_some_and(|word| ALL.holds(word));
    if !is_verb(head) && orders(clause) {
        return Commitment::OwnAct;
    }
    if !is_verb(head) {
        return match has_pronoun || PRONOUNS.holds(head) {
            true => Commitment::RefersToQuestion,
            false => Commitment::Value,
        };
    }
    if HARMLESS_WITH_PRONOUN.holds(head.strip_prefix("re-").unwrap_or(head)) {
        return Commitment::OwnAct;
    }
    match has_pronoun || names_nothing(clause) {
        true => Commitment::RefersToQuestion,
        false => Commitment::OwnAct,
    }
}

/// True where the word at `at` only says which thing the next one names: "this brief".
fn determines(words: &[String], at: usize) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let next = word(at + 1);
    matches!(word(at), "this" | "that" | "these" | "those")
        && !next.is_empty()
        && !LITTLE.holds(next)
        && !words::NO_ORDER.holds(next)
}

/// True for a clause that is worded as an order, though its verb is not known: "Ring the customer".
fn orders(clause: &[String]) -> bool {
    let [head, next, _, ..] = clause else {
        return false;
    };
    words::DETERMINERS.holds(next) && !words::NO_ORDER.holds(head)
}

/// True for a verb alone that the question proposes itself ("Cancel the order?": "Cancel"), and for "Skip" of what
/// protects.
fn is_asked_for(clause: &[String], question: &str) -> bool {
    let Some(head) = clause.first().filter(|_| names_nothing(clause)) else {
        return false;
    };
    let asked = words(asking_sentence(question));
    asked.contains(head) && is_verb(head) || head == "skip" && proposes_protection(question)
}

/// True when nothing behind the first word names what it is done to.
fn names_nothing(clause: &[String]) -> bool {
    let rest = clause.get(1..).unwrap_or_default();
    rest.iter().all(|word| LITTLE.holds(word))
}

/// True for a clause that leaves things as they are or moves the talk on.
fn is_leaving(clause: &[String]) -> bool {
    let word = |at: usize| clause.get(at).map_or("", String::as_str);
    let second = word(1);
    match word(0) {
        "skip" | "ignore" => !clause.last().is_some_and(|last| SAFEGUARDS.holds(last)),
        "leave" => !clause.last().is_some_and(|last| GROUPS.holds(last)),
        "no" | "thanks" | "not" | "none" | "nothing" | "never" | "later" | "next" | "neither"
        | "back" => true,
        "do" | "dont" | "don't" => word(0) != "do" || second == "not" || second == "nothing",
        "let" | "tell" => matches!(second, "me" | "us"),
        "i'm" | "im" => second == "done",
        "i" | "i'll" | "i've" | "ill" => SAYING.holds(second),
        "go" => second == "back",
        "move" => second == "on" || (second == "to" && word(2) == "next"),
        "continue" => second == "to" && matches!(word(2), "next" | "other" | "others"),
        "more" => MOVING_ON.holds(second) || second == "questions",
        "request" => matches!(second, "changes" | "edits" | "revision" | "revisions"),
        // "Edit first": before anything is done.
        first if ENDING.holds(first) => {
            names_nothing(clause) || clause.last().is_some_and(|last| last == "first")
        }
        "keep" if outward::is_going_on(second) => false,
        first => KEEPING.holds(first) || SHOWING.holds(first),
    }
}

/// True when the question proposes to keep, wait, ask or protect, or to run what protects: to decline that is an act.
fn proposes_protection(question: &str) -> bool {
    let words = words(asking_sentence(question));
    let lead = || words.iter().take(words::LEAD);
    let guard = lead().position(|word| SAFEGUARDS.holds(word));
    lead().any(|word| PROTECTING.holds(word))
        || guard.is_some_and(|at| !words.iter().take(at).any(|word| words::WRITING.holds(word)))
}

/// `label` without a word of consent in front: what is consented to is judged.
fn without_yes(label: &str) -> &str {
    let end = label
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(label.len());
    let (first, rest) = label.split_at(end);
    match words::YES.holds(&first.to_lowercase()) && !rest.is_empty() {
        true => rest,
        false => label,
    }
}

/// An outward act that the description of `label` names. What is described of leaving things alone is what happens
/// anyway, but for what is done all the same.
fn described(label: &str, description: &str, commitment: Commitment) -> Option<String> {
    let asks = words(label).first().is_some_and(|word| word == "ask");
    let done = match commitment {
        Commitment::LeavesThings if !asks => return outward::all_the_same(description),
        Commitment::Value => Cow::Owned(outward::orders(description)),
        _ => Borrowed(description),
    };
    let act = outward_act(&without_lists(&without_refusals(&done)), &[]);
    act.or_else(|| outward::gives_up(description))
}

/// `description` as an order, without the single words of a list: "emails, posts, notes".
fn without_lists(description: &str) -> String {
    let parts = description.split([',', '/', ';']);
    let several = parts.clone().count() > 1;
    let parts = parts.map(words).filter(|part| !several || part.len() > 1);
    let ordered = parts.map(|part| match part.split_first() {
        Some((head, rest)) => [outward::as_order(head), &rest.join(" ")].join(" "),
        None => String::new(),
    });
    ordered.collect::<Vec<String>>().join(",")
}

/// A value that names what is destroyed: "Which files should I delete?".
fn destroys(question: &str, commitment: Commitment) -> Option<String> {
    static LEADING: List = list!(" to i we should shall be can must may let me ");
    let words = asked_words(question);
    if commitment != Commitment::Value || words.iter().any(|word| outward::is_written(word)) {
        return None;
    }
    let mut before = None;
    words.iter().find_map(|word| {
        let leads = before
            .replace(word)
            .is_none_or(|before| LEADING.holds(before));
        (leads && outward::is_destroying(word)).then(|| format!("outward: {word}"))
    })
}

/// The outward act that the question proposes and the answer accepts.
fn proposed(question: &str, commitment: Commitment) -> Option<String> {
    let accepts = matches!(
        commitment,
        Commitment::NamesProposal | Commitment::RefersToQuestion
    );
    accepts.then(|| outward_act(&without_refusals(asking_sentence(question)), &[]))?
}

/// A value that lets the agent act outside: "When should it push?".
fn lets(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    static MODAL: List = list!(" should shall can may will to could ");
    static LET: List = list!(" push merge publish release send post deploy submit email notify ");
    let words = asked_words(question);
    let is_modal = |at: &usize| words.get(*at).is_some_and(|word| MODAL.holds(word));
    let at = words.iter().position(|word| LET.holds(word))?;
    let refused = matches!(
        label.to_lowercase().as_str(),
        "never" | "manual" | "manually" | "off"
    );
    let follows = (at.saturating_sub(4)..at).any(|at| is_modal(&at));
    let word = words.get(at)?;
    (commitment == Commitment::Value && follows && !refused).then(|| format!("outward: {word}"))
}

/// "No" to keeping, asking or verifying: what was to be kept goes.
fn declines(question: &str, label: &str) -> Option<String> {
    let clauses = clauses(label);
    let first = clauses.first()?;
    let declines = |word: &String| NEGATIVE.holds(word) || word == "skip";
    let is_bare = first.first().is_some_and(declines) && names_nothing(first) && clauses.len() == 1;
    (is_bare && proposes_protection(question)).then(|| "declines a safeguard".to_owned())
}

/// A value for how much is left to the agent: what it may do unasked is nothing to be answered unasked.
fn trusts(question: &str, commitment: Commitment) -> Option<String> {
    let asked = asked_words(question);
    let trust = asked.iter().find(|word| {
        matches!(
            word.as_str(),
            "trust" | "autonomy" | "autonomous" | "autonomously" | "permission" | "permissions"
        )
    });
    trust
        .filter(|_| commitment == Commitment::Value)
        .map(|word| format!("outward: {word}"))
}

/// The words of the sentence of `question` that asks, without the names of slash commands.
fn asked_words(question: &str) -> Vec<String> {
    let asking = asking_sentence(question).split_whitespace();
    let prose: Vec<&str> = asking
        .filter(|word| !word.trim_start_matches(['`', '"', '(']).starts_with('/'))
        .collect();
    words(&prose.join(" "))
}

/// The clauses of a label, in words.
fn clauses(label: &str) -> Vec<Vec<String>> {
    // A slash command is a name: "Run /plan".
    let named = label.replace(" /", " ").replace("`/", "`");
    let parted = named.replace(['—', '–', '(', ';', ':', ',', '/'], "\n");
    let parted = parted.replace(" - ", "\n").replace(". ", "\n");
    let clauses = parted.lines().map(words);
    clauses.filter(|clause| !clause.is_empty()).collect()
}

/// The texts of an answer that say what it makes the agent do.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// What it commits to.
    pub commitment: Commitment,
    question: &'a str,
    /// What the door rules read whole: key, question, header and label, where the label refers to them.
    whole: Vec<Cow<'a, str>>,
    /// What says by itself what is done, and how it is read.
    parts: Vec<(Cow<'a, str>, Reading)>,
    /// The label with what stands beside it, in which signs are looked for: also where it says that something is
    /// not done, which words alone are believed to say.
    beside: [&'a str; 3],
    /// The outward or final act that the label names by itself.
    outward: Option<String>,
}

impl<'a> Act<'a> {
    /// What choosing `label` in answer to `question` does; without a label, what the question proposes.
    pub fn of(
        key: &'a str,
        question: &'a str,
        header: &'a str,
        label: Option<&'a str>,
        description: &'a str,
        preview: &'a str,
    ) -> Self {
        let commitment = label.map_or(Commitment::RefersToQuestion, |label| {
            commitment(question, label)
        });
        let label = label.map_or("", option_text);
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        match commitment {
            Commitment::LeavesThings => parts.push((without_refusals(label), Reading::Description)),
            Commitment::OwnAct => parts.push((without_refusals(label), Reading::Act)),
            Commitment::Value => {
                let asked = asking_sentence(question);
                parts.push((Borrowed(label), Reading::Value));
                let asked = without_design(asked);
                let asked = without_refusals(&asked).into_owned();
                parts.push((Cow::Owned(asked), Reading::Value));
            }
            // What is said before does not matter where all is named.
            Commitment::NamesProposal => whole.extend([
                without_design(asking_sentence(question)),
                Borrowed(header),
                without_refusals(without_yes(label)),
            ]),
            Commitment::RefersToQuestion => {
                whole.extend([
                    Borrowed(key),
                    without_design(question),
                    Borrowed(header),
                    without_refusals(without_yes(label)),
                ]);
            }
        }
        parts.push((without_refusals(description), Reading::Description));
        parts.push((Borrowed(preview), Reading::Description));
        Self {
            commitment,
            question,
            whole,
            parts,
            beside: [label, description, preview],
            outward: outward_act(label, &[question, description])
                .or_else(|| described(label, description, commitment))
                .or_else(|| lets(question, label, commitment))
                .or_else(|| destroys(question, commitment))
                .or_else(|| declines(question, label))
                .or_else(|| trusts(question, commitment)),
        }
    }

    /// Why the act must be asked; `None` where it need not be. Words are soft: the person may say that they do not
    /// hold for a question, which `is_opened` then ([`Registry::opens`](crate::registry::Registry::opens)). Signs
    /// hold whatever is said.
    pub fn reason_to_ask(&self, is_opened: bool) -> Option<String> {
        match is_opened {
            true => self.hard_reason(),
            false => self.one_way_reason(),
        }
    }

    /// What holds whatever the person says of a key: commands with an effect, SQL that writes, money, addresses,
    /// force, and destroyed data, in the act; `None` where nothing does.
    pub fn hard_reason(&self) -> Option<String> {
        let parts = self.parts.iter().map(|(text, _)| text);
        let mut texts = self.whole.iter().chain(parts);
        let finding = texts.find_map(|text| find_hard(text));
        finding
            .map(|finding| finding.reason)
            .or_else(|| self.sign())
    }

    /// The sign in the label or beside it.
    fn sign(&self) -> Option<String> {
        let finding = self.beside.iter().find_map(|text| find_signs(text));
        finding.map(|finding| finding.reason)
    }

    /// Why the act cannot be taken back; `None` where it can.
    pub fn one_way_reason(&self) -> Option<String> {
        self.outward.clone().or_else(|| {
            let whole: Vec<&str> = self.whole.iter().map(AsRef::as_ref).collect();
            let of_parts = || {
                self.parts
                    .iter()
                    .find_map(|(text, reading)| find_act(text, *reading))
                    .map(|finding| finding.reason)
            };
            one_way_reason(&whole)
                .or_else(of_parts)
                .or_else(|| self.sign())
                .or_else(|| proposed(self.question, self.commitment))
        })
    }
}

#[cfg(test)]
mod tests;
