//! The arguments of the verbs that `--help` does not list: for scripts, packaging and work on plantune itself.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint};

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
