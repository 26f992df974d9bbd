//! Being away, as the commands see it: whether the person is, and what was answered meanwhile.

use std::fs;
use std::io::IsTerminal as _;

use chrono::TimeDelta;
use plantune_domain::away::{Away, LONGEST};
use plantune_domain::clock;
use plantune_query::questions::{LoggedDecision, WantedDecisions};
use plantune_reports::log;
use plantune_reports::text::one_line;

use crate::failure::{Failure, conflict};
use crate::projects::ShortNames;
use crate::session::Session;
use crate::terminal;

/// The beginning or the end of an absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    For(TimeDelta),
    Off,
}

impl Absence {
    /// `off`, or a time as `45m`, `3h` or `1h30m`: at least a minute and at most [`LONGEST`].
    ///
    /// # Errors
    /// Says what was expected.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self::Off);
        }
        let text = text.replace(' ', "");
        let (hours, minutes) = text.split_once('h').unwrap_or(("0", &text));
        let minutes = match minutes {
            "" => Some("0"),
            minutes => minutes.strip_suffix('m'),
        };
        let number = |digits: &str| {
            let is_number =
                !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            // More than it can hold is too long in any case.
            is_number.then(|| i64::from(digits.parse().unwrap_or(u32::MAX)))
        };
        let total = minutes.and_then(|minutes| Some(60 * number(hours)? + number(minutes)?));
        match total.map(TimeDelta::minutes) {
            Some(duration) if duration > LONGEST => Err("at most 12h".to_owned()),
            Some(duration) if duration > TimeDelta::zero() => Ok(Self::For(duration)),
            _ => Err("expected a time such as 45m, 3h or 1h30m".to_owned()),
        }
    }
}

/// How many answers are listed.
const LISTED: u32 = 200;

/// How much of a project's key is shown, in characters.
const SHOWN: usize = 200;

/// The absence that the person declared; `None` when they are here and have seen what was answered.
///
/// # Errors
/// Conflict (exit code 3) for a file that is not obeyed.
pub(crate) fn load(session: &Session) -> Result<Option<Away>, Failure> {
    Away::load(&session.paths.away_file()).map_err(|error| conflict(&error))
}

/// True while the person is away.
pub(crate) fn is_on(away: &Away, session: &Session) -> bool {
    away.is_on(session.now, clock::uptime_seconds())
}

/// A line that says until when the person is away, and where; `None` when they are not. A file that is
/// not obeyed is no absence either: `doctor` says what is wrong with it.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
pub(crate) fn line(session: &Session) -> Result<Option<String>, Failure> {
    let away = load(session).ok().flatten();
    let Some(away) = away.filter(|away| is_on(away, session)) else {
        return Ok(None);
    };
    let until = session.clock()?(away.until);
    let place = match &away.project {
        Some(project) => format!(" in {}", one_line(project, SHOWN)),
        None => String::new(),
    };
    Ok(Some(format!(
        "away until {until}{place}: what can be taken back is answered as recommended (plantune away off)"
    )))
}

/// Until when the person is away (RFC 3339, UTC), for scripts; `None` when they are not.
pub(crate) fn until(session: &Session) -> Option<String> {
    let away = load(session).ok().flatten()?;
    is_on(&away, session).then(|| clock::timestamp(away.until))
}

/// The answers given because the person was away that are still to be reviewed, the latest first.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn answers(away: &Away, session: &Session) -> Result<Vec<LoggedDecision>, Failure> {
    let wanted = WantedDecisions {
        away_since: Some(away.review_from),
        limit: LISTED,
        ..WantedDecisions::default()
    };
    session.decisions(&wanted)
}

/// The list to review, each answer with the command that changes it.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
pub(crate) fn list(decisions: &[LoggedDecision], session: &Session) -> Result<String, Failure> {
    let names = ShortNames::new(session)?;
    let mut decisions = decisions.to_vec();
    decisions
        .iter_mut()
        .for_each(|one| names.shorten(&mut one.project));
    let mut out = session.terminal();
    log::show_for_review(&decisions, &mut out);
    Ok(out.into_text())
}

/// Forgets the absence: what was answered has been shown.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn forget(session: &Session) -> Result<(), Failure> {
    // The list that the next session would have shown. It may not exist.
    let _ = fs::remove_file(session.paths.away_answers());
    match fs::remove_file(session.paths.away_file()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Shows the person what was answered while they were away, at the first command after the end; an
/// agent, or a script, does not see it in their place. What goes wrong is left to `plantune away off`.
pub(crate) fn remind(session: &Session) {
    if session.agent_session.is_some() || terminal::is_quiet() || !std::io::stderr().is_terminal() {
        return;
    }
    let Ok(Some(away)) = load(session) else {
        return;
    };
    if is_on(&away, session) {
        return;
    }
    let shown = answers(&away, session).and_then(|decisions| {
        if !decisions.is_empty() {
            terminal::say(&format!("{}\n", list(&decisions, session)?));
        }
        forget(session)
    });
    if let Err(failure) = shown {
        terminal::say(&format!(
            "what was answered while you were away cannot be shown: {}\n",
            failure.message()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, minutes) in [
            ("45m", 45),
            ("3h", 180),
            ("1h30m", 90),
            ("12h", 720),
            ("720m", 720),
        ] {
            let wanted = Absence::For(TimeDelta::minutes(minutes));
            assert_eq!(Absence::parse(text), Ok(wanted), "{text}");
        }
        for text in [
            "", "3", "h", "0h", "-1h", "3d", "30m1h", "1h1h", "3h5", "1.5h", "+3h", "1h+30m",
        ] {
            let error = Absence::parse(text).unwrap_err();
            assert!(
                error.starts_with("expected a time such as"),
                "{text}: {error}"
            );
        }
        for text in ["12h1m", "13h", "721m", "9999999999h"] {
            assert_eq!(
                Absence::parse(text),
                Err("at most 12h".to_owned()),
                "{text}"
            );
        }
    }
}
