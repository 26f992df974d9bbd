//! The rule of the registry that names a family.

use plantune_domain::family::asking_part;
use plantune_domain::keys::is_split;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_query::questions::Unmarked;
use plantune_query::suggest::{Asked, Opening};
use plantune_reports::text;

/// How many words a rule's key is made of, at most.
const MOST_WORDS: usize = 5;

/// The longest key made here, in bytes; a number may follow.
const LONGEST: usize = 56;

/// Words that say nothing in a key.
const EMPTY: [&str; 12] = [
    "a", "an", "the", "i", "we", "you", "shall", "should", "do", "to", "of", "it",
];

/// A rule, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::verbs) struct Rule {
    /// The key it gives.
    pub(in crate::verbs) key: String,
    /// As it stands in registry.toml.
    pub(in crate::verbs) text: String,
}

/// The registry `before` with `rule` behind everything else.
pub(super) fn appended(before: &str, rule: &Rule) -> String {
    let gap = match before {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    [before, gap, &rule.text].concat()
}

/// A rule that names every question of `family`, and has a key that is not `taken`; `None` when no
/// pattern does. A rule of `others` that reads alike gives its key too: there is one registry for all
/// projects.
pub(super) fn rule(
    family: &Unmarked,
    others: &[(Unmarked, Rule)],
    taken: &dyn Fn(&str) -> bool,
) -> Option<Rule> {
    let key = key(family, &|key| {
        let is_own = key == family.listed.question_key;
        (!is_own && taken(key)) || others.iter().any(|(_, other)| other.key == key)
    });
    let template = family.listed.template.as_deref().unwrap_or_default();
    let spaced = format!("*{}*", template.join(" "));
    let loose = format!("*{}*", template.join("*"));
    // As close a pattern as all texts allow.
    let patterns = if template.is_empty() {
        vec![None]
    } else {
        vec![Some(spaced), Some(loose)]
    };
    patterns.into_iter().find_map(|pattern| {
        let text = written(family, &key, pattern.as_deref())?;
        let registry = Registry::parse(&text).ok()?;
        let named = |(text, header): &(String, Option<String>)| {
            registry.key_of(text, header.as_deref(), &family.listed.options) == Some(&key)
        };
        if !family.texts.iter().all(named) {
            return None;
        }
        let alike =
            |(_, other): &&(Unmarked, Rule)| body(&other.text, &other.key) == body(&text, &key);
        Some(match others.iter().find(alike) {
            Some((_, other)) => other.clone(),
            None => Rule {
                key: key.clone(),
                text,
            },
        })
    })
}

/// A rule that opens what `opening` describes, `asked` last, under a key that is not `taken`: for these texts with
/// these options, and nothing else. `None` where it would not open every asking beside the rules of `before`.
pub(in crate::verbs) fn two_way(
    asked: &Asked,
    opening: &Opening,
    before: &str,
    taken: &dyn Fn(&str) -> bool,
) -> Option<Rule> {
    let source = match asked.template.as_deref() {
        Some(template) if !template.is_empty() => template.join(" "),
        _ => asking_part(&asked.question).to_owned(),
    };
    let key = fresh(&source, &asked.question_key, taken);
    // A star in a label is markup, which does not count, and no pattern.
    let labels = opening.options.iter().map(|label| strip_mark(label).0);
    let labels: Vec<String> = labels.map(|label| label.replace('*', "")).collect();
    let options = list(labels.iter().map(String::as_str))?;
    let entries = opening.patterns.iter().map(|pattern| {
        Some(entry(&[
            ("key", quoted(&key)?),
            ("text", quoted(pattern)?),
            ("options", options.clone()),
            ("door", quoted("two-way")?),
        ]))
    });
    let entries: Option<Vec<String>> = entries.collect();
    let rule = Rule {
        text: entries?.join("\n"),
        key,
    };
    let registry = Registry::parse(&appended(before, &rule)).ok()?;
    let opens = !opening.options.is_empty() && opening.is_opened_by(&registry, &rule.key);
    opens.then_some(rule)
}

/// A rule's text without its key.
fn body(text: &str, key: &str) -> String {
    text.replacen(&format!("key = \"{key}\"\n"), "", 1)
}

fn written(family: &Unmarked, key: &str, pattern: Option<&str>) -> Option<String> {
    let labels = family.listed.options.iter();
    let mut fields = vec![
        ("key", quoted(key)?),
        ("options", list(labels.map(|label| strip_mark(label).0))?),
    ];
    if let Some(pattern) = pattern {
        fields.push(("text", quoted(pattern)?));
    }
    if family.listed.is_one_way {
        fields.push(("door", quoted("one-way")?));
    }
    Some(entry(&fields))
}

/// An entry of registry.toml with `fields`, whose values are written already.
pub(super) fn entry(fields: &[(&str, String)]) -> String {
    let lines = fields
        .iter()
        .map(|(name, value)| format!("{name} = {value}\n"));
    lines.fold("[[question]]\n".to_owned(), |text, line| text + &line)
}

/// `labels` as the value of a field.
pub(super) fn list<'a>(labels: impl Iterator<Item = &'a str>) -> Option<String> {
    let labels: Option<Vec<String>> = labels.map(quoted).collect();
    Some(format!("[{}]", labels?.join(", ")))
}

/// `text` as a TOML string: what JSON escapes, TOML reads the same.
pub(super) fn quoted(text: &str) -> Option<String> {
    let json = text::json(&text).ok()?;
    Some(json.trim_end().to_owned())
}

fn key(family: &Unmarked, taken: &dyn Fn(&str) -> bool) -> String {
    let template = family.listed.template.as_deref().unwrap_or_default();
    let source = if template.is_empty() {
        let labels = family.listed.options.iter().map(String::as_str);
        labels
            .map(|label| strip_mark(label).0)
            .collect::<Vec<_>>()
            .join(" ")
    } else {
        template.join(" ")
    };
    fresh(&source, &family.listed.question_key, taken)
}

/// A key of the words of `source`, or else `fallback`, that is not `taken`.
fn fresh(source: &str, fallback: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let base = slug(source).unwrap_or_else(|| fallback.to_owned());
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    let mut keys = std::iter::once(base.clone()).chain(numbered);
    keys.find(|key| !taken(key)).unwrap_or(base)
}

/// `text` as the beginning of a key; `None` when nothing of it can stand in one.
fn slug(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !EMPTY.contains(word));
    let mut key = String::new();
    for word in words.take(MOST_WORDS) {
        if key.len() + word.len() + 1 > LONGEST {
            break;
        }
        if !key.is_empty() {
            key.push('-');
        }
        // `-split-` would make it one option of a split question, which is always asked.
        key.push_str(if word == "split" { "splitting" } else { word });
    }
    (key.len() >= 3 && !is_split(&key)).then_some(key)
}

#[cfg(test)]
mod tests {
    use plantune_query::questions::Listed;

    use super::*;

    fn family(template: &[&str], options: &[&str], texts: &[&str]) -> Unmarked {
        let owned = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        Unmarked {
            listed: Listed {
                question_key: "fam-0123456789abcdef".to_owned(),
                template: Some(owned(template)),
                options: owned(options),
                ..Listed::default()
            },
            texts: owned(texts).into_iter().map(|text| (text, None)).collect(),
            top_answer: None,
            answers: texts.len(),
        }
    }

    #[test]
    fn a_rule_names_every_question_of_its_family() {
        let all = family(
            &["shall", "i", "split", "the", "draft"],
            &["Yes \"now\" (Recommended)", "No"],
            &[
                "login: shall I split the draft?",
                "Shall I split  the `x` draft?",
            ],
        );
        let found = rule(&all, &[], &|_| false).unwrap();
        assert_eq!(
            found.text,
            "[[question]]\nkey = \"splitting-draft\"\noptions = [\"Yes \\\"now\\\"\", \"No\"]\n\
             text = \"*shall*i*split*the*draft*\"\n"
        );
        let mut other = all.clone();
        other.listed.options = vec!["Go on".to_owned(), "Stop".to_owned()];
        let ruled = [(all.clone(), found.clone())];
        let second = rule(&other, &ruled, &|_| false).unwrap();
        assert_eq!(second.key, "splitting-draft-2");
        // What is called so already is another question, and its answers are not this one's.
        let known = |key: &str| key == "splitting-draft";
        assert_eq!(rule(&all, &[], &known).unwrap().key, "splitting-draft-2");
        // The same family in another project: one rule names both.
        assert_eq!(rule(&all, &ruled, &|_| false), Some(found));
    }

    #[test]
    fn a_set_that_carries_itself_needs_no_pattern() {
        let mut areas = family(
            &[],
            &["More questions", "Next area"],
            &["Enough?", "And now?"],
        );
        areas.listed.is_one_way = true;
        assert_eq!(
            rule(&areas, &[], &|_| false).unwrap().text,
            "[[question]]\nkey = \"more-questions-next-area\"\n\
             options = [\"More questions\", \"Next area\"]\ndoor = \"one-way\"\n"
        );
    }

    #[test]
    fn other_scripts_and_hostile_labels_still_make_a_rule() {
        let other = family(
            &[],
            &["승인 해\u{202e} 주세요", "수정 \\ \u{7f}해 주세요"],
            &["설계안?"],
        );
        let found = rule(&other, &[], &|_| false).unwrap();
        assert_eq!(found.key, "fam-0123456789abcdef");
        assert!(!found.text.contains('\u{202e}') && !found.text.contains('\u{7f}'));
    }
}
