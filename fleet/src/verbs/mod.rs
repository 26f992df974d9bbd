//! The verbs, one file each.

pub(crate) mod adopt;
pub(crate) mod compact;
pub(crate) mod forget;
pub(crate) mod init;
mod left;
pub(crate) mod prepare;
pub(crate) mod preview;
pub(crate) mod push;
pub(crate) mod report;
pub(crate) mod status;

use std::io::{BufRead as _, Write as _};

use clap::{Args, ValueEnum};
use plantune_reports::fleet::SkippedFile;

use crate::failure::Failure;
use crate::report::Chosen;
use crate::terminal::say;
use crate::workspace::Workspace;

/// Asks a question on the terminal; true for a yes.
fn confirm(question: &str) -> Result<bool, Failure> {
    say(&format!("{question} [y/N] "));
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

/// The files that were passed over, a line each.
fn skipped(files: &[SkippedFile]) -> String {
    let line = |file: &SkippedFile| format!("  skipped {}: {}\n", file.path, file.why);
    files.iter().map(line).collect()
}

/// A size as DuckDB reads it.
///
/// # Errors
/// In words, for what is none.
fn memory(text: &str) -> Result<String, String> {
    let number = text.strip_suffix("GB").or_else(|| text.strip_suffix("MB"));
    match number.and_then(|number| number.parse::<u32>().ok()) {
        Some(number) if number > 0 => Ok(text.to_owned()),
        _ => Err("a size is a whole number of GB or MB, such as 4GB".to_owned()),
    }
}

/// What computes reports.
#[derive(Clone, Debug, Args)]
struct EngineArguments {
    /// What computes it
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// The Spark Connect server of --engine spark [default: connect in fleet.toml]
    #[arg(long, value_name = "sc://HOST:PORT")]
    connect: Option<String>,
    /// How much memory DuckDB may use, such as 4GB or 800MB; the rest goes to the temporary folder [default: most of it]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<String>,
}

impl EngineArguments {
    /// The engine that was chosen.
    ///
    /// # Errors
    /// Usage for one that is not there; those of its token's file.
    fn chosen(&self, workspace: &Workspace) -> Result<Chosen, Failure> {
        Ok(match self.engine {
            Engine::Duckdb => Chosen::DuckDb {
                memory: self.memory.clone(),
            },
            Engine::Spark => Chosen::spark(workspace, self.connect.as_deref())?,
        })
    }
}

/// An engine.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Engine {
    /// DuckDB, on this machine.
    #[default]
    Duckdb,
    /// Apache Spark, or what else speaks Spark Connect.
    Spark,
}
