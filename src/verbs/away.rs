//! `plantune away`: for a stated time, questions are answered as they recommend; `plantune away off` shows what was.

use chrono::TimeDelta;
use plantune_domain::away::Away;
use plantune_domain::event::{AWAY, ChangeReason, Event};
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::Scope;
use plantune_domain::sanitize::shell_word;
use plantune_domain::{clock, private_file};
use plantune_reports::text::one_line;
use serde_json::json;

use crate::away::Absence;
use crate::document::Document;
use crate::failure::{Failure, not_written};
use crate::request::AwayRequest;
use crate::session::Session;
use crate::terminal::consent;
use crate::terminal::consent::Confirmation;
use crate::{away, changes, terminal};

/// The words for a change that could not be made.
const UNCHANGED: &str = "you are not away";

/// How much of a project's key is shown, in characters.
const SHOWN: usize = 200;

/// Says whether the person is away, ends that, or begins it.
///
/// # Errors
/// The errors of [`end`] and of [`begin`].
pub(crate) fn run(request: &AwayRequest, session: &Session) -> Result<Document, Failure> {
    match request.wanted {
        Some(Absence::For(duration)) => {
            begin(duration, request, session)?;
            Ok(Document::default())
        }
        Some(Absence::Off) => end(session),
        None => {
            let line = away::line(session)?;
            let line = line
                .unwrap_or_else(|| "You are not away. `plantune away 3h` starts it.".to_owned());
            Ok(Document::text(format!("{line}\n")))
        }
    }
}

/// Writes until when the person is away, after asking.
///
/// # Errors
/// Usage for a time of more than twelve hours; refused inside an agent's session and where nobody can be
/// asked; failed when the file cannot be written.
fn begin(duration: TimeDelta, request: &AwayRequest, session: &Session) -> Result<(), Failure> {
    let before = away::load(session).ok().flatten();
    let made_at = session.now;
    let away = Away {
        made_at,
        until: made_at + duration,
        made_at_uptime: clock::uptime_seconds().ok_or_else(|| {
            Failure::failed("the system doesn't say how long it has been running")
                .hint("plantune needs that to end your absence if the clock is set back")
        })?,
        review_from: before.map_or(made_at, |before| before.review_from.min(made_at)),
        project: request.project.clone(),
    };
    let until = session.clock()?(away.until);
    let place = match &away.project {
        Some(project) => format!("in {}", one_line(project, SHOWN)),
        None => "in every project".to_owned(),
    };
    let sentence = format!(
        "Until {until}, plantune answers {place} as recommended. Some questions still wait for you: those whose answer \
         can't be undone, those you always want to be asked, and those without one recommended option. `plantune away \
         off` ends it and lists the answers."
    );
    session.close_store();
    let command = match &away.project {
        Some(project) => format!(
            "plantune away {} --project {}",
            minutes(duration),
            shell_word(project)
        ),
        None => format!("plantune away {}", minutes(duration)),
    };
    let command = terminal::sanitized(&command);
    let confirmation = Confirmation {
        sentence: &sentence,
        question: "Are you away?",
        yes: request.yes,
        command: &command,
    };
    if !confirmation.is_given(session, "")? {
        return Ok(());
    }
    let _lock = changes::hold(session, UNCHANGED)?;
    write(&away, request.yes, session)?;
    confirmation.say_done(session)
}

/// Logs the absence and then puts its file in place, so that no absence lacks its record.
fn write(away: &Away, yes: bool, session: &Session) -> Result<(), Failure> {
    let path = session.paths.away_file();
    let failure = |error: std::io::Error| not_written(&path, &error, UNCHANGED);
    create_private_dir(session.paths.config()).map_err(failure)?;
    let staged = private_file::stage(&path, away.to_json()?.as_bytes()).map_err(failure)?;
    log(away, ChangeReason::Away, yes, session)?;
    staged.put_in_place().map_err(failure)
}

fn minutes(duration: TimeDelta) -> String {
    format!("{}m", duration.num_minutes())
}

// `plantune away off`: the person is here again, and sees what was answered meanwhile.

/// The words for a change that could not be made.
const NOTHING_CHANGED: &str = "nothing was changed";

/// Ends the absence, if there is one, and lists what was answered in it.
///
/// # Errors
/// Refused inside an agent's session: the list is for the person. Conflict for a file that others may
/// write or that is malformed, which is not obeyed either.
fn end(session: &Session) -> Result<Document, Failure> {
    // No confirmation is needed: the end of an absence only means that the person is asked again.
    consent::is_person(session, "plantune away off")?;
    let Some(away) = away::load(session)? else {
        return Ok(Document::text(
            "You are not away. `plantune log --auto` lists what was answered for you.\n",
        ));
    };
    let decisions = away::answers(&away, session)?;
    session.close_store();
    let _lock = changes::hold(session, NOTHING_CHANGED)?;
    if away::is_on(&away, session) {
        log(&away, ChangeReason::Back, false, session)?;
    }
    let list = match decisions.is_empty() {
        true => "Nothing was answered while you were away.\n".to_owned(),
        false => away::list(&decisions, session)?,
    };
    // The list is forgotten only after it was printed.
    terminal::print(&list)?;
    away::forget(session)?;
    Ok(Document::default())
}

/// Records that the person went away, or is back.
///
/// # Errors
/// The errors of the file system.
fn log(away: &Away, reason: ChangeReason, yes: bool, session: &Session) -> Result<(), Failure> {
    let project = away.project.as_deref().unwrap_or_default();
    let scope = match away.project {
        Some(_) => Scope::Project,
        None => Scope::Global,
    };
    let until = json!({"until": clock::timestamp(away.until)});
    let event = Event {
        project: project.into(),
        preference: (reason == ChangeReason::Away).then(|| AWAY.into()),
        preference_scope: Some(scope.as_str().into()),
        detail: Some(changes::detail(Some(&until), yes)),
        ..changes::event(session, reason, &[project])
    };
    changes::log(session, &[event], NOTHING_CHANGED)
}
