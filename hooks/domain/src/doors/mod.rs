//! Doors: an answer that can't be undone is `one-way`.
//!
//! This module has the reasons that no agreement overrides, which the hook looks for: commands with an effect, SQL that
//! writes, money, addresses and paths outside the project, force, and destroyed data. Words alone are judged by
//! [`crate::consent`] when a preference is proposed or set.

use std::borrow::Cow;

use serde::Deserialize;

use self::tokens::{ALWAYS, DESTROYING, Role, Token, is_stop, push_tokens};
use crate::named::named_enum;
use crate::permissions::{OwnReaches, Reach};
use crate::shell::{is_program, judge, sql_writes};
use crate::text::{fold, without_accents};
use crate::words::{Phrase, PhraseList, WordList, has_word};

pub(crate) mod tokens;

static FORCE: PhraseList = PhraseList::doors("force");
/// Things that any change endangers.
pub(crate) static CRITICAL: WordList = WordList::doors("critical");
/// Verbs that change or release.
pub(crate) static CHANGING: WordList = WordList::verbs("changing");
static PASSIVE: WordList = WordList::doors("passive");
static PRONOUNS: WordList = WordList::doors("pronouns");
/// Things that only a destroying verb endangers.
pub(crate) static COMMON: WordList = WordList::doors("common");

named_enum! {
    /// Whether an answer can be undone.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Door {
        /// Destructive, security, consent, payment, publication: always asked.
        OneWay = "one-way",
        /// Anything else.
        TwoWay = "two-way",
    }
}

/// The sign in `text`: a command with an effect, SQL that writes, money, an address or a path outside the project;
/// `None` without one.
pub fn find_signs(text: &str) -> Option<String> {
    let folded = folded(text);
    let kind = first_command(text)
        .or_else(|| holds_amount(&folded).then(|| "money".to_owned()))
        .or_else(|| tokens::first(&folded).map(str::to_owned))?;
    Some(format!("sign: {kind}"))
}

/// True for a text that names an address or a path outside the project, even without a verb that uses it.
pub fn points_outside(text: &str) -> bool {
    tokens::points_outside(&folded(text))
}

/// The reason in `text` that the person cannot override: a sign ([`find_signs`]), force, or a destroying verb with a
/// critical thing; `None` without one.
pub fn find_hard(text: &str) -> Option<String> {
    let folded = folded(text);
    let mut words = Vec::new();
    push_tokens(0, &folded, &mut words);
    words.retain(|word| word.role != Role::Named);
    first(&words, &FORCE)
        .map(|phrase| format!("phrase: {phrase}"))
        .or_else(|| destroyed(&words, &CRITICAL, Role::Mild))
        .or_else(|| find_signs(text))
}

/// The reason why `texts`, read together, plainly can't be undone: those of [`find_hard`] except its signs, a
/// destroying verb with anything that is stored, a changing verb with a critical thing, and a verb that always reaches
/// others. The person can override these by consent.
pub fn find_plain(texts: &[&str]) -> Option<String> {
    let folded: Vec<String> = texts.iter().map(|text| folded(text)).collect();
    let mut words = Vec::new();
    for (number, text) in folded.iter().enumerate() {
        push_tokens(number, text, &mut words);
    }
    words.retain(|word| word.role != Role::Named);
    let always = || words.iter().find_map(|word| ALWAYS.verb(&word.stem));
    first(&words, &FORCE)
        .map(|phrase| format!("phrase: {phrase}"))
        .or_else(|| destroyed(&words, &CRITICAL, Role::Mild))
        .or_else(|| destroyed(&words, &COMMON, Role::Free))
        .or_else(|| changed(&words))
        .or_else(|| always().map(|verb| format!("verb: {verb}")))
}

/// A destroying verb and one of `things`, near each other in one sentence or in different texts, because "Delete them"
/// answers "What about the old tables?".
pub(crate) fn destroyed(words: &[Token<'_>], things: &WordList, least: Role) -> Option<String> {
    /// How many words apart they may be.
    const NEAR: usize = 8;
    let verb_of = |word: &Token<'_>| {
        let verb = DESTROYING.verb(&word.stem)?;
        (word.role <= least).then_some(verb)
    };
    let verbs = || {
        words
            .iter()
            .filter_map(|word| Some((word.text, verb_of(word)?)))
    };
    // The first verb, and the first one in a later text. For any thing, one of them is in a different text.
    let first = verbs().next()?;
    let other = verbs().find(|(text, _)| *text != first.0);
    words.iter().enumerate().find_map(|(at, word)| {
        let thing = things.noun(&word.word)?;
        let elsewhere = || {
            let verbs = [Some(first), other].into_iter().flatten();
            let mut verbs = verbs.filter(|(text, _)| *text != word.text);
            verbs.next().map(|(_, verb)| verb)
        };
        let behind = || {
            let rest = words.get(at + 1..)?.iter().take(NEAR);
            rest.take_while(|word| !word.starts).find_map(verb_of)
        };
        let before = || {
            let from = at.saturating_sub(NEAR);
            let near = words.get(from..=at)?;
            let begins = near.iter().rposition(|word| word.starts);
            words
                .get(from + begins.unwrap_or(0)..at)?
                .iter()
                .find_map(verb_of)
        };
        let verb = before().or_else(behind).or_else(elsewhere)?;
        Some(format!("pair: {verb} × {thing}"))
    })
}

/// A changing verb and a critical thing: shortly after the verb, before a passive, or in another text if the verb is
/// the whole answer ("Merge it", "Change them now").
pub(crate) fn changed(words: &[Token<'_>]) -> Option<String> {
    /// "Change the default *role* …"
    const REACH: usize = 4;
    /// "Should the *schema* of the shop be changed?"
    const BEFORE: usize = 12;
    let thing_in = |words: &[Token<'_>]| words.iter().find_map(|word| CRITICAL.noun(&word.word));
    let mut texts = words.chunk_by(|one, other| one.text == other.text);
    let (verb, thing) = texts.find_map(|text| {
        let inside = text.iter().enumerate().find_map(|(at, word)| {
            let verb = CHANGING.verb(&word.stem)?;
            let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
            let close = after.iter().take(REACH).take_while(|word| !word.breaks);
            let close = after.get(..close.count())?;
            let is_passive = before.last().is_some_and(|word| PASSIVE.holds(&word.word));
            let before = before.get(before.len().saturating_sub(BEFORE)..)?;
            let thing = thing_in(close).or_else(|| is_passive.then(|| thing_in(before))?)?;
            Some((verb, thing))
        });
        inside.or_else(|| whole_answer(text).and_then(|verb| Some((verb, thing_in(words)?))))
    })?;
    Some(format!("pair: {verb} × {thing}"))
}

/// The changing verb of a text that otherwise has only words like "it" and "now".
fn whole_answer(text: &[Token<'_>]) -> Option<&'static str> {
    /// A longer answer has more content.
    const LONGEST: usize = 12;
    if text.len() > LONGEST {
        return None;
    }
    text.iter().enumerate().find_map(|(at, word)| {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let is_whole = before.iter().all(|word| is_stop(&word.word))
            && after.iter().all(|word| PRONOUNS.holds(&word.word));
        let verb = CHANGING
            .verb(&word.stem)
            .filter(|_| CHANGING.holds(&word.word));
        verb.filter(|_| is_whole)
    })
}

/// `text` in the form that the rules use: each line folded, without accents.
pub(crate) fn folded(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| without_accents(&fold(line)).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}

// Phrases: several words in a row, some with gaps between them.

/// The most words in a gap.
const GAP: usize = 4;

/// The first phrase of `list` in `words`.
pub(crate) fn first(words: &[Token<'_>], list: &PhraseList) -> Option<&'static str> {
    first_but(words, list, |_| false)
}

/// Like [`first`], but skips phrases whose following words are an exception.
pub(crate) fn first_but(
    words: &[Token<'_>],
    list: &PhraseList,
    is_exception: fn(&[Token<'_>]) -> bool,
) -> Option<&'static str> {
    (0..words.len()).find_map(|at| {
        let rest = words.get(at..)?;
        let mut phrases = list.starting(&rest.first()?.stem).iter();
        let found = phrases.find(|phrase| {
            let length = length(rest, phrase);
            length.is_some_and(|length| !is_exception(rest.get(length..).unwrap_or_default()))
        });
        found.map(|phrase| phrase.text)
    })
}

/// The phrase of `list` at the start of `words`.
pub(crate) fn beginning(words: &[Token<'_>], list: &PhraseList) -> Option<&'static str> {
    let phrases = list.starting(&words.first()?.stem);
    let mut phrases = phrases.iter();
    let found = phrases.find(|phrase| length(words, phrase).is_some());
    found.map(|phrase| phrase.text)
}

/// The number of words at the start of `words` that form `phrase`.
fn length(words: &[Token<'_>], phrase: &Phrase) -> Option<usize> {
    let mut at = 0;
    for (stem, has_gap) in &phrase.parts {
        let reach = if *has_gap { GAP } else { 0 };
        let step = (0..=reach).find_map(|step| {
            let word = words.get(at + step)?;
            // A gap must stay within its clause. Adjacent words may be separated by a comma.
            let is_parted = at > 0 && (word.starts || *has_gap && word.breaks);
            match (is_parted, word.stem == *stem) {
                (true, _) => Some(None),
                (false, true) => Some(Some(step)),
                (false, false) => None,
            }
        });
        at += step.flatten()? + 1;
    }
    Some(at)
}

// Amounts of money.

fn is_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₪')
}

static UNITS: WordList = WordList::doors("units");

static NUMBERS: WordList = WordList::doors("numbers");

/// True for an amount of money in `folded`.
fn holds_amount(folded: &str) -> bool {
    let mut words = folded.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        if with_sign(word, next) || joined(word) || parted(word, next) {
            return true;
        }
    }
    false
}

/// `$12`, `12€`, `R$ 12`. A sign and a single digit does not count: `$1` is as often a shell parameter.
fn with_sign(word: &str, next: &str) -> bool {
    let Some(at) = word.find(is_sign) else {
        return false;
    };
    let (before, from) = word.split_at(at);
    let mut after = from.chars();
    let sign = after.next().unwrap_or_default();
    let after = after.as_str();
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let is_parameter = sign == '$'
        && digits(after) == 1
        && after.chars().nth(1).is_none_or(|c| !",.km".contains(c));
    let follows = digits(after) > 0 && (!is_parameter || after.ends_with('?'));
    let precedes = before.ends_with(|c: char| c.is_ascii_digit());
    follows || precedes || after.is_empty() && digits(next) > 0
}

/// `12eur`, `500円`.
fn joined(word: &str) -> bool {
    let Some((_, after)) = word.rsplit_once(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let end = after.find(|c: char| !c.is_alphabetic());
    let (unit, _) = after.split_at(end.unwrap_or(after.len()));
    !unit.is_empty() && unit != "won" && UNITS.holds(unit)
        || ["円", "元", "块", "美元", "欧元", "원", "달러", "ドル", "万"]
            .iter()
            .any(|one| unit.starts_with(one))
}

/// `12 euros`, `two hundred dollars`, `12 €`.
fn parted(word: &str, next: &str) -> bool {
    let is_sign =
        next.starts_with(is_sign) && next.chars().nth(1).is_none_or(|c| !c.is_alphanumeric());
    if is_sign && word.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let number = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.holds(number);
    let unit = || next.trim_matches(|c: char| !c.is_alphanumeric());
    is_number && UNITS.holds(unit())
}

// Commands and SQL, in code and as whole texts.

static RUNNING: WordList = WordList::doors("running");

static ENGLISH: WordList = WordList::doors("programs");

static TOOLS: WordList = WordList::doors("tools");
static ACTING: WordList = WordList::doors("acting");

/// The most pieces of code that are read in a text.
const MOST: usize = 32;

fn first_command(text: &str) -> Option<String> {
    let (prose, pieces) = split(text);
    for (code, before) in &pieces {
        if let Some(found) = piece(code, before) {
            return Some(found);
        }
    }
    if sql_writes(&prose, false) {
        return Some("SQL that writes".to_owned());
    }
    whole(text)
}

/// The text without its code, and the pieces of code with the word before each.
fn split(text: &str) -> (Cow<'_, str>, Vec<(&str, &str)>) {
    if !text.contains('`') {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut prose = String::new();
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        prose.push_str(before);
        prose.push(' ');
        let fence = if after.starts_with("``") { "```" } else { "`" };
        let inside = after.strip_prefix("``").unwrap_or(after);
        let Some((code, next)) = inside.split_once(fence) else {
            rest = after;
            break;
        };
        if pieces.len() < MOST {
            let mut words = before.split_whitespace().rev();
            let word = words.next().unwrap_or_default();
            // "until you run `x`" is not a proposal.
            let is_yours = words
                .next()
                .is_some_and(|word| matches!(word, "you" | "users" | "they"));
            pieces.push((code, if is_yours { "" } else { word }));
        }
        rest = next;
    }
    prose.push_str(rest);
    (Cow::Owned(prose), pieces)
}

fn piece(code: &str, before: &str) -> Option<String> {
    if sql_writes(code, true) {
        return Some("SQL that writes".to_owned());
    }
    let is_run = has_word(&before.to_lowercase(), &RUNNING);
    let (language, block) = match code.split_once('\n') {
        Some((first, block)) => (first.trim(), block),
        None => ("", code),
    };
    let is_shell = matches!(
        language,
        "sh" | "bash" | "shell" | "console" | "zsh" | "fish"
    );
    if !language.is_empty() && !is_shell && !is_run {
        return None;
    }
    let lines = block
        .lines()
        .map(|line| line.trim().trim_start_matches("$ ").trim());
    lines
        .filter(|line| !line.is_empty() && !names_a_skill(line))
        .find_map(|line| {
            let is_command = is_shell || (is_run && is_line(line)) || is_known(line);
            effect(line).filter(|_| is_command)
        })
}

/// True for the name of a skill, or a slash command with its arguments, that is not a known program: `ce-work`,
/// `/gsd:plan 3`.
fn names_a_skill(line: &str) -> bool {
    let name = match line.strip_prefix('/') {
        Some(command) if !line.contains(['|', '&', ';', '>', '`', '$']) => {
            command.split(' ').next().unwrap_or_default()
        }
        Some(command) => command,
        None => line,
    };
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b":_-".contains(&byte));
    let is_alone = matches!(name, "reboot" | "shutdown" | "halt" | "poweroff" | "mkfs");
    is_name && !is_alone && !is_program(name)
}

/// True for text that could be typed into a shell, but not for a name like `parse_line()`.
fn is_line(line: &str) -> bool {
    !line.ends_with("()") && !line.starts_with(['<', '{', '['])
}

/// True for a line with a known program and at least one argument.
fn is_known(line: &str) -> bool {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| word.contains('=') && !word.starts_with('-'));
    let Some(first) = words.next() else {
        return false;
    };
    let has_more = words.next().is_some();
    let is_piped = line.contains(" | ") || line.contains("&&");
    let is_alone = matches!(first, "reboot" | "shutdown" | "halt" | "poweroff" | "mkfs");
    is_alone
        || has_more
            && (is_program(first) || first.starts_with("./") || is_piped && !line.starts_with('|'))
}

/// A text that is a command without backticks: an option's label, or the words after "Run".
fn whole(text: &str) -> Option<String> {
    // "git diff --cached — what is about to be committed"
    let is_prose = |behind: &&str| !behind.contains(['|', '&', ';', '>', '$', '`', '(']);
    let described = text
        .split_once(" — ")
        .filter(|(_, behind)| is_prose(behind));
    let text = described.map_or(text, |(line, _)| line).trim();
    let line = ["run ", "execute ", "run: ", "$ ", "> "]
        .iter()
        .find_map(|start| {
            let (before, after) = text.split_at_checked(start.len())?;
            before.eq_ignore_ascii_case(start).then_some(after)
        })
        .unwrap_or(text)
        .trim_end_matches(['?', '.', '!', ':'])
        .trim();
    let (first, arguments) = line.split_once(char::is_whitespace)?;
    if first.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let is_english = ENGLISH.holds(first);
    let has_shell = arguments.split_whitespace().any(|word| {
        word.starts_with('-') && word.len() > 1 && word != "--"
            || matches!(word, "|" | "&&" | ">" | ">>")
            || word.starts_with(['~'])
    });
    let is_short = arguments.split_whitespace().count() <= 4;
    let acts = || arguments.split_whitespace().any(|word| ACTING.holds(word));
    let is_command_line = is_short && (!is_english || TOOLS.holds(first) && acts());
    let is_command = (has_shell || is_command_line) && is_program(first);
    (is_command && !line.contains(['?', '`']))
        .then(|| effect(line))
        .flatten()
}

fn effect(line: &str) -> Option<String> {
    let Some(judged) = judge(line, "", &OwnReaches::default()) else {
        return Some("command (not understood)".to_owned());
    };
    let worst = judged
        .commands
        .into_iter()
        .max_by_key(|command| command.reach)?;
    (worst.reach >= Reach::Unknown).then(|| format!("command ({})", worst.reason))
}
