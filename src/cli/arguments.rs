//! The arguments that all verbs share, and those of the verbs that show questions or change how they are answered, as clap
//! reads them. [`crate::request`] resolves them into plain values; nothing below it knows clap.

use std::ffi::OsString;
use std::path::PathBuf;

use chrono_tz::{TZ_VARIANTS, Tz};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Subcommand, ValueEnum};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use plantune_agents::claude_code::{CONFIG_DIR, FOLDER};
use plantune_agents::names;
use plantune_domain::preferences::Policy;

use crate::away::Absence;
use crate::period::THIS;
use plantune_settings::file::SettingsScope;

/// The heading under which help lists them.
const HEADING: &str = "Global options";

/// The arguments that every verb takes.
#[derive(Args, Clone, Debug, Default)]
pub struct GlobalArguments {
    /// Count days and weeks in this time zone, such as Europe/Berlin [default: `time_zone` in config.toml, or the
    /// system's]
    #[arg(long, global = true, value_name = "ZONE", help_heading = HEADING, value_parser = zone, add = ArgValueCandidates::new(zones))]
    pub(crate) time_zone: Option<Tz>,
    /// When to use colour; NO_COLOR and CLICOLOR_FORCE count for auto
    #[arg(long, global = true, value_name = "WHEN", help_heading = HEADING, default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Don't use a pager
    #[arg(long, global = true, help_heading = HEADING)]
    pub(crate) no_pager: bool,
    /// Print only errors to standard error
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub(crate) quiet: bool,
}

impl GlobalArguments {
    /// True or false for `--color always` and `never`.
    pub(crate) fn colour(&self) -> Option<bool> {
        match self.color {
            ColorChoice::Always => Some(true),
            ColorChoice::Never => Some(false),
            ColorChoice::Auto => None,
        }
    }
}

/// The arguments that choose the period: one of them, or none for the last seven days.
#[derive(Args, Clone, Debug, Default)]
pub struct PeriodArguments {
    /// Only today
    #[arg(long, conflicts_with_all = ["days", "week", "month", "since"])]
    pub(crate) today: bool,
    /// The last N days, today included [default: 7]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["week", "month", "since"])]
    pub(crate) days: Option<u32>,
    /// A calendar week: this, last or 2026-W46
    #[arg(long, value_name = "WEEK", num_args = 0..=1, default_missing_value = THIS, conflicts_with_all = ["month", "since"])]
    pub(crate) week: Option<String>,
    /// A calendar month: this, last or 2026-11
    #[arg(long, value_name = "MONTH", num_args = 0..=1, default_missing_value = THIS, conflicts_with = "since")]
    pub(crate) month: Option<String>,
    /// The first day: 2026-11-02, yesterday, monday, "2 weeks ago", 7d or 3w
    #[arg(long, value_name = "DAY")]
    pub(crate) since: Option<String>,
    /// The last day [default: today]
    #[arg(long, value_name = "DAY", requires = "since")]
    pub(crate) until: Option<String>,
}

/// The arguments of a verb that say which projects it is about: all, unless the person says otherwise.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ProjectArguments {
    /// Only the project of the current directory
    #[arg(long, global = true)]
    pub(crate) here: bool,
    /// Only this project: its key, or the end of it such as owner/repo
    #[arg(long, value_name = "KEY", global = true, conflicts_with = "here")]
    pub(crate) project: Option<String>,
}

/// The arguments of a verb that say where.
#[derive(Args, Clone, Debug, Default)]
pub struct ScopeArguments {
    /// Everywhere, instead of in one project
    #[arg(long, conflicts_with = "project")]
    pub(crate) global: bool,
    /// The project: its key, the end of its key such as owner/repo, or . for the current directory's [default: where
    /// the preference stands, else .]
    #[arg(long, value_name = "KEY")]
    pub(crate) project: Option<String>,
}

/// Where questions and prompts come from, and what they cost you
///
/// Compares the last seven days with the seven before. If nothing happened in them, it shows the latest seven days in
/// which something did. Days follow your time zone: `time_zone` in config.toml, or the system's.
#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  plantune report --html --open                   a page for your browser
  plantune report --month last                    a calendar month; or --week last
  plantune report --since '2 weeks ago' --here    this project since a day
  plantune report test-scope
      every time one question was asked
  plantune report npm test
      every permission prompt about it
  plantune report --all                           also what came up only once
  plantune report --by asker --since 3w
      which commands and skills stop you, and for how long
  plantune report --html --redact                 a page to pass on; no texts
  plantune report --json                          for scripts")]
pub(crate) struct ReportArguments {
    /// Only this question or permission prompt, every time it came: its key, or its first words
    #[arg(value_name = "WHAT", conflicts_with_all = ["by", "all", "prompts", "csv", "markdown", "html"])]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) period: PeriodArguments,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// How many questions to list; --json lists them all [default: 10]
    #[arg(short = 'n', long, alias = "limit", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: Option<u32>,
    /// Group the questions: by who asked, project, header, day of the week or kind of session
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) by: Option<GroupBy>,
    /// List every question, also those that came up only once
    #[arg(long, conflicts_with_all = ["top", "prompts"])]
    pub(crate) all: bool,
    /// Show permission prompts instead of questions
    #[arg(long)]
    pub(crate) prompts: bool,
    /// Write JSON, for scripts
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Write Markdown, for documents
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Write the questions as CSV, for spreadsheets; all of them, or with --by all groups
    #[arg(long, conflicts_with_all = ["json", "markdown", "prompts"])]
    pub(crate) csv: bool,
    /// Write numbers instead of texts, projects, answers and the keys in your skills and registry, to pass the report on
    #[arg(long, conflicts_with = "what")]
    pub(crate) redact: bool,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

/// Where the page is written without a name for it.
const DEFAULT_PAGE: &str = "plantune-report.html";

/// The arguments of `--html`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PageArguments {
    /// Write a page for a browser, in one file [default: plantune-report.html]; - for standard output
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        default_missing_value = DEFAULT_PAGE,
        conflicts_with_all = ["json", "markdown", "csv", "prompts"]
    )]
    pub(crate) html: Option<PathBuf>,
    /// Open the page that was written
    #[arg(long, requires = "html")]
    pub(crate) open: bool,
    /// Replace a file that plantune did not write
    #[arg(long, requires = "html")]
    pub(crate) force: bool,
}

/// The groupings of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupBy {
    /// The command, skill, plugin or sub-agent that asked, as far as it is known
    #[value(alias = "skill")]
    Asker,
    /// The framework that it belongs to: gsd:* for /gsd:discuss-phase
    Framework,
    /// The project
    Project,
    /// The question's header
    Header,
    /// The day of the week, in your time zone
    Weekday,
    /// Interactive, headless or spawned
    SessionKind,
    /// The coding agent
    Agent,
}

/// What was asked and answered, a line each
///
/// With a key or an id: why it was asked, and who or what answered it. The end of an id is enough.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune log --auto                             what was answered for you
  plantune log --since monday                     since that day; or --days 30
  plantune log test-scope                         why it was asked or answered
  plantune log --limit 100 --project shop         100 of one project")]
pub(crate) struct LogArguments {
    /// Show one question or permission prompt in full: its key, or its id
    #[arg(value_name = "KEY|ID", conflicts_with_all = ["auto", "prompts", "limit", "csv", "today", "days", "week", "month", "since"])]
    pub(crate) what: Option<String>,
    /// Only what was answered for you
    #[arg(long)]
    pub(crate) auto: bool,
    /// Permission prompts as well
    #[arg(long, conflicts_with = "auto")]
    pub(crate) prompts: bool,
    /// How many to list [default: 20, or all of a period]
    #[arg(short = 'n', long, alias = "top", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) period: PeriodArguments,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the questions as CSV, for spreadsheets
    #[arg(long, conflicts_with_all = ["json", "prompts"])]
    pub(crate) csv: bool,
}

/// What plantune could answer or allow for you; --apply sets it
///
/// Lists the answers you always give, and the permission rules that cover what you always allow. Only your own answers
/// count, and nothing is proposed that can't be undone. Nothing changes without --apply, which asks you first.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune suggest 2                 the evidence for number 2
  plantune suggest --apply           decide one by one
  plantune suggest 1,3-5 --apply     decide on these only
  plantune suggest --backtest --since 2026-11-01
                                     what would have been right and wrong
  plantune suggest --tidy            which of your permission rules could go")]
pub(crate) struct SuggestArguments {
    /// Only these proposals: numbers such as 1,3-5, handles, a key or rule, or the beginning of a text. Shows the evidence
    #[arg(value_name = "PROPOSALS", conflicts_with = "backtest")]
    pub(crate) which: Vec<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    pub(crate) json: bool,
    /// Also list what is not proposed, and what it lacks
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// Only permission rules
    #[arg(long, conflicts_with = "questions")]
    pub(crate) permissions: bool,
    /// Only questions
    #[arg(long)]
    pub(crate) questions: bool,
    /// Decide on the proposals one by one
    #[arg(long)]
    pub(crate) apply: bool,
    /// Whose settings permission rules are written to [default: as each proposal says]
    #[arg(long, value_parser = scopes(), value_name = "WHOSE", requires = "apply")]
    pub(crate) settings: Option<SettingsScope>,
    /// The same as PROPOSALS, for --apply; with --tidy a rule or a reason; may be repeated
    #[arg(long, value_name = "PROPOSALS", requires = "apply")]
    pub(crate) only: Vec<String>,
    /// Leave out this question; may be repeated
    #[arg(long, value_name = "KEY", requires = "apply")]
    pub(crate) except: Vec<String>,
    /// Don't ask (not in an agent's session); what needs its label typed is left out
    #[arg(short, long, requires = "apply")]
    pub(crate) yes: bool,
    /// With --yes: the label, typed for a proposal that needs it
    #[arg(long, value_name = "LABEL", requires = "yes")]
    pub(crate) answer: Option<String>,
    /// Replay your history: what would the proposals have got right and wrong?
    #[arg(long, conflicts_with = "apply")]
    pub(crate) backtest: bool,
    /// The permission rules you have that could go: doubled, covered by others, with a secret in them. --apply takes them out
    #[arg(long, conflicts_with_all = ["which", "backtest", "questions", "settings", "except", "answer", "all"])]
    pub(crate) tidy: bool,
    /// With --backtest: the first day that counts, such as 2026-11-02
    #[arg(long, value_name = "DATE", requires = "backtest")]
    pub(crate) since: Option<String>,
}

/// List, show, set and clear your preferences
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune prefs list --standing
      what plantune answers, and how it is doing
  plantune prefs clear test-scope                 be asked again")]
pub(crate) struct PrefsArguments {
    #[command(subcommand)]
    pub(crate) verb: Option<PrefsVerb>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum PrefsVerb {
    #[command(alias = "ls")]
    List(PrefsListArguments),
    Show(PrefsShowArguments),
    #[command(aliases = ["add", "edit"])]
    Set(PrefsSetArguments),
    #[command(aliases = ["delete", "remove", "rm", "unset"])]
    Clear(PrefsClearArguments),
}

/// List your preferences
#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  plantune prefs list --here                      what holds in this project
  plantune prefs list --standing                  how each one is doing")]
pub(crate) struct PrefsListArguments {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// How often each one answered, how its checks went, and why it is on or stopped
    #[arg(long)]
    pub(crate) standing: bool,
}

/// Show what a preference answers, and what it does not
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune prefs show test-scope                  which questions it answers
  plantune prefs show next-area --global --json   for scripts")]
pub(crate) struct PrefsShowArguments {
    /// The question: its key or its name
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) scope: ScopeArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Set what happens to a question
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:
  plantune prefs set test-scope --trial --answer 'Full suite'
      answer it on trial
  plantune prefs set deploy always-ask            always be asked")]
pub(crate) struct PrefsSetArguments {
    /// The question: its key or its name
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// The policy for it [default: never-ask]
    #[arg(
        value_name = "PREFERENCE",
        value_parser = PossibleValuesParser::new(["always-ask", "never-ask", "ask-only-for-one-way"])
            .try_map(|name| Policy::parse(&name).ok_or("no such preference"))
    )]
    pub(crate) policy: Option<Policy>,
    /// Answer on trial: checked often; eight matching checks make it automatic, one that differs stops it
    #[arg(long)]
    pub(crate) trial: bool,
    /// Answer with this label [default: the recommended one]
    #[arg(long, value_name = "LABEL")]
    pub(crate) answer: Option<String>,
    /// Answer this text, without a marker [default: the question as it was last asked]
    #[arg(long, value_name = "TEXT", requires = "options")]
    pub(crate) question: Option<String>,
    /// With these options; once for each
    #[arg(long = "option", value_name = "LABEL", requires = "question")]
    pub(crate) options: Vec<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArguments,
    /// Use the preference in these agents only
    #[arg(
        long,
        value_name = "AGENT",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(names()),
        conflicts_with_all = ["policy", "trial", "answer", "question", "force"]
    )]
    pub(crate) agents: Vec<String>,
    /// Set it for a key that nothing has yet
    #[arg(long)]
    pub(crate) force: bool,
    /// Don't ask (not in an agent's session)
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// The arguments that name it.
#[derive(Args, Debug)]
pub(crate) struct SelectedArguments {
    /// The question: its key or its name
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) scope: ScopeArguments,
    /// Don't ask (not in an agent's session)
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// Be asked a question again
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune prefs clear test-scope                 be asked again in this project
  plantune prefs clear next-area --global         be asked again everywhere")]
pub(crate) struct PrefsClearArguments {
    #[command(flatten)]
    pub(crate) selected: SelectedArguments,
}

/// Take back the last answer given for you
///
/// Without an argument, this takes back the last answer in this project. The preference goes, the answer counts as
/// wrong, and the agent learns of it in its next turn. With a key, it removes a preference you set. With a rule, it
/// removes a permission rule that `plantune suggest --apply` added, or puts back one that `--tidy` took out.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune undo
      take back the last answer
  plantune undo --answer 'Only affected tests'    and say what you want instead")]
pub(crate) struct UndoArguments {
    /// A question's key or name, the id of a call (`plantune log --auto` lists them), or a permission rule
    #[arg(value_name = "KEY|ID|RULE")]
    pub(crate) tool_use_id: Option<String>,
    /// The answer you want instead: one of the options; once for each question of the call
    #[arg(long, value_name = "LABEL")]
    pub(crate) answer: Vec<String>,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// Don't ask (not in an agent's session)
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// Have questions answered as recommended while you are away
///
/// While you are away, plantune gives the recommended answer, for up to twelve hours. It does so only if a question has one
/// recommended option and the answer can be undone. Everything else waits for you. `plantune away off` ends it and lists
/// the answers. They don't count as evidence of what you want.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune away 3h                                for three hours
  plantune away 45m --here                        only in this project
  plantune away                                   are you away?
  plantune away off                               list what was answered")]
pub(crate) struct AwayArguments {
    /// For how long (45m, 3h, 1h30m), or `off`
    #[arg(value_name = "DURATION|off", value_parser = Absence::parse)]
    pub(crate) wanted: Option<Absence>,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// Don't ask (not in an agent's session)
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// Stop answering questions; logging goes on
///
/// Every question is asked again, from the next one on. What you set stays, and `plantune on` brings it back.
/// `plantune uninstall` removes the hook altogether.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune off                                    until `plantune on`
  plantune off --quiet
  PLANTUNE_DISABLE=1 claude                       in one session only")]
pub(crate) struct OffArguments {}

/// Answer questions again, after `plantune off`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune on
  plantune on; plantune doctor                    and see whether all is well")]
pub(crate) struct OnArguments {}

/// Whose settings are meant, as an argument.
pub(super) fn scopes() -> impl TypedValueParser<Value = SettingsScope> {
    let value = |scope: SettingsScope| {
        PossibleValue::new(scope.name()).help(match scope {
            SettingsScope::User => {
                format!("All your projects: ~/{FOLDER}/settings.json (or below {CONFIG_DIR})")
            }
            SettingsScope::Project => {
                format!("Everybody who works on this project: {FOLDER}/settings.json")
            }
            SettingsScope::Local => format!("You, in this project: {FOLDER}/settings.local.json"),
        })
    };
    PossibleValuesParser::new(SettingsScope::ALL.map(value)).map(|name| {
        let mut scopes = SettingsScope::ALL.into_iter();
        scopes
            .find(|scope| scope.name() == name)
            .unwrap_or_default()
    })
}

fn zone(name: &str) -> Result<Tz, &'static str> {
    let wanted = "expected an IANA time zone such as Europe/Berlin";
    name.parse().map_err(|_| wanted)
}

fn zones() -> Vec<CompletionCandidate> {
    let name = |zone: &Tz| CompletionCandidate::new(zone.name());
    TZ_VARIANTS.iter().map(name).collect()
}

/// Push your figures to your organisation's lake, and report on everybody's
///
/// This is another program, plantune-fleet; `plantune fleet --help` is its help.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct FleetWords {
    /// The words for it
    #[arg(value_name = "WORD", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}
