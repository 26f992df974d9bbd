//! The schemas against the loaders: the same keys, the same values, the same defaults.

use std::path::Path;

use plantune_domain::config::{Config, ReportSettings, Retention, SuggestSettings};
use plantune_domain::registry::Registry;
use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_json::{Value, json};

use super::{CONFIG, REGISTRY, Source, configured};

fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap()
}

/// Whether `schema` accepts `value`, by the keywords that the schemas use; any other keyword is a mistake.
fn accepts(schema: &Value, value: &Value) -> bool {
    let schema = schema.as_object().unwrap();
    schema
        .iter()
        .all(|(keyword, wanted)| match keyword.as_str() {
            "$schema" | "title" | "description" | "default" | "deprecated" | "properties" => true,
            "type" => match wanted.as_str().unwrap() {
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                "string" => value.is_string(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("{other}"),
            },
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "maximum" => value
                .as_f64()
                .is_none_or(|number| number <= wanted.as_f64().unwrap()),
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "pattern" => {
                let pattern = regex::Regex::new(wanted.as_str().unwrap()).unwrap();
                value.as_str().is_none_or(|text| pattern.is_match(text))
            }
            "items" => {
                let items = value.as_array().cloned().unwrap_or_default();
                match wanted.as_array() {
                    Some(each) => each
                        .iter()
                        .zip(&items)
                        .all(|(schema, item)| accepts(schema, item)),
                    None => items.iter().all(|item| accepts(wanted, item)),
                }
            }
            "additionalItems" => {
                let first = schema["items"].as_array().unwrap().len();
                let items = value.as_array().cloned().unwrap_or_default();
                items.iter().skip(first).all(|item| accepts(wanted, item))
            }
            "anyOf" => wanted
                .as_array()
                .unwrap()
                .iter()
                .any(|schema| accepts(schema, value)),
            "oneOf" => {
                let choices = wanted.as_array().unwrap().iter();
                choices.filter(|schema| accepts(schema, value)).count() == 1
            }
            "required" => {
                let mut wanted = wanted.as_array().unwrap().iter();
                wanted.all(|key| value.get(key.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                assert_eq!(wanted, false);
                value.as_object().is_none_or(|members| {
                    members.iter().all(|(key, value)| {
                        let known = schema["properties"].get(key);
                        known.is_some_and(|schema| accepts(schema, value))
                    })
                })
            }
            other => panic!("the test does not know {other}"),
        })
}

/// The names of the fields that `T` is read from.
fn fields<'de, T: Deserialize<'de>>() -> Vec<&'static str> {
    struct Fields<'a>(&'a mut Vec<&'static str>);
    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(Error::custom("no struct"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, Error> {
            self.0.extend(fields);
            Err(Error::custom("only the names are wanted"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }
    let mut found = Vec::new();
    let _ = T::deserialize(Fields(&mut found));
    found.sort_unstable();
    found
}

fn keys(schema: &Value) -> Vec<&str> {
    let keys = schema["properties"].as_object().unwrap().keys();
    let mut keys: Vec<_> = keys.map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn config(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("/c/config.toml"))?.whole()
}

/// The tables of config.toml with their schemas; the root has no name.
fn tables(schema: &Value) -> Vec<(&'static str, Value)> {
    let inner = |name: &str| schema["properties"][name].clone();
    vec![
        ("", schema.clone()),
        ("[suggest]\n", inner("suggest")),
        ("[report]\n", inner("report")),
        ("[retention]\n", inner("retention")),
    ]
}

/// Values of every type, near the bounds that there are.
fn samples() -> Vec<Value> {
    vec![
        json!(true),
        json!(0),
        json!(1),
        json!(4),
        json!(5),
        json!(-1),
        json!(4_294_967_296_i64),
        json!(0.5),
        json!("never"),
        json!("off"),
        json!("note"),
        json!("one-way"),
        json!("content"),
        json!("once_per_session"),
        json!("A b"),
        json!("./x"),
        json!(""),
        json!([]),
        json!([""]),
        json!(["/bin/x", "-"]),
        json!(["./x"]),
        json!(["x/y"]),
        json!([1]),
        json!(["x", 1]),
    ]
}

#[test]
fn the_same_keys() {
    let schema = parsed(CONFIG);
    let tables = tables(&schema);
    let schemas: Vec<_> = tables.iter().map(|(_, schema)| keys(schema)).collect();
    let loaders = [
        fields::<Config>(),
        fields::<SuggestSettings>(),
        fields::<ReportSettings>(),
        fields::<Retention>(),
    ];
    assert_eq!(schemas, loaders);
    let schema = parsed(REGISTRY);
    for table in keys(&schema) {
        let unknown = Registry::parse(&format!("[[{table}]]\nunknown = 1")).unwrap_err();
        let named = unknown.split("expected one of").nth(1).unwrap();
        let mut rules: Vec<_> = named.split('`').collect();
        rules.retain(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()));
        rules.sort_unstable();
        assert_eq!(keys(&schema["properties"][table]["items"]), rules);
    }
    let unknown = Registry::parse("[[x]]").unwrap_err();
    for table in keys(&schema) {
        assert!(unknown.contains(&format!("`{table}`")), "{unknown}");
    }
    assert_eq!(
        unknown.matches('`').count() / 2 - 1,
        keys(&schema).len(),
        "{unknown}"
    );
}

#[test]
fn the_same_values() {
    let schema = parsed(CONFIG);
    for (table, schema) in tables(&schema) {
        for key in keys(&schema) {
            let is_table = schema["properties"][key]["type"] == "object";
            // The loader reads a table from a list of its values, too; nobody writes that.
            let written = |sample: &Value| !(is_table && sample.is_array());
            for sample in samples().into_iter().filter(written) {
                let text = format!("{table}{key} = {sample}\n");
                let value = json!({key: sample});
                assert_eq!(config(&text).is_ok(), accepts(&schema, &value), "{text}");
            }
        }
    }
    let schema = parsed(REGISTRY);
    let least = [
        ("question", json!({"key": "a"})),
        ("permission", json!({"command": "x", "reach": 1})),
        ("permission", json!({"reach": 1})),
        ("permission", json!({"command": "x"})),
    ];
    for (table, least) in least {
        for key in keys(&schema["properties"][table]["items"]) {
            for sample in samples() {
                let mut rule = least.clone();
                rule[key] = sample;
                let members = rule.as_object().unwrap().iter();
                let lines = members.map(|(key, value)| format!("{key} = {value}\n"));
                let text = format!("[[{table}]]\n{}", lines.collect::<String>());
                let read = Registry::parse(&text);
                assert_eq!(
                    read.is_ok(),
                    accepts(&schema, &json!({table: [rule]})),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn unknown_keys_are_refused_by_both() {
    let schema = parsed(CONFIG);
    for (table, schema) in tables(&schema) {
        let error = config(&format!("{table}spot_chek = 1\n")).unwrap_err();
        assert!(
            error.contains("config.toml") || table == "[retention]\n",
            "{error}"
        );
        assert!(!accepts(&schema, &json!({"spot_chek": 1})), "{table}");
    }
    let rules = parsed(REGISTRY);
    assert!(Registry::parse("[[question]]\nkey = \"a\"\ncolour = \"red\"").is_err());
    assert!(!accepts(
        &rules,
        &json!({"question": [{"key": "a", "colour": "red"}]})
    ));
    assert!(!accepts(
        &rules,
        &json!({"question": [{"text": "a key is missing"}]})
    ));
    assert!(Registry::parse("[[question]]\ntext = \"a key is missing\"").is_err());
}

#[test]
fn the_same_defaults() {
    let schema = parsed(CONFIG);
    let mut text = String::new();
    let mut without = Vec::new();
    for (table, schema) in tables(&schema) {
        text.push_str(table);
        for (key, property) in schema["properties"].as_object().unwrap() {
            if let Some(default) = property.get("default") {
                text.push_str(&format!("{key} = {default}\n"));
            } else if property["type"] != "object" && property.get("deprecated").is_none() {
                without.push(key.clone());
            }
        }
    }
    assert_eq!(config(&text).unwrap(), Config::default());
    let optional = ["reask", "reviewer", "time_zone", "wrong_answer_seconds"];
    assert_eq!(without, optional);
}

#[test]
fn what_the_documents_show_is_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = vec![root.join("README.md")];
    documents.extend(
        std::fs::read_dir(root.join("docs"))
            .unwrap()
            .map(|file| file.unwrap().path()),
    );
    let schemas = [parsed(CONFIG), parsed(REGISTRY)];
    let mut examples = 0;
    for document in documents
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
    {
        let text = std::fs::read_to_string(document).unwrap();
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().unwrap();
            let value: Value = toml::from_str(block).unwrap();
            let accepted = schemas.iter().any(|schema| accepts(schema, &value));
            assert!(accepted, "{}: {block}", document.display());
            examples += 1;
        }
    }
    assert!(examples >= 4, "{examples}");
}

#[test]
fn values_of_the_file_with_their_lines() {
    let text = "# mine\nspot_check = 0.2\nteach = false\nreviewer = [\"x\", \"-\"]\n\n[suggest]\n\
                across_projects = false\nwrong_answer_seconds = 0x10\n\n[retention]\n\
                seal_after_days = \"never\"\n";
    let schema = serde_json::from_str(CONFIG).unwrap();
    let settings = configured(text, "/c/config.toml", &schema).unwrap();
    let set: Vec<_> = settings
        .iter()
        .filter(|one| one.source != Source::Default)
        .map(|one| format!("{} {} {}", one.key, one.value, one.source.in_words()))
        .collect();
    assert_eq!(
        set,
        [
            "retention.seal_after_days \"never\" /c/config.toml, line 11",
            "reviewer [\"x\",\"-\"] /c/config.toml, line 4",
            "spot_check 0.2 /c/config.toml, line 2",
            "suggest.across_projects false /c/config.toml, line 7",
            "suggest.wrong_answer_seconds 16 /c/config.toml, line 8",
            "teach false /c/config.toml, line 3",
        ]
    );
    let none = configured("", "/c/config.toml", &schema).unwrap();
    assert!(none.iter().all(|one| one.source == Source::Default));
    let zone = none.iter().find(|one| one.key == "time_zone").unwrap();
    assert_eq!(zone.value, Value::Null);
}
