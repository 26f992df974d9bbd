//! `plantune report`: where the questions come from, who answers them, and what it costs.

use std::io::{self, BufWriter, Write as _};

use clap::Args;
use plantune_domain::project::project_key;
use plantune_query::Store;
use plantune_query::report::{Report, Request};
use plantune_reports::Format;
use plantune_reports::report::{Document, Json, Markdown, Scope, Terminal};
use plantune_reports::text::clean;

use crate::failure::{Failure, Kind};
use crate::preferences::in_force::InForce;
use crate::preferences::{marks, proposals, standing};
use crate::workspace::Workspace;
use crate::workspace::period::{Period, PeriodArguments};
use crate::workspace::store;

/// How many projects a message names.
const NAMED_PROJECTS: usize = 5;

/// Show where the questions come from, who answers them, and what it costs
///
/// Reports on the current week by default, beside the week before. Days and weeks are
/// those of your time zone: `time_zone` in config.toml, else the system's.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    period: PeriodArguments,
    /// One project alone: its key, the end of its key such as owner/repo, or . for this folder's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// How many questions to list; --json lists them all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Write JSON, for scripts
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write Markdown, for documents
    #[arg(long)]
    markdown: bool,
}

/// Writes the report to standard output.
///
/// # Errors
/// Usage for a period or project that does not exist; conflict for a config.toml that cannot be
/// read; failed when the store cannot be.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let zone = workspace.zone()?;
    let period = arguments.period.resolve(workspace.now, zone)?;
    let store = workspace.store()?;
    let project = match arguments.project.as_deref() {
        None => None,
        Some(".") => Some(project_key(&std::env::current_dir()?)),
        Some(wanted) => Some(find_project(
            wanted,
            &projects(workspace, store.as_deref())?,
        )?),
    };
    let request = Request {
        period: period.days,
        previous: period.previous,
        today: period.today,
        project: project.as_deref(),
        limit: (!arguments.json).then_some(arguments.top),
    };
    let report = match &store {
        Some(store) => store
            .report(&request)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Report::empty(&request),
    };
    let scope = scope(&period, zone.name(), project);
    let waiting = match &store {
        Some(store) => proposed(workspace, store, scope.project.as_deref()),
        None => None,
    };
    let mut preferences = standing::review(workspace)?;
    marks::update(workspace, &preferences);
    if let Some(project) = &scope.project {
        preferences.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    let document = Document::new(scope, report, waiting).with_preferences(preferences);
    write(arguments, workspace, &document)
}

/// How many proposals wait for the person; `None` when that cannot be computed.
fn proposed(workspace: &Workspace, store: &Store, project: Option<&str>) -> Option<u32> {
    let found = proposals::find(workspace, store, &InForce::new(workspace), project).ok()?;
    u32::try_from(found.suggestions.len()).ok()
}

fn scope(period: &Period, time_zone: &str, project: Option<String>) -> Scope {
    Scope {
        period: period.days,
        previous: period.previous,
        week: period.week,
        running: period.running,
        time_zone: time_zone.to_owned(),
        project,
    }
}

/// Every project in the store; none without a store.
fn projects(workspace: &Workspace, store: Option<&Store>) -> Result<Vec<String>, Failure> {
    store.map_or_else(
        || Ok(Vec::new()),
        |store| {
            store
                .projects()
                .map_err(|error| store::failure(&workspace.paths, &error))
        },
    )
}

/// The key among `known` that is `wanted` or alone ends in it. With nothing known it is taken at
/// its word: an empty report, not an error.
fn find_project(wanted: &str, known: &[String]) -> Result<String, Failure> {
    if known.is_empty() || known.iter().any(|key| key == wanted) {
        return Ok(wanted.to_owned());
    }
    let ends_so = |key: &&String| {
        key.strip_suffix(wanted)
            .is_some_and(|start| !wanted.is_empty() && start.ends_with('/'))
    };
    let found: Vec<&String> = known.iter().filter(ends_so).collect();
    match found.as_slice() {
        [key] => Ok((*key).clone()),
        [] => Err(Failure::new(
            Kind::Usage,
            format!("no question of a project {wanted:?} is known"),
        )
        .hint(format!("projects with questions: {}", names(known.iter())))),
        _ => Err(Failure::new(
            Kind::Usage,
            format!("--project {wanted:?} may mean several projects"),
        )
        .hint(format!("give one of {}", names(found.into_iter())))),
    }
}

fn names<'a>(keys: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = keys.len().saturating_sub(NAMED_PROJECTS);
    let keys: Vec<_> = keys.take(NAMED_PROJECTS).map(|key| clean(key)).collect();
    let keys = keys.join(", ");
    if more > 0 {
        format!("{keys} and {more} more")
    } else {
        keys
    }
}

fn write(arguments: &Arguments, workspace: &Workspace, document: &Document) -> Result<(), Failure> {
    let top = usize::try_from(arguments.top).unwrap_or(usize::MAX);
    let format: &dyn Format<Document> = if arguments.json {
        &Json
    } else if arguments.markdown {
        &Markdown { top }
    } else {
        &Terminal {
            width: usize::from(workspace.width),
            colour: workspace.colour,
            top,
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match format.write(document, &mut out).and_then(|()| out.flush()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is left in the buffer has no reader; dropping it would try once more.
            let _ = out.into_parts();
            Ok(())
        }
        result => Ok(result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_by_the_end_of_its_key() {
        let known = [
            "github.com/acme/shop",
            "gitlab.com/other/shop",
            "/home/ann/notes",
        ];
        let known = known.map(str::to_owned);
        for (wanted, key) in [
            ("github.com/acme/shop", "github.com/acme/shop"),
            ("acme/shop", "github.com/acme/shop"),
            ("notes", "/home/ann/notes"),
        ] {
            assert_eq!(find_project(wanted, &known).unwrap(), key);
        }
        for wanted in ["shop", "hop", "", "otes", "acme", "\u{1b}[31m"] {
            let failure = find_project(wanted, &known).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{wanted}");
            assert!(!failure.to_string().contains('\u{1b}'));
        }
        assert_eq!(find_project("any", &[]).unwrap(), "any");
    }
}
