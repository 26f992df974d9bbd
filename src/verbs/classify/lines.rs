//! Commands in lines of JSON, and verdicts in as many lines.

use plantune_reports::amount::counted;
use std::io::{BufRead, BufReader, Read};

use plantune_domain::permissions::OwnReaches;
use plantune_domain::sanitize;
use serde::{Deserialize, Serialize};

use super::judged;
use crate::failure::Failure;
use crate::terminal;

/// Verdicts are written when so many bytes of them wait, and whenever no line is there to be read.
const WAITING: usize = 1 << 16;

/// A longer line is no command, in bytes.
const LONGEST: u64 = 1 << 20;

/// A line: a command, and the folder that it would run in.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Command(String),
    InFolder {
        command: String,
        #[serde(alias = "cwd")]
        folder: Option<String>,
    },
}

#[derive(Serialize)]
struct Mistake<'a> {
    schema_version: u32,
    line: u64,
    error: &'a str,
}

/// Prints how each line of `input` is judged, as a call of `tool`; `cwd` is the folder of those that name none.
///
/// # Errors
/// Failed when a line was no command, after all others were judged, and when the input cannot be read.
pub(super) fn judge(
    input: &mut dyn Read,
    tool: &str,
    cwd: &str,
    own: &OwnReaches,
) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(WAITING, input);
    let (mut made, mut bytes) = (String::new(), Vec::new());
    let (mut number, mut mistakes) = (0u64, 0u64);
    while next(&mut input, &mut bytes)? {
        number += 1;
        let verdict = match command(&bytes) {
            Ok((command, folder)) => {
                let folder = folder.as_deref().unwrap_or(cwd);
                serde_json::to_string(&judged(tool, &command, folder, own))?
            }
            Err(error) => {
                mistakes += 1;
                serde_json::to_string(&Mistake {
                    schema_version: 1,
                    line: number,
                    error,
                })?
            }
        };
        made.push_str(&sanitize::json(&verdict));
        made.push('\n');
        if made.len() >= WAITING || input.buffer().is_empty() {
            terminal::print_exactly(&std::mem::take(&mut made))?;
        }
    }
    terminal::print_exactly(&made)?;
    match mistakes {
        0 => Ok(()),
        _ => Err(Failure::failed(format!(
            "{mistakes} of {} no command; the others were judged",
            counted(number, "line is", "lines are")
        ))
        .hint("a line is {\"command\": \"npm test\", \"folder\": \"/home/dev/shop\"}, or \"npm test\"")),
    }
}

/// Puts the next line into `bytes`, without what exceeds [`LONGEST`]; false at the end.
fn next(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> Result<bool, Failure> {
    bytes.clear();
    input.take(LONGEST + 1).read_until(b'\n', bytes)?;
    if bytes.len() as u64 > LONGEST && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(!bytes.is_empty())
}

/// The command of a line, and its folder.
fn command(bytes: &[u8]) -> Result<(String, Option<String>), &'static str> {
    if bytes.len() as u64 > LONGEST {
        return Err("longer than 1 MiB");
    }
    match serde_json::from_slice(bytes) {
        Ok(Line::Command(command)) => Ok((command, None)),
        Ok(Line::InFolder { folder, .. })
            if folder.as_deref().is_some_and(|path| !path.starts_with('/')) =>
        {
            Err("the folder is no absolute path")
        }
        Ok(Line::InFolder { command, folder }) => Ok((command, folder)),
        Err(_) => Err("neither a JSON object with a command nor a JSON string"),
    }
}
