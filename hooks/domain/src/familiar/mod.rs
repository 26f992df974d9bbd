//! Familiarity: the words of the questions that the person has seen and agreed to.
//!
//! A preference answers a question only when nothing in it is new: no word in the description of the chosen option, and
//! no word in the question if the answer refers to it. A new word is asked about once; if the answer is the same, it is
//! familiar from then on. Nothing here knows which words are dangerous, so a word cannot slip through by being unknown,
//! and more text never makes a question more familiar.

use std::borrow::Borrow;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::binding::{Difference, Form, Part, Pattern, file};
use crate::recommended::{is_option, option_text};
use crate::words::stem_of;

/// Grammar words, which name neither an act nor a thing. Words that change the meaning of a sentence ("not", "without",
/// "before", "all", "only") are not included.
const GRAMMAR: &str = " a an and are as at be been being but by can could did do does for from had has have here how \
    i if in into is it its let may might of on or our should so than that the their them there these they this \
    those to was we were what when where which while who why will with would ";

/// Words that reverse a question, join another one to it, or turn it back to the person. If an answer only leaves
/// things as they are, the question may be about anything, but it must not have one of these words that was not seen
/// before.
const TURNING: &str = " after all also and anyway before both but did each either every everything except first \
    instead never no none not nothing only or unless until without you your yours ";

/// Other things that are numbered, so that a number after the word says which one.
const NUMBERED: &str = " attempt case epic issue mr pr question slice task test wave ";

/// Names of parts of code and texts, and their qualities: things that may be edited without asking, and no verbs. One
/// per line, sorted.
const THINGS: &str = include_str!("things.txt");

/// Topics of software work, without verbs that reach anybody or remove anything. They may appear in a question whose
/// topic varies. One per line, sorted.
const TOPICS: &str = include_str!("topics.txt");

/// The stem for a whole number of at most [`MOST_DIGITS`] digits.
const NUMBER: &str = "#";

/// A longer number is compared digit by digit.
const MOST_DIGITS: usize = 4;

/// The stems of the seen words, sorted, without duplicates, separated by spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stems(String);

impl Stems {
    fn holds(&self, stem: &str) -> bool {
        holds(&self.0, stem, ' ')
    }

    fn of<S: Borrow<str> + Ord>(mut stems: Vec<S>) -> Self {
        stems.sort_unstable();
        stems.dedup();
        Self(stems.join(" "))
    }

    fn each(&self) -> impl Iterator<Item = String> {
        let stems = self.0.split(' ').filter(|stem| !stem.is_empty());
        stems.map(str::to_owned)
    }

    fn and(&self, other: &Self) -> Self {
        Self::of(self.each().chain(other.each()).collect())
    }
}

/// The words that the person has agreed to with one preference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Familiar {
    /// The words of the questions and headers.
    #[serde(default)]
    asked: Stems,
    /// The openings of the asking sentences: the first word, with a following "I", "we" or "you".
    #[serde(default)]
    openings: Stems,
    /// The most asking sentences in one question.
    #[serde(default)]
    asks: usize,
    /// The largest number seen anywhere.
    #[serde(default)]
    most: u32,
    /// The words of each question in order, if the answer refers to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    questions: Vec<Stems>,
    /// The labels that were chosen.
    #[serde(default)]
    chosen: Vec<Chosen>,
}

/// A chosen label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Chosen {
    /// In lower case, without a leading option letter or a mark of recommendation.
    label: String,
    /// The words of its descriptions, and the digests of its previews.
    does: Stems,
    /// The words that appear only in the descriptions of other options.
    #[serde(default)]
    others: Stems,
}

/// An asked question that the person agreed to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreed<'a> {
    /// The question.
    pub question: &'a str,
    /// Its header; empty if it had none.
    pub header: &'a str,
    /// The chosen label.
    pub label: &'a str,
    /// The description of the chosen option.
    pub description: &'a str,
    /// The digest of its preview ([`crate::binding::preview_digest`]), empty if it had none.
    pub preview: &'a str,
    /// The descriptions of all options.
    pub descriptions: &'a [String],
}

/// The words of an asked question that the person agreed to.
#[derive(Clone, Debug)]
pub struct Seen {
    asked: Vec<String>,
    opening: String,
    asks: usize,
    most: u32,
    /// The chosen label, in the form of [`Chosen`], and its words.
    label: (String, Vec<String>),
    does: Vec<String>,
    shown: Vec<String>,
}

impl Seen {
    /// The words of `one`.
    pub fn of(one: Agreed<'_>) -> Self {
        let stems = |text: &str| words(text).map(|word| word.stem()).collect::<Vec<_>>();
        let texts = [one.question, one.header, one.description];
        let numbers = texts.into_iter().flat_map(words);
        let mut does = stems(one.description);
        does.extend((!one.preview.is_empty()).then(|| one.preview.to_owned()));
        Self {
            asked: [stems(one.question), stems(one.header)].concat(),
            opening: opening(one.question),
            asks: asks(one.question),
            most: numbers.filter_map(|word| word.number()).max().unwrap_or(0),
            label: (name(one.label), stems(option_text(one.label))),
            does,
            shown: one
                .descriptions
                .iter()
                .flat_map(|text| stems(text))
                .collect(),
        }
    }
}

/// Something new in an asked question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum New {
    /// A word of the question or its header.
    Question(String),
    /// The question asks more than one thing, or has a new opening.
    Kind(String),
    /// A word in the description of the chosen option.
    Description(String),
    /// The chosen option's preview.
    Preview,
}

impl New {
    /// Its name in events.
    pub fn difference(&self) -> Difference {
        match self {
            Self::Question(_) => Difference::NewWord,
            Self::Kind(_) => Difference::Kind,
            Self::Description(_) => Difference::NewAct,
            Self::Preview => Difference::Preview,
        }
    }
}

impl Familiar {
    /// The words that the person agreed to in `askings`.
    pub fn of<'a>(askings: impl IntoIterator<Item = Agreed<'a>>) -> Self {
        let seen: Vec<Seen> = askings.into_iter().map(Seen::of).collect();
        Self::of_seen(&seen)
    }

    /// The same, for asked questions whose words are known.
    pub fn of_seen<'a>(askings: impl IntoIterator<Item = &'a Seen>) -> Self {
        let mut familiar = Self::default();
        let (mut asked, mut openings): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let mut labels: Vec<(&str, Vec<&str>, Vec<&str>)> = Vec::new();
        for one in askings {
            familiar.most = familiar.most.max(one.most);
            familiar.asks = familiar.asks.max(one.asks);
            asked.extend(one.asked.iter().map(String::as_str));
            openings.push(&one.opening);
            let (label, words) = &one.label;
            let known = labels.iter().position(|(other, ..)| other == label);
            let at = known.unwrap_or(labels.len());
            if known.is_none() {
                labels.push((
                    label,
                    words.iter().map(String::as_str).collect(),
                    Vec::new(),
                ));
            }
            if let Some((_, does, shown)) = labels.get_mut(at) {
                does.extend(one.does.iter().map(String::as_str));
                shown.extend(one.shown.iter().map(String::as_str));
            }
        }
        familiar.asked = Stems::of(asked);
        familiar.openings = Stems::of(openings);
        let chosen = labels.into_iter().map(|(label, does, mut shown)| {
            let does = Stems::of(does);
            shown.retain(|stem| !does.holds(stem));
            let others = Stems::of(shown);
            Chosen {
                label: label.to_owned(),
                does,
                others,
            }
        });
        familiar.chosen = chosen.collect();
        familiar
    }

    /// The agreed words when only the question's `forms`, the `options` and the chosen `label` are known.
    pub fn of_forms(question: &str, forms: &[Form], options: &[String], label: &str) -> Self {
        let fixed = |pattern: &Pattern| {
            let fixed = pattern.parts().iter().filter_map(|part| match part {
                Part::Fixed(text) => Some(text.as_str()),
                Part::Slot(_) => None,
            });
            fixed.collect::<String>()
        };
        let last = Form::of_text(question);
        let seen = forms.iter().chain([&last]).map(|form| {
            let descriptions = form.descriptions.iter().flatten().map(fixed);
            let header = form.header.as_ref().map_or_else(String::new, fixed);
            let previews = form.previews.as_deref().unwrap_or_default();
            (
                fixed(&form.text),
                header,
                descriptions.collect::<Vec<_>>(),
                previews,
            )
        });
        let seen: Vec<_> = seen.collect();
        let at = options.iter().position(|option| is_option(option, label));
        let at = at.unwrap_or(options.len());
        Self::of(
            seen.iter()
                .map(|(question, header, descriptions, previews)| Agreed {
                    question,
                    header,
                    label,
                    description: descriptions.get(at).map_or("", String::as_str),
                    preview: previews.get(at).map_or("", String::as_str),
                    descriptions,
                }),
        )
    }

    /// Adds the [`signature`]s of the questions that the answers refer to. A question with the same words in the same
    /// order, but other numbers and files, is the same question.
    #[must_use]
    pub fn with_questions(self, signatures: impl Iterator<Item = Stems>) -> Self {
        let mut questions: Vec<Stems> = signatures.collect();
        questions.dedup();
        Self { questions, ..self }
    }

    /// True if `question` has exactly the words of a seen question, in the same order. A question with an amount of
    /// money or a percentage is never known.
    pub fn knows_question(&self, question: &str) -> bool {
        if question.contains(['$', '€', '£', '¥', '₹', '%']) {
            return false;
        }
        self.questions.contains(&signature(question)) && self.new_number(question).is_none()
    }

    /// Whether `word` is no greater number than any that was seen.
    fn has_counted_to(&self, word: &TextWord<'_>) -> bool {
        word.number().is_none_or(|number| number <= self.most)
    }

    /// The first number in `text`, a question or a part of one, that is too large. A number that says which one ("step
    /// 3") may be up to twice the largest seen, because numbers of issues and steps grow. A number that says how many
    /// ("3 workers") may not be larger than the largest seen.
    pub(crate) fn new_number(&self, text: &str) -> Option<u32> {
        let words: Vec<TextWord<'_>> = words(text).collect();
        let is_new = |at: usize| {
            let number = words.get(at)?.number()?;
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let says_which = before.is_none_or(TextWord::may_have_number)
                && !words.get(at + 1).is_some_and(TextWord::is_plural);
            let most = if says_which {
                counts_to(self.most)
            } else {
                self.most
            };
            (number > most).then_some(number)
        };
        (0..words.len()).find_map(is_new)
    }

    /// Merges two: the words that are familiar by either.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut chosen = self.chosen;
        for one in other.chosen {
            match chosen.iter_mut().find(|known| known.label == one.label) {
                Some(known) => {
                    known.does = known.does.and(&one.does);
                    known.others = known.others.and(&one.others);
                }
                None => chosen.push(one),
            }
        }
        Self {
            asked: self.asked.and(&other.asked),
            openings: self.openings.and(&other.openings),
            asks: self.asks.max(other.asks),
            most: self.most.max(other.most),
            questions: self.questions.into_iter().chain(other.questions).collect(),
            chosen,
        }
    }

    /// Checks that nothing is new in the option `label`, judging by its `description` and the digest of its `preview`.
    /// A thing from another option's description counts as new, because the two may be swapped.
    ///
    /// # Errors
    /// The new part.
    pub fn check_act(&self, label: &str, description: &str, preview: &str) -> Result<(), New> {
        let (none, label) = (Chosen::default(), name(label));
        let chosen = self.chosen.iter().find(|one| one.label == label);
        let Chosen { does, others, .. } = chosen.unwrap_or(&none);
        let is_seen = |word: &TextWord<'_>| {
            let stem = word.stem();
            let is_seen = does.holds(&stem) && self.has_counted_to(word);
            word.is_grammar() || is_seen || word.is_thing() && !others.holds(&stem)
        };
        if let Some(new) = words(description).find(|word| !is_seen(word)) {
            return Err(New::Description(new.text()));
        }
        match preview.is_empty() || does.holds(preview) {
            true => Ok(()),
            false => Err(New::Preview),
        }
    }

    /// Checks that every word of `question` and `header` is known, and that it does not ask more things than before.
    ///
    /// # Errors
    /// The new part.
    pub fn check_question(&self, question: &str, header: &str) -> Result<(), New> {
        self.check_amount(question)?;
        self.check_words(question)?;
        self.check_words(header)
    }

    /// Checks that `question` does not ask more things than before.
    ///
    /// # Errors
    /// The opening of its asking sentence.
    pub fn check_amount(&self, question: &str) -> Result<(), New> {
        match asks(question) > self.asks {
            true => Err(New::Kind(opening(question))),
            false => Ok(()),
        }
    }

    /// Checks that every word of `text`, a part of a question, was seen or is a thing or a topic, and that no number is
    /// too large.
    ///
    /// # Errors
    /// The first new word.
    pub fn check_words(&self, text: &str) -> Result<(), New> {
        let new = words(text).find(|word| {
            let is_known = word.is_grammar() || word.is_thing() || word.is_topic();
            !(is_known || self.asked.holds(&word.stem()))
        });
        let new = new.map(|word| word.text());
        let new = new.or_else(|| Some(self.new_number(text)?.to_string()));
        new.map_or(Ok(()), |new| Err(New::Question(new)))
    }

    /// True if `filler` names a topic: its words are known, and none is a grammar word except a leading article.
    pub fn knows_topic(&self, filler: &str) -> bool {
        let named = ["the ", "The ", "a ", "A ", "an ", "An "]
            .iter()
            .find_map(|article| filler.strip_prefix(article));
        let named = named.unwrap_or(filler);
        let mut words = words(named).peekable();
        words.peek().is_some()
            && !words.any(|word| word.is_grammar())
            && self.check_words(named).is_ok()
    }

    /// Checks that `question` asks one thing, of a kind that was seen, whatever its topic. That is enough if the answer
    /// only leaves things as they are.
    ///
    /// # Errors
    /// The new part.
    pub fn check_kind(&self, question: &str) -> Result<(), New> {
        let opening = opening(question);
        if !self.openings.holds(&opening) {
            return Err(New::Kind(opening));
        }
        let turns = |word: &TextWord<'_>| match word {
            TextWord::Plain(word) => holds(TURNING, word, ' '),
            TextWord::Symbol(symbol) => is_invisible(*symbol),
            TextWord::Pair(_) | TextWord::File(..) | TextWord::Code(_) => false,
        };
        let mut new = words(question).filter(turns);
        new.find(|word| !self.asked.holds(&word.stem()))
            .map_or(Ok(()), |word| Err(New::Question(word.text())))
    }
}

/// True if a number after `word` says which one it is ("step 3", "#12"), not how many.
pub fn says_which(word: &str) -> bool {
    word.ends_with('#') || TextWord::Plain(word.to_lowercase()).may_have_number()
}

/// The largest number allowed in a question if `most` was the largest seen.
pub(crate) fn counts_to(most: u32) -> u32 {
    most.saturating_mul(2)
}

/// True for a text with a word that is not a grammar word.
pub(crate) fn says_something(text: &str) -> bool {
    words(text).any(|word| !word.is_grammar())
}

/// True for the name of a part of code or of a text, or of a topic of software work.
pub(crate) fn is_thing(word: &str) -> bool {
    holds(THINGS, word, '\n') || holds(TOPICS, word, '\n')
}

/// True for a text in which every word is a thing, a topic, a grammar word, or `known`.
pub(crate) fn only_names(text: &str, known: impl Fn(&str) -> bool) -> bool {
    let is_known = |word: &TextWord<'_>| match word {
        TextWord::Plain(plain) if known(plain) => true,
        word => word.is_grammar() || word.is_thing() || word.is_topic(),
    };
    words(text).all(|word| is_known(&word))
}

/// The words of `question` in order, with one stem for all numbers and one for each kind of file.
pub fn signature(question: &str) -> Stems {
    let stems: Vec<String> = words(question).map(|word| word.stem()).collect();
    Stems(stems.join(" "))
}

/// The key for a label: its text in lower case.
fn name(label: &str) -> String {
    option_text(label).to_lowercase()
}

/// The number of asking sentences in `text`.
fn asks(text: &str) -> usize {
    let ends = |(at, c): &(usize, char)| {
        let after = text
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        matches!(c, '？' | '؟')
            || *c == '?' && after.is_none_or(|next| !next.is_alphanumeric() && next != '?')
    };
    text.char_indices().filter(ends).count()
}

/// The opening of the last asking sentence in `text`, or of its last sentence if none asks.
fn opening(text: &str) -> String {
    let sentences: Vec<&str> = text
        .split_inclusive(['.', '?', '!', '\n', '？', '。'])
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect();
    let asking = sentences
        .iter()
        .rev()
        .find(|one| one.trim_end().ends_with(['?', '？']));
    let asking = asking.or(sentences.last()).copied().unwrap_or_default();
    let mut words = words(asking);
    let first = words.next().map_or_else(String::new, |word| word.stem());
    // The subject distinguishes an offer of the agent from a question back: "shall I", "did you".
    let of_whom = words
        .next()
        .filter(|word| word.is_one_of(" i we you ", ' '));
    of_whom.map_or(first.clone(), |word| format!("{first}-{}", word.stem()))
}

/// One word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TextWord<'a> {
    /// Letters and digits, in lower case.
    Plain(String),
    /// Two characters of a script without spaces between words.
    Pair(&'a str),
    /// A file that is only read or edited: its folder and its ending.
    File(&'a str, &'a str),
    /// Code, which must match exactly.
    Code(&'a str),
    /// A character that is neither part of a word nor plain punctuation.
    Symbol(char),
}

impl TextWord<'_> {
    /// The form by which it is compared.
    fn stem(&self) -> String {
        match self {
            Self::Plain(_) if self.number().is_some() => NUMBER.to_owned(),
            Self::Plain(word) => stem_of(word),
            Self::Pair(pair) => (*pair).to_owned(),
            // Stems are separated by spaces.
            Self::Code(code) => format!(
                "`{}`",
                code.split_whitespace().collect::<Vec<_>>().join("\u{a0}")
            ),
            Self::File(folder, ending) => format!("{folder}/*.{ending}"),
            Self::Symbol(symbol) => format!("u+{:04x}", u32::from(*symbol)),
        }
    }

    /// Its value, if it is a number of at most [`MOST_DIGITS`] digits.
    fn number(&self) -> Option<u32> {
        match self {
            Self::Plain(word)
                if word.len() <= MOST_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                word.parse().ok()
            }
            _ => None,
        }
    }

    /// The text to show to the person. An invisible character is shown by its number.
    fn text(&self) -> String {
        match self {
            Self::Plain(word) => word.clone(),
            Self::Pair(pair) => (*pair).to_owned(),
            Self::Code(code) => format!("`{code}`"),
            Self::File(..) => self.stem(),
            Self::Symbol(symbol) if is_invisible(*symbol) => {
                format!("U+{:04X}", u32::from(*symbol))
            }
            Self::Symbol(symbol) => symbol.to_string(),
        }
    }

    fn is_one_of(&self, list: &str, end: char) -> bool {
        matches!(self, Self::Plain(word) if holds(list, word, end))
    }

    fn is_grammar(&self) -> bool {
        self.is_one_of(GRAMMAR, ' ')
    }

    fn is_thing(&self) -> bool {
        self.is_one_of(THINGS, '\n')
    }

    fn is_topic(&self) -> bool {
        self.is_one_of(TOPICS, '\n')
    }

    /// True if a number after it says which one: "step 3", "#12".
    fn may_have_number(&self) -> bool {
        matches!(self, Self::Symbol('#'))
            || self.is_thing()
            || self.is_topic()
            || self.is_one_of(NUMBERED, ' ')
    }

    /// True for a word that may name counted things: "workers".
    fn is_plural(&self) -> bool {
        matches!(self, Self::Plain(word) if word.ends_with('s')) && !self.is_grammar()
    }
}

/// The punctuation of a plain sentence.
const PLAIN: [char; 32] = [
    ',', '.', '?', '!', ':', '\'', '’', '"', '“', '”', '(', ')', '-', '–', '—', '/', '…', '`', '·',
    '•', '。', '、', '，', '？', '！', '：', '（', '）', '「', '」', '[', ']',
];

/// The words of `text`, in order; code between backticks is one. What ends a sentence, quotes or joins is none.
fn words(text: &str) -> impl Iterator<Item = TextWord<'_>> {
    let is_closed = text.matches('`').count().is_multiple_of(2);
    text.split('`').enumerate().flat_map(move |(at, part)| {
        let is_code = is_closed && at % 2 == 1 && file(part).is_none();
        let code = (is_code && !part.is_empty()).then_some(TextWord::Code(part));
        let prose = if is_code { "" } else { part };
        code.into_iter()
            .chain(prose.split_whitespace().flat_map(written_words))
    })
}

/// The words of `written`, in which there is no blank: the name of a file is one.
fn written_words(written: &str) -> impl Iterator<Item = TextWord<'_>> {
    let name = written.trim_matches(PLAIN);
    let file = file(name).map(|(folder, ending)| TextWord::File(folder, ending));
    let rest = if file.is_some() { "" } else { written };
    file.into_iter().chain(plain_words(rest))
}

/// The words of `rest`, in which there is no blank.
fn plain_words(mut rest: &str) -> impl Iterator<Item = TextWord<'_>> {
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            if is_letter(first) && has_no_blanks(first) {
                let second = rest.char_indices().nth(1);
                let second = second.filter(|(_, c)| is_letter(*c) && has_no_blanks(*c));
                let end = second.map_or(first.len_utf8(), |(at, c)| at + c.len_utf8());
                let pair = rest.get(..end)?;
                rest = rest.get(first.len_utf8()..)?;
                return Some(TextWord::Pair(pair));
            }
            if is_letter(first) {
                let ends = |c: char| !is_letter(c) || has_no_blanks(c);
                let (word, after) = rest.split_at_checked(rest.find(ends).unwrap_or(rest.len()))?;
                rest = after;
                return Some(TextWord::Plain(word.to_lowercase()));
            }
            rest = rest.get(first.len_utf8()..)?;
            if !PLAIN.contains(&first) {
                return Some(TextWord::Symbol(first));
            }
        }
    })
}

/// True for a part of a word.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True for a character of a script without spaces between words.
fn has_no_blanks(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x9FFF
        | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// True if `text` has a character that is invisible or changes the direction of others. Line breaks do not count.
pub fn has_invisible(text: &str) -> bool {
    text.chars().any(|c| is_invisible(c) && c != '\n')
}

/// True for a character that is invisible or changes the direction of others.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c), 0x00AD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0
            | 0xFFF0..=0xFFFB | 0xE0000..=0xE0FFF)
}

/// True if `list` contains `word` between two `end`s, or at its start or end.
fn holds(list: &str, word: &str, end: char) -> bool {
    let mut found = memmem::find_iter(list.as_bytes(), word.as_bytes());
    found.any(|at| {
        let before = list.get(..at).unwrap_or_default();
        let after = list.get(at + word.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with(end)) && (after.is_empty() || after.starts_with(end))
    })
}

#[cfg(test)]
mod tests;
