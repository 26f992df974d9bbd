//! `report --explain`: the rows behind a figure of the report.

use plantune_query::Store;
use plantune_query::families::Grouping;
use plantune_query::report::Request;
use plantune_query::report::explain::{OF_PERMISSIONS, TOTALS};
use plantune_query::report::stands_out::KINDS;
use plantune_reports::inert;
use plantune_reports::report::{Explanation, Heading};

use super::by;
use crate::failure::{Failure, Kind};
use crate::terminal;
use crate::workspace::names::ShortNames;
use crate::workspace::{Workspace, store};

/// Figures that are of no questions, with what lists their rows.
const OTHERS: [(&str, &str); 7] = [
    ("quarantined", "plantune doctor --quarantine"),
    ("errors.hook", "plantune doctor"),
    ("proposals", "plantune suggest"),
    ("suggestions_waiting", "plantune suggest"),
    ("standing_preferences", "plantune prefs list --standing"),
    ("answered_for_you", "plantune report --explain auto_decided"),
    ("permissions.by_subject", "plantune report --prompts"),
];

/// How the rows are written.
pub(super) enum Format {
    Json,
    Csv,
    /// For a terminal, so many of them.
    Terminal(usize),
}

/// Writes the rows behind the figure `name`.
///
/// # Errors
/// Usage for a figure that the report does not have; failed when the store cannot be read.
pub(super) fn run(
    name: &str,
    format: &Format,
    request: &Request<'_>,
    heading: &Heading,
    store: Option<&Store>,
    workspace: &Workspace,
) -> Result<(), Failure> {
    // With --prompts the report has the figures of the prompts, by names of their own.
    let of_prompts = format!("permissions.{name}");
    let name = match request.prompts && OF_PERMISSIONS.iter().any(|(one, _, _)| *one == name) {
        true => &of_prompts,
        false => name,
    };
    if let Some((_, verb)) = OTHERS.iter().find(|(other, _)| *other == name) {
        let message = format!("{name} is not counted from questions");
        return Err(Failure::new(Kind::Usage, message).hint(format!("`{verb}` lists its rows")));
    }
    if name == "groups" || name.starts_with("groups.") {
        return Err(of_groups(&format!("{name} has no rows of its own")));
    }
    let Some(store) = store else {
        return Err(Failure::new(Kind::Usage, "no question was logged yet")
            .hint("`plantune import claude-code` loads your past questions"));
    };
    let zone = workspace.zone()?;
    let grouping = Grouping::read(store, workspace.registry()?);
    let explained = grouping.and_then(|grouping| store.explained(name, request, &grouping, &zone));
    let explained = explained.map_err(|error| store::failure(&workspace.paths, &error))?;
    let Some(explained) = explained else {
        return Err(unknown(name));
    };
    let mut explanation = Explanation::new(name, heading, explained);
    let mut out = Vec::new();
    match format {
        Format::Json => terminal::print_exactly(&inert::json(&explanation)?),
        Format::Csv => {
            explanation.write_csv(&mut out)?;
            terminal::print_made(&out, true)
        }
        Format::Terminal(top) => {
            let names = ShortNames::new(workspace)?;
            let projects = explanation.projects();
            projects
                .into_iter()
                .for_each(|project| names.shorten(project));
            let width = usize::from(workspace.width);
            explanation.write(&workspace.clock()?, *top, width, &mut out)?;
            terminal::print(&String::from_utf8_lossy(&out))
        }
    }
}

/// Refuses figures of groups, which are those of a part of the questions.
///
/// # Errors
/// Usage.
pub(super) fn check(grouping: Option<by::Grouping>) -> Result<(), Failure> {
    match grouping {
        Some(_) => Err(of_groups("--explain does not go together with --by")),
        None => Ok(()),
    }
}

fn of_groups(fact: &str) -> Failure {
    Failure::new(Kind::Usage, fact).hint(
        "the questions of a group: `--explain asked --project KEY` lists those of a project, `--explain \
         session_kinds.headless.asked` those of a kind of session, `--explain hours.1.14` those of Mondays from \
         14:00; `--explain questions --json` has asker and time of all",
    )
}

fn unknown(name: &str) -> Failure {
    let lines = KINDS.join(", ");
    let totals = TOTALS.join(", ");
    let prompts = OF_PERMISSIONS.map(|(name, _, _)| name).join(", ");
    Failure::new(Kind::Usage, format!("this report has no figure {name:?}")).hint(format!(
        "figures are {totals}; previous.TOTAL and trend.WEEK.TOTAL; a question's KEY, KEY.answered, \
         KEY.median_seconds, …; session_kinds.KIND.TOTAL, errors.KIND, hours.WEEKDAY.HOUR, \
         answering_times.answers, …; of what stands out {lines}; \
         permissions. with {prompts}; docs/report.md has them all; those of `report --by` are figures of other \
         reports, such as `report --project KEY`"
    ))
}
