//! Acts that reach others or can't be undone, as named by a label, its description, or a value.

use std::borrow::Cow;
use std::borrow::Cow::Borrowed;

use super::are_to_think;
use crate::commitment::{
    Commitment, LITTLE, NEGATIVE, SAFEGUARDS, asking_sentences, clauses, names_nothing,
    proposes_protection, without_refusals, words,
};
use crate::doors::tokens::is_stop;
use crate::words::{PairList, WordList};

static OUTWARD: WordList = WordList::verbs("outward");
static FORMS: WordList = WordList::verbs("outward forms");
static MAKING: WordList = WordList::verbs("making");
static FINAL: WordList = WordList::verbs("final");
static ERASING: WordList = WordList::verbs("erasing");
static SKIPPING: WordList = WordList::verbs("skipping");
static OVERRIDING: WordList = WordList::verbs("overriding");
static LETTING: WordList = WordList::verbs("letting");
static APPLYING: WordList = WordList::verbs("applying");
static SHARED: WordList = WordList::things("shared");
static TRACKERS: WordList = WordList::things("trackers");
static TEXTS: WordList = WordList::things("texts");
static SUGGESTED: WordList = WordList::things("suggested");
static WRITTEN: WordList = WordList::things("written");
static LEADING: WordList = WordList::grammar("leading");
static REFUSING: WordList = WordList::grammar("refusing");
static LOOKING: WordList = WordList::grammar("lookers");
static LOST: WordList = WordList::grammar("lost");
static GONE: WordList = WordList::grammar("gone");
static FINAL_NOUNS: WordList = WordList::grammar("final nouns");
static FILING: WordList = WordList::grammar("filing");
static CONDITIONS: WordList = WordList::grammar("conditions");
static MODAL: WordList = WordList::grammar("value modals");
static VALUE_LEADING: WordList = WordList::grammar("value leading");
static PLACES: WordList = WordList::grammar("places");
static EVERYBODY: WordList = WordList::grammar("everybody");
static ACCESS: WordList = WordList::grammar("access");
static PARTS: WordList = WordList::doors("parts");
static WIDGETS: WordList = WordList::doors("widgets");
static SCREENS: WordList = WordList::doors("screens");
static PROTECTED: WordList = WordList::doors("protected");
static UNASKED: PairList = PairList::of("unasked");
static TAMED: PairList = PairList::of("harmless");

/// How many words after its verb an object may be.
const REACH: usize = 5;

/// The most words in a clause in which a noun alone names an act: "Linear".
const SHORT: usize = 4;

/// The act of answering `question` with `label` that can't be undone.
pub(super) fn find(
    question: &str,
    label: &str,
    description: &str,
    commitment: Commitment,
) -> Option<String> {
    in_label(label, &[question, description])
        .or_else(|| described(label, description, commitment))
        .or_else(|| lets(question, label, commitment))
        .or_else(|| destroys(question, commitment))
        .or_else(|| declines(question, label))
        .or_else(|| trusts(question, commitment))
        .or_else(|| runs_live(question, label, commitment))
        .or_else(|| exposes(question, label, commitment))
        .or_else(|| proposed(question, commitment))
}

/// `word` without its third-person ending, if it is such a verb: "Updates the PR".
fn as_order(word: &str) -> &str {
    let bare = [word.strip_suffix('s'), word.strip_suffix("es")];
    let mut bare = bare.into_iter().flatten();
    bare.find(|bare| OUTWARD.holds(bare) || MAKING.holds(bare))
        .unwrap_or(word)
}

/// The outward or final act that `label` names by itself, where `beside` contains the question's words and the label's
/// description; `None` without one.
fn in_label(label: &str, beside: &[&str]) -> Option<String> {
    let label = crate::recommended::option_text(label);
    let parted = label.replace(['—', '–', '(', ')', ';', ':', ',', '&', '+'], "\n");
    let parted = parted
        .replace(" - ", "\n")
        .replace(" / ", "\n")
        .replace(". ", "\n");
    parted
        .lines()
        .map(words)
        .find_map(|clause| in_clause(&clause, beside))
}

/// An act or a loss in `text`, the description of a label that leaves things as they are: "Ship anyway", "may lose
/// changes", "No review".
fn all_the_same(text: &str) -> Option<String> {
    let mut clauses = text
        .split([',', ';', '.', ':', '(', ')', '—', '–'])
        .map(words);
    clauses.find_map(|clause| {
        let gone = clause.iter().find(|word| GONE.holds(word));
        let is_refused = clause.iter().any(|word| REFUSING.holds(word));
        let gone = gone.filter(|_| !is_refused).cloned();
        let is_in_spite = clause.iter().any(|word| word == "anyway");
        let act = || in_clause(&clause, &[]).filter(|_| is_in_spite);
        let found = gone.or_else(|| without_safeguard(&clause));
        found.map(|found| format!("outward: {found}")).or_else(act)
    })
}

/// An act that ends something, at the start of a clause of `text`, the description of any label: "revert the merge and
/// roll back", "clear the queue", "replace all". Resetting code and texts does not count.
fn ends_something(text: &str) -> Option<String> {
    let clauses = text.split([',', ';', '.', ':', '(', ')', '—', '–']);
    let mut parts = clauses.flat_map(|clause| {
        let words = words(clause);
        let parts = words.split(|word| matches!(word.as_str(), "and" | "then"));
        parts.map(<[String]>::to_vec).collect::<Vec<_>>()
    });
    parts.find_map(|part| {
        let mut act = part.iter().skip_while(|word| LEADING.holds(word));
        let (head, next) = (act.next()?, act.next().map_or("", String::as_str));
        let head = head.strip_suffix('s').unwrap_or(head);
        let ends = match head {
            "clear" => matches!(next, "all" | "the" | "everything"),
            "replace" => matches!(next, "all" | "everything" | "existing" | "it" | "them"),
            "roll" => next == "back",
            head => FINAL.holds(head),
        };
        let is_of_text = part.iter().any(|word| WRITTEN.holds(word));
        let is_code = || names_code(&part, head);
        (ends && !is_of_text && !is_code()).then(|| format!("outward: {head}"))
    })
}

/// "No tests", in any clause of `text`.
fn gives_up(text: &str) -> Option<String> {
    let mut clauses = text
        .split([',', ';', '.', ':', '(', ')', '—', '–'])
        .map(words);
    let found = clauses.find_map(|clause| without_safeguard(&clause));
    found.map(|found| format!("outward: {found}"))
}

/// The clauses of `text`, the description of a value, that say what is done. The purpose of a value ("Ready to ship")
/// is not an act.
fn orders(text: &str) -> String {
    let clauses = text.split([',', ';', '.', ':', '(', ')', '—', '–']);
    let is_order = |clause: &&str| {
        let words = words(clause);
        let mut rest = words.iter().skip_while(|word| LEADING.holds(word));
        let head = rest.next();
        words.len() > 1
            && head.is_some_and(|head| {
                let head = as_order(head);
                OUTWARD.holds(head) || MAKING.holds(head) || SKIPPING.holds(head)
            })
    };
    clauses.filter(is_order).collect::<Vec<_>>().join(",")
}

fn in_clause(clause: &[String], beside: &[&str]) -> Option<String> {
    let found = lost(clause)
        .or_else(|| destroyed(clause))
        .or_else(|| overridden(clause))
        .or_else(|| in_spite(clause))
        .or_else(|| {
            UNASKED
                .find(clause, REACH)
                .map(|(verb, thing)| format!("{verb} {thing}"))
        })
        .or_else(|| without_safeguard(clause))
        .or_else(|| sent(clause))
        .or_else(|| filed(clause, beside))
        .or_else(|| apply_all(clause, beside))?;
    Some(format!("outward: {found}"))
}

/// "Relaunch (current logins are lost)".
fn lost(clause: &[String]) -> Option<String> {
    let is_refused = clause.first().is_some_and(|word| REFUSING.holds(word));
    let lost = clause.iter().find(|word| LOST.holds(word))?;
    (!is_refused).then(|| lost.clone())
}

/// "Delete and recreate", "Stop and revert", "Schedule deletion": destruction of anything but a named piece of text or
/// code.
fn destroyed(clause: &[String]) -> Option<String> {
    let is_join = |word: &String| matches!(word.as_str(), "and" | "then");
    let head = clause.split(is_join).find_map(|part| {
        let mut words = part.iter().skip_while(|word| LEADING.holds(word));
        words.next().filter(|word| FINAL.holds(word))
    });
    let is_written = || clause.iter().any(|word| WRITTEN.holds(word));
    let head = head.filter(|head| !names_code(clause, head) && !is_written());
    let noun = || clause.last().filter(|word| FINAL_NOUNS.holds(word));
    head.or_else(noun).cloned().or_else(|| rest_gone(clause))
}

/// "Keep only the newest"
fn rest_gone(clause: &[String]) -> Option<String> {
    match clause {
        [keep, only, rest @ ..] if matches!(keep.as_str(), "keep" | "retain") && only == "only" => {
            let is_written = rest
                .iter()
                .any(|word| WRITTEN.holds(word) || SUGGESTED.holds(word));
            (!is_written).then(|| "keep only".to_owned())
        }
        _ => None,
    }
}

/// "Override", of anything that blocks something.
fn overridden(clause: &[String]) -> Option<String> {
    let (head, rest) = clause.split_first()?;
    let is_bare = rest.iter().all(|word| LITTLE.holds(word));
    (is_bare && OVERRIDING.holds(head)).then(|| head.clone())
}

/// "Ignore and commit anyway"
fn in_spite(clause: &[String]) -> Option<String> {
    let (last, before) = clause.split_last()?;
    let act = before
        .iter()
        .find(|word| matches!(word.as_str(), "commit" | "apply" | "install" | "run"))?;
    (last == "anyway").then(|| format!("{act} {last}"))
}

/// "No tests", "No director reviews at all".
fn without_safeguard(clause: &[String]) -> Option<String> {
    const LONGEST: usize = 3;
    let clause = clause
        .strip_suffix(&["at".to_owned(), "all".to_owned()])
        .unwrap_or(clause);
    let (no, rest) = clause.split_first()?;
    let last = rest.last().filter(|_| rest.len() <= LONGEST)?;
    (no == "no" && SAFEGUARDS.holds(last)).then(|| format!("no {last}"))
}

/// An outward verb in the position of an act: at the start of the clause, after "and", "then", "to" and similar, and
/// anywhere after a leading condition ("Once approved deploy").
fn sent(clause: &[String]) -> Option<String> {
    let is_conditional = clause.first().is_some_and(|word| CONDITIONS.holds(word));
    let (mut is_refused, mut is_head) = (false, true);
    for (at, word) in clause.iter().enumerate() {
        let refuses = REFUSING.holds(word) && !(at == 0 && is_conditional);
        is_refused = refuses || is_refused && !matches!(word.as_str(), "and" | "then" | "but");
        if !is_refused {
            let is_act = is_head && OUTWARD.holds(word) || at > 0 && FORMS.holds(word);
            if is_act && !is_tamed(clause, at) {
                return Some(word.clone());
            }
            // "Create a solution for the issue" creates no issue.
            let near = clause.iter().skip(at + 1).take(REACH);
            let mut near = near.take_while(|word| *word != "for");
            if is_head
                && MAKING.holds(word)
                && let Some(shared) = near.find(|word| SHARED.holds(word))
                && !names_text(clause)
            {
                return Some(format!("{word} {shared}"));
            }
        }
        // Ids and numbers do not count as words: "#12 Create new issues anyway?"
        let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
        is_head = is_conditional || LEADING.holds(word) || is_head && is_number;
    }
    None
}

/// True when the following words make such a verb a noun or an act on texts.
fn is_tamed(clause: &[String], at: usize) -> bool {
    let Some(verb) = clause.get(at) else {
        return false;
    };
    let behind = clause.iter().skip(at + 1).map(String::as_str);
    if verb == "deploy" && are_to_think(behind) {
        return true;
    }
    let rest = clause.get(at..).unwrap_or_default();
    is_name(rest)
        || TAMED
            .find(rest, REACH)
            .is_some_and(|(tamed, _)| tamed == verb)
}

/// True for "delete account flow", a piece of code named after its verb `head`.
fn names_code(clause: &[String], head: &str) -> bool {
    const LONGEST: usize = 3;
    let behind = clause.iter().skip_while(|word| *word != head).skip(1);
    let mut name = behind
        .take(LONGEST)
        .take_while(|word| !is_stop(word) && !PROTECTED.holds(word));
    let is_code = |word: &String| {
        [&PARTS, &WIDGETS, &SCREENS]
            .iter()
            .any(|list| list.noun(word).is_some())
    };
    name.any(is_code)
}

/// True for "delete button", whose verb is part of a name.
fn is_name(clause: &[String]) -> bool {
    let next = clause.get(1);
    next.is_some_and(|next| {
        [&PARTS, &WIDGETS, &SCREENS]
            .iter()
            .any(|list| list.noun(next).is_some())
    })
}

/// True for "PR description" and "issue template", which are texts.
fn names_text(clause: &[String]) -> bool {
    clause.last().is_some_and(|last| TEXTS.holds(last))
}

/// A pull request, or a tracker in which something is filed: "PR", "Add to Linear", "GitHub issue"; also "Linear" alone
/// if the texts `beside` it mention filing.
fn filed(clause: &[String], beside: &[&str]) -> Option<String> {
    let first = clause.first()?.as_str();
    let is_short = clause.len() <= SHORT;
    let is_request = clause
        .last()
        .is_some_and(|word| matches!(word.as_str(), "pr" | "mr"))
        || first == "pull" && clause.get(1).is_some_and(|word| word == "request");
    if names_text(clause) || LOOKING.holds(first) || clause.iter().any(|word| REFUSING.holds(word))
    {
        return None;
    }
    if is_request && is_short {
        return Some("pull request".to_owned());
    }
    let mut beside = beside.iter().flat_map(|text| words(text));
    let is_of_filing = is_short && beside.any(|word| FILING.holds(&word));
    let is_to = |word: &String| matches!(word.as_str(), "to" | "in" | "on");
    let is_place = |at: usize| match clause.get(at + 1) {
        None => at
            .checked_sub(1)
            .and_then(|before| clause.get(before))
            .is_some_and(is_to),
        Some(next) => SHARED.holds(next),
    };
    let mut trackers = clause.iter().enumerate();
    let tracker =
        trackers.find(|(at, word)| TRACKERS.holds(word) && (is_of_filing || is_place(*at)));
    tracker.map(|(_, tracker)| format!("to {tracker}"))
}

/// "Apply all", unless it or the texts `beside` it are about suggested code.
fn apply_all(clause: &[String], beside: &[&str]) -> Option<String> {
    let [verb, all, rest @ ..] = clause else {
        return None;
    };
    let is_all = APPLYING.holds(verb) && matches!(all.as_str(), "all" | "everything");
    let mut beside = beside.iter().flat_map(|text| words(text));
    let is_of_code =
        rest.iter().any(|word| SUGGESTED.holds(word)) || beside.any(|word| SUGGESTED.holds(&word));
    (is_all && !is_of_code).then(|| format!("{verb} all"))
}

/// An outward act in the description of `label`. The description of a label that leaves things as they are counts only
/// if it names an act done anyway.
fn described(label: &str, description: &str, commitment: Commitment) -> Option<String> {
    if let Some(found) = ends_something(description) {
        return Some(found);
    }
    let asks = words(label).first().is_some_and(|word| word == "ask");
    let done = match commitment {
        Commitment::LeavesThings if !asks => return all_the_same(description),
        Commitment::Value => Cow::Owned(orders(description)),
        _ => Borrowed(description),
    };
    let act = in_label(&without_lists(&without_refusals(&done)), &[]);
    act.or_else(|| gives_up(description))
}

/// `description` as an order, without the single words of a list: "emails, posts, notes".
fn without_lists(description: &str) -> String {
    let parts = description.split([',', '/', ';']);
    let several = parts.clone().count() > 1;
    let parts = parts.map(words).filter(|part| !several || part.len() > 1);
    let ordered = parts.map(|part| match part.split_first() {
        Some((head, rest)) => [as_order(head), &rest.join(" ")].join(" "),
        None => String::new(),
    });
    ordered.collect::<Vec<String>>().join(",")
}

/// A value that names the thing to destroy: "Which files should I delete?".
fn destroys(question: &str, commitment: Commitment) -> Option<String> {
    let words = asked_words(question);
    if commitment != Commitment::Value || words.iter().any(|word| WRITTEN.holds(word)) {
        return None;
    }
    let mut before = None;
    words.iter().find_map(|word| {
        let leads = before
            .replace(word)
            .is_none_or(|before| VALUE_LEADING.holds(before));
        (leads && ERASING.holds(word)).then(|| format!("outward: {word}"))
    })
}

/// The outward act that the question proposes and the answer accepts.
fn proposed(question: &str, commitment: Commitment) -> Option<String> {
    let accepts = matches!(
        commitment,
        Commitment::NamesProposal | Commitment::RefersToQuestion
    );
    let act = |asked: &&str| {
        // "upload: shall I rename the parser?"
        let topic = asked
            .split_once(": ")
            .filter(|(topic, _)| !topic.contains(' '));
        in_label(
            &without_refusals(topic.map_or(asked, |(_, rest)| rest)),
            &[],
        )
    };
    let asked = asking_sentences(question);
    accepts.then(|| asked.iter().find_map(act))?
}

/// A value that lets the agent act outside: "When should it push?".
fn lets(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    let words = asked_words(question);
    let is_modal = |at: &usize| words.get(*at).is_some_and(|word| MODAL.holds(word));
    let at = words.iter().position(|word| LETTING.holds(word))?;
    let refused = matches!(
        label.to_lowercase().as_str(),
        "never" | "manual" | "manually" | "off"
    );
    let follows = (at.saturating_sub(4)..at).any(|at| is_modal(&at));
    let word = words.get(at)?;
    (commitment == Commitment::Value && follows && !refused).then(|| format!("outward: {word}"))
}

/// "No" to keeping, asking or verifying: the safeguard is dropped.
fn declines(question: &str, label: &str) -> Option<String> {
    let clauses = clauses(label);
    let first = clauses.first()?;
    let declines = |word: &String| {
        NEGATIVE.holds(word) || matches!(word.as_str(), "skip" | "off" | "disable" | "disabled")
    };
    let is_bare = first.first().is_some_and(declines) && names_nothing(first) && clauses.len() == 1;
    (is_bare && proposes_protection(question)).then(|| "declines a safeguard".to_owned())
}

/// A value for how much the agent may do without asking. Only the person may answer that.
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

/// A live system, chosen as the place for an act: "Which environment?" "Production".
fn runs_live(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    let is_live = matches!(
        label.to_lowercase().as_str(),
        "production" | "prod" | "live"
    );
    let asks = || asked_words(question).iter().any(|word| PLACES.holds(word));
    (commitment == Commitment::Value && is_live && asks())
        .then(|| format!("outward: {}", label.to_lowercase()))
}

/// Everybody, chosen as those who get access: "Repository visibility?" "Public".
fn exposes(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    let label = words(label);
    let everybody = label.iter().find(|word| EVERYBODY.holds(word));
    let is_any = label.first().is_some_and(|first| first == "0");
    let asks = || asked_words(question).iter().any(|word| ACCESS.holds(word));
    let everybody = everybody
        .map(String::as_str)
        .or(is_any.then_some("0.0.0.0"));
    let everybody = everybody.filter(|_| commitment == Commitment::Value && asks())?;
    Some(format!("outward: {everybody}"))
}

/// The words of the sentences of `question` that ask, without the names of slash commands.
fn asked_words(question: &str) -> Vec<String> {
    let asked = asking_sentences(question).join(" ");
    let asking = asked.split_whitespace();
    let prose: Vec<&str> = asking
        .filter(|word| !word.trim_start_matches(['`', '"', '(']).starts_with('/'))
        .collect();
    words(&prose.join(" "))
}
