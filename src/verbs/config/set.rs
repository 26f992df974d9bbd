//! `plantune config set` and `unset`, and `plantune off` and `on`: one value in config.toml. Comments, order and
//! line ends stay as they are.

use plantune_domain::atomic_file;
use plantune_domain::config::{Config, LONGEST, is_disabled};
use plantune_domain::paths::create_private_dir;
use plantune_domain::private_file;
use plantune_reports::text::one_line;
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::CONFIG;
use crate::changes::hold;
use crate::document::Document;
use crate::environment;
use crate::failure::conflict;
use crate::failure::{Failure, not_written};
use crate::session::Session;
use crate::terminal;
use crate::terminal::consent;

/// The words for a change that was not made.
const UNCHANGED: &str = "nothing was changed";

/// How much of a value is shown, in characters.
const SHOWN: usize = 100;

/// Writes the value into config.toml, if it is valid there.
///
/// # Errors
/// Usage for a setting or a value that does not exist; those of [`change`].
pub(super) fn set(key: &str, value: &str, session: &Session) -> Result<Document, Failure> {
    let command = format!("plantune config set {key} {value}");
    let setting = Setting::named(key)?;
    let shown = one_line(value, SHOWN);
    let value = toml_value(value);
    consent::may_set(session, &command)?;
    change(session, &setting, Some(&value))?;
    Ok(Document::text(format!(
        "{} is {shown} now, in {}\n",
        setting.key,
        terminal::path(&session.paths.config_file())
    )))
}

/// Takes the setting out of config.toml.
///
/// # Errors
/// Usage for a setting that does not exist; those of [`change`].
pub(super) fn unset(key: &str, session: &Session) -> Result<Document, Failure> {
    let setting = Setting::named(key)?;
    let command = format!("plantune config unset {}", setting.key);
    consent::may_set(session, &command)?;
    let was_set = change(session, &setting, None)?;
    let default = match setting.schema.get("default") {
        Some(Value::String(text)) => format!("its default is {text}"),
        Some(value) => format!("its default is {value}"),
        None => "it has no default".to_owned(),
    };
    let fact = if was_set {
        "is not set any more"
    } else {
        "was not set"
    };
    Ok(Document::text(format!(
        "{} {fact}; {default}\n",
        setting.key
    )))
}

/// Switches answering on or off: `enabled` in config.toml.
///
/// # Errors
/// The errors of [`change`].
pub(crate) fn switch(is_on: bool, session: &Session) -> Result<Document, Failure> {
    let word = if is_on { "on" } else { "off" };
    let command = format!("plantune {word}");
    let setting = Setting::named("enabled")?;
    let is_disabled = is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref());
    let already = match session.config()?.enabled == is_on {
        true => " already",
        false => "",
    };
    // To be asked is never wrong, so any script may switch it off.
    match is_on {
        true => consent::may_set(session, &command)?,
        false => consent::is_person(session, &command)?,
    }
    if already.is_empty() {
        change(session, &setting, Some(&toml_value(&is_on.to_string())))?;
    }
    Ok(Document::text(match (is_on, is_disabled) {
        (false, _) => format!(
            "plantune is off{already}: every question is asked, and still logged; `plantune on` turns it on\n"
        ),
        (true, false) => {
            format!("plantune is on{already}: it answers what you set; `plantune prefs` lists it\n")
        }
        (true, true) => format!(
            "plantune is on{already}, except in this shell: PLANTUNE_DISABLE is set; `unset PLANTUNE_DISABLE` \
             removes it\n"
        ),
    }))
}

/// A setting as the schema has it.
pub(super) struct Setting {
    /// Its name with its table.
    pub(super) key: String,
    schema: Value,
}

impl Setting {
    /// The setting called `key`.
    ///
    /// # Errors
    /// Usage when there is none; the failure lists those that there are.
    pub(super) fn named(key: &str) -> Result<Self, Failure> {
        let schema: Value = serde_json::from_str(CONFIG)?;
        let mut all = Vec::new();
        collect("", &schema, &mut all);
        if let Some(at) = all.iter().position(|one| one.key == key) {
            return Ok(all.swap_remove(at));
        }
        let keys: Vec<_> = all.iter().map(|one| one.key.as_str()).collect();
        let failure = Failure::usage(format!("there is no setting {:?}", one_line(key, SHOWN)));
        Err(failure
            .did_you_mean(key, keys.iter().copied())
            .hint(format!("the settings are {}", keys.join(", "))))
    }

    /// The values that it takes, in words.
    fn takes(&self) -> String {
        takes(&self.schema)
    }
}

/// Adds the settings of the object that `schema` describes.
fn collect(prefix: &str, schema: &Value, all: &mut Vec<Setting>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (key, property) in properties.into_iter().flatten() {
        let key = format!("{prefix}{key}");
        match property.get("properties") {
            Some(_) => collect(&format!("{key}."), property, all),
            None => all.push(Setting {
                key,
                schema: property.clone(),
            }),
        }
    }
}

fn takes(schema: &Value) -> String {
    let list = |key| schema.get(key).and_then(Value::as_array);
    if let Some(words) = list("enum") {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        return words.join(" or ");
    }
    if let Some(choices) = list("anyOf") {
        let choices: Vec<_> = choices.iter().map(takes).collect();
        return choices.join(" or ");
    }
    let bound = |key| schema.get(key).filter(|bound| bound.as_f64() < Some(1e6));
    let bounds = match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        _ => String::new(),
    };
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => format!("a whole number{bounds}"),
        Some("number") => format!("a number{bounds}"),
        Some("array") => r#"a list such as '["program", "argument"]'"#.to_owned(),
        _ => "a text".to_owned(),
    }
}

/// `word` as a TOML value: a text, where it is no other.
fn toml_value(word: &str) -> toml_edit::Value {
    word.trim().parse().unwrap_or_else(|_| word.into())
}

/// Sets `setting` in config.toml to `value`, or takes it out. Returns false if it was to be taken out of a file
/// that does not have it.
///
/// # Errors
/// Conflict for a file that is not understood; usage for a value that is not valid; failed when
/// the file cannot be written. Then the file is as it was.
fn change(
    session: &Session,
    setting: &Setting,
    value: Option<&toml_edit::Value>,
) -> Result<bool, Failure> {
    let path = session.paths.config_file();
    let _lock = hold(session, UNCHANGED)?;
    let in_file = |error: String| conflict(&format!("{}: {error}", path.display()));
    let text = private_file::read_own(&path, LONGEST).map_err(in_file)?;
    let text = text.unwrap_or_default();
    let whole = |text: &str| Config::parse(text, &path).and_then(Config::whole);
    whole(&text).map_err(|error| conflict(&error))?;
    let Some(after) = edited(&text, &setting.key, value).map_err(in_file)? else {
        return Ok(false);
    };
    let is_zone =
        |config: Config| setting.key != "time_zone" || environment::time_zone(&config).is_ok();
    if !whole(&after).is_ok_and(is_zone) {
        let shown = value.map(|value| one_line(value.to_string().trim(), SHOWN));
        let failure = Failure::usage(format!(
            "{} is not a value for {}",
            shown.unwrap_or_default(),
            setting.key
        ));
        return Err(failure
            .hint(format!("{} takes {}", setting.key, setting.takes()))
            .hint(UNCHANGED));
    }
    let failed = |error| not_written(&path, &error, UNCHANGED);
    create_private_dir(session.paths.config()).map_err(failed)?;
    atomic_file::replace(&path, after.as_bytes(), 0o600).map_err(failed)?;
    Ok(true)
}

/// `text` with `key` set to `value`, or without it; `None` if it was not there.
///
/// # Errors
/// When the text is not TOML, or the key's table is something else.
fn edited(
    text: &str,
    key: &str,
    value: Option<&toml_edit::Value>,
) -> Result<Option<String>, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| error.to_string())?;
    let (table, key) = match key.split_once('.') {
        Some((table, key)) => {
            let table = document.entry(table);
            let item = table.or_insert_with(|| Item::Table(Table::new()));
            (item.as_table_like_mut().ok_or("not a table")?, key)
        }
        None => (document.as_table_mut() as &mut dyn TableLike, key),
    };
    match (value, table.get_mut(key)) {
        (Some(value), Some(Item::Value(old))) => {
            let decor = old.decor().clone();
            *old = value.clone();
            *old.decor_mut() = decor;
        }
        (Some(value), _) => {
            let mut value = value.clone();
            value.decor_mut().clear();
            table.insert(key, Item::Value(value));
        }
        (None, _) => {
            if table.remove(key).is_none() {
                return Ok(None);
            }
        }
    }
    let after = document.to_string();
    // `toml_edit` writes every line end as `\n`.
    Ok(Some(match text.contains("\r\n") {
        true => after.replace('\n', "\r\n"),
        false => after,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, key: &str, value: &str) -> String {
        edited(text, key, Some(&toml_value(value)))
            .unwrap()
            .unwrap()
    }

    #[test]
    fn everything_else_in_the_file_stays() {
        for (before, key, value, after) in [
            ("", "enabled", "false", "enabled = false\n"),
            (
                "# mine\nenabled  =  true # why\n\nteach = false\n",
                "enabled",
                "false",
                "# mine\nenabled  =  false # why\n\nteach = false\n",
            ),
            (
                "# mine\r\nspot_check = 0.2\r\n\r\n[suggest]\r\nacross_projects = true # x\r\n",
                "suggest.across_projects",
                "false",
                "# mine\r\nspot_check = 0.2\r\n\r\n[suggest]\r\nacross_projects = false # x\r\n",
            ),
            (
                "teach = false\n[suggest]\nacross_projects = true\n",
                "time_zone",
                "Europe/Berlin",
                "teach = false\ntime_zone = \"Europe/Berlin\"\n[suggest]\nacross_projects = true\n",
            ),
            (
                "teach = false",
                "retention.drop_after_days",
                "never",
                "teach = false\n\n[retention]\ndrop_after_days = \"never\"\n",
            ),
            (
                "report = { away_after_minutes = 5 }\n",
                "report.away_after_minutes",
                "7",
                "report = { away_after_minutes = 7 }\n",
            ),
            (
                "report.away_after_minutes = 5 # five\n",
                "report.away_after_minutes",
                "7",
                "report.away_after_minutes = 7 # five\n",
            ),
            (
                "",
                "reviewer",
                r#"["x", "-"]"#,
                "reviewer = [\"x\", \"-\"]\n",
            ),
        ] {
            assert_eq!(set(before, key, value), after);
        }
    }

    #[test]
    fn a_line_is_taken_out_alone() {
        let text =
            "# mine\nteach = false\nenabled = false # off\n\n[suggest]\nacross_projects = true\n";
        let after = edited(text, "enabled", None).unwrap().unwrap();
        assert_eq!(after, text.replace("enabled = false # off\n", ""));
        assert_eq!(edited(text, "announce", None), Ok(None));
        assert_eq!(edited(text, "report.away_after_minutes", None), Ok(None));
    }

    #[test]
    fn every_setting_says_what_it_takes() {
        let takes = |key| Setting::named(key).unwrap().takes();
        assert_eq!(takes("enabled"), "true or false");
        assert_eq!(takes("reask"), "once_per_session or off");
        assert_eq!(takes("spot_check"), "a number from 0 to 1");
        assert_eq!(
            takes("retention.drop_after_days"),
            "a whole number or never"
        );
        assert_eq!(
            takes("report.away_after_minutes"),
            "a whole number from 1 to 1440"
        );
        let failure = Setting::named("spot_chek").err().unwrap();
        assert_eq!(failure.exit_code(), 2);
        assert!(failure.to_string().contains("did you mean spot_check?"));
        assert!(failure.to_string().contains("suggest.across_projects"));
    }
}
