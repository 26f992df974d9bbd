//! What holds for any settings.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::is_origin;
use super::*;

/// Any JSON, with strings that are hard to lay out.
fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        ".{0,6}",
        Just("},{[\"\\\n\t".to_owned()),
        Just("é\u{1f600}".to_owned())
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((".{0,4}", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn foreign_group() -> impl Strategy<Value = Value> {
    let entry = prop_oneof![
        Just(json!({"type": "command", "command": "theirs --flag"})),
        Just(json!({"type": "command", "command": "rm plantune-hook", "timeout": 9})),
        any_value(),
    ];
    let entries = prop::collection::vec(entry, 0..3);
    prop_oneof![
        entries
            .clone()
            .prop_map(|entries| json!({"hooks": entries})),
        entries.prop_map(
            |e| json!({"matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)", "hooks": e})
        ),
        any_value(),
    ]
}

/// Settings without entries of ours; with `hooks`, or not.
fn settings() -> impl Strategy<Value = Value> {
    let event = prop::sample::select(vec!["PreToolUse", "PostToolUse", "SessionEnd", "Stop"]);
    let groups = prop::collection::vec(foreign_group(), 0..3);
    let hooks = prop::collection::vec((event, groups), 0..3);
    let others = prop::collection::vec((".{0,4}", any_value()), 0..3);
    (others, prop::option::of(hooks)).prop_map(|(others, hooks)| {
        let mut root: Map<_, _> = others
            .into_iter()
            .filter(|(key, _)| key != "hooks")
            .collect();
        if let Some(hooks) = hooks {
            let events = hooks
                .into_iter()
                .map(|(event, groups)| (event.to_owned(), json!(groups)));
            root.insert("hooks".to_owned(), Value::Object(events.collect()));
        }
        Value::Object(root)
    })
}

/// Writes JSON with the white space it is given, piece by piece, between all tokens.
struct Writer<S> {
    spaces: S,
    out: String,
}

impl<S: Iterator<Item = &'static str>> Writer<S> {
    fn spaced(&mut self, token: &str) {
        self.out.push_str(token);
        self.out.push_str(self.spaces.next().unwrap());
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(items) if !items.is_empty() => {
                for (at, item) in items.iter().enumerate() {
                    self.spaced(if at == 0 { "[" } else { "," });
                    self.value(item);
                    self.spaced("");
                }
                self.out.push(']');
            }
            Value::Object(members) if !members.is_empty() => {
                for (at, (key, value)) in members.iter().enumerate() {
                    self.spaced(if at == 0 { "{" } else { "," });
                    self.spaced(&Value::from(key.as_str()).to_string());
                    self.spaced(":");
                    self.value(value);
                    self.spaced("");
                }
                self.out.push('}');
            }
            leaf => self.out.push_str(&leaf.to_string()),
        }
    }
}

/// One way to lay out JSON.
#[derive(Clone, Debug)]
enum Layout {
    Spaces(Vec<&'static str>),
    Minified(&'static str),
    Indented(&'static str, &'static str),
}

impl Layout {
    fn any() -> impl Strategy<Value = Self> {
        let space = ["", "", " ", "\n", "\n  ", "\r\n\t", "\n\n    "];
        let end = prop::sample::select(vec!["", "\n", "\r\n"]);
        let indent = prop::sample::select(vec!["  ", "    ", "\t", ""]);
        prop_oneof![
            prop::collection::vec(prop::sample::select(space.to_vec()), 1..20)
                .prop_map(Self::Spaces),
            end.clone().prop_map(Self::Minified),
            (indent, end).prop_map(|(indent, end)| Self::Indented(indent, end)),
        ]
    }

    /// `value` laid out; with the last kind, the file's end tells its line endings.
    fn write(&self, value: &Value) -> String {
        match self {
            Self::Spaces(spaces) => {
                let mut writer = Writer {
                    spaces: spaces.iter().copied().cycle(),
                    out: String::new(),
                };
                writer.value(value);
                writer.out
            }
            Self::Minified(end) => format!("{value}{end}"),
            Self::Indented(indent, end) => {
                let mut out = Vec::new();
                let style = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
                let mut json = serde_json::Serializer::with_formatter(&mut out, style);
                serde::Serialize::serialize(value, &mut json).unwrap();
                let text = String::from_utf8(out).unwrap();
                if *end == "\r\n" {
                    text.replace('\n', end) + end
                } else {
                    text + end
                }
            }
        }
    }
}

/// True when `hooks` or one of its events is there and empty: then what stood there before
/// `install` cannot be seen in the text after it.
fn holds_empty_containers(settings: &Value) -> bool {
    settings["hooks"].as_object().is_some_and(|hooks| {
        hooks.is_empty()
            || hooks
                .values()
                .any(|groups| groups.as_array().is_some_and(Vec::is_empty))
    })
}

fn is_ours(entry: &Value) -> bool {
    entry["command"]
        .as_str()
        .is_some_and(|command| command.ends_with("/plantune-hook"))
}

/// All that is not ours: the other settings, and each foreign entry with its event and matcher.
fn foreign(text: &str) -> (Value, Vec<Value>) {
    let mut root: Value = serde_json::from_str(text).unwrap();
    let hooks = root
        .as_object_mut()
        .unwrap()
        .remove("hooks")
        .unwrap_or_default();
    let mut found = Vec::new();
    for (event, groups) in hooks.as_object().into_iter().flatten() {
        for group in groups.as_array().into_iter().flatten() {
            let Some(entries) = group["hooks"].as_array() else {
                found.push(json!([event, group]));
                continue;
            };
            for entry in entries.iter().filter(|entry| !is_ours(entry)) {
                found.push(json!([event, group.get("matcher"), entry]));
            }
        }
    }
    (root, found)
}

/// Puts entries of ours, old and doubled ones too, wherever `places` says.
fn scatter(mut settings: Value, places: &[(usize, &'static str)]) -> Value {
    let old = json!({"type": "command", "command": "/old/plantune-hook", "timeout": 60});
    for (at, event) in places {
        let entry = if at % 2 == 0 {
            old.clone()
        } else {
            serde_json::from_str(&entry(HOOK)).unwrap()
        };
        let groups = &mut settings["hooks"][*event];
        match groups.as_array_mut() {
            None => *groups = json!([{"matcher": "AskUserQuestion", "hooks": [entry]}]),
            Some(groups) => {
                let known = groups.len();
                let entries = groups
                    .get_mut(at % (known + 1))
                    .and_then(|g| g.get_mut("hooks"));
                match entries.and_then(Value::as_array_mut) {
                    Some(entries) => entries.insert(at % (entries.len() + 1), entry),
                    None => groups.insert(at % (known + 1), json!({"hooks": [entry]})),
                }
            }
        }
    }
    settings
}

proptest! {
    #[test]
    fn uninstall_gives_back_the_bytes(settings in settings(), layout in Layout::any()) {
        let text = layout.write(&settings);
        let there = installed(&text);
        prop_assert!(is_origin(&text, &there));
        prop_assert_eq!(foreign(&there), foreign(&text));
        let back = uninstalled(&there);
        if !holds_empty_containers(&settings) {
            prop_assert_eq!(back, text);
        }
    }

    #[test]
    fn nothing_foreign_changes_whatever_is_repaired(
        settings in settings(),
        layout in Layout::any(),
        places in prop::collection::vec(
            (any::<usize>(), prop::sample::select(vec!["PreToolUse", "SessionStart", "Stop"])),
            1..6,
        ),
    ) {
        let text = layout.write(&scatter(settings, &places));
        let there = installed(&text);
        prop_assert_eq!(foreign(&there), foreign(&text));
        let found = super::super::inspect(&there).unwrap().registrations;
        prop_assert_eq!(found.len(), REGISTRATION.events.len());
        prop_assert!(found.iter().all(|entry| entry.place_ok && entry.form_ok && entry.program == HOOK));
        let gone = uninstalled(&text);
        prop_assert_eq!(foreign(&gone), foreign(&text));
        prop_assert!(!gone.contains("/plantune-hook"));
        prop_assert_eq!(foreign(&uninstalled(&there)), foreign(&gone));
    }

    #[test]
    fn garbage_is_refused_or_kept(text in "[{}\\[\\],:\"hoks1 \n]{0,40}") {
        if let Ok(edited) = uninstall(&text) {
            prop_assert_eq!(&edited.text, &text);
        }
        if let Ok(edited) = install(&text, HOOK) {
            prop_assert!(serde_json::from_str::<Value>(&edited.text).is_ok());
        }
    }
}
