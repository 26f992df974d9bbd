//! `plantune prefs set`: what the person typed, the question as it was asked, and the preference that is set.

use plantune_domain::agreement::agreement::{Agreement, Given};
use plantune_domain::clock;
use plantune_domain::event::ChangeReason;
use plantune_domain::gate::check_preference;
use plantune_domain::keys::{KeySource, is_id, is_made_up, is_split, typed};
use plantune_domain::preferences::{Level, Policy, Preference, Setter};
use plantune_domain::recommended::{recommended, same_label, strip_mark};
use plantune_domain::sanitize::shell_word;
use plantune_domain::state::State;
use plantune_query::habits::{Habits, QuestionGrouping};
use plantune_query::questions::{KnownQuestion, known_question};
use plantune_reports::standing::preference_holds_for;
use plantune_reports::text::one_line;
use serde_json::Value;

use crate::changes::{Change, apply, from_now_on};
use crate::document::Document;
use crate::failure::Failure;
use crate::preferences::{FoundFile, PreferenceScope, meant_scope, word};
use crate::request::{PreferenceName, PrefsSetRequest};
use crate::session::Session;
use crate::standing::standing;
use crate::terminal::consent::Confirmation;
use crate::verbs::install;
use crate::{preferences, session, terminal};

/// How much of a label is shown, in characters.
const SHOWN_LABEL: usize = 80;

/// How much of a name or a key is shown, in characters.
const SHOWN: usize = 400;

/// The origin of a preference, where that is not the person's own command.
pub struct Origin<'a> {
    /// The word for it, for its file.
    pub set_by: Setter,
    /// Why, for the record of the change.
    pub reason: ChangeReason,
    /// On what evidence.
    pub evidence: Value,
    /// The command for the person to run, where nobody can be asked.
    pub command: &'a str,
}

/// Sets `answer` on trial for what `name` names, as it comes from `origin`. Asks like [`set`].
///
/// # Errors
/// The errors of [`set`].
pub fn set_on_trial(
    name: PreferenceName,
    answer: &str,
    origin: &Origin<'_>,
    session: &Session,
) -> Result<Document, Failure> {
    let request = PrefsSetRequest {
        name,
        policy: Policy::NeverAsk,
        trial: true,
        answer: Some(answer.to_owned()),
        question: None,
        force: false,
    };
    set(&request, Some(origin), session)
}

/// Sets the preference after showing the change and asking. One that comes from an `origin` is for a question as the
/// person was asked it.
///
/// # Errors
/// Refused for a question that must always be asked, and where the person cannot be asked; usage
/// for a label that is not offered; conflict for a file that is not understood.
pub(crate) fn set(
    request: &PrefsSetRequest,
    origin: Option<&Origin<'_>>,
    session: &Session,
) -> Result<Document, Failure> {
    let key = &*request.name.key;
    let named = request.name.scope.as_ref();
    refuse_key(key)?;
    let typed = |scope: &PreferenceScope, word: &str| command(request, word, scope);
    let scope = meant_scope(named, key, &typed, session)?;
    let known = match given(request) {
        Some(given) => Some(given),
        None => known(key, &scope, session)?,
    };
    if request.policy.answers() {
        refuse_split(key)?;
    }
    let preference = preference(request, origin, known.as_ref(), &scope, session)?;
    let word = word(key, &preference, &scope, session);
    if is_set(&scope, key, &preference, session)? {
        let word = one_line(&word, SHOWN);
        return Ok(Document::text(format!("{word} is already set that way.\n")));
    }
    // A question that must always be asked is refused for that reason first, even where it is not known.
    let may_be_set = check_preference(key, &preference, session.registry()?).is_ok();
    if known.is_none() && may_be_set && !request.force {
        // What others answer is taken over for a question as the person was asked it, or not at all.
        if origin.is_some() {
            return Err(never_asked(key));
        }
        refuse_unknown(key, session)?;
    }
    let remarks = remarks(&preference, known.as_ref(), &scope);
    let command = match origin {
        Some(origin) => origin.command.to_owned(),
        None => command(request, &word, &scope),
    };
    let reason = origin.map_or(ChangeReason::PrefsSet, |origin| origin.reason);
    let change = Change::new(session, scope, key, Some(preference), reason);
    let confirmation = Confirmation {
        sentence: &(from_now_on(&change, None, None, session) + &remarks),
        question: "Set it?",
        yes: request.name.yes,
        command: &command,
    };
    let is_set = apply(session, &[change], &confirmation)?;
    if is_set && request.policy.answers() {
        install::offer(session)?;
    }
    Ok(Document::after_change(is_set))
}

/// The call, as the person would type it for what is called by `word`.
fn command(request: &PrefsSetRequest, word: &str, scope: &PreferenceScope) -> String {
    let answer = request.answer.as_deref().map_or_else(String::new, |label| {
        format!(" --answer {}", shell_word(label))
    });
    let policy = request.policy;
    let trial = if request.trial { " --trial" } else { "" };
    let force = if request.force { " --force" } else { "" };
    let command = format!(
        "plantune prefs set {} {policy}{trial}{answer}{force} {}",
        shell_word(word),
        scope.arguments()
    );
    terminal::sanitized(&command)
}

// The question as it was asked, and what is refused because of it.

/// The question that the person describes.
fn given(request: &PrefsSetRequest) -> Option<KnownQuestion> {
    let (question, options) = request.question.clone()?;
    Some(KnownQuestion {
        key_source: KeySource::Marker.to_string(),
        question,
        options,
        ..KnownQuestion::default()
    })
}

/// The question as the store knows it.
fn known(
    key: &str,
    scope: &PreferenceScope,
    session: &Session,
) -> Result<Option<KnownQuestion>, Failure> {
    let registry = session.registry()?;
    let known = session.ask(|store| known_question(store, key, scope.project(), registry))?;
    if known.is_none() && is_made_up(key) {
        return Err(Failure::failed(format!(
            "{key}: you were never asked a question with this key"
        ))
        .hint("`plantune report --all` lists the keys of the questions you were asked"));
    }
    Ok(known)
}

/// Refuses what cannot be a question key.
fn refuse_key(key: &str) -> Result<(), Failure> {
    if is_id(key) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{key:?} is not a question key: a key has 1 to 64 of a-z, 0-9 and -"
    ))
    .hint("`plantune report --all` lists the keys of the questions you were asked"))
}

/// A key that nothing has is probably mistyped, and its preference would never be used.
fn refuse_unknown(key: &str, session: &Session) -> Result<(), Failure> {
    let has_rule = session.registry()?.rules_of(key).next().is_some();
    let is_set = |file: &FoundFile| file.preferences.contains_key(key);
    if has_rule || preferences::all(session).iter().any(is_set) {
        return Ok(());
    }
    let asked = session::questions(None, session)?;
    Err(Failure::failed(format!(
        "{key}: no question, rule or preference has this key"
    ))
    .did_you_mean(key, asked.iter().map(|one| one.question_key.as_str()))
    .hint("`plantune report --all` lists the keys of the questions you were asked")
    .hint("`plantune prefs set --help` says how to set it for a question still to come"))
}

/// The failure where there is no question that a preference could be bound to.
fn never_asked(key: &str) -> Failure {
    Failure::failed(format!(
        "{}: you were never asked this here",
        one_line(key, SHOWN_LABEL)
    ))
    .hint("a preference covers a question as you were asked it")
}

/// Options of a split question are always asked; what an answer does is judged when it is known.
fn refuse_split(key: &str) -> Result<(), Failure> {
    if !is_split(key) {
        return Ok(());
    }
    let message = format!("{key} is always asked: options of a split question are always asked");
    Err(Failure::refused(message)
        .hint("plantune never answers a question whose answer can't be undone"))
}

// The preference that is set.

fn preference(
    request: &PrefsSetRequest,
    origin: Option<&Origin<'_>>,
    known: Option<&KnownQuestion>,
    scope: &PreferenceScope,
    session: &Session,
) -> Result<Preference, Failure> {
    let answer = label(request, known)?;
    if request.trial && !request.policy.answers() {
        return Err(Failure::usage("--trial does not go with always-ask"));
    }
    let preference = Preference {
        answer,
        level: request.trial.then_some(Level::Trial),
        set_at: Some(clock::timestamp(session.now)),
        set_by: Some(
            origin
                .map_or(Setter::Prefs, |origin| origin.set_by)
                .to_string(),
        ),
        evidence: origin.map(|origin| origin.evidence.clone()),
        ..Preference::of(request.policy)
    };
    match known {
        Some(known) => described(preference, known, &request.name.key, scope, session),
        None => Ok(preference),
    }
}

/// The label to pin, without its mark.
fn label(
    request: &PrefsSetRequest,
    known: Option<&KnownQuestion>,
) -> Result<Option<String>, Failure> {
    let Some(wanted) = request.answer.as_deref() else {
        return Ok(None);
    };
    if wanted.trim().is_empty() {
        return Err(Failure::usage(
            "--answer is empty; leave it out for the recommended option",
        ));
    }
    if !request.policy.answers() {
        return Err(Failure::usage("--answer does not go with always-ask"));
    }
    let Some(known) = known else {
        // Nothing is known of the options yet; the hook pins only what is offered.
        return Ok(Some(strip_mark(wanted).0.to_owned()));
    };
    let mut same = known
        .options
        .iter()
        .filter(|label| same_label(label, wanted));
    if let (Some(label), None) = (same.next(), same.next()) {
        return Ok(Some(strip_mark(label).0.to_owned()));
    }
    let offered: Vec<String> = known
        .options
        .iter()
        .map(|label| format!("{:?}", one_line(label, SHOWN_LABEL)))
        .collect();
    Err(Failure::usage(format!(
        "{:?} is not one of the options of {}",
        one_line(wanted, SHOWN_LABEL),
        one_line(typed(&request.name.key, &known.question), SHOWN_LABEL)
    ))
    .did_you_mean(
        wanted,
        known.options.iter().map(|label| strip_mark(label).0),
    )
    .hint(format!("it last offered {}", offered.join(", "))))
}

/// `preference` with the question as it is `known`, and with what it is given for: the askings that the person answered
/// so, if the question as it was known last is one of them; else exactly that one. It is given for nothing if nothing is
/// recommended there, and no label is pinned.
///
/// # Errors
/// The errors of the store.
fn described(
    preference: Preference,
    known: &KnownQuestion,
    key: &str,
    scope: &PreferenceScope,
    session: &Session,
) -> Result<Preference, Failure> {
    let registry = session.registry()?;
    let name = session.ask(|store| {
        let grouping = QuestionGrouping::read(store, registry)?;
        Ok(Some(grouping.names().of(key, &known.question)))
    })?;
    let habits = session.ask(|store| Habits::read(store, registry, false))?;
    let seen = habits.answers_to(key, scope.project());
    let label = preference.answer.as_deref();
    let is_part =
        |agreement: &Agreement| agreement.covers(&known.asking(), label.is_none()).is_ok();
    let recommended = || {
        let at = recommended(&known.question, &known.options)?;
        known.options.get(at).map(String::as_str)
    };
    let exactly = || {
        Agreement::exactly(&[Given {
            asking: known.asking(),
            label: label.or_else(recommended)?,
            session: "",
        }])
    };
    let agreement = seen.agreement(label).filter(is_part).or_else(exactly);
    let mut described = Preference {
        key_source: Some(known.key_source.clone()),
        question: Some(known.question.clone()),
        header: known.header.clone(),
        options: Some(known.options.clone()),
        agreement,
        ..preference
    };
    if let Some(name) = name {
        described.set_name(&name);
    }
    Ok(described)
}

/// True when the file says the same already, and the preference is not stopped: setting one again starts it again.
fn is_set(
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
    session: &Session,
) -> Result<bool, Failure> {
    let known = preferences::preference(session, scope, key)?;
    let state = |known: &Preference| standing(&session.paths, scope, key, known).state;
    Ok(known.is_some_and(|known| {
        state(&known) != State::Stopped
            && known.preference == preference.preference
            && known.answer == preference.answer
            && known.level() == preference.level()
            && (&known.question, &known.options, &known.agreement)
                == (
                    &preference.question,
                    &preference.options,
                    &preference.agreement,
                )
    }))
}

/// What `preference` holds for, and where else the person was asked it, each on a line of its own.
fn remarks(
    preference: &Preference,
    known: Option<&KnownQuestion>,
    scope: &PreferenceScope,
) -> String {
    let mut remarks = String::new();
    if preference.preference.answers() {
        remarks.push('\n');
        remarks += &match (preference_holds_for(preference), known) {
            (Some(holds_for), _) => holds_for,
            (None, Some(_)) => "It does nothing, because none of the options was recommended when you were asked. \
                Name one with --answer."
                .to_owned(),
            (None, None) => "It does nothing, because you were never asked this. Set it again when you were, or \
                describe it with --question and --option."
                .to_owned(),
        };
    }
    let asked_in = known.and_then(|known| known.asked_in.as_deref());
    if let (Some(asked_in), Some(project)) = (asked_in, scope.project())
        && asked_in != project
    {
        remarks += &format!(
            "\nYou were only asked it in another project. To set it there, add `--project {}`; everywhere, --global.",
            shell_word(asked_in)
        );
    }
    remarks
}
