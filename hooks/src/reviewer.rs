//! A program of the person's that is asked where no preference decides: it may answer, deny
//! the question with a message for the model, or abstain. Off unless `reviewer` stands in
//! `config.toml`. What goes in and out: `docs/settings.md`.

mod process;

use std::fs;
use std::io::{Seek as _, Write as _};

use serde_json::Value;
use serde_json::value::RawValue;

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::question::Question;
use plantune_domain::recommended::same_label;
use plantune_domain::secrets::masked;
use plantune_domain::{hash, platform};

pub use process::{REVIEWING, run};

/// What a reviewer decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Review {
    /// One label a question, as offered.
    Answer(Vec<String>),
    /// The question is not to be asked, with a message for the model.
    Deny(String),
    /// The person is asked.
    Abstain,
}

/// True when this session may run its reviewer once more; counts it. Without a place to count, or
/// below a reviewer, none is run.
///
/// The count is the length of a file of its own, which the end of a session does not take away: a
/// session that is resumed does not start again.
pub fn may_run(paths: &Paths, session: &str, most: u32) -> bool {
    if std::env::var_os(REVIEWING).is_some() {
        return false;
    }
    let folder = paths.sessions().join(hash::hex(&["reviews", session]));
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    let mut file = match create_private_dir(&folder)
        .and_then(|()| platform::private(&mut options).open(folder.join("count")))
    {
        Ok(file) => file,
        Err(_) => return false,
    };
    // With two hooks at once each byte still ends at a place of its own.
    file.metadata()
        .is_ok_and(|kind| kind.len() < u64::from(most))
        && file.write_all(b".").is_ok()
        && file
            .stream_position()
            .is_ok_and(|count| count <= u64::from(most))
}

/// What the reviewer reads: the `asked` events of the call (lines, as in the log) and the tool's
/// input as sent, in one JSON object.
pub fn input(asked: &[u8], tool_input: Option<&RawValue>) -> Vec<u8> {
    let mut input = b"{\"version\":1,\"questions\":[".to_vec();
    let lines = asked.trim_ascii_end();
    input.extend(
        lines
            .iter()
            .map(|byte| if *byte == b'\n' { b',' } else { *byte }),
    );
    input.extend_from_slice(b"],\"tool_input\":");
    input.extend_from_slice(tool_input.map_or("null", RawValue::get).as_bytes());
    input.extend_from_slice(b"}\n");
    input
}

/// What the reviewer decided about `questions`. No output is an abstention.
///
/// # Errors
/// Why it is no valid answer.
pub fn read(output: &[u8], questions: &[Question]) -> Result<Review, String> {
    if output.trim_ascii().is_empty() {
        return Ok(Review::Abstain);
    }
    let output: Value = serde_json::from_slice(output).map_err(|error| error.to_string())?;
    let text = |name: &str| output.get(name).and_then(Value::as_str);
    match text("decision") {
        Some("abstain") => Ok(Review::Abstain),
        Some("deny") => match text("feedback").map(str::trim) {
            Some(feedback) if !feedback.is_empty() => Ok(Review::Deny(feedback.to_owned())),
            _ => Err("deny without feedback".to_owned()),
        },
        Some("answer") => answers(output.get("answers"), questions).map(Review::Answer),
        _ => Err("decision is none of answer, deny, abstain".to_owned()),
    }
}

/// The offered label of each question that `answers` names, in the order of the questions.
fn answers(answers: Option<&Value>, questions: &[Question]) -> Result<Vec<String>, String> {
    let Some(Value::Array(answers)) = answers else {
        return Err("answer without a list of answers".to_owned());
    };
    if answers.len() != questions.len() {
        let (given, asked) = (answers.len(), questions.len());
        return Err(format!("{given} answers to {asked} questions"));
    }
    let label = |(question, answer): (&Question, &Value)| {
        let wanted = &*masked(answer.as_str().ok_or("an answer is no text")?);
        let mut offered = question.sent.options.iter();
        let mut offered = offered.by_ref().filter(|label| same_label(label, wanted));
        match (offered.next(), offered.next()) {
            (Some(label), None) => Ok(label.clone()),
            _ => Err("an answer is not one of the options"),
        }
    };
    let labels: Result<_, &str> = questions.iter().zip(answers).map(label).collect();
    labels.map_err(str::to_owned)
}
