//! Signs: what makes something new matter. Words that act outward, destroy or turn a sentence, and things that any
//! change endangers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::text::{Reading, Token, TokenKind, name_words};
use crate::words::{KnownWords, WordList, stem_of};

const FILE: &str = include_str!("signs.txt");

static OUTWARD: WordList = WordList::of(FILE, "outward");
static DESTROYING: WordList = WordList::of(FILE, "destroying");
static CHANGING: WordList = WordList::of(FILE, "changing");
static NOUNS: WordList = WordList::of(FILE, "nouns too");
static THINGS: WordList = WordList::of(FILE, "things");
static FOUNDATIONS: WordList = WordList::of(FILE, "foundations");
static PUBLIC: WordList = WordList::of(FILE, "public");
static PASSING: WordList = WordList::of(FILE, "passing");
static AREAS: WordList = WordList::of(FILE, "areas");
static FINAL: WordList = WordList::of(FILE, "final");
static TURNS: WordList = WordList::of(FILE, "turns");
static HARMLESS: WordList = WordList::of(FILE, "harmless");
static ENGLISH: WordList = WordList::of(FILE, "english");
static OPENING: WordList = WordList::of(FILE, "opening");
static FILED: WordList = WordList::of(FILE, "filed");
static DECLINING: WordList = WordList::of(FILE, "declining");
static OBJECTS: WordList = WordList::of(FILE, "objects");
static LEADING: WordList = WordList::of(FILE, "leading");

/// A word that follows one of these is a verb: "auto-post".
const SURE: [&str; 3] = ["always", "auto", "automatically"];

/// Verbs whose object is never harmless, because it always goes to somebody: "send a test notification".
const SENDING: [&str; 4] = ["email", "mail", "notify", "send"];

/// How often each sign is in a text.
pub(super) type SignCounts = BTreeMap<&'static str, usize>;

/// The signs of `reading`.
pub(super) fn signs_of(reading: &Reading) -> SignCounts {
    let tokens: Vec<&Token> = reading.tokens.iter().collect();
    let mut found = SignCounts::new();
    for at in 0..tokens.len() {
        add_signs_at(&tokens, at, &mut found);
    }
    found
}

/// The areas of a program that `text` is about: those that are named in sentences that do not ask, and not in the
/// question itself.
pub(super) fn areas(text: &Reading) -> BTreeSet<&'static str> {
    let asking: BTreeSet<usize> = text.asking().map(|token| token.sentence).collect();
    let named = |asks: bool| {
        let words = text.tokens.iter();
        let words = words.filter(|token| asking.contains(&token.sentence) == asks);
        let words = words.flat_map(Token::words);
        words.filter_map(|word| AREAS.noun(&word)).collect()
    };
    let (about, asked): (BTreeSet<&str>, BTreeSet<&str>) = (named(false), named(true));
    about.difference(&asked).copied().collect()
}

/// True for a sign that names a thing.
pub(super) fn is_thing(sign: &str) -> bool {
    THINGS.holds(sign) || FOUNDATIONS.holds(sign)
}

/// Adds the signs of the token at `at`.
fn add_signs_at(tokens: &[&Token], at: usize, found: &mut SignCounts) {
    let Some(token) = tokens.get(at) else {
        return;
    };
    let mut add = |word: &str, place: usize| {
        if let Some(sign) = sign(word, place, tokens, at) {
            *found.entry(sign).or_default() += 1;
        }
    };
    match token.kind {
        TokenKind::Word => add(&token.text, 0),
        TokenKind::Number | TokenKind::Asks => {}
        TokenKind::Value | TokenKind::Id | TokenKind::File | TokenKind::Code => {
            let parts = token.text.split(['/', '\\']).map(name_words);
            let words = parts.flat_map(|words| words.into_iter().enumerate());
            words.for_each(|(place, word)| add(&word, place));
        }
    }
}

/// The words of `text` that turn a sentence but do not matter, because any sentence may contain them. None of them is
/// in a sentence that asks.
pub(super) fn passing(text: &Reading) -> BTreeSet<&'static str> {
    let asked: BTreeSet<&str> = text.asking().map(|token| &*token.text).collect();
    let words = text
        .tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Word);
    let words = words.filter_map(|token| PASSING.entry(&token.text));
    words.filter(|word| !asked.contains(word)).collect()
}

/// What a word is, wherever it stands.
#[derive(Clone, Copy)]
struct KnownWord {
    thing: Option<&'static str>,
    /// The verb, if it has an effect outside the project, destroys or changes something.
    verb: Option<&'static str>,
    /// True if that verb is also a noun, and the word can be that noun.
    is_noun: bool,
    turn: Option<&'static str>,
}

thread_local! {
    static KNOWN: RefCell<KnownWords<KnownWord>> = RefCell::default();
}

impl KnownWord {
    fn of(word: &str) -> Self {
        KNOWN.with_borrow_mut(|known| known.of(word, Self::find))
    }

    fn find(word: &str) -> Self {
        let stem = stem_of(word);
        let verbs = [&OUTWARD, &DESTROYING, &CHANGING];
        let has_verb_form = word.ends_with("ing") || word.ends_with("ed");
        Self {
            thing: THINGS.noun(word).or_else(|| FOUNDATIONS.noun(word)),
            verb: verbs.into_iter().find_map(|list| list.verb(&stem)),
            is_noun: !has_verb_form && NOUNS.verb(&stem).is_some(),
            turn: TURNS.verb(&stem).or_else(|| TURNS.entry(word)),
        }
    }
}

/// The sign that `word` is, if any. It is the word at `place` in the token at `at`.
fn sign(word: &str, place: usize, tokens: &[&Token], at: usize) -> Option<&'static str> {
    let token = tokens.get(at)?;
    if !word.is_ascii() && word.chars().any(is_of_another_script) {
        return Some("letters of another script");
    }
    let known = KnownWord::of(word);
    // In a name, a word is a verb only if it comes first and has no ending: `drop-users.md`, but not `hint-text` or
    // `orders.md`.
    let is_head = || match token.kind {
        TokenKind::Word => is_head(tokens, at),
        _ => place == 0 && !word.ends_with('s'),
    };
    let next = tokens.get(at + 1);
    let is_name = || {
        known.is_noun && !is_head()
            || token.kind == TokenKind::Word
                && next.is_some_and(|next| names_something_harmless(next))
    };
    let turn = known.turn.filter(|_| token.kind == TokenKind::Word);
    let verb = known.verb.filter(|_| !is_name());
    known.thing.or(verb).or(turn)
}

/// True if `next`, which follows a verb or a modifier, makes that word part of a name: "delete button", "test helper".
pub(super) fn names_something_harmless(next: &Token) -> bool {
    next.kind == TokenKind::Word && !next.breaks && HARMLESS.noun(&next.text).is_some()
}

/// True for a sign that turns a sentence into its opposite, such as "not". A question without it is different as well:
/// "is not part of the plan".
pub(super) fn is_turn(sign: &str) -> bool {
    TURNS.holds(sign)
}

/// True for a sign that names something fundamental, such as a schema. It matters only if the answer does something.
pub(super) fn is_foundation(sign: &str) -> bool {
    FOUNDATIONS.holds(sign) && !THINGS.holds(sign)
}

/// True for a letter that is not Latin.
fn is_of_another_script(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// True unless `reading` is in another language than English, as far as can be told.
pub(super) fn is_english(reading: &Reading) -> bool {
    let words = || {
        reading
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Word)
    };
    let (all, known) = (
        words().count(),
        words().filter(|token| ENGLISH.holds(&token.text)).count(),
    );
    let is_latin = words().all(|token| !token.text.chars().any(is_of_another_script));
    is_latin && (all <= 1 || known > 0 && known * 10 >= all)
}

/// What the `tokens` of an act do outward or destroy: the verb, with its object where that decides; `None` for nothing.
/// What a clause declines ("without pushing") does not count.
pub(super) fn outward<'t>(tokens: impl Iterator<Item = &'t Token>) -> Option<String> {
    let tokens: Vec<&Token> = tokens
        .filter(|token| token.kind != TokenKind::Asks)
        .collect();
    let mut is_declined = false;
    for (at, token) in tokens.iter().enumerate() {
        is_declined &= !token.breaks && !matches!(&*token.text, "and" | "then" | "but");
        let after = tokens.get(at + 1..).unwrap_or_default();
        if !is_declined && let Some(act) = act_in_name(token) {
            return Some(act);
        }
        // "It cannot be undone" declines nothing.
        if token.kind == TokenKind::Word && &*token.text == "undone" {
            return Some(token.text.to_string());
        }
        if token.kind == TokenKind::Word {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_sure = before.is_some_and(|before| SURE.contains(&&*before.text))
                || is_wanted(&tokens, at);
            if !is_declined && before.is_some_and(|before| &*before.text == "be") {
                let subject = tokens.get(..at).unwrap_or_default();
                if let Some(act) = passive_act(token, subject) {
                    return Some(act);
                }
            }
            if !is_declined
                && let Some(act) = act_of(token, is_sure || is_head(&tokens, at), is_sure, after)
            {
                return Some(act);
            }
            is_declined |= DECLINING.holds(&token.text);
        }
    }
    None
}

/// The word of `text` that says that something can't be taken back.
pub(super) fn final_word(text: &Reading) -> Option<String> {
    let mut words = text
        .tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Word);
    let found = words.find(|token| FINAL.holds(&token.text));
    found.map(|token| token.text.to_string())
}

/// The state that the value `label` names, if it takes an outward act to get there: "Merged", "PR created",
/// "Production".
pub(super) fn outward_state(label: &Reading) -> Option<&str> {
    let words = || {
        label
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Word)
    };
    let last = &*words().next_back()?.text;
    let is_alone = words().count() == 1;
    let is_done = || {
        let stem = stem_of(last);
        let verbs = [&OUTWARD, &DESTROYING];
        let is_filed = || words().any(|token| FILED.noun(&token.text).is_some());
        last.ends_with("ed") && verbs.into_iter().any(|list| list.verb(&stem).is_some())
            || last == "created" && is_filed()
    };
    (is_alone && PUBLIC.holds(last) || is_done()).then_some(last)
}

/// The act that the name of an option is made of: `bypassPermissions`.
fn act_in_name(token: &Token) -> Option<String> {
    let is_name = matches!(token.kind, TokenKind::Id | TokenKind::Code);
    let words = if is_name {
        name_words(&token.text)
    } else {
        Vec::new()
    };
    let endangers = |pair: &[String]| match pair {
        [verb, thing] => CHANGING.inflected(verb).is_some() && THINGS.noun(thing).is_some(),
        _ => false,
    };
    words.windows(2).any(endangers).then(|| words.join(" "))
}

/// True if the word at `at` is the verb of "Which categories to clean?".
fn is_wanted(tokens: &[&Token], at: usize) -> bool {
    const ASKING: [&str; 4] = ["what", "which", "who", "whom"];
    let is_last = tokens.get(at + 1).is_none_or(|next| next.breaks);
    let is = |token: &Token, words: &[&str]| words.contains(&&*token.text);
    let before = tokens.get(..at).unwrap_or_default().iter().rev();
    // "Which of them are fine to drop?" asks for something else.
    let mut clause = before.take_while(|token| !is(token, &["is", "are"]));
    is_last
        && clause.next().is_some_and(|last| is(last, &["to"]))
        && clause.any(|first| first.breaks && is(first, &ASKING))
}

/// The act that the participle `token` names, done to the `subject`: "Should it be merged?", "Where should the fork be
/// created?".
fn passive_act(token: &Token, subject: &[&Token]) -> Option<String> {
    let stem = stem_of(&token.text);
    let verbs = [&OUTWARD, &DESTROYING];
    let verb = verbs.into_iter().find_map(|list| list.verb(&stem));
    if let Some(verb) = verb.filter(|verb| !NOUNS.holds(verb)) {
        return Some(verb.to_owned());
    }
    let verb = OPENING.verb(&stem)?;
    let filed = subject
        .iter()
        .rev()
        .find_map(|word| FILED.noun(&word.text))?;
    Some([verb, " ", filed].concat())
}

/// True if the word at `at` can be the verb of its clause. What somebody could do does not count: "users could delete
/// it".
fn is_head(tokens: &[&Token], at: usize) -> bool {
    let is_adverb = |token: &Token| token.text.ends_with("ly") && !token.breaks;
    let before = tokens.get(..at).unwrap_or_default().iter().copied();
    let mut before = before.rev().filter(|token| !is_adverb(token));
    let leads = |token: Option<&Token>| token.is_none_or(|token| LEADING.holds(&token.text));
    if tokens.get(at).is_some_and(|token| token.breaks) {
        return true;
    }
    let modal = before.next();
    let is_able = modal.is_some_and(|modal| &*modal.text == "could" && !modal.breaks);
    leads(modal) && (!is_able || leads(before.next()))
}

/// What the verb `token` does to one of the things `after` it; `None` if it is no verb, or endangers nothing.
fn act_of(token: &Token, is_head: bool, is_sure: bool, after: &[&Token]) -> Option<String> {
    /// How many words after a verb its object is searched for.
    const REACH: usize = 6;
    let near = || after.iter().take_while(|next| !next.breaks).take(REACH);
    let object = |list: &'static WordList| near().find_map(|next| list.noun(&next.text));
    let is_safe =
        || near().any(|next| HARMLESS.noun(&next.text).is_some()) && object(&THINGS).is_none();
    // "Text the team" is an act, "Text only" is not.
    let has_object = || {
        after
            .first()
            .is_some_and(|next| !next.breaks && OBJECTS.holds(&next.text))
            || object(&THINGS).is_some()
    };
    if FINAL.holds(&token.text) {
        return Some(token.text.to_string());
    }
    if !is_head {
        return None;
    }
    let far = [&OUTWARD, &DESTROYING]
        .into_iter()
        .find_map(|list| list.inflected(&token.text));
    let is_sent = |verb: &str| SENDING.contains(&verb);
    let is_real = |verb: &str| is_sure || !NOUNS.holds(verb) || has_object();
    if let Some(verb) = far.filter(|verb| (is_sent(verb) || !is_safe()) && is_real(verb)) {
        return Some(verb.to_owned());
    }
    if let Some(verb) = OPENING.inflected(&token.text).filter(|_| !is_safe()) {
        return Some([verb, " ", object(&FILED)?].concat());
    }
    let verb = CHANGING.inflected(&token.text).filter(|_| !is_safe())?;
    Some([verb, " ", object(&THINGS)?].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs_of(text: &str) -> Vec<&'static str> {
        super::signs_of(&Reading::of(text)).into_keys().collect()
    }

    #[test]
    fn signs_are_found_in_words_and_names() {
        assert_eq!(signs_of("The cart has a filter. Run the tests?"), [""; 0]);
        assert_eq!(
            signs_of("notes/plans/drop-users-table-plan.md"),
            ["drop", "user"]
        );
        assert_eq!(signs_of("The tests don't pass"), ["not"]);
        assert_eq!(
            signs_of("Fix the release notes and the delete button"),
            [""; 0]
        );
        assert_eq!(signs_of("Прод"), ["letters of another script"]);
    }

    #[test]
    fn outward_acts() {
        let act = |text: &str| outward(Reading::of(text).tokens.iter());
        for (text, expected) in [
            ("Push it", Some("push")),
            ("Edits the file and mails the team", Some("mail")),
            ("Create a PR", Some("create pr")),
            ("Makes the repo public", Some("make repo")),
            ("Commit without pushing", None),
            ("Do not deploy", None),
            ("Write the release notes", None),
            ("Remove unused imports", None),
            ("Remove the user accounts", Some("remove")),
            ("Force push", Some("push")),
            ("Replace the user accounts", Some("replace user")),
            ("Landing page", None),
            ("bypassPermissions", Some("bypass permissions")),
            ("Auto-post if confident", Some("post")),
            ("acceptEdits", None),
            ("Set up telemetry", Some("telemetry")),
            ("Send a test notification", Some("send")),
            ("I will carefully delete it", Some("delete")),
            ("Tabs are lost", Some("lost")),
            ("Deletions cannot be undone", Some("undone")),
            ("Should this PR be merged", Some("merge")),
            ("Users could delete what others need", None),
            ("Can I delete it", Some("delete")),
            ("I could delete it", Some("delete")),
        ] {
            assert_eq!(act(text).as_deref(), expected, "{text}");
        }
    }
}
