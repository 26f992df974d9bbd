//! What a call asks for that installs plantune, sets it up, gives out its data or works on plantune itself, in plain
//! values.

use std::path::PathBuf;

use plantune_ingest::Range;

use super::{RowFormat, day, format};
use crate::cli::maintenance::{
    ClassifyArguments, ConfigArguments, ConfigVerb, DebugArguments, DebugVerb, DoctorArguments,
    ExportArguments, ImportArguments, InstallArguments, SchemaFile, SettingsArguments,
    SqlArguments, UninstallArguments,
};
use crate::failure::Failure;
use crate::period;
use crate::session::Session;
use crate::settings_change::ChangeOptions;

// `plantune install` and `plantune uninstall`.

/// How the hook is registered.
#[derive(Default)]
pub(crate) struct InstallRequest {
    pub(crate) change: ChangeOptions,
    /// Only for this agent.
    pub(crate) agent: Option<String>,
    /// This hook instead of a copy of plantune's own.
    pub(crate) hook_path: Option<PathBuf>,
    /// Stop agents from changing preferences, too.
    pub(crate) guard: bool,
    /// The status line, too.
    pub(crate) statusline: bool,
    /// The terminal's bell, too.
    pub(crate) notify: bool,
    /// Undo the last change instead.
    pub(crate) rollback: bool,
}

fn change(arguments: &SettingsArguments) -> ChangeOptions {
    ChangeOptions {
        scope: arguments.scope,
        dry_run: arguments.dry_run,
        yes: arguments.yes,
        is_purge: false,
    }
}

/// The call of `plantune install` that the arguments mean.
pub(crate) fn install(arguments: &InstallArguments) -> InstallRequest {
    InstallRequest {
        change: change(&arguments.change),
        agent: arguments.agent.clone(),
        hook_path: arguments.hook_path.clone(),
        guard: arguments.guard,
        statusline: arguments.statusline,
        notify: arguments.notify,
        rollback: arguments.rollback,
    }
}

/// The call of `plantune uninstall` that the arguments mean.
pub(crate) fn uninstall(arguments: &UninstallArguments) -> ChangeOptions {
    ChangeOptions {
        is_purge: arguments.purge,
        ..change(&arguments.change)
    }
}

// `plantune doctor`.

/// What is checked, and whether it is repaired first.
pub(crate) struct DoctorRequest {
    pub(crate) json: bool,
    /// Repair first.
    pub(crate) fix: bool,
    /// Show the lines in quarantine instead.
    pub(crate) quarantine: bool,
    /// Don't ask before repairing.
    pub(crate) yes: bool,
}

/// The call of `plantune doctor` that the arguments mean.
pub(crate) fn doctor(arguments: &DoctorArguments) -> DoctorRequest {
    DoctorRequest {
        json: arguments.json,
        fix: arguments.fix,
        quarantine: arguments.quarantine,
        yes: arguments.yes,
    }
}

// `plantune config`, `sql`, `export` and `import`.

/// A call of `plantune config`.
pub(crate) enum ConfigCall {
    /// The settings, or the one of that name.
    Show {
        key: Option<String>,
        json: bool,
    },
    Set {
        key: String,
        value: String,
    },
    Unset {
        key: String,
    },
    /// The JSON schema of config.toml.
    ConfigSchema,
    /// The JSON schema of registry.toml.
    RegistrySchema,
}

/// The call of `plantune config` that the arguments mean.
pub(crate) fn config(arguments: &ConfigArguments) -> ConfigCall {
    match &arguments.verb {
        None => ConfigCall::Show {
            key: None,
            json: false,
        },
        Some(ConfigVerb::Show(arguments)) => ConfigCall::Show {
            key: arguments.key.clone(),
            json: arguments.json,
        },
        Some(ConfigVerb::Set(arguments)) => ConfigCall::Set {
            key: arguments.key.clone(),
            value: arguments.value.clone(),
        },
        Some(ConfigVerb::Unset(arguments)) => ConfigCall::Unset {
            key: arguments.key.clone(),
        },
        Some(ConfigVerb::Schema(arguments)) => match arguments.file {
            SchemaFile::Config => ConfigCall::ConfigSchema,
            SchemaFile::Registry => ConfigCall::RegistrySchema,
        },
    }
}

/// A statement for the store.
pub(crate) struct SqlRequest {
    /// `-` for one on standard input; the views are listed without any.
    pub(crate) statement: Option<String>,
    pub(crate) format: RowFormat,
}

/// The call of `plantune sql` that the arguments mean.
pub(crate) fn sql(arguments: &SqlArguments) -> SqlRequest {
    SqlRequest {
        statement: arguments.statement.clone(),
        format: format(arguments.json, arguments.csv),
    }
}

/// The events to export, and where to.
pub(crate) struct ExportRequest {
    pub(crate) file: ExportFile,
    pub(crate) range: Range,
    /// Overwrite a file.
    pub(crate) force: bool,
}

/// The file of an export.
pub(crate) enum ExportFile {
    Parquet(PathBuf),
    /// `-` for standard output.
    Jsonl(PathBuf),
}

/// Resolves the arguments of `plantune export`.
///
/// # Errors
/// Usage for a date that does not exist, and for a first day after the last.
pub(crate) fn export(
    arguments: &ExportArguments,
    session: &Session,
) -> Result<ExportRequest, Failure> {
    let since = day("--since", arguments.since.as_deref(), session)?;
    let until = day("--until", arguments.until.as_deref(), session)?;
    if let (Some(since), Some(until)) = (since, until)
        && since > until
    {
        let fact = format!("--since {since} comes after the last day, {until}");
        let hint = "--since takes the earlier day, --until the later one";
        return Err(Failure::usage(fact).hint(hint));
    }
    let zone = session.zone()?;
    let after = until.map(|day| period::after(day, 1));
    let file = match (&arguments.parquet, &arguments.jsonl) {
        (Some(path), _) => ExportFile::Parquet(path.clone()),
        (None, path) => ExportFile::Jsonl(path.clone().unwrap_or_default()),
    };
    Ok(ExportRequest {
        file,
        range: Range {
            since: since.map(|day| period::start_of(day, zone)),
            until: after.map(|day| period::start_of(day, zone)),
        },
        force: arguments.force,
    })
}

/// The history to import.
pub(crate) struct ImportRequest {
    /// The agent whose it is.
    pub(crate) source: String,
    /// The folder; where the agent keeps it without one.
    pub(crate) path: Option<PathBuf>,
}

/// The call of `plantune import` that the arguments mean.
pub(crate) fn import(arguments: &ImportArguments) -> ImportRequest {
    ImportRequest {
        source: arguments.source.clone(),
        path: arguments.path.clone(),
    }
}

// The verbs for scripts, packaging and work on plantune itself.

/// What is to be judged: a question, or a command of a tool.
pub(crate) enum ClassifyRequest {
    Question(ClassifiedQuestion),
    /// The command; those on standard input without one.
    Command {
        tool: String,
        command: Option<String>,
    },
}

/// A question, as the hook would see it.
pub(crate) struct ClassifiedQuestion {
    pub(crate) text: String,
    pub(crate) header: Option<String>,
    /// The option that would be chosen.
    pub(crate) option: Option<String>,
    pub(crate) description: String,
    pub(crate) preview: String,
}

/// The call of `plantune classify` that the arguments mean.
pub(crate) fn classify(arguments: &ClassifyArguments) -> ClassifyRequest {
    let asked = &arguments.question;
    match asked.question.clone() {
        Some(text) => ClassifyRequest::Question(ClassifiedQuestion {
            text,
            header: asked.header.clone(),
            option: asked.option.clone(),
            description: asked.description.clone().unwrap_or_default(),
            preview: asked.preview.clone().unwrap_or_default(),
        }),
        None => ClassifyRequest::Command {
            tool: arguments.tool.clone(),
            command: arguments.command.clone(),
        },
    }
}

/// A call of `plantune debug`.
pub(crate) enum DebugCall {
    /// The store with what the log says.
    Compare,
    /// The script for that shell.
    Completions(String),
    Demo,
    Man {
        folder: Option<PathBuf>,
        list: bool,
    },
    SessionKind {
        json: bool,
    },
    StatusLine,
    Version {
        json: bool,
    },
}

/// The call of `plantune debug` that the arguments mean.
pub(crate) fn debug(arguments: &DebugArguments) -> DebugCall {
    match &arguments.verb {
        DebugVerb::Compare(_) => DebugCall::Compare,
        DebugVerb::Completions(arguments) => DebugCall::Completions(arguments.shell.clone()),
        DebugVerb::Demo(_) => DebugCall::Demo,
        DebugVerb::Man(arguments) => DebugCall::Man {
            folder: arguments.folder.clone(),
            list: arguments.list,
        },
        DebugVerb::SessionKind(arguments) => DebugCall::SessionKind {
            json: arguments.json,
        },
        DebugVerb::Statusline(_) => DebugCall::StatusLine,
        DebugVerb::Version(arguments) => DebugCall::Version {
            json: arguments.json,
        },
    }
}
