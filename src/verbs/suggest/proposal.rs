//! What a proposal for questions changes, and what that means.

use plantune_domain::clock;
use plantune_domain::family::asking_part;
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_query::suggest::Suggestion;
use plantune_reports::standing::preference_holds_for;
use plantune_reports::suggestions::Entry;
use plantune_reports::text::one_line;

use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::scope::PreferenceScope;
use crate::preferences::sentence::from_now_on;
use crate::verbs::prefs::agents::elsewhere;
use crate::workspace::Workspace;

/// How much of a text is shown, in columns.
const SHOWN_TEXT: usize = 200;

/// Why a question is set to be asked: it is not to be proposed again.
const NEVER: &str = "suggest never";

/// The questions that a proposal is for; none of a rule.
fn questions<'a>(entry: &Entry<'a>) -> Vec<&'a Suggestion> {
    match entry {
        Entry::Question(one) => vec![one],
        Entry::Asker(asker) => asker.questions.iter().collect(),
        Entry::Rule(_) => Vec::new(),
    }
}

/// What setting it changes.
pub(super) fn changes(entry: &Entry<'_>, workspace: &Workspace) -> Result<Vec<Change>, Failure> {
    let questions = questions(entry).into_iter();
    questions.map(|one| change(one, workspace)).collect()
}

/// What it changes never to propose it again: each question is set to be asked.
pub(super) fn never(entry: &Entry<'_>, workspace: &Workspace) -> Result<Vec<Change>, Failure> {
    let mut changes = changes(entry, workspace)?;
    for change in &mut changes {
        change.reason = NEVER;
        if let Some(preference) = &mut change.preference {
            preference.preference = Policy::AlwaysAsk;
            preference.answer = None;
            preference.level = None;
            preference.assist = None;
        }
    }
    Ok(changes)
}

/// What setting it means from now on, in a sentence.
pub(super) fn sentence(entry: &Entry<'_>, changes: &[Change], workspace: &Workspace) -> String {
    match (entry, changes) {
        (Entry::Question(one), [change]) => {
            from_now_on(change, None, one.asked.asker.as_deref(), workspace)
        }
        _ => {
            let title = entry.title();
            format!(
                "From now on {} get what is recommended, in the projects where you were asked them; one that you have \
                 not seen yet is asked. `plantune undo KEY` takes one of them back.",
                one_line(&title, SHOWN_TEXT)
            )
        }
    }
}

/// What it holds for, the askings so far that differ most, and how often the person answered so.
pub(super) fn evidence(entry: &Entry<'_>) -> String {
    match entry {
        Entry::Question(one) => {
            let mut text = preference_holds_for(&one.preference()).unwrap_or_default();
            if !one.binding.most_different.is_empty() {
                text.push_str("\nSo far for instance:");
            }
            for asked in &one.binding.most_different {
                text.push_str(&format!("\n  {}", one_line(asking_part(asked), SHOWN_TEXT)));
            }
            text += &format!(
                "\nYou answered so {} of {} times.\n",
                one.evidence.agreed, one.evidence.answers
            );
            let elsewhere = elsewhere(&one.asked.question_key, &one.preference());
            text + &elsewhere.map_or_else(String::new, |line| line + "\n")
        }
        Entry::Asker(asker) => {
            let questions = asker.questions.iter().map(|one| {
                format!(
                    "  {} ({})\n",
                    one_line(&one.asked.name, SHOWN_TEXT),
                    one.level.word()
                )
            });
            questions.collect()
        }
        Entry::Rule(rule) => format!(
            "It also allows: {}\nYou allowed {} of {} such prompts.\n",
            one_line(&rule.also_allows, usize::MAX),
            rule.prompts - rule.refused.min(rule.prompts),
            rule.prompts
        ),
    }
}

fn change(suggestion: &Suggestion, workspace: &Workspace) -> Result<Change, Failure> {
    let asked = &suggestion.asked;
    let evidence = serde_json::to_value(&suggestion.evidence)?;
    Ok(Change {
        scope: match suggestion.scope() {
            Scope::Project => PreferenceScope::Project(asked.project.clone()),
            Scope::Global => PreferenceScope::Global,
        },
        key: asked.question_key.clone(),
        preference: Some(Preference {
            set_at: Some(clock::timestamp(workspace.now)),
            set_by: Some("suggest".to_owned()),
            evidence: Some(evidence.clone()),
            ..suggestion.preference()
        }),
        reason: "suggest",
        evidence: Some(evidence),
        undone: None,
    })
}
