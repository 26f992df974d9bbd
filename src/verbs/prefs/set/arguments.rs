//! What the person typed.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use plantune_domain::preferences::{AssistMode, Coverage, Policy};
use plantune_query::questions::KnownQuestion;

use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::{agents, terminal};

/// How much of a label is shown, in characters.
pub(super) const SHOWN_LABEL: usize = 80;

/// Set what happens to a question
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Arguments {
    /// The question: its key, or what it is called
    #[arg(value_name = "KEY")]
    pub(super) key: String,
    /// What should happen to it [default: never-ask]
    #[arg(
        value_name = "PREFERENCE",
        value_parser = PossibleValuesParser::new(["always-ask", "never-ask", "ask-only-for-one-way"])
            .try_map(|name| Policy::parse(&name).ok_or("no such preference"))
    )]
    pub(super) policy: Option<Policy>,
    /// On trial: asked often, on after eight checks that agree, and stopped by one that does not
    #[arg(long)]
    pub(super) trial: bool,
    /// Ask, and point out the usual answer: in its description (note), or as the first option as well
    #[arg(
        long,
        value_name = "MODE",
        conflicts_with_all = ["policy", "trial"],
        value_parser = PossibleValuesParser::new(["note", "first"])
            .try_map(|name| AssistMode::parse(&name).ok_or("no such mode"))
    )]
    pub(super) assist: Option<AssistMode>,
    /// Answer with this label [default: the recommended one]
    #[arg(long, value_name = "LABEL")]
    pub(super) answer: Option<String>,
    /// Answer this text, without a marker [default: the question as it was last asked]
    #[arg(long, value_name = "TEXT", requires = "options")]
    pub(super) question: Option<String>,
    /// With these options; once for each
    #[arg(long = "option", value_name = "LABEL", requires = "question")]
    pub(super) options: Vec<String>,
    /// What it covers: these texts, the pattern of those you answered so, or these options with other texts
    /// too [default: the text that was asked last]
    #[arg(
        long = "scope",
        value_name = "SCOPE",
        value_parser = PossibleValuesParser::new(["texts", "pattern", "options"])
            .try_map(|name| Coverage::parse(&name).ok_or("no such scope"))
    )]
    pub(super) coverage: Option<Coverage>,
    #[command(flatten)]
    pub(super) scope: ScopeArguments,
    /// Let the preference hold in these agents and no others
    #[arg(
        long,
        value_name = "AGENT",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(agents::names()),
        conflicts_with_all = ["policy", "trial", "assist", "answer", "question", "coverage", "force"]
    )]
    pub(super) agents: Vec<String>,
    /// Set it for a key that no question, rule or preference has
    #[arg(long)]
    pub(super) force: bool,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    pub(super) yes: bool,
}

impl Arguments {
    /// Those that answer `key` with `label` on trial.
    #[cfg(feature = "fleet")]
    pub(crate) fn on_trial(key: &str, label: &str, scope: &ScopeArguments, yes: bool) -> Self {
        Self {
            key: key.to_owned(),
            trial: true,
            answer: Some(label.to_owned()),
            scope: scope.clone(),
            yes,
            ..Self::default()
        }
    }

    /// What the preference is to do.
    pub(super) fn wanted(&self) -> Policy {
        match self.assist {
            Some(_) => Policy::Assist,
            None => self.policy.unwrap_or(Policy::NeverAsk),
        }
    }
}

/// The question that the arguments describe.
pub(super) fn given(arguments: &Arguments) -> Option<KnownQuestion> {
    Some(KnownQuestion {
        key_source: "marker".to_owned(),
        question: arguments.question.clone()?,
        options: arguments.options.clone(),
        ..KnownQuestion::default()
    })
}

/// The call, as the person would type it for what is called by `word`.
pub(super) fn command(arguments: &Arguments, word: &str, scope: &PreferenceScope) -> String {
    let answer = arguments
        .answer
        .as_deref()
        .map_or_else(String::new, |label| format!(" --answer {}", quoted(label)));
    let policy = match arguments.assist {
        Some(mode) => format!("--assist {mode}"),
        None => arguments.wanted().as_str().to_owned(),
    };
    let trial = if arguments.trial { " --trial" } else { "" };
    let coverage = arguments
        .coverage
        .map_or_else(String::new, |coverage| format!(" --scope {coverage}"));
    let force = if arguments.force { " --force" } else { "" };
    let command = format!(
        "plantune prefs set {} {policy}{trial}{answer}{coverage}{force} {}",
        quoted(word),
        scope.arguments()
    );
    terminal::sanitized(&command)
}
