//! `plantune prefs set`: what the person typed, the question as it was asked, and the preference that is set.

use plantune_domain::agreement::agreement::{Agreement, Given};
use plantune_domain::clock;
use plantune_domain::gate::check_preference;
use plantune_domain::keys::{is_made_up, is_split, typed};
use plantune_domain::preferences::{Level, Policy, Preference};
use plantune_domain::recommended::{recommended, same_label, strip_mark};
use plantune_domain::state::State;
use plantune_query::habits::Habits;
use plantune_query::questions::{KnownQuestion, known_question};
use plantune_reports::standing::preference_holds_for;
use plantune_reports::text::one_line;
use serde_json::Value;

use crate::document::Document;
use crate::failure::Failure;
use crate::preferences::in_words::from_now_on;
use crate::preferences::scope::{PreferenceScope, meant, quoted};
use crate::preferences::writer::{Change, apply_one};
use crate::preferences::{FoundFile, in_words, standing};
use crate::request::{PreferenceName, PrefsSetRequest};
use crate::session::Session;
use crate::verbs::{install, prefs};
use crate::{preferences, session, terminal};

/// The origin of a preference, where that is not the person's own command.
pub struct Origin<'a> {
    /// The word for it, for its file.
    pub set_by: &'static str,
    /// Why, for the record of the change.
    pub reason: &'static str,
    /// On what evidence.
    pub evidence: Value,
    /// The command for the person to run, where nobody can be asked.
    pub command: &'a str,
}

/// Sets the preference after showing the change and asking.
///
/// # Errors
/// Refused for a question that must always be asked, and where the person cannot be asked; usage
/// for a label that is not offered; conflict for a file that is not understood.
pub(crate) fn run(request: &PrefsSetRequest, session: &Session) -> Result<Document, Failure> {
    let request = PrefsSetRequest {
        name: request.name.with_key(session)?,
        ..request.clone()
    };
    set(&request, None, session)
}

/// Sets `answer` on trial for what `name` names, as it comes from `origin`. Asks like [`run`].
///
/// # Errors
/// The errors of [`run`].
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

/// Sets the preference, which the person asked for or which comes from `origin`.
///
/// # Errors
/// The errors of [`run`].
fn set(
    request: &PrefsSetRequest,
    origin: Option<&Origin<'_>>,
    session: &Session,
) -> Result<Document, Failure> {
    let key = &*request.name.word;
    let named = request.name.scope.as_ref();
    prefs::check(key)?;
    let typed = |scope: &PreferenceScope, word: &str| command(request, word, scope);
    let scope = meant(named, key, &typed, session)?;
    let known = match given(request) {
        Some(given) => Some(given),
        None => known(key, &scope, session)?,
    };
    if request.policy != Policy::AlwaysAsk {
        refuse_split(key)?;
    }
    let answer = label(request, known.as_ref())?;
    if request.trial && request.policy == Policy::AlwaysAsk {
        return Err(Failure::usage("--trial does not go with always-ask"));
    }
    let evidence = preferences::evidence_now(session, key, &scope);
    let mut preference = Preference {
        level: request.trial.then_some(Level::Trial),
        ..preference(request.policy, answer, known.as_ref(), session)
    };
    if let Some(text) = &preference.question
        && let Some(name) = in_words::in_store(key, text, session)?
    {
        preference.set_name(&name);
    }
    if let Some(known) = &known {
        preference.agreement = agreement(&preference, known, key, &scope, session)?;
    }
    if let Some(origin) = origin {
        preference.set_by = Some(origin.set_by.to_owned());
        preference.evidence = Some(origin.evidence.clone());
    }
    if is_set(&scope, key, &preference, session)? {
        let word = in_words::word(key, &preference, &scope, session);
        let word = one_line(&word, prefs::SHOWN);
        return Ok(Document::text(format!("{word} is already set that way.\n")));
    }
    // What must be asked is refused for that, whether it is known or not.
    let may_be_set = check_preference(key, &preference, session.registry()?).is_ok();
    if known.is_none() && may_be_set && !request.force {
        // What others answer is taken over for a question as the person was asked it, or not at all.
        if origin.is_some() {
            return Err(never_asked(key));
        }
        refuse_unknown(key, session)?;
    }
    let holds_for = match preference.preference {
        Policy::AlwaysAsk => String::new(),
        _ => match (preference_holds_for(&preference), &known) {
            (Some(holds_for), _) => format!("\n{holds_for}"),
            (None, Some(_)) => "\nIt does nothing, because none of the options was recommended when you were asked. \
                Name one with --answer."
                .to_owned(),
            (None, None) => "\nIt does nothing, because you were never asked this. Set it again when you were, or \
                describe it with --question and --option."
                .to_owned(),
        },
    };
    let asked_in = known.as_ref().and_then(|known| known.asked_in.as_deref());
    let elsewhere = match (asked_in, scope.project()) {
        (Some(asked_in), Some(project)) if asked_in != project => format!(
            "\nYou were only asked it in another project. To set it there, add `--project {}`; everywhere, --global.",
            quoted(asked_in)
        ),
        _ => String::new(),
    };
    let reason = origin.map_or("prefs set", |origin| origin.reason);
    let word = in_words::word(key, &preference, &scope, session);
    let change = Change {
        evidence,
        scope,
        key: key.to_owned(),
        preference: Some(preference),
        reason,
        undone: None,
    };
    let command = match origin {
        Some(origin) => origin.command.to_owned(),
        None => command(request, &word, &change.scope),
    };
    let sentence = from_now_on(&change, None, None, session) + &holds_for + &elsewhere;
    let words = (&*sentence, "Set it?");
    let is_set = apply_one(session, &change, words, request.name.yes, &command)?;
    if is_set && request.policy != Policy::AlwaysAsk {
        install::offer(session)?;
    }
    Ok(Document::after_change(is_set))
}

// What the person typed.

/// How much of a label is shown, in characters.
const SHOWN_LABEL: usize = 80;

/// The question that the person describes.
fn given(request: &PrefsSetRequest) -> Option<KnownQuestion> {
    let (question, options) = request.question.clone()?;
    Some(KnownQuestion {
        key_source: "marker".to_owned(),
        question,
        options,
        ..KnownQuestion::default()
    })
}

/// The call, as the person would type it for what is called by `word`.
fn command(request: &PrefsSetRequest, word: &str, scope: &PreferenceScope) -> String {
    let answer = request
        .answer
        .as_deref()
        .map_or_else(String::new, |label| format!(" --answer {}", quoted(label)));
    let policy = request.policy;
    let trial = if request.trial { " --trial" } else { "" };
    let force = if request.force { " --force" } else { "" };
    let command = format!(
        "plantune prefs set {} {policy}{trial}{answer}{force} {}",
        quoted(word),
        scope.arguments()
    );
    terminal::sanitized(&command)
}

// The question as it was asked, and what is refused because of it.

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

/// A key that nothing has is a slip of the pen, and its preference would never be obeyed.
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

/// That there is nothing to bind a preference to.
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

/// The label to pin, without its mark.
fn label(
    request: &PrefsSetRequest,
    known: Option<&KnownQuestion>,
) -> Result<Option<String>, Failure> {
    let Some(wanted) = request.answer.as_deref() else {
        return Ok(None);
    };
    let usage = |message: String| Failure::usage(message);
    if wanted.trim().is_empty() {
        return Err(usage(
            "--answer is empty; leave it out for the recommended option".to_owned(),
        ));
    }
    if request.policy == Policy::AlwaysAsk {
        return Err(usage("--answer does not go with always-ask".to_owned()));
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
                one_line(typed(&request.name.word, &known.question), SHOWN_LABEL)
            ))
            .did_you_mean(
                wanted,
                known.options.iter().map(|label| strip_mark(label).0),
            )
            .hint(format!("it last offered {}", offered.join(", "))))
        }
    }
}

fn preference(
    policy: Policy,
    answer: Option<String>,
    known: Option<&KnownQuestion>,
    session: &Session,
) -> Preference {
    Preference {
        answer,
        key_source: known.map(|known| known.key_source.clone()),
        question: known.map(|known| known.question.clone()),
        header: known.and_then(|known| known.header.clone()),
        options: known.map(|known| known.options.clone()),
        set_at: Some(clock::timestamp(session.now)),
        set_by: Some("prefs".to_owned()),
        ..Preference::of(policy)
    }
}

/// What `preference` is given for: the askings that the person answered so, if the question as it was `known` last is one
/// of them; else exactly that one. `None` if nothing is recommended there, and no label is pinned.
///
/// # Errors
/// The errors of the store.
fn agreement(
    preference: &Preference,
    known: &KnownQuestion,
    key: &str,
    scope: &PreferenceScope,
    session: &Session,
) -> Result<Option<Agreement>, Failure> {
    let label = preference.answer.as_deref();
    let registry = session.registry()?;
    let habits = session.ask(|store| Habits::read(store, registry, false))?;
    let seen = habits.answers_to(key, scope.project());
    let answered = seen.agreement(label);
    let is_part =
        |agreement: &Agreement| agreement.covers(&known.asking(), label.is_none()).is_ok();
    if let Some(agreement) = answered.filter(is_part) {
        return Ok(Some(agreement));
    }
    let recommended = recommended(&known.question, &known.options);
    let recommended = recommended
        .and_then(|at| known.options.get(at))
        .map(String::as_str);
    Ok(label.or(recommended).and_then(|label| {
        Agreement::exactly(&[Given {
            asking: known.asking(),
            label,
            session: "",
        }])
    }))
}

/// True when the file says the same already, and the preference is not stopped: setting one again starts it again.
fn is_set(
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
    session: &Session,
) -> Result<bool, Failure> {
    let known = preferences::preference(session, scope, key)?;
    let state = |known: &Preference| standing::standing(&session.paths, scope, key, known).state;
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
