//! Sentences in which the asker proposes to act: "Shall I put the servers to sleep?", "Should the agency see this?".
//!
//! Any act counts, except the acts of software development. Nobody can list all words for acts that must be asked, but
//! the words for acts that need not be asked are few.

use super::WRITINGS;
use crate::doors;
use crate::doors::tokens::{Role, Token, is_stop};
use crate::words::{PhraseList, WordList};

static ORDINARY: WordList = WordList::verbs("ordinary");
static DOUBTFUL: WordList = WordList::verbs("doubtful");
static ORDERS: WordList = WordList::verbs("orders");
static VAGUE: WordList = WordList::verbs("vague");
static NEUTRAL: WordList = WordList::verbs("neutral");
static SENSITIVE: WordList = WordList::things("sensitive");
static VITAL: WordList = WordList::things("vital");
static OUTSIDERS: WordList = WordList::things("outsiders");
static HOLDINGS: WordList = WordList::things("holdings");
static WORK: WordList = WordList::things("work");
static CODE: WordList = WordList::things("code");
static MATTER: WordList = WordList::things("matter");
static ASKING: WordList = WordList::grammar("asking");
static ADVERBS: WordList = WordList::grammar("adverbs");
static AUXILIARIES: WordList = WordList::grammar("auxiliaries");
static LEAVE: WordList = WordList::grammar("leave");
static LITTLE: WordList = WordList::grammar("little");
static DESIGNS: WordList = WordList::grammar("designs");
static ENDINGS: WordList = WordList::grammar("endings");
static POWERS: WordList = WordList::grammar("powers");
static PROPOSING: WordList = WordList::grammar("proposing");
static OBJECT_PRONOUNS: WordList = WordList::grammar("object pronouns");
static TIMES: PhraseList = PhraseList::of("times");
static ELLIPSES: PhraseList = PhraseList::of("ellipses");

/// The number of leading words in which the asker must appear.
const LEAD: usize = 9;

/// How many words after a verb of development its object may be.
const NEAR: usize = 6;

/// The act proposed in `words`, the texts of a question and its answer.
pub(super) fn first(words: &[Token<'_>]) -> Option<String> {
    let sentences = || words.chunk_by(|_, next| !next.starts);
    let is_of_code = |sentence: &&[Token<'_>]| {
        let is_code =
            |word: &Token<'_>| word.role == Role::Named || MATTER.noun(&word.word).is_some();
        sentence.iter().any(is_code)
    };
    let open = || sentences().filter(|sentence| !is_of_code(sentence));
    first_act(words)
        .or_else(|| open().find_map(at_a_time))
        .or_else(|| open().find_map(reaching))
        .or_else(|| {
            // "The tag points elsewhere." "Move it"
            let verb = open()
                .find(|sentence| is_short_proposal(sentence))?
                .first()?;
            let mut others = open().filter(|sentence| !is_short_proposal(sentence));
            // "Use a worktree for queue isolation?" does nothing to the queue.
            let held = |sentence: &[Token<'_>]| {
                let mut words = sentence.iter().enumerate();
                words.find_map(|(at, word)| {
                    let thing = HOLDINGS.noun(&word.word)?;
                    (!self::is_of_code(sentence, at)).then_some(thing)
                })
            };
            let thing = others.find_map(held)?;
            Some(format!("proposal: {} × {thing}", verb.word))
        })
}

/// The act in the first sentence of `words` that proposes or orders one.
pub(super) fn first_act(words: &[Token<'_>]) -> Option<String> {
    let mut sentences = words.chunk_by(|_, next| !next.starts);
    sentences.find_map(sentence)
}

fn sentence(words: &[Token<'_>]) -> Option<String> {
    let word = |at: usize| words.get(at).map_or("", |word| word.word.as_ref());
    if words.is_empty() || ASKING.holds(word(0)) && !proposes_by_asking(word(0), word(1)) {
        return None;
    }
    let proposed = act(words);
    let start = proposed.or_else(|| order(words))?;
    let mut rest = words.get(start..)?;
    loop {
        let is_order = rest.first().is_some_and(|verb| ORDERS.holds(&verb.word));
        // A single verb is an order only if it is listed as one.
        let found =
            clause(rest).filter(|found| proposed.is_some() || is_order || found.contains('×'));
        if let Some(found) = found {
            return Some(found);
        }
        // "Add the column and tell the customers"
        let next = rest.iter().position(joins)?;
        rest = after_adverbs(rest.get(next + 1..)?);
        if proposed.is_some()
            && !rest
                .first()
                .is_some_and(|word| ORDERS.holds(&word.word) || DOUBTFUL.holds(&word.word))
        {
            return None;
        }
    }
}

/// True for "What if …" and "How about …", which introduce a proposal.
fn proposes_by_asking(first: &str, second: &str) -> bool {
    matches!(
        (first, second),
        ("what", "if") | ("how" | "what", "about") | ("why", "not" | "don")
    )
}

/// An act that is not known as one of development, and its object.
fn clause(words: &[Token<'_>]) -> Option<String> {
    let (verb, after) = words.split_first()?;
    let is_doubtful = DOUBTFUL.verb(&verb.stem).is_some();
    let is_order = ORDERS.verb(&verb.stem).is_some();
    let is_ordinary = !is_doubtful && !is_order && ORDINARY.verb(&verb.stem).is_some();
    let next = after.first().map_or("", |next| next.word.as_ref());
    let is_with = after.get(1).is_some_and(|word| word.word == "with");
    // "Go ahead with the release" is an act on the release; "go on with the outline" is not an act, and "go with the
    // outline" chooses it.
    let (goes_ahead, is_no_act) = match (verb.word.as_ref(), next) {
        ("go" | "move" | "carry", "ahead" | "forward") => (is_with, !is_with),
        ("go" | "move" | "carry", "on") | ("go", "with") | ("let", "you" | "me") => (false, true),
        _ => (false, false),
    };
    if is_no_act || verb.role == Role::Named {
        return None;
    }
    if is_ordinary && !goes_ahead {
        return vital(verb, after).filter(|_| NEUTRAL.verb(&verb.stem).is_some());
    }
    let end = after.iter().position(joins).unwrap_or(after.len());
    let scope = after.get(..end)?;
    let joined = scope.iter().take(NEAR).take_while(|word| !word.breaks);
    let reach = if is_doubtful || goes_ahead {
        joined.count()
    } else {
        end
    };
    let thing = scope.iter().take(reach).enumerate().find(|(at, word)| {
        SENSITIVE.noun(&word.word).is_some()
            && word.role != Role::Named
            && !is_of_code(after, *at)
            && !is_where(after, *at)
            && !(verb.word == "let" && chooses(after, *at))
    });
    if let Some((_, thing)) = thing {
        return Some(format!("act: {} × {}", verb.word, thing.word));
    }
    if goes_ahead {
        return None;
    }
    let is_work = |at: usize, word: &Token<'_>| {
        word.role == Role::Named
            || WORK.noun(&word.word).is_some()
            || WRITINGS.noun(&word.word).is_some()
            || is_of_code(after, at)
    };
    let says_little = |word: &Token<'_>| {
        is_stop(&word.word) || ADVERBS.holds(&word.word) || LITTLE.holds(&word.word)
    };
    let has_work = scope.iter().enumerate().any(|(at, word)| is_work(at, word));
    let is_vague = VAGUE.verb(&verb.stem).is_some() || scope.iter().all(says_little);
    (!has_work && !is_vague).then(|| format!("act: {}", verb.word))
}

/// A vital thing shortly after `verb`.
fn vital(verb: &Token<'_>, after: &[Token<'_>]) -> Option<String> {
    let mut close = after
        .iter()
        .enumerate()
        .take(NEAR)
        .take_while(|(_, word)| !joins(word));
    let (_, thing) = close.find(|(at, word)| {
        VITAL.noun(&word.word).is_some()
            && word.role != Role::Named
            && !is_of_code(after, *at)
            && !is_saved(after, *at)
    })?;
    Some(format!("act: {} × {}", verb.word, thing.word))
}

/// True for the project as the place of an act, and for a team of agents that does it: "Copy to the project", "Execute
/// with team".
fn is_where(words: &[Token<'_>], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|word| word.word.as_ref());
    let before = |steps: usize| at.checked_sub(steps).and_then(word);
    let leads = |word: Option<&str>| matches!(word, Some("to" | "into" | "in"));
    let is_article = matches!(before(1), Some("the" | "this" | "your" | "my" | "our"));
    word(at) == Some("team") && before(1) == Some("with")
        || word(at) == Some("project") && (leads(before(1)) || is_article && leads(before(2)))
}

/// True for "to disk", as the place where something is saved.
fn is_saved(words: &[Token<'_>], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|word| word.word.as_ref());
    word(at) == Some("disk") && at.checked_sub(1).and_then(word) == Some("to")
}

/// True for "let *users choose* the theme", which describes the product.
fn chooses(words: &[Token<'_>], at: usize) -> bool {
    let next = words.get(at + 1).filter(|next| !next.breaks);
    next.is_some_and(|next| ORDINARY.holds(&next.word))
}

/// True when the thing at `at` only belongs to a piece of code: "users *table*", "*dev* server".
fn is_of_code(words: &[Token<'_>], at: usize) -> bool {
    let is_code =
        |word: Option<&Token<'_>>| word.is_some_and(|word| CODE.noun(&word.word).is_some());
    let next = words.get(at + 1).filter(|next| !next.breaks);
    is_code(next) || is_code(at.checked_sub(1).and_then(|before| words.get(before)))
}

/// The index of the act in a sentence in which the asker proposes it: after "shall I", "OK to", "do you want me to".
fn act(words: &[Token<'_>]) -> Option<usize> {
    let word = |at: usize| words.get(at).map_or("", |word| word.word.as_ref());
    let last = (0..LEAD.min(words.len())).rev().find(|at| {
        let (one, two) = (word(*at), word(at + 1));
        let asks = |one: &str| AUXILIARIES.holds(one) || matches!(one, "do" | "if");
        // "Any objection to me switching …", "How about I drain …"
        let does = || word(at + 2).ends_with("ing");
        (matches!(one, "to" | "with" | "mind" | "about" | "of")
            && matches!(two, "me" | "us" | "my" | "our")
            && does())
            || (matches!(one, "about" | "t") && matches!(two, "i" | "we"))
            || (asks(one) && matches!(two, "i" | "we"))
            || (LEAVE.holds(one) && two == "to")
            || (one == "let" && matches!(two, "me" | "us" | "s"))
            || (one == "ahead" && two == "and")
    })?;
    let rest = words.get(last + 2..)?;
    let act = after_adverbs(rest);
    Some(words.len() - act.len())
}

/// The index of the act in an order: "Send the report to the customers".
fn order(words: &[Token<'_>]) -> Option<usize> {
    let rest = after_adverbs(words);
    let first = rest.first()?;
    let is_auxiliary = matches!(first.word.as_ref(), "do" | "have" | "get" | "say");
    let is_order = DOUBTFUL.holds(&first.word) && !is_auxiliary
        || ORDERS.holds(&first.word)
        || NEUTRAL.holds(&first.word);
    is_order.then_some(words.len() - rest.len())
}

/// True for a word that joins two acts.
fn joins(word: &Token<'_>) -> bool {
    matches!(word.word.as_ref(), "and" | "or" | "then")
}

fn after_adverbs<'w>(words: &'w [Token<'w>]) -> &'w [Token<'w>] {
    let skipped = words
        .iter()
        .take_while(|word| ADVERBS.holds(&word.word))
        .count();
    words.get(skipped..).unwrap_or_default()
}

/// A time at which something is to happen: "before the weekend". Harmless acts rarely have one.
fn at_a_time(sentence: &[Token<'_>]) -> Option<String> {
    let word = |at: usize| sentence.get(at).map_or("", |word| word.word.as_ref());
    if word(0) != "who" && ASKING.holds(word(0)) && !proposes_by_asking(word(0), word(1)) {
        return None;
    }
    let time = doors::first(sentence, &TIMES)?;
    // "Stop here for today": the session's own end.
    let is_end = |pair: &[Token<'_>]| matches!(pair, [one, other] if one.word == "for" && other.word == "today");
    let ends = time == "today" && sentence.windows(2).any(is_end);
    (!ends).then(|| format!("time: {time}"))
}

/// A question about whether an outsider gets, sees or loses something: "Should the agency see this?".
fn reaching(sentence: &[Token<'_>]) -> Option<String> {
    let (first, rest) = sentence.split_first()?;
    let allows = rest
        .iter()
        .any(|word| matches!(word.word.as_ref(), "may" | "allowed" | "gets" | "receives"));
    if !(PROPOSING.holds(&first.word) || allows)
        || rest.iter().any(|word| DESIGNS.holds(&word.word))
    {
        return None;
    }
    let is = |word: &&Token<'_>, list: &WordList| list.noun(&word.word).is_some();
    let outsider = || rest.iter().find(|word| is(word, &OUTSIDERS));
    let power = || {
        let power = rest.iter().find(|word| POWERS.holds(&word.word));
        power.filter(|_| first.word == "who")
    };
    let is_ordinary = || rest.iter().any(|word| ORDINARY.holds(&word.word));
    // The asker's own act is judged elsewhere.
    let is_asker = rest
        .first()
        .is_some_and(|subject| matches!(subject.word.as_ref(), "i" | "we" | "you"));
    let is_modal = matches!(
        first.word.as_ref(),
        "should" | "shall" | "may" | "can" | "could"
    );
    let is_they = is_modal && rest.get(1).is_some_and(|verb| verb.word != "be");
    let they = || {
        rest.first().filter(|word| {
            is_they && !is_ordinary() && matches!(word.word.as_ref(), "they" | "he" | "she")
        })
    };
    let thing = if is_asker {
        outsider().filter(|_| !is_ordinary())?
    } else {
        // "Is a record better?" and "Does the host matter?" ask about facts.
        let proposes = is_modal || first.word == "must";
        let ending = || {
            rest.iter()
                .find(|word| proposes && ENDINGS.holds(&word.word))
        };
        let holding = || {
            let holding = rest.iter().find(|word| is(word, &HOLDINGS));
            holding.filter(|_| proposes && !is_ordinary())
        };
        outsider()
            .or_else(they)
            .or_else(power)
            .or_else(ending)
            .or_else(holding)?
    };
    Some(format!("reaches: {}", thing.word))
}

/// The most words in a sentence whose object is in another one.
const SHORT: usize = 9;

/// "Proceed?", "Let it?", "Move it to the others": the object is in another sentence.
fn is_short_proposal(sentence: &[Token<'_>]) -> bool {
    sentence.len() <= SHORT && (is_ellipsis(sentence) || is_act_on_pronoun(sentence))
}

fn is_ellipsis(sentence: &[Token<'_>]) -> bool {
    let phrase = doors::beginning(sentence, &ELLIPSES);
    phrase.is_some_and(|phrase| phrase.split(' ').count() == sentence.len())
}

/// "Claim it", "Blank them remotely": a verb that is not one of development, followed by a pronoun.
fn is_act_on_pronoun(sentence: &[Token<'_>]) -> bool {
    let rest = match sentence {
        [asks, asker, rest @ ..]
            if matches!(asker.word.as_ref(), "i" | "we") && PROPOSING.holds(&asks.word) =>
        {
            rest
        }
        _ => sentence,
    };
    let [verb, object, ..] = after_adverbs(rest) else {
        return false;
    };
    let is_outward = DOUBTFUL.verb(&verb.stem).is_some() || ORDERS.holds(&verb.word);
    let is_ordinary = ORDINARY.holds(&verb.word) && !is_outward;
    OBJECT_PRONOUNS.holds(&object.word)
        && !is_ordinary
        && (verb.word == "let" || !is_stop(&verb.word))
}
