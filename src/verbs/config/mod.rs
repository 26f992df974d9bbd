//! `plantune config`: what is configured and where each value comes from, and the files' JSON schemas for editors.

pub(crate) mod set;
#[cfg(test)]
mod tests;

use std::env;

use plantune_domain::config::is_disabled;
use plantune_reports::text::{clean, width};
use serde::Serialize;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::document::Document;
use crate::failure::Failure;
use crate::request::maintenance::ConfigCall;
use crate::session::Session;

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(call: &ConfigCall, session: &Session) -> Result<Document, Failure> {
    match call {
        ConfigCall::Show { key, json } => show(key.as_deref(), *json, session),
        ConfigCall::Set { key, value } => set::set(key, value, session),
        ConfigCall::Unset { key } => set::unset(key, session),
        ConfigCall::ConfigSchema => Ok(Document::exact(CONFIG)),
        ConfigCall::RegistrySchema => Ok(Document::exact(REGISTRY)),
    }
}

// `plantune config show`: what is configured, and where each value comes from.

/// All of it.
#[derive(Serialize)]
struct ConfigDocument {
    settings: Vec<ConfiguredValue>,
}

/// One value.
#[derive(Debug, PartialEq, Serialize)]
struct ConfiguredValue {
    /// The name, in config.toml with its table: `suggest.across_projects`.
    key: String,
    /// The value; null if nothing is set and there is no default.
    value: Value,
    /// Where it comes from.
    #[serde(flatten)]
    source: Source,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "source", rename_all = "snake_case")]
enum Source {
    Default,
    /// A line of config.toml.
    File {
        file: String,
        line: usize,
    },
    /// A variable of the environment.
    Environment {
        variable: &'static str,
    },
    /// An option of this call.
    Option {
        option: &'static str,
    },
    /// The system.
    System,
}

impl Source {
    fn in_words(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::File { file, line } => format!("{}, line {line}", clean(file)),
            Self::Environment { variable } => (*variable).to_owned(),
            Self::Option { option } => (*option).to_owned(),
            Self::System => "the system".to_owned(),
        }
    }
}

/// Writes the settings to standard output.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
fn show(key: Option<&str>, json: bool, session: &Session) -> Result<Document, Failure> {
    // What it says holds only when all of it is understood.
    let config = session.config()?;
    session.report_settings()?;
    session.retention()?;
    session.suggest_settings()?;
    let path = session.paths.config_file();
    let text = plantune_domain::private_file::read(&path, u64::MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut settings = folders(session);
    let file = path.display().to_string();
    settings.extend(configured(&text, &file, &serde_json::from_str(CONFIG)?)?);
    if let Some(zone) = settings.iter_mut().find(|one| one.key == "time_zone") {
        zone.value = session.zone()?.name().into();
        if session.time_zone.is_some() {
            zone.source = Source::Option {
                option: "--time-zone",
            };
        } else if config.time_zone.is_none() {
            zone.source = zone_source(session.zone()?.name());
        }
    }
    if is_disabled(env::var_os("PLANTUNE_DISABLE").as_deref())
        && let Some(enabled) = settings.iter_mut().find(|one| one.key == "enabled")
    {
        enabled.value = false.into();
        enabled.source = Source::Environment {
            variable: "PLANTUNE_DISABLE",
        };
    }
    if let Some(key) = key {
        settings.retain(|one| one.key == key);
        if settings.is_empty() {
            let known = set::Setting::named(key)?;
            let key = known.key;
            return Err(
                Failure::failed(format!("{key} is not set, and has no default"))
                    .hint(format!("`plantune config set {key} VALUE` sets it")),
            );
        }
    }
    if json {
        return Document::json(&ConfigDocument { settings });
    }
    Ok(Document::text(table(&settings)))
}

/// The two roots.
fn folders(session: &Session) -> Vec<ConfiguredValue> {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let folder = |key: &str, path: &std::path::Path, variable| ConfiguredValue {
        key: key.to_owned(),
        value: path.display().to_string().into(),
        source: match ["PLANTUNE_HOME", variable]
            .into_iter()
            .find(|name| set(name))
        {
            Some(variable) => Source::Environment { variable },
            None => Source::Default,
        },
    };
    vec![
        folder("data folder", session.paths.data(), "XDG_DATA_HOME"),
        folder(
            "configuration folder",
            session.paths.config(),
            "XDG_CONFIG_HOME",
        ),
    ]
}

/// Where the time zone `name` comes from that config.toml does not give.
fn zone_source(name: &str) -> Source {
    let variable = env::var("TZ").ok();
    let variable = variable.map(|value| value.strip_prefix(':').unwrap_or(&value).to_owned());
    match variable.as_deref() == Some(name) {
        true => Source::Environment { variable: "TZ" },
        false => Source::System,
    }
}

/// Every setting that `schema` knows, in its order: from `text`, which is what `file` holds, or the default.
///
/// # Errors
/// When the text is not TOML.
fn configured(text: &str, file: &str, schema: &Value) -> Result<Vec<ConfiguredValue>, Failure> {
    let table = DeTable::parse(text).map_err(Failure::failed)?;
    let source = |value: &Spanned<DeValue<'_>>| Source::File {
        file: file.to_owned(),
        line: 1 + text
            .get(..value.span().start)
            .map_or(0, |before| before.matches('\n').count()),
    };
    let values: Value = toml::from_str(text)?;
    let mut settings = Vec::new();
    let found = (Some(table.get_ref()), Some(&values));
    collect(schema, found, "", &source, &mut settings);
    Ok(settings)
}

/// Adds the settings of the object that `schema` describes; `table` is what the file has of it.
fn collect(
    schema: &Value,
    (table, values): (Option<&DeTable<'_>>, Option<&Value>),
    prefix: &str,
    source: &dyn Fn(&Spanned<DeValue<'_>>) -> Source,
    settings: &mut Vec<ConfiguredValue>,
) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (key, property) in properties.into_iter().flatten() {
        let found = table.and_then(|table| table.get(key.as_str()));
        let value = values.and_then(|values| values.get(key));
        let name = format!("{prefix}{key}");
        let choices = property.get("anyOf").and_then(Value::as_array);
        let mut choices = choices.into_iter().flatten();
        let inner = choices.find(|choice| choice.get("properties").is_some());
        let inner = inner.unwrap_or(property);
        if inner.get("properties").is_some() {
            let prefix = format!("{name}.");
            let table = found.and_then(|value| value.get_ref().as_table());
            let before = settings.len();
            collect(inner, (table, value), &prefix, source, settings);
            // One value for all of them.
            if let (Some(found), None) = (found, table) {
                for setting in settings.iter_mut().skip(before) {
                    setting.value = value.cloned().unwrap_or_default();
                    setting.source = source(found);
                }
            }
        } else if let Some(found) = found {
            settings.push(ConfiguredValue {
                key: name,
                value: value.cloned().unwrap_or_default(),
                source: source(found),
            });
        } else if property.get("deprecated").is_none() {
            settings.push(ConfiguredValue {
                key: name,
                value: property.get("default").cloned().unwrap_or_default(),
                source: Source::Default,
            });
        }
    }
}

/// Three columns: name, value, where it comes from.
fn table(settings: &[ConfiguredValue]) -> String {
    let rows: Vec<[String; 3]> = settings
        .iter()
        .map(|one| {
            let value = match &one.value {
                Value::Null => "-".to_owned(),
                Value::String(text) => clean(text),
                other => clean(&other.to_string()),
            };
            [one.key.clone(), value, one.source.in_words()]
        })
        .collect();
    let column = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        // A long path does not push the others out of sight.
        cells.map(|cell| width(cell)).max().unwrap_or(0).min(40)
    };
    let (first, second) = (column(0), column(1));
    let lines = rows.iter().map(|[key, value, source]| {
        let gap = " ".repeat(second.saturating_sub(width(value)));
        format!("{key:first$}  {value}{gap}  {source}\n")
    });
    lines.collect()
}

// `plantune config schema`: JSON schemas of the files, for editors.

/// The JSON schema of config.toml. Tests hold it against the loader.
const CONFIG: &str = include_str!("config.schema.json");

/// The JSON schema of registry.toml.
const REGISTRY: &str = include_str!("registry.schema.json");
