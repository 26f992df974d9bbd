//! The arguments of the verbs that install plantune, set it up and give out its data, and of those that `--help` does not
//! list: for scripts, packaging and work on plantune itself.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use plantune_agents::names;
use plantune_settings::file::SettingsScope;

use super::arguments::scopes;

/// The arguments of all verbs that change settings.
#[derive(Args, Debug)]
pub(crate) struct SettingsArguments {
    /// Whose settings to change
    #[arg(long, value_parser = scopes(), default_value = SettingsScope::User.name())]
    pub(crate) scope: SettingsScope,
    /// Only show the change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// Register plantune's hook with your coding agents
///
/// Shows the change to each settings file and asks first. Every other byte of the file stays, and a backup is kept. If
/// plantune is installed already, its entries are repaired.
///
/// The agents call a copy of the hook in plantune's data folder. After an upgrade, the next command updates that copy.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune install --dry-run                      only show the change
  plantune install --agent codex                  only for one agent
  plantune install --guard
      also stop agents from changing your preferences
  plantune install --statusline
      also show today's questions in the status line
  plantune install --rollback                     undo the last change")]
pub(crate) struct InstallArguments {
    #[command(flatten)]
    pub(crate) change: SettingsArguments,
    /// Only for this agent [default: Claude Code, and each of the others that you have]
    #[arg(long, value_name = "AGENT", value_parser = PossibleValuesParser::new(names()))]
    pub(crate) agent: Option<String>,
    /// Register this hook instead of a copy of plantune's own
    #[arg(long, value_name = "PATH", conflicts_with = "rollback")]
    pub(crate) hook_path: Option<PathBuf>,
    /// Also add rules that stop agents from changing your preferences, and Claude Code from editing plantune's files
    #[arg(long, conflicts_with = "rollback")]
    pub(crate) guard: bool,
    /// Also show today's questions and answers in Claude Code's status line, unless another program prints it
    #[arg(long, conflicts_with = "rollback")]
    pub(crate) statusline: bool,
    /// Also let Claude Code ring the terminal's bell when it waits for you, unless you chose another way
    #[arg(long, conflicts_with = "rollback")]
    pub(crate) notify: bool,
    /// Undo plantune's last change to these settings, byte for byte
    #[arg(long)]
    pub(crate) rollback: bool,
}

/// Remove plantune from the agents' settings
///
/// Removes the hook, and the rules that `--guard` and `suggest --apply` added. Nothing else in the files changes. It shows
/// each change and asks first. Your log, preferences and settings stay, unless you add --purge.
///
/// If you use plantune's plugin, remove it in Claude Code. To stop answers only, run `plantune off`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune uninstall --dry-run                    only show the change
  plantune uninstall --scope project              out of the project's settings")]
pub(crate) struct UninstallArguments {
    #[command(flatten)]
    pub(crate) change: SettingsArguments,
    /// Also delete the log, your preferences, plantune's settings, and backups of the agents' settings
    #[arg(long, conflicts_with = "scope")]
    pub(crate) purge: bool,
}

/// Show and change your settings
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune config                                 list every setting
  plantune config set spot_check 0.1              change one")]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) verb: Option<ConfigVerb>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ConfigVerb {
    #[command(aliases = ["list", "get"])]
    Show(ConfigShowArguments),
    Set(ConfigSetArguments),
    #[command(aliases = ["clear", "remove", "reset"])]
    Unset(ConfigUnsetArguments),
    Schema(ConfigSchemaArguments),
}

/// Show your settings, and where each value comes from
///
/// Values come from options, environment variables, config.toml or defaults.
#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  plantune config show
  plantune config show spot_check                 one of them
  plantune config show --json                     for scripts")]
pub(crate) struct ConfigShowArguments {
    /// Only this setting, with its table: spot_check, suggest.across_projects
    pub(crate) key: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Change a setting in config.toml
///
/// Comments and everything else in the file stay. `plantune config` lists the settings.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune config set spot_check 0.1              ask one time in ten
  plantune config set time_zone Europe/Berlin
  plantune config set suggest.across_projects false")]
pub(crate) struct ConfigSetArguments {
    /// The setting, with its table: spot_check, suggest.across_projects
    pub(crate) key: String,
    /// The value: a number, true or false, a word, or a list such as '["program", "argument"]'
    #[arg(allow_hyphen_values = true)]
    pub(crate) value: String,
}

/// Remove a setting from config.toml, so that its default holds
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune config unset spot_check
  plantune config unset retention.drop_after_days")]
pub(crate) struct ConfigUnsetArguments {
    /// The setting, with its table: spot_check, suggest.across_projects
    pub(crate) key: String,
}

/// Print the JSON schema of a file, for editors
///
/// With it, an editor completes and checks what you write.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune config schema                          of config.toml
  plantune config schema registry >registry.schema.json
      of registry.toml")]
pub(crate) struct ConfigSchemaArguments {
    /// The file
    #[arg(default_value = "config")]
    pub(crate) file: SchemaFile,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaFile {
    /// config.toml
    Config,
    /// registry.toml
    Registry,
}

/// Ask your own questions in SQL, read-only
///
/// Takes one SELECT in DuckDB's SQL. The views are questions, prompts, sessions, preferences and events. Without a
/// statement, it lists them with their columns.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune sql
      the views, and what their columns hold
  plantune sql 'SELECT question, count(*) FROM questions GROUP BY 1'
      a table
  plantune sql --csv - <question.sql              for spreadsheets")]
pub(crate) struct SqlArguments {
    /// The statement; - reads it from standard input
    pub(crate) statement: Option<String>,
    /// Write JSON, an array of objects
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Write CSV, for spreadsheets
    #[arg(long)]
    pub(crate) csv: bool,
}

/// Write the log for other tools
///
/// Events are in order of time, with the texts of your questions and answers. docs/development/events.md describes them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune export --parquet events.parquet        the whole log, for other tools
  plantune export --jsonl - --since 2026-11-01
      events of this month, one a line")]
pub(crate) struct ExportArguments {
    /// Write a Parquet file
    #[arg(long, value_name = "FILE", required_unless_present = "jsonl")]
    pub(crate) parquet: Option<PathBuf>,
    /// Write JSON lines, one per event; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "parquet")]
    pub(crate) jsonl: Option<PathBuf>,
    /// The first day, such as 2026-11-02 [default: the first in the log]
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,
    /// The last day, such as 2026-11-20 [default: the last in the log]
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Load questions from before plantune was installed
///
/// Reads an agent's history. Nothing is counted twice, and the history is not changed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune import claude-code                     from Claude Code's transcripts
  plantune import codex                           from Codex's sessions")]
pub(crate) struct ImportArguments {
    /// The agent whose history to read
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    pub(crate) source: String,
    /// The folder, or a file in it [default: where the agent keeps it]
    pub(crate) path: Option<PathBuf>,
}

/// Check that everything works, and repair what doesn't
///
/// Checks the hook, the agents' settings, plantune's files and the store. Without --fix, it changes nothing. Exits with 1
/// if a check fails.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune doctor --fix                           repair what it can
  plantune doctor --quarantine
      lines of the log that could not be read
  plantune doctor
      what is wrong, and how to repair it
  plantune doctor --json                          for scripts")]
pub(crate) struct DoctorArguments {
    /// Write JSON, for scripts
    #[arg(long)]
    pub(crate) json: bool,
    /// Repair first: update the hook and the agents' settings (after asking), close plantune's folders to others, and read
    /// the log again
    #[arg(long, conflicts_with = "json")]
    pub(crate) fix: bool,
    /// Show the lines of the log that could not be read, instead of checking
    #[arg(long, conflicts_with = "fix")]
    pub(crate) quarantine: bool,
    /// Don't ask before repairing
    #[arg(short, long, requires = "fix")]
    pub(crate) yes: bool,
}

/// Say how far a call reaches; with --question, whether plantune may answer it, and why; both as JSON
///
/// Nothing is run. A call reads (or tests and builds), changes the project, is unknown, or goes beyond: it leaves the
/// project, can't be undone, or was not understood. The current folder counts as the project. You can describe your own
/// programs in registry.toml.
///
/// With --stdin, each line of standard input is a command as JSON: a string, or {"command": "npm test", "folder":
/// "/home/dev/shop"}. Instead of "folder" you can write "cwd"; without either, the current folder counts. Each line gives
/// one line of JSON, in order. A line that can't be read gives one with `line` and `error`; the others are still judged, and
/// the exit code is 1.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune classify 'git push --force'            how far a command reaches
  plantune classify --tool WebFetch https://example.org
      another tool
  plantune classify --stdin <commands.jsonl       many, one a line
  plantune classify --question 'Delete the branch?'
      why a question is always asked")]
pub(crate) struct ClassifyArguments {
    /// The command, or for another tool its path, address or query
    #[arg(
        value_name = "COMMAND",
        allow_hyphen_values = true,
        required_unless_present_any = ["stdin", "question"]
    )]
    pub(crate) command: Option<String>,
    /// Judge the commands on standard input, one a line
    #[arg(long, conflicts_with = "command")]
    pub(crate) stdin: bool,
    /// The tool, such as Bash, Edit, WebFetch or mcp__server__tool
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    pub(crate) tool: String,
    /// Print JSON, as it does anyway
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) question: ClassifyQuestionArguments,
}

/// The question, as the hook would see it.
#[derive(Args, Debug)]
pub(crate) struct ClassifyQuestionArguments {
    /// Say whether plantune may answer a question with this text, and what decides that
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["command", "stdin", "tool"])]
    pub(crate) question: Option<String>,
    /// Its header
    #[arg(long, value_name = "TEXT", requires = "question")]
    pub(crate) header: Option<String>,
    /// The option that would be chosen
    #[arg(long, value_name = "LABEL", requires = "question")]
    pub(crate) option: Option<String>,
    /// The option's description
    #[arg(long, value_name = "TEXT", requires = "option")]
    pub(crate) description: Option<String>,
    /// Its preview
    #[arg(long, value_name = "TEXT", requires = "option")]
    pub(crate) preview: Option<String>,
}

/// Seal the log of past months, and drop what you do not want to keep
///
/// A month becomes one Parquet file 14 days after its end. Nothing is dropped, unless `[retention]` in config.toml says so.
/// Days that are not fully in the store are not touched.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune gc --dry-run
      what would be sealed and dropped
  plantune gc                                     seal past months")]
pub(crate) struct GcArguments {
    /// Only show what would happen to each segment, and why
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Write a month's sealed file again from the store, after it was lost or damaged
///
/// `plantune doctor` says when that is so. Until then the store keeps the month. What reports do not show, such as the
/// folders of questions, does not come back; a backup has it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune restore-month                          every month that is lost
  plantune restore-month 2026-10                  this one")]
pub(crate) struct RestoreMonthArguments {
    /// Only this month (2026-10)
    #[arg(value_name = "MONTH")]
    pub(crate) month: Option<String>,
}

/// Load what the hooks have logged into the store
///
/// Reports do this by themselves. This is for scripts, and to compute the store again.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune ingest                                 load what was logged
  plantune ingest --rebuild                       compute the store again")]
pub(crate) struct IngestArguments {
    /// Compute the whole store again from the log
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// Commands for packaging, scripts and work on plantune itself
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug version
      which plantune, formats and hook
  plantune debug demo                             watch it at work")]
pub(crate) struct DebugArguments {
    #[command(subcommand)]
    pub(crate) verb: DebugVerb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum DebugVerb {
    Compare(CompareArguments),
    Completions(CompletionsArguments),
    Demo(DemoArguments),
    Man(ManArguments),
    SessionKind(SessionKindArguments),
    Statusline(StatuslineArguments),
    Version(VersionArguments),
}

/// Compare the store with one that is computed again from the log, and show the rows that differ
///
/// The store stays as it is. This takes as long as computing it again.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug compare
      the rows that differ; exits with 1 if there are any
  plantune debug compare | head                   the first of them")]
pub(crate) struct CompareArguments {}

/// Write the manual pages, one for each verb
///
/// `make install` writes them to PREFIX/share/man/man1. Without a folder, plantune's own page goes to
/// standard output.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug man | man -l -                   read plantune's own page
  plantune debug man ~/.local/share/man/man1      write all pages")]
pub struct ManArguments {
    /// The folder to write to; it is made if it doesn't exist
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
    /// Only print the names of the files
    #[arg(long)]
    pub list: bool,
}

/// Print a script for your shell that completes verbs, options, projects and question keys
///
/// The script asks plantune for completions, so it stays the same in later versions.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug completions bash >~/.local/share/bash-completion/completions/plantune
  plantune debug completions zsh >~/.zfunc/_plantune  a folder of your fpath
  plantune debug completions fish >~/.config/fish/completions/plantune.fish")]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(["bash", "zsh", "fish"]))]
    pub(crate) shell: String,
}

/// Watch plantune at work on a sample history, in a temporary folder
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug demo
      watch it at work on made-up questions
  plantune debug demo --color always | less -R    page by page")]
pub(crate) struct DemoArguments {}

/// Print whether somebody can answer questions here: interactive, headless or spawned
///
/// The hook finds out the same way. The first variable that is set and not empty decides: OPENCLAW_SESSION means spawned;
/// PLANTUNE_HEADLESS and GSTACK_HEADLESS mean headless; CONDUCTOR_WORKSPACE_PATH, CONDUCTOR_PORT and
/// CLAUDE_CODE_ENTRYPOINT=cli mean interactive; CI and GITHUB_ACTIONS mean headless. Without any of them it is interactive.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug session-kind
      interactive, headless or spawned
  plantune debug session-kind --json              also the variable that decided")]
pub(crate) struct SessionKindArguments {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print a line for Claude Code's status line: what was asked and answered for you today
///
/// It reads what Claude Code sends on standard input. plantune-hook prints it, which Claude Code calls
/// itself after `plantune install --statusline`, several times a second. So it reads only the end of today's
/// log. It prints nothing if there is nothing to say.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune install --statusline                   have Claude Code call it
  plantune debug statusline                       see it
  plantune debug statusline </dev/null            prints nothing: nobody asks")]
pub(crate) struct StatuslineArguments {}

/// Show plantune's version, its formats, and its hook
///
/// The hook is the installed one, or the one beside this plantune.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug version
      which plantune, formats and hook
  plantune debug version --json                   for scripts")]
pub(crate) struct VersionArguments {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
