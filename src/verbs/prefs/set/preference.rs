//! The preference that is set.

use plantune_domain::binding::{Form, Pattern};
use plantune_domain::clock;
use plantune_domain::familiar::Familiar;
use plantune_domain::keys::typed;
use plantune_domain::preferences::{Coverage, Policy, Preference};
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::state::State;
use plantune_query::answered::key_answers;
use plantune_query::binding::Binding;
use plantune_query::families::is_specific;
use plantune_query::questions::KnownQuestion;
use plantune_reports::text::one_line;
use serde_json::{Value, json};

use super::arguments::{Arguments, SHOWN_LABEL};
use crate::failure::Failure;
use crate::preferences::scope::PreferenceScope;
use crate::preferences::{files, marks};
use crate::workspace::Workspace;

/// The label to pin, without its mark.
pub(super) fn label(
    arguments: &Arguments,
    known: Option<&KnownQuestion>,
) -> Result<Option<String>, Failure> {
    let Some(wanted) = arguments.answer.as_deref() else {
        return Ok(None);
    };
    let usage = |message: String| Failure::usage(message);
    if wanted.trim().is_empty() {
        return Err(usage(
            "--answer is empty; leave it out for the recommended option".to_owned(),
        ));
    }
    if arguments.wanted() == Policy::AlwaysAsk {
        return Err(usage("--answer says nothing with always-ask".to_owned()));
    }
    let Some(known) = known else {
        // Nothing is known of the options yet; the hook pins only what is offered.
        return Ok(Some(strip_mark(wanted).0.to_owned()));
    };
    let mut same = known
        .options
        .iter()
        .filter(|label| same_label(label, wanted));
    match (same.next(), same.next()) {
        (Some(label), None) => Ok(Some(strip_mark(label).0.to_owned())),
        _ => {
            let offered: Vec<String> = known
                .options
                .iter()
                .map(|label| format!("{:?}", one_line(label, SHOWN_LABEL)))
                .collect();
            Err(usage(format!(
                "{:?} is not one of the options of {}",
                one_line(wanted, SHOWN_LABEL),
                one_line(typed(&arguments.key, &known.question), SHOWN_LABEL)
            ))
            .did_you_mean(
                wanted,
                known.options.iter().map(|label| strip_mark(label).0),
            )
            .hint(format!("it last offered {}", offered.join(", "))))
        }
    }
}

pub(super) fn preference(
    policy: Policy,
    answer: Option<String>,
    known: Option<&KnownQuestion>,
    workspace: &Workspace,
) -> Preference {
    let binding = known.map_or_else(Vec::new, |known| {
        let texts = |texts: &Vec<String>| texts.iter().map(|text| Pattern::exactly(text)).collect();
        vec![Form {
            text: Pattern::exactly(&known.question),
            header: known.header.as_deref().map(Pattern::exactly),
            descriptions: known.descriptions.as_ref().map(texts),
            previews: known.previews.clone(),
        }]
    });
    Preference {
        multi_select: known.is_some_and(|known| known.multi_select),
        binding,
        answer,
        key_source: known.map(|known| known.key_source.clone()),
        question: known.map(|known| known.question.clone()),
        header: known.and_then(|known| known.header.clone()),
        options: known.map(|known| known.options.clone()),
        set_at: Some(clock::timestamp(workspace.now)),
        template: known.and_then(|known| known.template.clone()),
        set_by: Some("prefs".to_owned()),
        ..Preference::of(policy)
    }
}

/// What the person answered as `preference` would, to cover what `coverage` names: empty where the log holds less than
/// three such answers.
///
/// # Errors
/// Those of the store.
fn answered_so(
    key: &str,
    scope: &PreferenceScope,
    preference: &Preference,
    coverage: Coverage,
    workspace: &Workspace,
) -> Result<Binding, Failure> {
    let registry = workspace.registry()?;
    let seen = workspace.ask(|store| key_answers(store, key, scope.project(), registry))?;
    Ok(seen.binding(preference.answer.as_deref(), coverage))
}

/// `preference` for the askings that `coverage` names, by what was answered so.
///
/// # Errors
/// Usage where the options do not say enough by themselves; failed where nothing was answered so.
pub(super) fn covering(
    preference: Preference,
    coverage: Coverage,
    key: &str,
    scope: &PreferenceScope,
    workspace: &Workspace,
) -> Result<Preference, Failure> {
    match coverage {
        Coverage::Options => {
            let options = preference.options.as_deref().unwrap_or_default();
            if !is_specific(options) {
                let message = format!("the options of {key} could stand in any question");
                return Err(Failure::usage(message)
                    .hint("--scope pattern or --scope texts says which questions are meant"));
            }
            let question = preference.question.as_deref().unwrap_or_default();
            let label = preference.answer.as_deref().unwrap_or_default();
            let last = Familiar::of_forms(question, &preference.binding, options, label);
            let answered = answered_so(key, scope, &preference, coverage, workspace)?;
            Ok(Preference {
                coverage: Some(coverage),
                familiar: Some(answered.familiar.unwrap_or_default().and(last)),
                binding: Vec::new(),
                template: None,
                ..preference
            })
        }
        Coverage::Texts | Coverage::Pattern => {
            let binding = answered_so(key, scope, &preference, coverage, workspace)?;
            if binding.forms.is_empty() {
                let message = format!("{key}: less than three askings were answered so");
                return Err(Failure::failed(message).hint("leave --scope out for the last one"));
            }
            Ok(Preference {
                coverage: Some(coverage),
                familiar: binding.familiar,
                binding: [binding.forms, preference.binding].concat(),
                ..preference
            })
        }
    }
}

/// True when the file says the same already, and the preference is not stopped: setting one again starts it again.
pub(super) fn is_set(
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
    workspace: &Workspace,
) -> Result<bool, Failure> {
    let known = files::preference(workspace, scope, key)?;
    let state = |known: &Preference| marks::standing(&workspace.paths, scope, key, known).state;
    Ok(known.is_some_and(|known| {
        state(&known) != State::Stopped
            && known.preference == preference.preference
            && known.answer == preference.answer
            && known.level() == preference.level()
            && known.assist == preference.assist
            && known.coverage == preference.coverage
            && (&known.question, &known.options, &known.binding)
                == (
                    &preference.question,
                    &preference.options,
                    &preference.binding,
                )
    }))
}

/// How often the person chose the label `answer`, for the dialog to say: `agreed` and `answers`, of the
/// answers that `evidence` lists by name.
pub(super) fn counts(evidence: &Value, answer: &str) -> Option<Value> {
    let answered = evidence.get("answered")?.as_object()?;
    let times = |(_, times): (&String, &Value)| times.as_u64().unwrap_or_default();
    let is_same = |(name, _): &(&String, &Value)| same_label(name, answer);
    let agreed: u64 = answered.iter().filter(is_same).map(times).sum();
    let answers: u64 = answered.iter().map(times).sum();
    (agreed > 0).then(|| json!({"agreed": agreed, "answers": answers}))
}
