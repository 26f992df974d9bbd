//! Acts that reach others or cannot be taken back, named in a label: they need no object and no help from a
//! description.

use super::words::{SAFEGUARDS, words};
use crate::doors::CONDITIONS;
use crate::doors::entries::{List, list};

/// Verbs whose act leaves the project.
static OUTWARD: List = list!(
    " push merge publish release send post reply respond submit deploy ship email mail tweet announce \
    notify auto-post auto-merge auto-push escalate relaunch crosspost broadcast launch rollout \
    force-push invite share star sponsor donate upload squash "
);

/// The same as one finds them behind "and", in any form.
static FORMS: List = list!(
    " pushes pushing merges merging publishes publishing sends sending posts posting deploys deploying \
    submits submitting "
);

/// Verbs that make something with others when one of [`SHARED`] follows.
static MAKING: List = list!(
    " create open file request make raise add start draft generate update close reopen assign comment \
    track approve mark "
);

/// What others see at once.
static SHARED: List =
    list!(" pr prs mr mrs issue issues ticket tickets pull bug bugs discussion gist release ");

/// Where things are filed and sent to.
static TRACKERS: List = list!(
    " github gitlab bitbucket jira linear asana trello notion slack discord clickup youtrack bugzilla \
    zendesk teams twitter linkedin mastodon confluence basecamp npm "
);

/// Words of a question or description that make a tracker's name a destination.
static FILING: List = list!(
    " file files filed create creates open opens send sends post posts put track tracked publish \
    report issues tickets share push log there "
);

/// Words that say what is gone.
static LOST: List = list!(" lost lose loses discard discards irreversible permanently wiped ");

/// Words behind which no act stands.
static REFUSING: List = list!(
    " no not don't dont without never nothing skip keep cancel abort before review defer instead until "
);

/// Words with which the person only looks.
static LOOKING: List = list!(" review show view see explain describe check read compare list ");

/// Code that is changed by what an agent suggests: "apply all fixes".
static SUGGESTED: List = list!(
    " fix fixes suggestion suggestions recommendation recommendations finding findings edit edits \
    patch patches refactoring refactorings lint formatting "
);

/// `word` without the ending of the third person, where it is such a verb: "Updates the PR".
pub(super) fn as_order(word: &str) -> &str {
    let bare = [word.strip_suffix('s'), word.strip_suffix("es")];
    let mut bare = bare.into_iter().flatten();
    bare.find(|bare| OUTWARD.holds(bare) || MAKING.holds(bare))
        .unwrap_or(word)
}

/// True for a verb whose act leaves the project.
pub(super) fn is_outward(word: &str) -> bool {
    OUTWARD.holds(word)
}

/// True for a verb after which what it acts on is gone.
pub(super) fn is_destroying(word: &str) -> bool {
    static DESTROYING: List = list!(
        " delete remove drop discard wipe purge prune clean clear reset erase overwrite trash revert "
    );
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

fn in_clause(clause: &[String], beside: &[&str]) -> Option<String> {
    let word = |at: usize| clause.get(at).map_or("", String::as_str);
    let said = |act: &str| Some(format!("outward: {act}"));
    if let Some(lost) = clause.iter().find(|word| LOST.holds(word))
        && !REFUSING.holds(word(0))
    {
        return said(lost);
    }
    if let Some(destroyed) = destroyed(clause) {
        return said(&destroyed);
    }
    if let Some(others) = concerns_others(clause) {
        return said(&others);
    }
    if let Some(machine) = changes_the_machine(clause) {
        return said(&machine);
    }
    if let Some(skipped) = skipped_safeguard(clause) {
        return said(&skipped);
    }
    let mut is_refused = false;
    // Behind a condition in front the act may begin anywhere: "Once approved deploy".
    let is_conditional = CONDITIONS.holds(word(0));
    // A verb stands at the head of a clause, or behind "and", "then", "to" and the like.
    let mut is_head = true;
    for (at, one) in clause.iter().enumerate() {
        let one = one.as_str();
        let next = word(at + 1);
        let refuses = REFUSING.holds(one) && !(at == 0 && is_conditional);
        is_refused = refuses || is_refused && !matches!(one, "and" | "then" | "but");
        if !is_refused {
            let is_act = is_head && OUTWARD.holds(one) && !tamed(clause, at);
            if is_act || FORMS.holds(one) && at > 0 && !tamed(clause, at) {
                return said(one);
            }
            let shared = clause.iter().skip(at + 1).take(4);
            let shared = shared.into_iter().find(|word| SHARED.holds(word));
            if is_head
                && MAKING.holds(one)
                && let Some(shared) = shared
                && !names_text(clause)
            {
                return said(&format!("{one} {shared}"));
            }
        }
        is_head = is_conditional
            || matches!(
                one,
                "and"
                    | "then"
                    | "to"
                    | "yes"
                    | "ok"
                    | "please"
                    | "just"
                    | "now"
                    | "also"
                    | "auto"
                    | "still"
                    | "safe"
                    | "squash"
                    | "i'll"
                    | "let's"
                    | "go"
                    | "ahead"
                    | "i"
                    | "we"
                    | "commit"
                    | "approve"
                    | "save"
            )
            || next.is_empty() && at > 0 && matches!(word(at - 1), "and" | "then")
            || !one.chars().any(char::is_alphanumeric);
    }
    if !is_refused && let Some(tracker) = filed_in(clause) {
        return said(&format!("to {tracker}"));
    }
    let is_looking = LOOKING.holds(word(0));
    if !is_refused
        && !is_looking
        && let Some(tracker) = clause.iter().find(|word| TRACKERS.holds(word))
        && clause.len() <= 4
        && is_destination(beside)
    {
        return said(&format!("to {tracker}"));
    }
    let is_pull_request = matches!(word(0), "pr" | "mr") && clause.len() <= 4
        || word(0) == "pull" && word(1) == "request" && clause.len() <= 4;
    if is_pull_request && !names_text(clause) {
        return said("pull request");
    }
    apply_all(clause, beside)
}

/// "Add a shell alias": what other programs of the person read.
fn changes_the_machine(clause: &[String]) -> Option<String> {
    let verb = clause.iter().find(|word| {
        matches!(
            word.as_str(),
            "add" | "edit" | "install" | "write" | "create" | "set" | "append" | "register"
        )
    })?;
    let thing = clause.iter().find(|word| {
        matches!(
            word.as_str(),
            "alias"
                | "aliases"
                | "bashrc"
                | "zshrc"
                | "shell"
                | "crontab"
                | "cron"
                | "permission"
                | "permissions"
                | "globally"
        )
    })?;
    Some(format!("{verb} {thing}"))
}

/// What may be deleted unasked: code, and what somebody wrote a moment ago.
static WRITTEN: List = list!(
    " import imports comment comments line lines section sections paragraph paragraphs sentence \
    sentences duplicate duplicates duplication whitespace unused dead code todo todos warning \
    warnings mock stub heading slide slides "
);

/// "Delete and recreate", "Remove anyway": a destroying verb that names no piece of text or code, or says that
/// nothing holds it back.
fn destroyed(clause: &[String]) -> Option<String> {
    let skipped = |word: &&String| {
        matches!(
            word.as_str(),
            "yes" | "also" | "just" | "then" | "and" | "now"
        )
    };
    let mut rest = clause.iter().skip_while(skipped);
    if let Some(head) = rest.next()
        && matches!(
            head.as_str(),
            "delete"
                | "wipe"
                | "purge"
                | "destroy"
                | "erase"
                | "truncate"
                | "overwrite"
                | "discard"
                | "nuke"
                | "revert"
                | "rollback"
                | "reset"
                | "undo"
                | "abandon"
        )
        && !rest.any(|word| WRITTEN.holds(word))
    {
        return Some(head.clone());
    }
    // "Schedule deletion"
    let is_named = |word: &&String| {
        matches!(
            word.as_str(),
            "deletion" | "destruction" | "erasure" | "termination"
        )
    };
    if let Some(named) = clause.last().filter(is_named) {
        return Some(named.clone());
    }
    let verb = clause.iter().find(|word| {
        matches!(
            word.as_str(),
            "delete"
                | "remove"
                | "drop"
                | "wipe"
                | "overwrite"
                | "reset"
                | "purge"
                | "destroy"
                | "erase"
        )
    })?;
    let how = clause.iter().find(|word| {
        matches!(
            word.as_str(),
            "anyway" | "permanently" | "forever" | "force" | "completely"
        )
    })?;
    Some(format!("{verb} {how}"))
}

/// "Request review", "Pause the campaigns now": what others get or see, whatever the verb does to it.
fn concerns_others(clause: &[String]) -> Option<String> {
    let [verb, rest @ ..] = clause else {
        return None;
    };
    let of_verb: &[&str] = match verb.as_str() {
        "request" => &["review", "reviews", "approval", "access"],
        "assign" => &["reviewer", "reviewers"],
        "sync" => &["remote", "upstream", "origin"],
        "pause" | "resume" | "start" | "stop" | "kill" | "launch" | "enable" | "disable" => {
            &["campaign", "campaigns", "ads"]
        }
        _ => return None,
    };
    let thing = rest
        .iter()
        .take(4)
        .find(|word| of_verb.contains(&word.as_str()))?;
    Some(format!("{verb} {thing}"))
}

/// True for "PR description" and "issue template", which are texts.
fn names_text(clause: &[String]) -> bool {
    let last = clause.last().map_or("", String::as_str);
    matches!(
        last,
        "description"
            | "descriptions"
            | "template"
            | "templates"
            | "title"
            | "titles"
            | "draft"
            | "body"
            | "page"
            | "component"
            | "plan"
            | "list"
            | "notes"
            | "workflow"
    )
}

/// True where what follows makes such a verb a noun or an act on texts: "push notifications", "merge the two
/// sections".
fn tamed(clause: &[String], at: usize) -> bool {
    let verb = clause.get(at).map_or("", String::as_str);
    let next = clause.get(at + 1).map_or("", String::as_str);
    let mut near = clause.iter().skip(at + 1).take(5);
    match verb {
        "push" => matches!(next, "notification" | "notifications" | "button"),
        "post" => matches!(next, "mortem" | "type" | "types" | "button"),
        "release" | "launch" | "deploy" | "ship" | "publish" => matches!(
            next,
            "note"
                | "notes"
                | "plan"
                | "checklist"
                | "date"
                | "dates"
                | "pipeline"
                | "workflow"
                | "button"
                | "fast"
                | "faster"
                | "quickly"
                | "early"
        ),
        "send" | "submit" | "share" | "invite" => next == "button",
        "email" | "mail" => matches!(
            next,
            "service"
                | "integration"
                | "template"
                | "templates"
                | "field"
                | "address"
                | "list"
                | "notifications"
        ),
        "upload" => matches!(
            next,
            "button"
                | "form"
                | "field"
                | "limit"
                | "limits"
                | "size"
                | "component"
                | "flow"
                | "page"
        ),
        "merge" | "merges" | "merging" => near.any(|word| {
            matches!(
                word.as_str(),
                "section"
                    | "sections"
                    | "duplicates"
                    | "todos"
                    | "lists"
                    | "findings"
                    | "ideas"
                    | "conflict"
                    | "conflicts"
                    | "sort"
                    | "strategy"
                    | "button"
                    | "single"
                    | "similar"
                    | "one"
            )
        }),
        _ => false,
    }
}

/// The tracker that a clause ends with behind "to", "in" or "on", or that names what is made there: "Add to Linear",
/// "GitHub issue".
fn filed_in(clause: &[String]) -> Option<&String> {
    let at = clause.iter().position(|word| TRACKERS.holds(word))?;
    let before = at.checked_sub(1).and_then(|before| clause.get(before));
    let is_led = before.is_some_and(|word| matches!(word.as_str(), "to" | "in" | "on"));
    let next = clause.get(at + 1);
    let is_looking = clause.first().is_some_and(|word| LOOKING.holds(word));
    let is_place = next.is_none() && is_led || next.is_some_and(|next| SHARED.holds(next));
    clause
        .get(at)
        .filter(|_| is_place && !is_looking && !names_text(clause))
}

/// True where something is filed or sent, so that a tracker's name says where to.
fn is_destination(beside: &[&str]) -> bool {
    beside
        .iter()
        .flat_map(|text| words(text))
        .any(|word| FILING.holds(&word))
}

/// "Skip the validation", "Continue without tests", "No review".
fn skipped_safeguard(clause: &[String]) -> Option<String> {
    let at = clause.iter().position(|word| {
        matches!(
            word.as_str(),
            "skip"
                | "bypass"
                | "disable"
                | "without"
                | "ignore"
                | "override"
                | "despite"
                | "although"
        )
    });
    // "No tests"
    let at = at.or_else(|| (clause.len() == 2 && clause.first()? == "no").then_some(0))?;
    let near = clause.iter().skip(at + 1).take(4);
    let safeguard = near.into_iter().find(|word| SAFEGUARDS.holds(word))?;
    let verb = clause.get(at)?;
    Some(format!("{verb} {safeguard}"))
}

/// "Apply all", where neither it nor what stands beside it speaks of code alone.
fn apply_all(clause: &[String], beside: &[&str]) -> Option<String> {
    let [verb, rest @ ..] = clause else {
        return None;
    };
    let is_apply = matches!(
        verb.as_str(),
        "apply" | "execute" | "sync" | "update" | "close" | "approve"
    );
    let is_all = rest
        .first()
        .is_some_and(|word| matches!(word.as_str(), "all" | "everything"));
    let beside = beside.iter().flat_map(|text| words(text));
    let of_code = |word: &String| SUGGESTED.holds(word);
    (is_apply
        && is_all
        && !rest.iter().any(of_code)
        && !beside.into_iter().any(|word| of_code(&word)))
    .then(|| format!("outward: {verb} all"))
}
