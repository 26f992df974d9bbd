//! Acts that reach others or cannot be taken back, named in a label: they need no object and no help from a
//! description.

mod lists;

use self::lists::{
    DESTROYING, FILING, FINAL, FINAL_NOUNS, FORMS, LEADING, LOOKING, LOST, MAKING, OUTWARD,
    OVERRIDING, PAIRS, REFUSING, SHARED, SKIPPING, SUGGESTED, TAMED, TEXTS, TRACKERS, WRITTEN,
};
use super::words::{LITTLE, SAFEGUARDS, words};
use crate::doors::entries::{List, list};
use crate::doors::{CONDITIONS, are_to_think};

/// How far behind its verb a thing may stand.
const REACH: usize = 4;

/// How long a clause may be in which a noun alone names an act: "Linear".
const SHORT: usize = 4;

/// Verbs, and things that they must not be done to unasked.
struct Pair {
    verbs: &'static List,
    things: &'static List,
}

impl Pair {
    /// "skip validation", where `clause` holds both.
    fn find(&'static self, clause: &[String]) -> Option<String> {
        let at = clause.iter().position(|word| self.verbs.holds(word))?;
        let mut near = clause.iter().skip(at + 1).take(REACH);
        let thing = near.find(|word| self.things.holds(word))?;
        Some(format!("{} {thing}", clause.get(at)?))
    }
}

/// `word` without the ending of the third person, where it is such a verb: "Updates the PR".
pub(super) fn as_order(word: &str) -> &str {
    let bare = [word.strip_suffix('s'), word.strip_suffix("es")];
    let mut bare = bare.into_iter().flatten();
    bare.find(|bare| OUTWARD.holds(bare) || MAKING.holds(bare))
        .unwrap_or(word)
}

/// True for a verb after which what it acts on is gone.
pub(super) fn is_destroying(word: &str) -> bool {
    DESTROYING.holds(word)
}

/// True for a form of such a verb: "Keep pushing".
pub(super) fn is_going_on(word: &str) -> bool {
    FORMS.holds(word)
}

/// True for a piece of a text or of code.
pub(super) fn is_written(word: &str) -> bool {
    WRITTEN.holds(word)
}

/// The outward or final act that `label` names by itself, for a question whose words and whose description of
/// the label are `beside` it; `None` where it names none.
pub fn outward_act(label: &str, beside: &[&str]) -> Option<String> {
    let label = crate::recommended::option_text(label);
    let parted = label.replace(['—', '–', '(', ')', ';', ':', ',', '&', '+', '/'], "\n");
    let parted = parted.replace(" - ", "\n").replace(". ", "\n");
    parted
        .lines()
        .map(words)
        .find_map(|clause| in_clause(&clause, beside))
}

/// What `text`, the description of leaving things as they are, says is done all the same, or lost by it: "Ship anyway",
/// "may lose changes", "No review".
pub(super) fn all_the_same(text: &str) -> Option<String> {
    static GONE: List = list!(
        " lost lose loses irreversible permanently discards deletes removes overwrites drops erases "
    );
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

/// An act that ends something, at the head of a clause of `text`, the description of any label: "revert the merge and
/// roll back", "clear the queue", "replace all". Code and texts may be reset.
pub(super) fn ends_something(text: &str) -> Option<String> {
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
        (ends && !is_of_text).then(|| format!("outward: {head}"))
    })
}

/// "No tests", in any clause of `text`.
pub(super) fn gives_up(text: &str) -> Option<String> {
    let mut clauses = text
        .split([',', ';', '.', ':', '(', ')', '—', '–'])
        .map(words);
    let found = clauses.find_map(|clause| without_safeguard(&clause));
    found.map(|found| format!("outward: {found}"))
}

/// The clauses of `text`, the description of a value, that say what is done: what a value is good for ("Ready to
/// ship") is no act.
pub(super) fn orders(text: &str) -> String {
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
        .or_else(|| PAIRS.iter().find_map(|pair| pair.find(clause)))
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

/// "Delete and recreate", "Stop and revert", "Schedule deletion": what destroys and names no piece of text or code.
fn destroyed(clause: &[String]) -> Option<String> {
    let is_join = |word: &String| matches!(word.as_str(), "and" | "then");
    let head = clause.split(is_join).find_map(|part| {
        let mut words = part.iter().skip_while(|word| LEADING.holds(word));
        words.next().filter(|word| FINAL.holds(word))
    });
    let is_written = || clause.iter().any(|word| WRITTEN.holds(word));
    let head = head.filter(|_| !is_written());
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

/// "Override", of whatever held something up.
fn overridden(clause: &[String]) -> Option<String> {
    let (head, rest) = clause.split_first()?;
    let is_bare = rest.iter().all(|word| LITTLE.holds(word));
    (is_bare && OVERRIDING.holds(head)).then(|| head.clone())
}

/// "Ignore and commit anyway"
fn in_spite(clause: &[String]) -> Option<String> {
    static ACTS: List = list!(" commit apply install run ");
    let (last, before) = clause.split_last()?;
    let act = before.iter().find(|word| ACTS.holds(word))?;
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

/// An outward verb where an act stands: at the head of the clause, behind "and", "then", "to" and the like, and behind
/// a condition in front anywhere ("Once approved deploy").
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
            let mut near = clause.iter().skip(at + 1).take(REACH);
            if is_head
                && MAKING.holds(word)
                && let Some(shared) = near.find(|word| SHARED.holds(word))
                && !names_text(clause)
            {
                return Some(format!("{word} {shared}"));
            }
        }
        // Ids and numbers are no words: "#12 Create new issues anyway?"
        let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
        is_head = is_conditional || LEADING.holds(word) || is_head && is_number;
    }
    None
}

/// True where what follows makes such a verb a noun or an act on texts.
fn is_tamed(clause: &[String], at: usize) -> bool {
    let Some(verb) = clause.get(at) else {
        return false;
    };
    let behind = clause.iter().skip(at + 1).map(String::as_str);
    if verb == "deploy" && are_to_think(behind) {
        return true;
    }
    let mut of_verb = TAMED.iter().filter(|(verbs, ..)| verbs.holds(verb));
    of_verb.any(|(_, reach, things)| {
        let mut near = clause.iter().skip(at + 1).take(*reach);
        near.any(|word| things.holds(word))
    })
}

/// True for "PR description" and "issue template", which are texts.
fn names_text(clause: &[String]) -> bool {
    clause.last().is_some_and(|last| TEXTS.holds(last))
}

/// A pull request, or a tracker that something is filed in: "PR", "Add to Linear", "GitHub issue"; "Linear" alone where
/// what stands `beside` it speaks of filing.
fn filed(clause: &[String], beside: &[&str]) -> Option<String> {
    let first = clause.first()?.as_str();
    let is_short = clause.len() <= SHORT;
    let is_request = matches!(first, "pr" | "mr")
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

/// "Apply all", where neither it nor what stands beside it speaks of code alone.
fn apply_all(clause: &[String], beside: &[&str]) -> Option<String> {
    static VERBS: List = list!(" apply execute sync update close approve ");
    let [verb, all, rest @ ..] = clause else {
        return None;
    };
    let is_all = VERBS.holds(verb) && matches!(all.as_str(), "all" | "everything");
    let mut beside = beside.iter().flat_map(|text| words(text));
    let is_of_code =
        rest.iter().any(|word| SUGGESTED.holds(word)) || beside.any(|word| SUGGESTED.holds(&word));
    (is_all && !is_of_code).then(|| format!("{verb} all"))
}
