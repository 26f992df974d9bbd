//! Decisions for a terminal: what was answered for the person, what was put to them, and why.

use anstyle::Style;
use plantune_domain::binding::Difference;
use plantune_domain::keys::is_made_up;
use plantune_query::decisions::Decision;
use plantune_query::families::door_words;

use crate::amount::{counted, duration};
use crate::inert::one_line;
use crate::level;
use crate::style::{BOLD, DIM, GREEN};
use crate::terminal::Terminal;
use crate::text::{in_two_lines, shell_word};

/// How much of a label is shown, in columns.
const SHOWN: usize = 60;

/// How much of a key, a project or an id is shown, in columns: enough to be copied.
const SHOWN_NAME: usize = 200;

/// A few lines about `decision`.
pub fn show(decision: &Decision, out: &mut Terminal) {
    let at = format!("{}  ", out.moment(decision.asked_at));
    let question = in_two_lines(&at, "    ", &decision.question, out.width);
    question.lines().for_each(|line| out.styled(line, BOLD));
    let agent = match decision.agent.as_str() {
        "claude-code" => String::new(),
        other => format!(", asked by {}", one_line(other, SHOWN_NAME)),
    };
    let key = decision.question_key.as_deref().unwrap_or("?");
    let key = match is_made_up(key) {
        true => String::new(),
        false => format!("{} ", one_line(key, SHOWN_NAME)),
    };
    let named = format!(
        "{key}in {} ({}){agent}",
        one_line(&decision.project, SHOWN_NAME),
        one_line(decision.tool_use_id.as_deref().unwrap_or("?"), SHOWN_NAME),
    );
    let happened = match decision.outcome.as_str() {
        "auto_decided" => GREEN,
        _ => Style::new(),
    };
    out.paragraph(format!("    {}", what_happened(decision)), happened);
    for line in family(decision).into_iter().chain([named]) {
        out.paragraph(format!("    {line}"), DIM);
    }
}

/// The family that the question belongs to, in words.
pub(crate) fn family(decision: &Decision) -> Option<String> {
    let family = decision.family.as_ref()?;
    Some(format!(
        "one of: {}",
        one_line(&family.template_text, SHOWN_NAME)
    ))
}

/// What was answered while the person was away, with how each is changed.
pub fn show_for_review(decisions: &[Decision], out: &mut Terminal) {
    let questions = counted(decisions.len(), "question was", "questions were");
    out.paragraph(
        format!("While you were away {questions} answered as recommended. None of it counts as your answer."),
        Style::new(),
    );
    for decision in decisions {
        let at = format!("{}  ", out.moment(decision.asked_at));
        let question = in_two_lines(&at, "    ", &decision.question, out.width);
        question.lines().for_each(|line| out.line(line));
        let mut others = decision.options.clone();
        others.retain(|label| !decision.preferred.contains(label));
        let mut answer = labels(&decision.preferred);
        if !others.is_empty() {
            answer += &format!(" (not {})", labels(&others));
        }
        let change = match (taken_back(decision), decision.tool_use_id.as_deref()) {
            (Some(words), _) => words,
            (None, Some(id)) => format!(
                "to change it: plantune undo {} --answer LABEL",
                shell_word(&one_line(id, SHOWN_NAME))
            ),
            (None, None) => "it cannot be named: its call has no id".to_owned(),
        };
        let place = format!("in {}", one_line(&decision.project, SHOWN_NAME));
        for line in [answer, change, place] {
            out.hanging("    ", "    ", line);
        }
    }
}

/// What happened to the question, in a sentence without its end.
pub fn what_happened(decision: &Decision) -> String {
    let preferred = labels(&decision.preferred);
    let does = decision.preference.as_deref().unwrap_or("a preference");
    let scope = decision.preference_scope.as_deref();
    let by = format!(
        "{}, {}",
        one_line(level::word(does, decision.level.as_deref()), SHOWN),
        one_line(scope.unwrap_or("unknown scope"), SHOWN)
    );
    let undone = taken_back(decision).map_or_else(String::new, |words| format!("; {words}"));
    match decision.outcome.as_str() {
        "auto_decided" if decision.preferred.is_empty() => {
            match decision.mechanism.as_deref() {
                // A reviewer answers with a label, or turns the call down.
                Some("reviewer") => "turned down by your reviewer".to_owned(),
                _ => "answered for you".to_owned(),
            }
        }
        "auto_decided" if decision.is_away() => {
            format!("answered while you were away: {preferred}, as recommended{undone}")
        }
        "auto_decided" => format!("answered for you: {preferred} ({by}){undone}"),
        _ => format!("asked{}; {}", why(decision), outcome(decision)),
    }
}

/// What came of a question that was asked.
pub(crate) fn outcome(decision: &Decision) -> String {
    let answer = || match (decision.answer.as_slice(), decision.typed) {
        ([], true) => "a typed answer".to_owned(),
        ([], false) => "a note".to_owned(),
        (chosen, false) => labels(chosen),
        (chosen, true) => format!("{} and a typed answer", labels(chosen)),
    };
    match decision.outcome.as_str() {
        "answered" => {
            let took = decision.human_seconds.map_or_else(String::new, |seconds| {
                format!(" after {}", duration(seconds))
            });
            format!("you answered {}{took}", answer())
        }
        "open" => "not answered yet".to_owned(),
        outcome => {
            let reason = decision.reason.as_deref().map(in_words);
            let reason =
                reason.map_or_else(String::new, |why| format!(" ({})", one_line(why, SHOWN)));
            format!("{}{reason}", one_line(outcome, SHOWN))
        }
    }
}

/// Why the person did not answer, in words; another reason as it is.
fn in_words(reason: &str) -> &str {
    match reason {
        "afk_timeout" => "nobody answered in time",
        "clarify" => "you wanted to talk about it first",
        "follow_up" => "you asked for other questions first",
        "interrupted" => "you did something else",
        "no_answer" => "no answer came",
        reason => reason,
    }
}

/// That the person took the answer back, and what they wanted instead.
fn taken_back(decision: &Decision) -> Option<String> {
    let words = match &decision.wanted {
        Some(wanted) => format!("you changed it to {}", labels(std::slice::from_ref(wanted))),
        None => "you took it back".to_owned(),
    };
    decision.undone.then_some(words)
}

/// Why it was asked, in words; nothing for what the hook did not see.
fn why(decision: &Decision) -> String {
    let Some(reason) = decision.ask_reason.as_deref() else {
        return String::new();
    };
    let rule = decision.one_way.as_deref();
    match reason {
        "spot_check" if !decision.preferred.is_empty() => format!(
            " as a spot check (a preference would have answered {})",
            labels(&decision.preferred)
        ),
        _ if decision.assisted => format!(
            " with your usual answer pointed out ({})",
            labels(&decision.preferred)
        ),
        "one_way" if rule.is_some() => format!(
            " because {} ({})",
            reason_in_words(reason),
            one_line(&door_words(rule.unwrap_or_default()), SHOWN)
        ),
        "ambiguous" if let Some(new) = new_in_words(decision, None) => format!(" because {new}"),
        _ => format!(" because {}", reason_in_words(reason)),
    }
}

/// What was new in a question that was asked although a preference stood, as a clause; `label` is what would have been
/// answered, where that is known.
pub(crate) fn new_in_words(decision: &Decision, label: Option<&str>) -> Option<String> {
    let detail = decision.ask_detail.as_deref()?;
    (decision.ask_reason.as_deref() == Some("ambiguous"))
        .then(|| difference_in_words(detail, label))
        .flatten()
}

/// The same of what events have: `new_in_description: public`; `None` where it names no difference.
pub fn difference_in_words(detail: &str, label: Option<&str>) -> Option<String> {
    let (difference, new) = match detail.split_once(": ") {
        Some((difference, new)) => (difference, Some(format!("\"{}\"", one_line(new, SHOWN)))),
        None => (detail, None),
    };
    let does = match label {
        Some(label) => format!("what \"{}\" does", one_line(label, SHOWN)),
        None => "what the answer does".to_owned(),
    };
    let new_in = |place: &str| match &new {
        Some(word) => format!("{word} is new in {place}"),
        None => format!("something is new in {place}"),
    };
    Some(match Difference::parse(difference)? {
        Difference::NewAct => new_in(&does),
        Difference::NewWord => new_in("the question"),
        Difference::Header => new_in("its header"),
        Difference::Text if new.is_some() => new_in("its text"),
        Difference::Text => "its text is none that you have seen".to_owned(),
        Difference::Preview => format!("the preview of {does} is new"),
        Difference::Kind => "it asks something else, or more, than you have seen".to_owned(),
        Difference::Options => "its options are others".to_owned(),
        Difference::MultiSelect => "several may be chosen, or no longer".to_owned(),
        Difference::Tool => "another program asked".to_owned(),
        Difference::Field => match new {
            Some(field) => format!("it has a field that you are not shown, {field}"),
            None => "it has a field that you are not shown".to_owned(),
        },
        Difference::NotBound => "the preference does not say what it was given for".to_owned(),
    })
}

/// Whether a question with what was new in `decision` is answered from then on, once the person has answered it so.
pub(crate) fn may_become_familiar(decision: &Decision) -> bool {
    let detail = decision.ask_detail.as_deref().unwrap_or_default();
    let difference = detail.split(": ").next().and_then(Difference::parse);
    decision.one_way.is_none()
        && matches!(
            difference,
            Some(
                Difference::NewAct
                    | Difference::NewWord
                    | Difference::Header
                    | Difference::Text
                    | Difference::Preview
                    | Difference::Kind
            )
        )
}

/// Why a question was asked, as a clause.
pub fn reason_in_words(ask_reason: &str) -> String {
    match ask_reason {
        "no_preference" => "no preference answers it".to_owned(),
        "always_ask" => "you set it to be always asked".to_owned(),
        "one_way" => "its answer cannot be taken back".to_owned(),
        "ambiguous" => {
            "something in it was new, or no single answer followed from the preferences".to_owned()
        }
        "partial_call" => "another question of the same call had to be asked".to_owned(),
        "split" => "options of a split question are always asked".to_owned(),
        "spot_check" => "it was a spot check".to_owned(),
        "disabled" => "deciding was switched off, or its settings could not be read".to_owned(),
        other => one_line(other, SHOWN),
    }
}

/// Labels in quotes.
pub fn labels(labels: &[String]) -> String {
    let quoted = |label: &String| format!("\"{}\"", one_line(label, SHOWN));
    labels.iter().map(quoted).collect::<Vec<_>>().join(", ")
}
