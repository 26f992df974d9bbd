//! `plantune prefs clear` and `plantune prefs set --agents`: changes of a preference that is there.

use clap::Args;
use plantune_agents::{claude_code, dialog_of, names, of_tool};
use plantune_domain::agreement::agreement::Agreement;
use plantune_domain::keys::is_id;
use plantune_domain::preferences::{Policy, Preference};
use plantune_reports::standing::agents_of;
use plantune_reports::text::one_line;
use plantune_settings::agents;

use crate::failure::Failure;
use crate::preferences::in_words;
use crate::preferences::in_words::from_now_on;
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::preferences::writer::{Change, apply_one};
use crate::session::Session;
use crate::session::environment::transcripts_root;
use crate::{preferences, terminal};

// The preference that `clear` or `set --agents` is about, and its change after the person was asked.

/// The arguments that name it.
#[derive(Args, Debug)]
pub(super) struct Selected {
    /// The question: its key or its name
    #[arg(value_name = "KEY")]
    pub(super) key: String,
    #[command(flatten)]
    pub(super) scope: ScopeArguments,
    /// Don't ask (not in an agent's session)
    #[arg(short, long)]
    pub(super) yes: bool,
}

impl Selected {
    /// The same with the key of what it names.
    ///
    /// # Errors
    /// The errors of [`in_words::key`].
    pub(super) fn resolved(&self, session: &Session) -> Result<Self, Failure> {
        Ok(Self {
            key: in_words::key(&self.key, self.scope.named(session).as_ref(), session)?,
            scope: self.scope.clone(),
            yes: self.yes,
        })
    }

    /// The scope, and the preference that stands there, for `prefs VERB`.
    ///
    /// # Errors
    /// Failed without such a preference; usage where it stands in several places and nobody can be asked; conflict for
    /// a file that is not understood.
    pub(super) fn find(
        &self,
        verb: &str,
        session: &Session,
    ) -> Result<(PreferenceScope, Preference), Failure> {
        let command = |scope: &PreferenceScope, word: &str| scope.prefs(verb, word);
        let standing = self.scope.standing(&self.key, &command, session)?;
        let scope = standing.map_or_else(|| self.scope.resolve(session), Ok)?;
        match preferences::preference(session, &scope, &self.key)? {
            Some(preference) => Ok((scope, preference)),
            None => Err(missing(&self.key, &self.scope, session)),
        }
    }

    /// Puts `after` in the place of what stood there `before`, after asking: `verb` is `clear` or `set --agents`.
    ///
    /// # Errors
    /// Refused where the person cannot be asked, and for what would not be obeyed; conflict for a
    /// file that is not understood.
    pub(super) fn change(
        &self,
        scope: PreferenceScope,
        (before, after): (&Preference, Option<Preference>),
        (verb, reason): (&str, &'static str),
        (sentence, question): (Option<String>, &str),
        session: &Session,
    ) -> Result<(), Failure> {
        let word = in_words::word(&self.key, before, &scope, session);
        let command = scope.prefs(verb, &word);
        let change = Change::new(session, scope, &self.key, after, reason);
        let usual = || from_now_on(&change, Some(before), None, session);
        let sentence = sentence.unwrap_or_else(usual);
        apply_one(session, &change, (&sentence, question), self.yes, &command).map(drop)
    }
}

// `plantune prefs clear`.

/// Be asked a question again
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune prefs clear test-scope                 be asked again in this project
  plantune prefs clear next-area --global         be asked again everywhere")]
pub(crate) struct ClearArguments {
    #[command(flatten)]
    selected: Selected,
}

/// Takes the preference away after asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file
/// that is not understood.
pub(crate) fn clear(arguments: &ClearArguments, session: &Session) -> Result<(), Failure> {
    let selected = &arguments.selected.resolved(session)?;
    let (scope, before) = selected.find("clear", session)?;
    let (reason, words) = (("clear", "prefs clear"), (None, "Clear it?"));
    selected.change(scope, (&before, None), reason, words, session)
}

// `plantune prefs set --agents NAME,… KEY`.

/// Has the preference hold in the agents `wanted` and in no other, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file that is not
/// understood.
pub(super) fn set_agents(
    selected: &Selected,
    wanted: &[String],
    session: &Session,
) -> Result<(), Failure> {
    let (scope, before) = selected.find(&format!("set --agents {}", wanted.join(",")), session)?;
    let key = one_line(&selected.key, SHOWN);
    if before.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("You are always asked {key}, in every agent.\n"));
    }
    let tools: Vec<&str> = names()
        .filter(|name| wanted.iter().any(|one| one == name))
        .filter_map(dialog_of)
        .collect();
    let preference = Preference {
        agreement: before.agreement().map(|agreement| Agreement {
            host: Some(tools.join(" ")),
            ..agreement.into_owned()
        }),
        ..before.clone()
    };
    let holds_in = agents_of(&preference);
    if preference == before {
        return terminal::print(&format!("{key} already holds in {holds_in} only.\n"));
    }
    let sentence = format!("From now on, {key} holds in {holds_in}, and in no other agent.");
    selected.change(
        scope,
        (&before, Some(preference)),
        ("set --agents", "prefs agents"),
        (Some(sentence), "Set it?"),
        session,
    )
}

/// The command that has `preference` of `key` hold in the other agents that are here, too; nothing if there is
/// none, or it holds in any.
pub(crate) fn elsewhere(key: &str, preference: &Preference) -> Option<String> {
    let agreement = preference.agreement()?;
    let own = of_tool(agreement.host.as_deref()?)?;
    let claude_code = transcripts_root().filter(|root| root.is_dir());
    let claude_code = claude_code.map(|_| claude_code::NAME);
    let here = claude_code
        .into_iter()
        .chain(agents::found(&|name| std::env::var_os(name)).map(|one| one.agent.name()));
    let others: Vec<&str> = here.filter(|name| *name != own.name()).collect();
    (!others.is_empty()).then(|| {
        format!(
            "To use it in your other agents too: `plantune prefs set --agents {},{} {}`",
            own.name(),
            others.join(","),
            quoted(key)
        )
    })
}

// Question keys in the arguments of the verbs.

/// How much of a key or project is shown, in characters.
pub(super) const SHOWN: usize = 400;

/// Refuses what cannot be a question key.
pub(super) fn check(key: &str) -> Result<(), Failure> {
    if is_id(key) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{key:?} is not a question key: a key has 1 to 64 of a-z, 0-9 and -"
    ))
    .hint("`plantune report --all` lists the keys of the questions you were asked"))
}

/// That there is no preference for `key` where `scope` says.
pub(super) fn missing(key: &str, scope: &ScopeArguments, session: &Session) -> Failure {
    let word = key;
    let all = preferences::all(session);
    let keys = all.iter().flat_map(|file| file.preferences.keys());
    let key = one_line(key, SHOWN);
    let place = match scope.named(session) {
        Some(PreferenceScope::Project(project)) => {
            format!(" in project {}", one_line(&project, SHOWN))
        }
        Some(PreferenceScope::Global) => " for every project".to_owned(),
        None => String::new(),
    };
    Failure::failed(format!("there is no preference for {key}{place}"))
        .did_you_mean(
            word,
            keys.map(String::as_str).filter(|known| *known != word),
        )
        .hint("`plantune prefs list` shows all of them")
}
