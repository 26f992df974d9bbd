//! `plantune config questions --known`: rules for questions of askers that many people use.
//!
//! They come with plantune, and are renewed with it, as facts: keys, doors and kinds, never answers.
//! Nothing holds before the person takes it over into registry.toml.

use plantune_query::questions::Listed;
use plantune_reports::terminal::Terminal;
use plantune_reports::text::one_line;
use serde::{Deserialize, Serialize};

use super::register::{Addition, Consent};
use super::rule::{Rule, entry, list, quoted};
use super::{Arguments, register};
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// The files, one an asker.
const FILES: [&str; 2] = [include_str!("gstack.toml"), include_str!("gsd.toml")];

/// How much of a key is shown, in characters.
const SHOWN: usize = 100;

/// What is known of one asker.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asker {
    asker: String,
    /// Where the facts were read.
    source: String,
    /// Under which licence that is published.
    license: String,
    question: Vec<Known>,
}

/// What is known of one question.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Known {
    #[serde(rename(serialize = "question_key"))]
    key: String,
    door: String,
    /// What a wrong answer would concern: `go_on`, `scope`, `content` or `architecture`.
    kind: String,
    text: Option<String>,
    header: Option<String>,
    options: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Document<'a> {
    known: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    known: &'a Known,
    asker: &'a str,
    source: &'a str,
    license: &'a str,
    /// `new`, `taken over` or `another rule`, which is the person's own or of another version.
    state: &'static str,
    /// How often it was asked so far.
    asked: u64,
    /// As it is written; `None` for what TOML cannot hold.
    #[serde(skip)]
    rule: Option<Rule>,
}

/// Lists what is known, or takes one rule over.
///
/// # Errors
/// Usage for an asker that is not there; failed for a key that is not there or has a rule; refused where the
/// person cannot be asked; conflict for a registry that is not understood.
pub(super) fn run(
    arguments: &Arguments,
    listed: &[Listed],
    workspace: &Workspace,
) -> Result<(), Failure> {
    let mut askers = askers()?;
    if let Some(name) = &arguments.asker {
        let all: Vec<String> = askers.iter().map(|one| one.asker.clone()).collect();
        askers.retain(|one| one.asker.eq_ignore_ascii_case(name));
        if askers.is_empty() {
            let fact = format!("nothing is known of {}", one_line(name, SHOWN));
            return Err(Failure::usage(fact).hint(format!("known are: {}", all.join(", "))));
        }
    }
    let text = register::read(workspace)?.unwrap_or_default();
    let registry = workspace.registry()?;
    let asked = |key: &str| {
        let same = listed.iter().filter(|one| one.question_key == key);
        same.map(|one| one.asked + one.auto_decided).sum::<u64>()
    };
    let questions = askers.iter();
    let questions =
        questions.flat_map(|asker| asker.question.iter().map(move |known| (asker, known)));
    let rows = questions.map(|(asker, known)| {
        let rule = rule(known, asker);
        let is_same = rule.as_ref().is_some_and(|rule| text.contains(&rule.text));
        Row {
            known,
            asker: &asker.asker,
            source: &asker.source,
            license: &asker.license,
            state: match registry.rules_of(&known.key).next() {
                None => "new",
                Some(_) if is_same => "taken over",
                // Of this key, of an earlier version or the person's own.
                Some(_) => "another rule",
            },
            asked: asked(&known.key),
            rule,
        }
    });
    let rows: Vec<Row<'_>> = rows.collect();
    if let Some(key) = &arguments.register {
        return take_over(key, &rows, arguments.yes, workspace);
    }
    if arguments.json {
        return terminal::print_json(&Document { known: rows });
    }
    let mut out = workspace.terminal();
    show(&rows, &mut out);
    terminal::print(&out.into_text())
}

/// What is known of every asker.
fn askers() -> Result<Vec<Asker>, Failure> {
    let parse = |text: &&str| {
        toml::from_str(text).map_err(|error| Failure::failed(format!("known questions: {error}")))
    };
    FILES.iter().map(parse).collect()
}

/// The rule as it is written; `None` for what TOML cannot hold.
fn rule(known: &Known, asker: &Asker) -> Option<Rule> {
    let mut fields = vec![("key", quoted(&known.key)?)];
    for (name, pattern) in [("text", &known.text), ("header", &known.header)] {
        if let Some(pattern) = pattern {
            fields.push((name, quoted(pattern)?));
        }
    }
    if let Some(options) = &known.options {
        fields.push(("options", list(options.iter().map(String::as_str))?));
    }
    let note = format!("of {} ({})", asker.asker, asker.license);
    for (name, value) in [
        ("door", &known.door),
        ("kind", &known.kind),
        ("note", &note),
    ] {
        fields.push((name, quoted(value)?));
    }
    Some(Rule {
        key: known.key.clone(),
        text: entry(&fields),
    })
}

/// Writes the rule of `key`, after asking.
fn take_over(key: &str, rows: &[Row<'_>], yes: bool, workspace: &Workspace) -> Result<(), Failure> {
    let Some(row) = rows.iter().find(|row| row.known.key == key) else {
        return Err(
            Failure::failed(format!("{}: nothing is known of it", one_line(key, SHOWN)))
                .hint("`plantune config questions --known` lists the keys"),
        );
    };
    match (row.state, &row.rule) {
        ("new", Some(rule)) => {
            let addition = Addition {
                rule,
                listed: None,
                command: format!("plantune config questions --known --register {key}"),
                reason: "questions known",
            };
            register::run(&addition, Consent::YesOrNo { yes }, workspace).map(drop)
        }
        ("new", None) => Err(Failure::failed(format!(
            "{key}: no rule can be written for it"
        ))),
        ("taken over", _) => terminal::print(&format!("{key} is in registry.toml already\n")),
        _ => Err(Failure::failed(format!(
            "registry.toml has another rule for {key}: your own, or one of an earlier version"
        ))
        .hint("take it out of registry.toml first, if this one is to stand there")),
    }
}

fn show(rows: &[Row<'_>], out: &mut Terminal) {
    let mut shown = "";
    for row in rows {
        let (known, asker) = (row.known, row.asker);
        if asker != shown {
            let (source, license) = (row.source, row.license);
            out.hanging("", "  ", format!("{asker}, {source} ({license})"));
            shown = asker;
        }
        let pattern = known.text.as_ref().or(known.header.as_ref());
        let known_by = match (&known.options, pattern) {
            (Some(options), _) => format!("[{}]", options.join(" | ")),
            (None, Some(pattern)) => pattern.clone(),
            (None, None) => "by its marker".to_owned(),
        };
        let asked = match row.asked {
            0 => String::new(),
            times => format!(", asked {times}×"),
        };
        let state = match row.state {
            "new" => String::new(),
            state => format!(", {state}"),
        };
        let Known {
            key, door, kind, ..
        } = known;
        let line = format!("{key}: {door}, {kind}{asked}{state}; {known_by}");
        out.hanging("  ", "      ", line);
    }
    out.line("None of these holds before you take it over: plantune config questions --known --register KEY");
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use plantune_domain::doors::Door;
    use plantune_domain::keys::{is_id, is_split};
    use plantune_domain::registry::Registry;

    use super::*;

    #[test]
    fn every_file_is_understood_and_gives_no_answers() {
        let mut keys = BTreeSet::new();
        for asker in askers().unwrap() {
            assert!(asker.source.contains("https://") && !asker.license.is_empty());
            for known in &asker.question {
                assert!(is_id(&known.key) && !is_split(&known.key), "{}", known.key);
                assert!(keys.insert(known.key.clone()), "twice: {}", known.key);
                assert!(Door::parse(&known.door).is_some(), "{}", known.key);
                let kinds = ["go_on", "scope", "content", "architecture"];
                assert!(kinds.contains(&known.kind.as_str()), "{}", known.key);
                let rule = rule(known, &asker).unwrap();
                let registry = Registry::parse(&rule.text).unwrap();
                assert_eq!(registry.door_of(&known.key), Door::parse(&known.door));
                if let Some(options) = &known.options {
                    let text = known.text.as_deref().unwrap_or("x").replace('*', " x ");
                    let header = known
                        .header
                        .as_deref()
                        .map(|header| header.replace('*', ""));
                    let found = registry.key_of(&text, header.as_deref(), options);
                    assert_eq!(found, Some(known.key.as_str()));
                    assert_eq!(registry.key_of("x", None, &[]), None);
                }
            }
        }
        assert!(keys.len() > 60, "{}", keys.len());
    }
}
