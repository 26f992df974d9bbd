//! `report --by`: the questions in groups.

use clap::ValueEnum;
use plantune_query::Store;
use plantune_query::report::{By, Groups, Request};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// What questions may be grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Grouping {
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

impl Grouping {
    fn by(self) -> By {
        match self {
            Self::Asker => By::Asker,
            Self::Framework => By::Framework,
            Self::Project => By::Project,
            Self::Header => By::Header,
            Self::Weekday => By::Weekday,
            Self::SessionKind => By::SessionKind,
            Self::Agent => By::Agent,
        }
    }
}

/// Refuses what makes no sense: the projects of one project.
///
/// # Errors
/// Usage.
pub(super) fn check(grouping: Option<Grouping>, project: Option<&str>) -> Result<(), Failure> {
    if grouping != Some(Grouping::Project) || project.is_none() {
        return Ok(());
    }
    let fact = "--by project with --project would be a table of one row";
    Err(Failure::usage(fact)
        .hint("leave --project out to see all projects")
        .hint("or see this one with --by asker, framework, header, weekday, session-kind or agent"))
}

/// The groups that are asked for; none of a store that is not there.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn groups(
    grouping: Option<Grouping>,
    request: &Request<'_>,
    workspace: &Workspace,
    store: Option<&Store>,
) -> Result<Option<Groups>, Failure> {
    let Some(by) = grouping.map(Grouping::by) else {
        return Ok(None);
    };
    let Some(store) = store else {
        let groups = Vec::new();
        return Ok(Some(Groups { by, groups }));
    };
    workspace.read(store.report_by(request, by)).map(Some)
}
