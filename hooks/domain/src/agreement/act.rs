//! Acts: what choosing a label makes the agent do, and so how much of the question it depends on.

use super::signs::names_something_harmless;
use super::text::{Reading, Token, TokenKind};
use crate::named::named_enum;
use crate::words::WordList;

const FILE: &str = include_str!("labels.txt");

static NEGATIVE: WordList = WordList::of(FILE, "negative");
static LEAVING: WordList = WordList::of(FILE, "leaving");
static ENDING: WordList = WordList::of(FILE, "ending");
static YES: WordList = WordList::of(FILE, "yes");
static PRONOUNS: WordList = WordList::of(FILE, "pronouns");
static LETTERS: WordList = WordList::of(FILE, "letters");
static LITTLE: WordList = WordList::of(FILE, "little");
static VERBS: WordList = WordList::of(FILE, "verbs");
static SAYING: WordList = WordList::of(FILE, "saying");
static SAFEGUARDS: WordList = WordList::of(FILE, "safeguards");
static DETERMINERS: WordList = WordList::of(FILE, "determiners");

named_enum! {
    /// What choosing a label does.
    pub enum Act {
        /// It leaves things as they are, or only moves the conversation on: "Skip", "Next area".
        Leaves = "leaves",
        /// It is a value that the question asks for: "Balanced".
        Value = "value",
        /// It names an act completely: "Run the unit tests".
        Own = "own",
        /// It refers to the question or to other options: "Yes", "Fix them". Also any label that none of the others
        /// clearly fits.
        Refers = "refers",
    }
}

impl Act {
    /// What the answer `label`, without a mark, to `question` does.
    pub(super) fn of(question: &Reading, label: &Reading) -> Self {
        let mut tokens: Vec<&Token> = label
            .tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Asks)
            .collect();
        if tokens
            .iter()
            .any(|token| token.kind == TokenKind::Word && !token.text.is_ascii())
        {
            return Self::Refers;
        }
        let Some(first) = tokens.first() else {
            return Self::Refers;
        };
        let first = &*first.text;
        if is_leaving(&tokens) {
            return match () {
                // "Skip" as the answer to "Skip the tests?", "No" as the answer to "Shall I wait for the review?".
                () if names_nothing(&tokens) && repeats(question, first)
                    || declines_a_safeguard(question, first) =>
                {
                    Self::Refers
                }
                () => further(&tokens).unwrap_or(Self::Leaves),
            };
        }
        if let [token] = tokens.as_slice()
            && token.kind == TokenKind::Number
            && asks_how_many(question)
        {
            return Self::Value;
        }
        let is_yes = YES.holds(first);
        if is_yes {
            tokens.retain(|token| !is_word(token, &YES));
            tokens = tokens
                .into_iter()
                .skip_while(|token| is_word(token, &LITTLE))
                .collect();
        }
        of_clause(&tokens, is_yes)
    }
}

/// True for a label whose first word declines what is asked, and that does nothing else.
pub(super) fn declines(label: &Reading) -> bool {
    let tokens: Vec<&Token> = label.tokens.iter().collect();
    let first = tokens.first();
    first.is_some_and(|first| is_word(first, &NEGATIVE))
        && is_leaving(&tokens)
        && further(&tokens).is_none()
}

fn is_word(token: &Token, list: &WordList) -> bool {
    token.kind == TokenKind::Word && list.holds(&token.text)
}

/// True if no word after the first one names its object.
fn names_nothing(tokens: &[&Token]) -> bool {
    tokens.iter().skip(1).all(|token| is_word(token, &LITTLE))
}

/// True for a label whose first words leave things as they are.
fn is_leaving(tokens: &[&Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| &*token.text);
    match (word(0), word(1)) {
        ("do", "not" | "nothing")
        | ("let" | "tell", "me" | "us")
        | ("go" | "come", "back")
        | ("move", "on") => true,
        ("i", next) => SAYING.holds(next),
        // "See to it", "See it done".
        ("see", "to" | "it") => false,
        // "No objection" agrees.
        (
            "no" | "not",
            "objection" | "objections" | "problem" | "problems" | "trouble" | "worries" | "issue"
            | "at",
        ) => false,
        ("more", "details" | "context" | "information" | "questions" | "info") => true,
        (first, _) if ENDING.holds(first) => names_nothing(tokens),
        // "Edit first": nothing is done until then.
        (_, "first") if tokens.len() == 2 => true,
        (first, _) => NEGATIVE.holds(first) || LEAVING.holds(first),
    }
}

/// What a label does in addition to leaving things as they are: "No, delete it", "Show me the diff and apply it".
fn further(tokens: &[&Token]) -> Option<Act> {
    let is_join = |token: &&Token| matches!(&*token.text, "and" | "then");
    let mut parts = tokens
        .split(is_join)
        .flat_map(|part| part.chunk_by(|_, next| !next.breaks))
        .skip(1);
    parts.find_map(|part| {
        let is_act = part
            .first()
            .is_some_and(|first| is_word(first, &VERBS) || is_word(first, &YES))
            && !is_leaving(part);
        is_act.then(|| of_clause(part, false))
    })
}

/// True if the question asks for a number. Otherwise a number is the position of an item in some list.
fn asks_how_many(question: &Reading) -> bool {
    let words: Vec<&str> = question.asking().map(|token| &*token.text).collect();
    words
        .windows(2)
        .any(|pair| matches!(pair, ["how", "many" | "much"]))
}

/// True if the question itself asks for `word`.
fn repeats(question: &Reading, word: &str) -> bool {
    !NEGATIVE.holds(word) && question.asking().any(|token| *token.text == *word)
}

/// True if "no" or "skip" declines something that protects: "the tests", but not "a test helper".
fn declines_a_safeguard(question: &Reading, first: &str) -> bool {
    let asking: Vec<&Token> = question.asking().collect();
    let is_safeguard = |at: usize, token: &Token| {
        let next = asking.get(at + 1);
        is_word(token, &SAFEGUARDS) && !next.is_some_and(|next| names_something_harmless(next))
    };
    (NEGATIVE.holds(first) || first == "skip")
        && asking
            .iter()
            .enumerate()
            .any(|(at, token)| is_safeguard(at, token))
}

/// What a clause does that does not leave things as they are. `is_yes`: a word that only agrees came before it.
fn of_clause(tokens: &[&Token], is_yes: bool) -> Act {
    let Some((first, rest)) = tokens.split_first() else {
        return Act::Refers;
    };
    let refers = |token: &&Token| is_word(token, &PRONOUNS) || is_word(token, &YES);
    let is_letter =
        |token: &Token| token.text.chars().count() == 1 || token.kind == TokenKind::Number;
    let names_a_letter = is_letter(first) && rest.is_empty()
        || is_word(first, &LETTERS) && rest.first().is_some_and(|next| is_letter(next));
    if names_a_letter || tokens.iter().any(refers) {
        return Act::Refers;
    }
    let is_order =
        is_word(first, &VERBS) || rest.first().is_some_and(|next| is_word(next, &DETERMINERS));
    match (is_order, names_nothing(tokens)) {
        (true, true) => Act::Refers,
        (true, false) => Act::Own,
        (false, _) if is_yes => Act::Refers,
        (false, _) => Act::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::act_of;
    use super::*;

    #[test]
    fn labels() {
        for (question, label, expected) in [
            ("Which area next?", "Next area", Act::Leaves),
            ("Add it?", "Skip (Recommended)", Act::Leaves),
            ("Skip the tests?", "Skip", Act::Refers),
            ("Shall I run the tests before?", "No", Act::Refers),
            ("Add a story?", "No", Act::Leaves),
            ("Send a test notification?", "No", Act::Leaves),
            ("Add a story?", "No, delete it", Act::Refers),
            ("Which style?", "Balanced", Act::Value),
            ("Which style?", "camelCase", Act::Value),
            ("What next?", "Run the unit tests", Act::Own),
            ("What next?", "Yes, run the unit tests", Act::Own),
            ("Go on?", "Yes", Act::Refers),
            ("Go on?", "Continue", Act::Refers),
            ("They fail. What now?", "Fix them", Act::Refers),
            ("Which?", "Approach A", Act::Refers),
            ("Which?", "All", Act::Refers),
            ("How many workers should I use?", "4", Act::Value),
            ("Which of them?", "4", Act::Refers),
            ("Wie weiter?", "Später", Act::Refers),
        ] {
            assert_eq!(act_of(question, label), expected, "{label}");
        }
    }
}
