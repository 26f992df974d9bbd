//! Commitments: what a chosen label makes the agent do, and which texts say so.
//!
//! A label *leaves things as they are* ("Skip", "Next area"), *names its own act, whole* ("Write CONTEXT.md"), *is a
//! value* ("Balanced"), or *refers to the question* ("Yes", "Delete them"). The last is also the default: the lists are
//! small, and any label that they do not know counts as a reference to the question.

use std::borrow::Cow;

use crate::doors::{find_hard, find_plain, find_signs, points_outside};
use crate::familiar::only_names;
use crate::named::named_enum;
use crate::recommended::option_text;
use crate::words::{WordList, stem_of};

pub(crate) static NEGATIVE: WordList = WordList::labels("negative");
static DECLINING: WordList = WordList::labels("declining");
static YES: WordList = WordList::labels("yes");
static AFFIRMATIVE: WordList = WordList::labels("affirmative");
static KEEPING: WordList = WordList::labels("keeping");
static ENDING: WordList = WordList::labels("ending");
static SHOWING: WordList = WordList::labels("showing");
static SAYING: WordList = WordList::labels("saying");
static MOVING_ON: WordList = WordList::labels("moving on");
static GROUPS: WordList = WordList::labels("groups");
static WRITING: WordList = WordList::labels("writing");
static PROTECTING: WordList = WordList::labels("protecting");
static DETERMINERS: WordList = WordList::labels("determiners");
static NO_ORDER: WordList = WordList::labels("no order");
static PRONOUNS: WordList = WordList::labels("pronouns");
static ALL: WordList = WordList::labels("all");
static OTHER_OPTIONS: WordList = WordList::labels("other options");
pub(crate) static LITTLE: WordList = WordList::labels("little");
static HARMLESS_WITH_PRONOUN: WordList = WordList::labels("harmless");
static MAKING: WordList = WordList::labels("making");
static THINKING: WordList = WordList::labels("thinking");
pub(crate) static SAFEGUARDS: WordList = WordList::doors("safeguards");
static ERASING: WordList = WordList::verbs("erasing");
static OUTWARD_FORMS: WordList = WordList::verbs("outward forms");

/// All known verbs.
static VERBS: [WordList; 10] = [
    WordList::verbs("ordinary"),
    WordList::verbs("doubtful"),
    WordList::verbs("orders"),
    WordList::verbs("destroying"),
    WordList::verbs("changing"),
    WordList::verbs("always"),
    WordList::labels("keeping"),
    WordList::labels("ending"),
    WordList::labels("showing"),
    WordList::labels("harmless"),
];

/// How many words of a question are searched for its verb.
const LEAD: usize = 6;

named_enum! {
    /// The commitment made by choosing a label.
    pub enum Commitment {
        /// It leaves things as they are, or only moves the conversation on.
        LeavesThings = "leaves_things",
        /// It names its own act, whole.
        OwnAct = "own_act",
        /// It is a value that the question asks for.
        Value = "value",
        /// It accepts the question's proposal and names the whole act: "Yes, create the handoff".
        NamesProposal = "names_proposal",
        /// It stands for the question's proposal.
        RefersToQuestion = "refers_to_question",
    }
}

/// The commitment of `label` as the answer to `question`.
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
        // "No, delete it" names its own act, and so does "No" to keeping something.
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
        && YES.holds(yes)
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
            false => after_leaving(&clauses).unwrap_or(Commitment::LeavesThings),
        };
    }
    match repeats(first, question) {
        true => Commitment::RefersToQuestion,
        false => of_clause(first),
    }
}

/// The further commitment of a label whose first part leaves things as they are: "Show me the diff and delete it".
/// After "skip" or "later", "proceed" means to continue without the act; after "show me" or "wait", it means to do what
/// was asked.
fn after_leaving(clauses: &[Vec<String>]) -> Option<Commitment> {
    let is_join = |word: &String| matches!(word.as_str(), "and" | "then");
    let joins = |word: &String| is_join(word) || ERASING.holds(word);
    // A dash or brackets introduce an explanation of the first words.
    let joined = clauses
        .iter()
        .skip(1)
        .filter(|clause| clause.first().is_some_and(joins));
    let parts = clauses.first().into_iter().chain(joined);
    let parts = parts.flat_map(|clause| clause.split(is_join));
    let mut parts = parts.filter(|part| !part.is_empty());
    let first = parts.next()?.first()?;
    let is_look = SHOWING.holds(first) || matches!(first.as_str(), "wait" | "hold");
    let goes_on = |word: &str| matches!(word, "proceed" | "continue" | "go" | "resume");
    let mut others = parts.filter(|part| !is_leaving(part));
    others.find_map(|part| match of_clause(part) {
        Commitment::RefersToQuestion if !is_look && goes_on(part.first()?) => None,
        commits @ (Commitment::RefersToQuestion | Commitment::OwnAct) => Some(commits),
        _ => None,
    })
}

/// The word of another language in `label`, ignoring brackets, that leaves things as they are: "Später", "キャンセル（後で）".
fn declining(label: &str) -> Option<String> {
    let word = label.split(['(', '（']).next()?.trim().to_lowercase();
    // "後でプッシュ": push later.
    let later = ["後で", "あとで", "나중에", "稍后"];
    let later = later.into_iter().find(|later| word.starts_with(later));
    let declines = || DECLINING.holds(&word).then(|| word.clone());
    later.map(str::to_owned).or_else(declines)
}

/// True for a `description` that only says that things stay as they are: none of its words is an act.
pub(crate) fn leaves_things(description: &str) -> bool {
    let leaves = [&NEGATIVE, &KEEPING, &ENDING, &SHOWING, &MOVING_ON, &LITTLE];
    only_names(description, |word| {
        leaves.iter().any(|list| list.holds(word))
    })
}

/// True for a label that says what it does independently of the other options: it refers neither to the question nor,
/// like "All" and "The others", to other options.
pub fn stands_alone(question: &str, label: &str) -> bool {
    let refers =
        |word: &String| PRONOUNS.holds(word) || ALL.holds(word) || OTHER_OPTIONS.holds(word);
    commitment(question, label) != Commitment::RefersToQuestion && !words(label).iter().any(refers)
}

/// True for a clause with an unknown verb that only repeats the order at the start of the question: "Fail over now" for
/// "Fail over the database?".
fn repeats(clause: &[String], question: &str) -> bool {
    let is_order = !clause.first().is_some_and(|head| is_verb(head));
    is_order
        && asking_sentences(question).into_iter().any(|asked| {
            let asked = words(asked);
            let mut clause = clause.iter();
            asked.first() == clause.as_slice().first()
                && clause.all(|word| asked.contains(word) || LITTLE.holds(word))
        })
}

/// The commitment of a clause that does not leave things as they are.
fn of_clause(clause: &[String]) -> Commitment {
    let Some((head, rest)) = clause.split_first() else {
        return Commitment::RefersToQuestion;
    };
    // "Start to format the draft" means formatting it.
    if let ("start" | "begin", [to, act @ ..]) = (head.as_str(), rest)
        && to == "to"
        && act.first().is_some_and(|verb| is_verb(verb))
    {
        return of_clause(act);
    }
    // "Continue investigating"
    if let ("continue" | "keep", [thinking, ..]) = (head.as_str(), rest)
        && THINKING.holds(thinking)
    {
        return Commitment::OwnAct;
    }
    // "Go with the outline" means the value "the outline".
    if let ("go", [with, value @ ..]) = (head.as_str(), rest)
        && with == "with"
        && !value.is_empty()
    {
        return of_clause(value);
    }
    let affirms = |word: &String| AFFIRMATIVE.holds(word);
    if affirms(head) || !is_verb(head) && rest.iter().any(affirms) {
        return Commitment::RefersToQuestion;
    }
    let refers = |at: usize, word: &String| {
        PRONOUNS.holds(word) && !(MAKING.holds(head) && determines(rest, at))
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

/// True when the word at `at` is a determiner of the next one: "this brief".
fn determines(words: &[String], at: usize) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let next = word(at + 1);
    matches!(word(at), "this" | "that" | "these" | "those")
        && !next.is_empty()
        && !LITTLE.holds(next)
        && !NO_ORDER.holds(next)
}

/// True for a clause worded as an order with an unknown verb: "Ring the customer".
fn orders(clause: &[String]) -> bool {
    let [head, next, _, ..] = clause else {
        return false;
    };
    DETERMINERS.holds(next) && !NO_ORDER.holds(head)
}

/// True for a single verb that the question itself proposes ("Cancel" for "Cancel the order?"), and for "Skip" when the
/// question proposes protection.
fn is_asked_for(clause: &[String], question: &str) -> bool {
    let Some(head) = clause.first().filter(|_| names_nothing(clause)) else {
        return false;
    };
    let asked = asking_sentences(question).join(" ");
    words(&asked).contains(head) && is_verb(head) || head == "skip" && proposes_protection(question)
}

/// True when nothing after the first word names its object.
pub(crate) fn names_nothing(clause: &[String]) -> bool {
    let rest = clause.get(1..).unwrap_or_default();
    rest.iter().all(|word| LITTLE.holds(word))
}

/// True for a clause that leaves things as they are or moves the conversation on.
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
        "keep" if OUTWARD_FORMS.holds(second) => false,
        "keep" | "retain" if matches!(second, "only" | "just") => false,
        first => KEEPING.holds(first) || SHOWING.holds(first),
    }
}

/// True when the question proposes to keep, wait, ask or protect, or to run a safeguard. Declining that is an act.
pub(crate) fn proposes_protection(question: &str) -> bool {
    asking_sentences(question).into_iter().any(|asked| {
        let words = words(asked);
        let lead = || words.iter().take(LEAD);
        let guard = lead().position(|word| SAFEGUARDS.holds(word));
        lead().any(|word| PROTECTING.holds(word))
            || guard.is_some_and(|at| !words.iter().take(at).any(|word| WRITING.holds(word)))
    })
}

/// The clauses of a label, each as a list of words.
pub(crate) fn clauses(label: &str) -> Vec<Vec<String>> {
    // A slash command is a name: "Run /plan".
    let named = label.replace(" /", " ").replace("`/", "`");
    let parted = named.replace(['—', '–', '(', ';', ':', ',', '/'], "\n");
    let parted = parted.replace(" - ", "\n").replace(". ", "\n");
    let clauses = parted.lines().map(words);
    clauses.filter(|clause| !clause.is_empty()).collect()
}

/// The words of `text`, in lower case; an apostrophe or hyphen inside a word is part of it.
pub(crate) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let parts = lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
    let words = parts.map(|word| word.trim_matches(['\'', '-']));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// True for a known verb in the imperative.
pub(crate) fn is_verb(word: &str) -> bool {
    let is_known = |word: &str| VERBS.iter().any(|list| list.holds(word));
    is_known(word) || word.split_once('-').is_some_and(|(_, verb)| is_known(verb))
}

/// True for any form of a known verb.
pub(crate) fn is_form_of_verb(word: &str) -> bool {
    let stem = stem_of(word);
    VERBS.iter().any(|list| list.verb(&stem).is_some())
}

// The texts of an answer that describe its act.

/// The texts of an answer that describe its act.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// Its commitment.
    pub commitment: Commitment,
    pub(crate) question: &'a str,
    pub(crate) label: &'a str,
    pub(crate) description: &'a str,
    pub(crate) preview: &'a str,
    /// Texts that are read together: key, question, header and label, if the label refers to them.
    pub(crate) together: Vec<Cow<'a, str>>,
    /// Texts that are read alone: the label, if it says by itself what is done, and the sentence that asks for a value.
    pub(crate) alone: Vec<Cow<'a, str>>,
}

impl<'a> Act<'a> {
    /// The act of choosing `label` as the answer to `question`; without a label, the act that the question proposes.
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
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        match commitment {
            Commitment::LeavesThings | Commitment::OwnAct => alone.push(without_refusals(label)),
            Commitment::Value => {
                let asked = asking_sentences(question).join(" ");
                let asked = without_refusals(&without_design(&asked)).into_owned();
                alone.extend([Cow::Borrowed(label), Cow::Owned(asked)]);
            }
            Commitment::NamesProposal | Commitment::RefersToQuestion => together.extend([
                Cow::Borrowed(key),
                without_design(question),
                Cow::Borrowed(header),
                without_refusals(without_yes(label)),
            ]),
        }
        Self {
            commitment,
            question,
            label,
            description,
            preview,
            together,
            alone,
        }
    }

    /// The reason in the act that no setting for a key can override: commands with an effect, SQL that writes, money,
    /// addresses, force, and destroyed data; `None` without any.
    pub fn hard_reason(&self) -> Option<String> {
        let described = without_refusals(self.description);
        let acts = self.together.iter().chain(&self.alone);
        let mut acts = acts.map(AsRef::as_ref).chain([&*described, self.preview]);
        acts.find_map(find_hard).or_else(|| self.sign())
    }

    /// The reason why the act plainly can't be undone, by the hook's few word lists; `None` if they find nothing. The
    /// person can override it.
    pub fn plain_reason(&self) -> Option<String> {
        let together: Vec<&str> = self.together.iter().map(AsRef::as_ref).collect();
        let described = without_refusals(self.description);
        let alone = self.alone.iter().map(AsRef::as_ref);
        let mut alone = alone.chain([&*described, self.preview]);
        self.hard_reason()
            .or_else(|| find_plain(&together))
            .or_else(|| alone.find_map(|text| find_plain(&[text])))
    }

    /// The sign in the label, description or preview. It counts even where the text says that something is not done:
    /// only words can be negated.
    fn sign(&self) -> Option<String> {
        let beside = [self.label, self.description, self.preview];
        // "Where should I write it?" "~/.bashrc"
        let filled = || match self.commitment {
            Commitment::Value if points_outside(self.label) => {
                let asked = asking_sentences(self.question);
                find_signs(&[asked.join(" ").as_str(), self.label].join(" "))
            }
            _ => None,
        };
        beside.into_iter().find_map(find_signs).or_else(filled)
    }
}

/// `label` without a leading word of consent, so that the rest is judged.
fn without_yes(label: &str) -> &str {
    let end = label
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(label.len());
    let (first, rest) = label.split_at(end);
    // "Accept the risk" is more than a yes.
    let first = first.to_lowercase();
    match YES.holds(&first) && first != "accept" && !rest.is_empty() {
        true => rest,
        false => label,
    }
}

// Sentences of a question: those that propose an act, and those that only mention something.

/// The sentences of `text` that ask, or its last one if none does.
pub(crate) fn asking_sentences(text: &str) -> Vec<&str> {
    let sentences = sentences(text);
    let last = sentences.last().copied();
    let asking: Vec<&str> = sentences
        .into_iter()
        .filter(|one| one.ends_with('?'))
        .collect();
    match asking.is_empty() {
        true => last.into_iter().collect(),
        false => asking,
    }
}

/// The sentences of `text`. A punctuation mark inside a word does not end a sentence.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_end = matches!(byte, b'\n')
            || matches!(byte, b'.' | b'?' | b'!')
                && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        if is_end {
            found.extend(text.get(start..=at).map(str::trim));
            start = at + 1;
        }
    }
    found.extend(text.get(start..).map(str::trim));
    found.retain(|sentence| !sentence.is_empty());
    found
}

static PRODUCT: WordList = WordList::labels("product");

static THINGS: WordList = WordList::labels("made things");

static BECOMING: WordList = WordList::labels("becoming");

static DESIGN: WordList = WordList::labels("design");

/// `question` without sentences about the product's design: "Should users be able to delete old versions?".
pub(crate) fn without_design(question: &str) -> Cow<'_, str> {
    without(question, &sentences(question), is_design)
}

static MATCHING: WordList = WordList::labels("matching");

/// True for a question that asks to confirm a text: "Do these match what you hear from customers?".
fn confirms(words: &[String]) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    matches!(word(0), "do" | "does" | "is" | "are")
        && matches!(word(1), "this" | "that" | "these" | "those" | "it" | "the")
        && words
            .iter()
            .skip(2)
            .take(3)
            .any(|word| MATCHING.holds(word))
}

fn is_design(sentence: &str) -> bool {
    let words = words(sentence);
    if confirms(&words) {
        return true;
    }
    let asks = words.first().is_some_and(|word| {
        matches!(
            word.as_str(),
            "should" | "can" | "may" | "must" | "do" | "does" | "will" | "would"
        )
    });
    let is_agents =
        |word: &String| matches!(word.as_str(), "i" | "we" | "me" | "us" | "now" | "today");
    if !asks || words.iter().any(is_agents) {
        return false;
    }
    let subject = words.iter().take(6).position(|word| PRODUCT.holds(word));
    subject.is_some_and(|at| {
        let behind = || words.iter().skip(at + 1).take(4);
        let is_thing = words.get(at).is_some_and(|word| THINGS.holds(word));
        let becomes = |word: &String| BECOMING.holds(word);
        behind().any(|word| DESIGN.holds(word)) || is_thing && !behind().any(becomes)
    })
}

static REFUSING: WordList = WordList::labels("refusing");

static NOT_YET: WordList = WordList::labels("not yet");

/// `text` without the parts that its clauses negate or postpone: "continue without creating a ticket".
pub(crate) fn without_refusals(text: &str) -> Cow<'_, str> {
    let is_end = |c: char| matches!(c, ',' | ';' | '.' | ':' | '—' | '–' | '\n' | '(' | ')');
    let mut kept = String::new();
    let (mut is_refused, mut left_out, mut is_head) = (false, false, true);
    let mut written = text
        .split_inclusive(|c: char| c.is_whitespace() || is_end(c))
        .peekable();
    while let Some(piece) = written.next() {
        let word = piece
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
            .replace('’', "'");
        let next = written.peek().map_or("", |next| next.trim());
        // The words after these are read again, although they may be negated, too.
        if matches!(word.as_str(), "but" | "and" | "then") {
            is_refused = false;
        }
        // "Not only …" is not a negation.
        is_refused |= REFUSING.holds(&word) && !matches!(next, "only" | "just");
        is_refused |= NOT_YET.holds(&word) && !is_head;
        match is_refused {
            true => left_out = true,
            false => kept.push_str(piece),
        }
        is_head = piece.ends_with(is_end) || is_head && word.is_empty();
        is_refused &= !piece.ends_with(is_end);
    }
    match left_out {
        true => Cow::Owned(kept),
        false => Cow::Borrowed(text),
    }
}

/// `text` without the `parts` for which `left_out` is true.
fn without<'t>(text: &'t str, parts: &[&'t str], left_out: fn(&str) -> bool) -> Cow<'t, str> {
    let kept: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !left_out(part))
        .collect();
    match kept.len() == parts.len() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(kept.join(" ")),
    }
}

#[cfg(test)]
mod tests;
