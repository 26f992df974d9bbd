//! `plantune classify`: how far a call reaches, and whether a question may be answered; for scripts.

use std::io::{BufRead, BufReader, Read};

use plantune_domain::agreement::act::Act;
use plantune_domain::agreement::agreement::Consent;
use plantune_domain::agreement::read::act_of;
use plantune_domain::doors::Door;
use plantune_domain::gate::{ProposedAnswer, Refusal, consent};
use plantune_domain::keys::take_marker;
use plantune_domain::permissions::{
    OwnReaches, Reach, Rule, SimpleCommand, describe_with, exact_rule, narrowest_rules, parts,
    value,
};
use plantune_domain::registry::{QuestionRule, Registry};
use plantune_domain::sanitize;
use plantune_query::suggest::door_words;
use plantune_reports::humanize::counted;
use plantune_reports::text::one_line;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::failure::Failure;
use crate::request::maintenance::{ClassifiedQuestion, ClassifyRequest};
use crate::session::Session;
use crate::terminal;

#[derive(Serialize)]
struct VerdictDocument<'a> {
    schema_version: u32,
    tool: &'a str,
    subject: String,
    reach: Reach,
    /// Why; empty if the tables allow the call.
    reason: String,
    /// The simple commands of a shell command; empty for one that is not understood.
    parts: Vec<PartDocument>,
    /// The narrowest rule that would be proposed; null if none would, or several are needed.
    rule: Option<String>,
    /// All rules that the call needs.
    rules: Vec<String>,
}

#[derive(Serialize)]
struct PartDocument {
    command: String,
    subject: String,
    reach: Reach,
    reason: String,
    rule: Option<String>,
}

/// Prints the judgement.
///
/// # Errors
/// When registry.toml cannot be read, a line of standard input is no command, or standard output cannot be written.
pub(crate) fn run(request: &ClassifyRequest, session: &Session) -> Result<Document, Failure> {
    let (tool, command) = match request {
        ClassifyRequest::Question(asked) => {
            return in_json(&explained(asked, session.registry()?));
        }
        ClassifyRequest::Command { tool, command } => (tool, command),
    };
    let own = session.registry()?.own_reaches();
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    match command {
        // Each is answered as it comes.
        None => {
            judge(&mut std::io::stdin().lock(), tool, &cwd, own)?;
            Ok(Document::default())
        }
        Some(command) => in_json(&judged(tool, command, &cwd, own)),
    }
}

fn in_json(document: &impl Serialize) -> Result<Document, Failure> {
    let json = serde_json::to_string_pretty(document)?;
    Ok(Document::exact(format!("{}\n", sanitize::json(&json))))
}

/// How a call of `tool` with `text` in the folder `cwd` is judged.
fn judged<'a>(tool: &'a str, text: &str, cwd: &str, own: &OwnReaches) -> VerdictDocument<'a> {
    let described = describe_with(tool, &value(tool, text), cwd, own);
    let rules = narrowest_rules(tool, text, cwd, own).unwrap_or_default();
    let parts = (tool == "Bash")
        .then(|| parts(text, cwd, own))
        .flatten()
        .unwrap_or_default();
    VerdictDocument {
        schema_version: 1,
        tool,
        subject: described.subject,
        reach: described.reach,
        reason: described.reason,
        parts: parts.iter().map(part).collect(),
        rule: match rules.as_slice() {
            [only] => Some(only.to_string()),
            _ => None,
        },
        rules: rules.iter().map(Rule::to_string).collect(),
    }
}

fn part(part: &SimpleCommand) -> PartDocument {
    PartDocument {
        command: part.whole(),
        subject: part.subject.clone(),
        reach: part.reach,
        reason: part.reason.clone(),
        rule: exact_rule(part).map(|rule| rule.to_string()),
    }
}

// Commands in lines of JSON, and verdicts in as many lines.

/// Verdicts are written when so many bytes of them wait, and whenever no line is there to be read.
const WAITING: usize = 1 << 16;

/// The size limit of a line, in bytes.
const LONGEST: u64 = 1 << 20;

/// A line: a command, and the folder that it would run in.
#[derive(Deserialize)]
#[serde(untagged)]
enum ClassifiedLine {
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
fn judge(input: &mut dyn Read, tool: &str, cwd: &str, own: &OwnReaches) -> Result<(), Failure> {
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
            "{mistakes} of {} could not be read as a command; the others were judged",
            counted(number, "line", "lines")
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
        Ok(ClassifiedLine::Command(command)) => Ok((command, None)),
        Ok(ClassifiedLine::InFolder { folder, .. })
            if folder.as_deref().is_some_and(|path| !path.starts_with('/')) =>
        {
            Err("the folder is not an absolute path")
        }
        Ok(ClassifiedLine::InFolder { command, folder }) => Ok((command, folder)),
        Err(_) => Err("neither a JSON object with a command nor a JSON string"),
    }
}

// `plantune classify --question`: which rule holds a question back, if any does.

/// How much of a category or word is shown, in characters.
const SHOWN: usize = 80;

/// How a question is judged.
#[derive(Serialize)]
struct QuestionDocument<'a> {
    schema_version: u32,
    /// What the option does; null without an option.
    act: Option<&'static str>,
    /// How the person would confirm that it is answered with the option; null if nothing forbids it and there is no
    /// option.
    consent: Option<Consent>,
    /// Why, in sentences.
    why: Vec<String>,
    /// The key of the rule in registry.toml that names the question.
    rule: Option<&'a str>,
}

/// How the question is judged.
fn explained<'a>(asked: &ClassifiedQuestion, registry: &'a Registry) -> QuestionDocument<'a> {
    let (header, option) = (asked.header.as_deref(), asked.option.as_deref());
    let (marker, text) = take_marker(&asked.text);
    let labels: Vec<String> = option.map(str::to_owned).into_iter().collect();
    let named = registry.rule_of(&text, header, &labels);
    let key = marker.as_deref().or(named.map(|rule| rule.key.as_str()));
    let key = key.unwrap_or_default();
    let one_way = registry.one_way_rule(key, &text, header, &labels);
    let proposed = ProposedAnswer {
        key,
        text: &text,
        header,
        options: &labels,
        label: option,
        description: &asked.description,
        preview: &asked.preview,
    };
    let (confirmed, refusal) = consent(&proposed, registry);
    let mut why: Vec<String> = Vec::new();
    match refusal {
        Some(Refusal::Act(reason)) => why.push(format!(
            "Its answer can't be undone ({}).",
            one_line(&door_words(&reason), SHOWN)
        )),
        Some(Refusal::Split) => why.push("It is a part of a split question.".to_owned()),
        Some(Refusal::Registry(_)) | None => {}
    }
    if let Some(rule) = one_way.or(named) {
        let says = match rule.door {
            Some(Door::OneWay) => "says that its answer can't be undone",
            _ => "names it and lets it be answered",
        };
        why.push(format!(
            "Rule {} of registry.toml {says}{}.",
            rule.key,
            category(rule)
        ));
    }
    let act = option.map(|label| act_of(&text, label));
    if let Some((label, act)) = option.zip(act) {
        let label = one_line(label, SHOWN);
        why.push(format!("\"{label}\" {}.", in_words(act)));
    }
    QuestionDocument {
        schema_version: 1,
        act: act.map(Act::as_str),
        consent: Some(confirmed).filter(|consent| act.is_some() || *consent == Consent::Never),
        why,
        rule: one_way.or(named).map(|rule| rule.key.as_str()),
    }
}

/// What an option does, in words.
fn in_words(act: Act) -> &'static str {
    match act {
        Act::Leaves => "leaves things as they are, so the question may vary",
        Act::Own => "says itself what it does, so the question may vary",
        Act::Value => "is a value for what the question asks, so the question may vary",
        Act::Refers => "refers to the question, so only questions you agreed to are answered",
    }
}

fn category(rule: &QuestionRule) -> String {
    rule.category
        .as_deref()
        .map_or_else(String::new, |category| {
            format!(", category {}", one_line(category, SHOWN))
        })
}
