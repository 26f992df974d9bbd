//! `plantune prefs check --explain`: which rule holds a question back, if any does.

use std::fmt::Write as _;

use plantune_domain::doors::{Door, find};
use plantune_domain::keys::{is_split, take_marker};
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::{Registry, Rule};
use plantune_reports::inert::one_line;

/// How much of a category or word is shown, in characters.
const SHOWN: usize = 80;

/// What the texts of [`find`] are called.
const PARTS: [&str; 3] = ["question", "header", "option"];

/// Which rule makes this question one-way, with the words that matched and where they stand; and what
/// the registry says of it.
pub(super) fn explain(
    text: &str,
    header: Option<&str>,
    option: Option<&str>,
    registry: &Registry,
) -> String {
    let (marker, text) = take_marker(text);
    let labels: Vec<String> = option.map(str::to_owned).into_iter().collect();
    let named = registry.rule_of(&text, header, &labels);
    let key = marker.as_deref().or(named.map(|rule| rule.key.as_str()));
    let mut output = String::new();
    if let Some(rule) = registry.one_way_rule(key.unwrap_or_default(), &text, header, &labels) {
        output.push_str(&format!(
            "one-way: rule {} of registry.toml{}\n",
            rule.key,
            category(rule)
        ));
    } else if key.is_some_and(is_split) {
        output.push_str("always asked: options of a split question are\n");
    }
    let texts = [
        text.as_str(),
        header.unwrap_or_default(),
        option.map_or("", |label| strip_mark(label).0),
    ];
    if let Some(found) = find(&texts) {
        // Writing to a string cannot fail.
        let _ = writeln!(output, "one-way: {}", found.reason);
        for matched in found.matched {
            let part = PARTS.get(matched.text).copied().unwrap_or_default();
            let _ = writeln!(
                output,
                "  \"{}\" in the {part}",
                one_line(&matched.word, SHOWN)
            );
        }
    }
    if output.is_empty() {
        output.push_str("two-way: no door rule matches\n");
        if let Some(rule) = named {
            let door = rule.door.unwrap_or(Door::TwoWay);
            let _ = writeln!(
                output,
                "  named by rule {} of registry.toml ({door}{})",
                rule.key,
                category(rule)
            );
        }
    }
    output
}

fn category(rule: &Rule) -> String {
    rule.category
        .as_deref()
        .map_or_else(String::new, |category| {
            format!(", category {}", one_line(category, SHOWN))
        })
}
