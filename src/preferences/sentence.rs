//! What a change of preferences means, in a sentence.

use plantune_domain::keys::typed;
use plantune_domain::preferences::{AssistMode, Coverage, Level, Policy, Preference};
use plantune_reports::standing::title_of;
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::one_line;

use crate::preferences::called;
use crate::preferences::change::Change;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::workspace::names::ShortNames;
use crate::workspace::{Workspace, project};

/// How much of a question, an asker or a project is shown, in columns.
const SHOWN: usize = 120;

/// What `change` means from now on, and what takes it back. `asker` is who asks the question, where that is known;
/// `before` is what stood there.
pub(crate) fn from_now_on(
    change: &Change,
    before: Option<&Preference>,
    asker: Option<&str>,
    workspace: &Workspace,
) -> String {
    let question = question(change, before, asker);
    let names = names(workspace);
    let place = match &change.scope {
        PreferenceScope::Project(project) => format!("in {}", one_line(names.of(project), SHOWN)),
        PreferenceScope::Global => "everywhere".to_owned(),
    };
    let Some(preference) = &change.preference else {
        return format!("From now on {question} is asked again {place}.");
    };
    let answer = answer_in_words(preference.answer.as_deref());
    let answered = match preference.answer {
        Some(_) => &*answer,
        None => "as recommended",
    };
    let does = match (preference.preference, preference.level()) {
        (Policy::AlwaysAsk, _) => format!("is always asked {place}, and not proposed again"),
        (Policy::Assist, _) => match preference.assist.unwrap_or(AssistMode::Note) {
            AssistMode::First => {
                format!("is asked {place} with your usual answer, {answer}, first")
            }
            AssistMode::Note => {
                format!("is asked {place} with {answer} marked as your usual answer")
            }
        },
        (_, Level::Trial) => format!("is answered {answered} {place}; one in three is still asked"),
        (_, Level::Standing) => {
            format!("is answered {answered} {place}; now and then you are still asked, as a check")
        }
    };
    format!(
        "From now on {question} {does}. {} takes it back.",
        undo(
            typed(&change.key, &called::name(&change.key, preference)),
            &change.scope,
            &names,
            workspace
        )
    )
}

/// What projects are called in a sentence.
pub(crate) fn names(workspace: &Workspace) -> ShortNames {
    let names = ShortNames::new(workspace);
    names.unwrap_or_else(|_| ShortNames::without_store(workspace))
}

/// The command that takes back the preference for `key`, or what is called so, in `scope`, in backquotes.
pub(crate) fn undo(
    key: &str,
    scope: &PreferenceScope,
    names: &ShortNames,
    workspace: &Workspace,
) -> String {
    let here = project::resolve(".", workspace).ok();
    let elsewhere = match scope {
        PreferenceScope::Project(project) if here.as_ref() != Some(project) => {
            format!(" --project {}", quoted(names.of(project)))
        }
        _ => String::new(),
    };
    format!("`plantune undo {}{elsewhere}`", quoted(key))
}

/// What is answered, and nothing wider: `/review's question "Which layout?"`, `any question with "Yes", "No"`.
fn question(change: &Change, before: Option<&Preference>, asker: Option<&str>) -> String {
    let preference = change.preference.as_ref();
    let answered = preference.filter(|one| one.preference != Policy::AlwaysAsk);
    let title = answered.and_then(title_of);
    if let (Some(Coverage::Options), Some((any, _))) =
        (answered.and_then(|one| one.coverage), &title)
    {
        return one_line(any, SHOWN);
    }
    let of = preference.or(before);
    let text = of
        .filter(|one| one.question.is_some())
        .map(|one| called::name(&change.key, one));
    let whose = asker.map_or_else(
        || "the question".to_owned(),
        |asker| format!("{}'s question", one_line(asker, SHOWN)),
    );
    match (title, text) {
        (Some((text, 0)), _) | (None, Some(text)) => {
            format!("{whose} \"{}\"", one_line(&text, SHOWN))
        }
        (Some((text, more)), _) => {
            format!("{whose} \"{}\" and {more} more", one_line(&text, SHOWN))
        }
        (None, None) => format!("{whose} {}", one_line(&change.key, SHOWN)),
    }
}
