//! `plantune prefs set`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use plantune_domain::binding::{Form, Pattern};
use plantune_domain::clock;
use plantune_domain::gate::check_preference;
use plantune_domain::keys::is_split;
use plantune_domain::preferences::{AssistMode, Level, Policy, Preference};
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_query::known::{KnownQuestion, known_question};
use plantune_reports::binding::{covers_of, only};
use plantune_reports::inert::one_line;
use plantune_reports::level::policy_in_words;
use plantune_reports::suggestions::answer_in_words;
use serde_json::{Value, json};

use super::key;
use crate::failure::{Failure, Kind};
use crate::preferences::change::Change;
use crate::preferences::evidence;
use crate::preferences::files::{self, Found};
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::preferences::writer::{Confirmation, apply};
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::store;

/// What a key looks like that is only the question's fingerprint.
const FINGERPRINT: &str = "fp-";

/// How much of a label is shown, in characters.
const SHOWN_LABEL: usize = 80;

/// Set what happens to a question
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The question's key
    #[arg(value_name = "KEY")]
    key: String,
    /// What should happen to it
    #[arg(
        value_name = "PREFERENCE",
        default_value = "never-ask",
        value_parser = PossibleValuesParser::new(["always-ask", "never-ask", "ask-only-for-one-way"])
            .try_map(|name| Policy::parse(&name).ok_or("no such preference"))
    )]
    policy: Policy,
    /// On trial: asked often at first, less so as it proves right, and ended by one disagreement
    #[arg(long)]
    trial: bool,
    /// Ask, and point out the usual answer: in its description (note), or as the first option as well
    #[arg(
        long,
        value_name = "MODE",
        conflicts_with_all = ["policy", "trial"],
        value_parser = PossibleValuesParser::new(["note", "first"])
            .try_map(|name| AssistMode::parse(&name).ok_or("no such mode"))
    )]
    assist: Option<AssistMode>,
    /// Answer with this label [default: the recommended one]
    #[arg(long, value_name = "LABEL")]
    answer: Option<String>,
    /// Answer this text, without a marker [default: the question as it was last asked]
    #[arg(long, value_name = "TEXT", requires = "options")]
    question: Option<String>,
    /// With these options; once for each
    #[arg(long = "option", value_name = "LABEL", requires = "question")]
    options: Vec<String>,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Set it for a key that no question, rule or preference has
    #[arg(long)]
    force: bool,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    yes: bool,
}

/// What a preference comes from, where that is not the person's own command.
pub(crate) struct Origin<'a> {
    /// What set it, for its file.
    pub(crate) set_by: &'static str,
    /// Why, for the record of the change.
    pub(crate) reason: &'static str,
    /// On what evidence.
    pub(crate) evidence: Value,
    /// What the person can run instead, where nobody can be asked.
    pub(crate) command: &'a str,
}

impl Arguments {
    /// Those that answer `key` with `label` on trial.
    pub(crate) fn on_trial(key: &str, label: &str, scope: &ScopeArguments, yes: bool) -> Self {
        Self {
            key: key.to_owned(),
            policy: Policy::NeverAsk,
            trial: true,
            assist: None,
            answer: Some(label.to_owned()),
            question: None,
            options: Vec::new(),
            scope: scope.clone(),
            force: false,
            yes,
        }
    }

    /// What the preference is to do.
    fn wanted(&self) -> Policy {
        match self.assist {
            Some(_) => Policy::Assist,
            None => self.policy,
        }
    }
}

/// Sets the preference after showing the change and asking.
///
/// # Errors
/// Refused for a question that must always be asked, and where the person cannot be asked; usage
/// for a label that is not offered; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    set(arguments, None, workspace)
}

/// The same for a preference that comes from `origin`.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn set(
    arguments: &Arguments,
    origin: Option<&Origin<'_>>,
    workspace: &Workspace,
) -> Result<(), Failure> {
    key::check(&arguments.key)?;
    let scope = arguments.scope.resolve(workspace)?;
    let known = match given(arguments) {
        Some(given) => Some(given),
        None => known(&arguments.key, &scope, workspace)?,
    };
    if arguments.wanted() != Policy::AlwaysAsk {
        refuse_one_way(&arguments.key, known.as_ref())?;
    }
    let answer = label(arguments, known.as_ref())?;
    if arguments.trial && arguments.wanted() == Policy::AlwaysAsk {
        return Err(Failure::new(
            Kind::Usage,
            "--trial says nothing with always-ask",
        ));
    }
    let evidence = evidence::now(workspace, &arguments.key, &scope);
    let mut preference = Preference {
        level: arguments.trial.then_some(Level::Trial),
        assist: arguments.assist,
        evidence: arguments
            .assist
            .and_then(|_| counts(evidence.as_ref()?, answer.as_deref()?)),
        ..preference(arguments.wanted(), answer, known.as_ref(), workspace)
    };
    if let Some(origin) = origin {
        preference.set_by = Some(origin.set_by.to_owned());
        preference.evidence = Some(origin.evidence.clone());
    }
    if is_set(&scope, &arguments.key, &preference, workspace)? {
        return terminal::print(&format!("{} is set so already\n", arguments.key));
    }
    // What must be asked is refused for that, whether it is known or not.
    let may_be_set = check_preference(&arguments.key, &preference, workspace.registry()?).is_ok();
    if known.is_none() && may_be_set && !arguments.force {
        // What others answer is taken over for a question as the person was asked it, or not at all.
        if origin.is_some() {
            return Err(never_asked(&arguments.key));
        }
        refuse_unknown(&arguments.key, workspace)?;
    }
    let words = answer_in_words(preference.answer.as_deref());
    let does = policy_in_words(&preference);
    let answers = answers(&preference);
    let change = Change {
        evidence,
        scope,
        key: arguments.key.clone(),
        preference: Some(preference),
        reason: origin.map_or("prefs set", |origin| origin.reason),
        undone: None,
    };
    let command = match origin {
        Some(origin) => origin.command.to_owned(),
        None => command(arguments, &change.scope),
    };
    let confirmation = Confirmation {
        question: "Set this preference?",
        yes: arguments.yes,
        command: &command,
    };
    if apply(workspace, std::slice::from_ref(&change), &confirmation)? {
        let answered = match arguments.wanted() {
            Policy::AlwaysAsk => String::new(),
            Policy::NeverAsk | Policy::AskOnlyForOneWay | Policy::Assist => {
                format!(", answer: {words}")
            }
        };
        terminal::print(&format!(
            "set: {}, {does}{answered}\n{answers}  undo: plantune prefs clear {} {}\n",
            change.key,
            change.key,
            terminal::harmless(&change.scope.arguments())
        ))?;
    }
    Ok(())
}

/// The question that the arguments describe.
fn given(arguments: &Arguments) -> Option<KnownQuestion> {
    Some(KnownQuestion {
        key_source: "marker".to_owned(),
        question: arguments.question.clone()?,
        options: arguments.options.clone(),
        ..KnownQuestion::default()
    })
}

/// How often the person chose the label `answer`, for the dialog to say: `agreed` and `answers`, of the
/// answers that `evidence` lists by name.
fn counts(evidence: &Value, answer: &str) -> Option<Value> {
    let answered = evidence.get("answered")?.as_object()?;
    let times = |(_, times): (&String, &Value)| times.as_u64().unwrap_or_default();
    let is_same = |(name, _): &(&String, &Value)| same_label(name, answer);
    let agreed: u64 = answered.iter().filter(is_same).map(times).sum();
    let answers: u64 = answered.iter().map(times).sum();
    (agreed > 0).then(|| json!({"agreed": agreed, "answers": answers}))
}

/// What the preference answers, in a line or two; nothing for one that always asks.
fn answers(preference: &Preference) -> String {
    let covers = covers_of(preference);
    match covers.first() {
        _ if preference.preference == Policy::AlwaysAsk => String::new(),
        Some(text) => format!(
            "  {}: {text}\n  {}\n",
            if preference.preference.assists() {
                "assists"
            } else {
                "answers"
            },
            only(&covers, &preference.binding)
        ),
        None => {
            "  does nothing yet: the question was never asked. Give --question and --option, or \
                 run `plantune prefs bind` when it was\n"
                .to_owned()
        }
    }
}

/// The question as the store knows it.
fn known(
    key: &str,
    scope: &PreferenceScope,
    workspace: &Workspace,
) -> Result<Option<KnownQuestion>, Failure> {
    let known = match workspace.store()? {
        Some(store) => known_question(&store, key, scope.project(), workspace.registry()?)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => None,
    };
    if known.is_none() && key.starts_with(FINGERPRINT) {
        return Err(Failure::failed(format!(
            "{key}: no question with this fingerprint was ever seen"
        ))
        .hint("`plantune questions` lists the keys of the questions you were asked"));
    }
    Ok(known)
}

/// A key that nothing has is a slip of the pen, and its preference would never be obeyed.
fn refuse_unknown(key: &str, workspace: &Workspace) -> Result<(), Failure> {
    let has_rule = workspace.registry()?.rules_of(key).next().is_some();
    let is_set = |file: &Found| file.preferences.contains_key(key);
    if has_rule || files::all(workspace).iter().any(is_set) {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "{key}: no question, rule or preference has this key"
    ))
    .hint("`plantune questions` lists the keys of the questions you were asked")
    .hint("if it is to be asked yet, add --force"))
}

/// That there is nothing to bind a preference to.
fn never_asked(key: &str) -> Failure {
    Failure::failed(format!("{}: never asked here", one_line(key, SHOWN_LABEL)))
        .hint("a preference is given for a question as you were asked it")
}

fn refuse_one_way(key: &str, known: Option<&KnownQuestion>) -> Result<(), Failure> {
    let reason = if is_split(key) {
        "options of a split question are always asked".to_owned()
    } else if let Some(reason) = known.and_then(|known| known.one_way.as_ref()) {
        format!(
            "it was one-way when it was last asked ({})",
            terminal::harmless(reason)
        )
    } else {
        return Ok(());
    };
    Err(
        Failure::new(Kind::Refused, format!("{key} is always asked: {reason}"))
            .hint("a question whose answer cannot be taken back is never answered for you"),
    )
}

/// The label to pin, without its mark.
fn label(arguments: &Arguments, known: Option<&KnownQuestion>) -> Result<Option<String>, Failure> {
    let Some(wanted) = arguments.answer.as_deref() else {
        return Ok(None);
    };
    let usage = |message: String| Failure::new(Kind::Usage, message);
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
                arguments.key
            ))
            .hint(format!("it last offered {}", offered.join(", "))))
        }
    }
}

fn preference(
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

/// True when the file says the same already.
fn is_set(
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
    workspace: &Workspace,
) -> Result<bool, Failure> {
    let known = files::preference(workspace, scope, key)?;
    Ok(known.is_some_and(|known| {
        known.preference == preference.preference
            && known.answer == preference.answer
            && known.level() == preference.level()
            && known.assist == preference.assist
            && (&known.question, &known.options, &known.binding)
                == (
                    &preference.question,
                    &preference.options,
                    &preference.binding,
                )
    }))
}

/// The call, as the person would type it.
fn command(arguments: &Arguments, scope: &PreferenceScope) -> String {
    let answer = arguments
        .answer
        .as_deref()
        .map_or_else(String::new, |label| format!(" --answer {}", quoted(label)));
    let policy = match arguments.assist {
        Some(mode) => format!("--assist {mode}"),
        None => arguments.policy.as_str().to_owned(),
    };
    let trial = if arguments.trial { " --trial" } else { "" };
    let force = if arguments.force { " --force" } else { "" };
    let command = format!(
        "plantune prefs set {} {policy}{trial}{answer}{force} {}",
        arguments.key,
        scope.arguments()
    );
    terminal::harmless(&command)
}
