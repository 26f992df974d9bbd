//! What stopped the person to ask for permission: prompts by subject, and one by one.

mod detail;
mod event;
mod given;
mod modes;
mod prompt;
mod rows;
mod subjects;
mod wanted;

use chrono::{Days as Span, NaiveDate};
use duckdb::params;

use crate::period::{Days, Request};
use crate::{Error, Store};
use event::{Counted, Logged, is_unattended, joined};
use given::{Given, shown_at};

pub use detail::{Detail, Repeated};
pub use modes::{Denied, Mode};
pub use prompt::Prompt;
pub use rows::{Permissions, Subject};
pub use wanted::{Grouping, WantedPrompts, WantedSubjects};

/// How many days around a period its prompts' other events are looked for.
const AROUND: Span = Span::new(14);

impl Store {
    /// The subjects of the prompts that are `wanted`, the most frequent first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn prompt_subjects(&self, wanted: &WantedSubjects<'_>) -> Result<Vec<Subject>, Error> {
        let days = wanted.days.unwrap_or(Days {
            start: NaiveDate::MIN,
            end: NaiveDate::MAX,
        });
        let events = self.permission_events(Some(days), None, wanted.project)?;
        Ok(subjects::subjects(&joined(&events), wanted))
    }

    /// The prompts that are `wanted`, the latest first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn prompts(&self, wanted: &WantedPrompts<'_>) -> Result<Vec<Prompt>, Error> {
        let chosen = self.permission_events(None, None, wanted.project)?;
        self.prompts_after(&Given::of(&joined(&chosen)), wanted)
    }

    /// The sums and subjects of the request's period, in one query; in two where the prompts that need a look
    /// are wanted.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn permissions(&self, request: &Request<'_>) -> Result<Permissions, Error> {
        let (days, project) = (Some(request.period), request.project);
        let events = self.permission_events(days, days, project)?;
        let prompts = joined(&events);
        let open_from = Some(request.open_from());
        let by_subject = subjects::subjects(
            &prompts,
            &WantedSubjects {
                days,
                project,
                open_from,
                ..WantedSubjects::default()
            },
        );
        let mut permissions = Permissions::of(by_subject);
        let in_period =
            |one: &&Counted| (request.period.start..=request.period.end).contains(&one.day);
        for prompt in prompts.iter().filter(in_period) {
            *permissions.by_day.entry(prompt.day).or_default() += 1;
        }
        let calls = |kind: &str, of: fn(&Logged) -> u64| {
            let of_kind = events.iter().filter(|one| one.kind == kind);
            of_kind.map(of).sum()
        };
        permissions.denied = calls("permission_denied", |_| 1);
        permissions.auto_calls = calls("permission_auto", |one| one.calls);
        if request.prompts {
            permissions.detail = Some(self.detail(request, &prompts)?);
        }
        Ok(permissions)
    }

    fn detail(&self, request: &Request<'_>, prompts: &[Counted]) -> Result<Detail, Error> {
        let wanted = WantedPrompts {
            days: Some(request.period),
            project: request.project,
            open_from: Some(request.open_from()),
            ..WantedPrompts::default()
        };
        let detail = Detail::of(&self.prompts_after(&Given::of(prompts), &wanted)?);
        Ok(Detail {
            modes: self.modes(request)?,
            denied_in_auto_mode: self.denied(request)?,
            ..detail
        })
    }

    /// The prompts that are `wanted`, judged by what was `given` before.
    fn prompts_after(
        &self,
        given: &Given,
        wanted: &WantedPrompts<'_>,
    ) -> Result<Vec<Prompt>, Error> {
        let days = wanted.days;
        let sql = include_str!("../../sql/permissions/prompts.sql");
        let parameters = params![
            wanted.id,
            wanted.subject,
            wanted.tool,
            wanted.project,
            days.map(|days| days.start),
            days.map(|days| days.end),
            wanted.limit.map_or(i64::MAX, i64::from),
        ];
        let prompts = self.rows(sql, parameters)?.into_iter();
        let prompts = prompts.map(|prompt| judged(prompt, given, wanted.open_from));
        Ok(prompts.collect())
    }

    /// Each "don't ask again", the events about the prompts of `days`, and those about the other calls of the
    /// days `calls`.
    fn permission_events(
        &self,
        days: Option<Days>,
        calls: Option<Days>,
        project: Option<&str>,
    ) -> Result<Vec<Logged>, Error> {
        let around = days.map(|Days { start, end }| Days {
            start: start.checked_sub_days(AROUND).unwrap_or(start),
            end: end.checked_add_days(AROUND).unwrap_or(end),
        });
        let sql = include_str!("../../sql/permissions/events.sql");
        let parameters = params![
            around.map(|days| days.start),
            around.map(|days| days.end),
            calls.map(|days| days.start),
            calls.map(|days| days.end),
            project
        ];
        self.rows(sql, parameters)
    }
}

/// The prompt with what follows from others.
fn judged(mut prompt: Prompt, given: &Given, open_from: Option<NaiveDate>) -> Prompt {
    let names = [
        &prompt.project,
        &prompt.session_id,
        &prompt.tool,
        &prompt.subject,
    ];
    let shown_at = shown_at(prompt.asked_at, prompt.at, prompt.waited_seconds);
    let before = given.before(names.map(String::as_str), shown_at);
    let reason = prompt.reason.as_deref().unwrap_or_default();
    let said = [
        prompt.session_kind.as_str(),
        prompt.outcome.as_str(),
        reason,
    ];
    prompt.unattended = is_unattended(said, prompt.day, open_from);
    prompt.asked_again_after = before.map(|(chosen, _)| chosen.to_owned());
    prompt.given_at = before.map(|(_, at)| at);
    prompt
}
