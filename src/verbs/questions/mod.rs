//! `plantune questions`: the questions there are, every time one was put, and rules for the unmarked.

mod register;
mod rule;
mod show;
mod unmarked;

use clap::{Args, Subcommand};
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::questions::{Listed, list};
use plantune_reports::{questions as text, questions_json as json};

use crate::failure::Failure;
use crate::preferences::scope::project;
use crate::terminal;
use crate::workspace::context::Context;
use crate::workspace::refresh::refresh;
use crate::workspace::store;
use crate::workspace::user_files;

/// List the questions and families of questions you were asked
///
/// A family is what unmarked questions with the same options are: their texts differ every time.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Only this project, by its key, or . for the current directory's
    #[arg(long, value_name = "KEY", global = true)]
    project: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Show(show::Arguments),
    Unmarked(unmarked::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    refresh(context, &user_files::config(context)?)?;
    let project = arguments.project.as_deref().map(project).transpose()?;
    let asked = Asked {
        store: store::open(&context.paths)?,
        project,
        json: arguments.json,
    };
    match &arguments.verb {
        None => write(&asked, context),
        Some(Verb::Show(arguments)) => show::run(arguments, &asked, context),
        Some(Verb::Unmarked(arguments)) => unmarked::run(arguments, &asked, context),
    }
}

/// What every verb needs to know.
struct Asked {
    store: Option<Store>,
    project: Option<String>,
    json: bool,
}

impl Asked {
    fn listed(&self, context: &Context) -> Result<Vec<Listed>, Failure> {
        let registry = user_files::registry(context)?;
        self.of_project(self.project.as_deref(), &registry, context)
    }

    /// The questions of all projects, whichever is meant.
    fn listed_everywhere(
        &self,
        registry: &Registry,
        context: &Context,
    ) -> Result<Vec<Listed>, Failure> {
        self.of_project(None, registry, context)
    }

    fn of_project(
        &self,
        project: Option<&str>,
        registry: &Registry,
        context: &Context,
    ) -> Result<Vec<Listed>, Failure> {
        match &self.store {
            Some(store) => list(store, registry, project)
                .map_err(|error| store::failure(&context.paths, &error)),
            None => Ok(Vec::new()),
        }
    }
}

fn write(asked: &Asked, context: &Context) -> Result<(), Failure> {
    let listed = asked.listed(context)?;
    let mut out = Vec::new();
    if asked.json {
        json::write_list(&listed, &mut out)?;
    } else {
        text::write_list(&listed, context.width, &mut out)?;
    }
    terminal::print(&String::from_utf8_lossy(&out))
}
