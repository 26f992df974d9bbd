//! Habits that only words keep closed: the person may say that the words are wrong, and the rule that says so is
//! written to registry.toml.

use std::collections::BTreeSet;
use std::io;

use plantune_domain::atomic_file;
use plantune_domain::event::Event;
use plantune_domain::family::asking_part;
use plantune_domain::keys::is_split;
use plantune_domain::paths::create_private_dir;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_query::families::door_words;
use plantune_query::questions::list;
use plantune_query::suggest::{Asked, Opening, Rejected, Suggestions};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text;
use plantune_reports::text::{hanging, one_line};

use crate::failure::{Failure, not_written};
use crate::preferences::renamed::renamed;
use crate::preferences::{in_words, writer};
use crate::terminal::{consent, sanitized};
use crate::workspace::{Workspace, conflict};
use crate::{after_refresh, preferences, terminal};

/// How many are offered in one run.
const MOST_OPENED: usize = 3;

/// How much of a text is shown, in columns.
const SHOWN_TEXT: usize = 200;

/// The word that opens a habit, and how it is asked for; nothing stands in for it.
const WORD: &str = "two-way";
const PROMPT: &str = "If it can be undone, type two-way. Enter changes nothing:";

/// The command that asks, for who cannot be asked.
const COMMAND: &str = "plantune suggest --apply";

/// The words for a change that could not be made.
const UNCHANGED: &str = "no rule was added";

/// The habits of `found` that words alone keep closed.
pub(super) fn closed(found: &Suggestions) -> Vec<Rejected> {
    let is_closed = |one: &&Rejected| one.opens.is_some();
    found.rejected.iter().filter(is_closed).cloned().collect()
}

/// Shows each of the first three of `closed` with the rule that would open it, and writes the rule where the person
/// types the word. Nothing if no person can reply: in an agent's session, in a pipe.
///
/// # Errors
/// Conflict for a registry.toml that is not understood; those of the store; when the terminal cannot be read.
pub(super) fn offer(closed: &[Rejected], workspace: &Workspace) -> Result<(), Failure> {
    if closed.is_empty() || !consent::can_be_asked(workspace) {
        return Ok(());
    }
    let mut keys = known_keys(workspace)?;
    // The person may think about it for long.
    workspace.close_store();
    let mut offered = 0;
    for one in closed {
        let Some(opening) = one.opens.as_ref().filter(|_| offered < MOST_OPENED) else {
            continue;
        };
        let before = read(workspace)?.unwrap_or_default();
        let registry = Registry::parse(&before).map_err(|error| conflict(&error))?;
        let taken = |key: &str| keys.contains(key) || registry.rules_of(key).next().is_some();
        // The rule of another project's names it, too.
        if opening.is_named_by(&registry) {
            continue;
        }
        let Some(rule) = two_way(&one.asked, opening, &before, &taken) else {
            continue;
        };
        offered += 1;
        show_closed(one, opening, workspace)?;
        if add(&rule, &one.asked, workspace)? {
            terminal::print(&format!(
                "{} can now be proposed: `plantune suggest --apply`\n",
                rule.key
            ))?;
            after_refresh::forget_proposals(workspace);
        }
        keys.insert(rule.key);
    }
    Ok(())
}

/// The keys of all questions and preferences: a rule under one of them would open that one, too.
fn known_keys(workspace: &Workspace) -> Result<BTreeSet<String>, Failure> {
    let listed = match workspace.store()? {
        Some(store) => workspace.read(list(&store, workspace.registry()?, None))?,
        None => Vec::new(),
    };
    let mut keys: BTreeSet<String> = (listed.into_iter())
        .flat_map(|one| one.keys.into_iter().chain([one.question_key]))
        .collect();
    for file in preferences::all(workspace) {
        keys.extend(file.preferences.into_keys());
    }
    Ok(keys)
}

/// Writes what is asked, how it was answered, and why it is closed.
fn show_closed(closed: &Rejected, opening: &Opening, workspace: &Workspace) -> Result<(), Failure> {
    let asked = &closed.asked;
    let reason = closed.held.as_ref().map_or("", |held| &held.reason);
    let mut rows = vec![
        ("", one_line(&asked.name, SHOWN_TEXT)),
        (
            "   answer:   ",
            format!(
                "{}, all {} times",
                answer_in_words(closed.answer.as_deref()),
                closed.evidence.answers
            ),
        ),
        (
            "   why:      ",
            format!(
                "plantune does not answer this, because its words ({}) say that it can't be undone. The rule below \
                 says it can, in every project. Commands, money, force and destroyed data are still asked about.",
                one_line(&door_words(reason), SHOWN_TEXT)
            ),
        ),
    ];
    for (number, text) in opening.texts.iter().enumerate() {
        let label = if number == 0 {
            "   asked:    "
        } else {
            "             "
        };
        rows.push((label, one_line(asking_part(text), SHOWN_TEXT)));
    }
    let under = " ".repeat(13);
    let width = workspace.width;
    let rows = rows
        .iter()
        .map(|(label, text)| hanging(label, &under, text, width));
    terminal::print(&format!("\n{}\n", rows.collect::<String>()))
}

// The rule, and writing it.

/// How many words a rule's key is made of, at most.
const MOST_WORDS: usize = 5;

/// The longest key made here, in bytes; a number may follow.
const LONGEST: usize = 56;

/// Words that say nothing in a key.
const EMPTY: [&str; 12] = [
    "a", "an", "the", "i", "we", "you", "shall", "should", "do", "to", "of", "it",
];

/// A rule, ready to be written.
struct Rule {
    /// The key it gives.
    key: String,
    /// As it stands in registry.toml.
    text: String,
}

/// A rule that opens what `opening` describes, `asked` last, under a key that is not `taken`: for these texts with
/// these options, and nothing else. `None` if it would not open every asking beside the rules of `before`.
fn two_way(
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
    let options = quoted_list(labels.iter().map(String::as_str))?;
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

/// The registry `before` with `rule` behind everything else.
fn appended(before: &str, rule: &Rule) -> String {
    let gap = match before {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    [before, gap, &rule.text].concat()
}

/// An entry of registry.toml with `fields`, whose values are written already.
fn entry(fields: &[(&str, String)]) -> String {
    let lines = fields
        .iter()
        .map(|(name, value)| format!("{name} = {value}\n"));
    lines.fold("[[question]]\n".to_owned(), |text, line| text + &line)
}

/// `labels` as the value of a field.
fn quoted_list<'a>(labels: impl Iterator<Item = &'a str>) -> Option<String> {
    let labels: Option<Vec<String>> = labels.map(quoted).collect();
    Some(format!("[{}]", labels?.join(", ")))
}

/// `text` as a TOML string: what JSON escapes, TOML reads the same.
fn quoted(text: &str) -> Option<String> {
    let json = text::json(&text).ok()?;
    Some(json.trim_end().to_owned())
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

/// Appends `rule` to the registry after the person has seen it and typed the word; everything that stands in the file
/// stays as it is. True when it was added. `asked` is what it was made of.
///
/// # Errors
/// Refused (exit code 4) where nobody can be asked; conflict (exit code 3) for a registry that is not understood or
/// changes meanwhile.
fn add(rule: &Rule, asked: &Asked, workspace: &Workspace) -> Result<bool, Failure> {
    let path = workspace.paths.registry_file();
    let before = read(workspace)?;
    let text = before.as_deref().unwrap_or_default();
    let after = appended(text, rule);
    let parsed = |text: &str| {
        Registry::parse(text)
            .map_err(|error| conflict(&format!("{}: with the rule: {error}", path.display())))
    };
    let (known, with_rule) = (parsed(text)?, parsed(&after)?);
    let added: String = rule.text.lines().map(|line| format!("+{line}\n")).collect();
    terminal::print_exactly(&sanitized(&format!("{}:\n{added}", path.display())))?;
    terminal::print(&left_behind(workspace, &known, &with_rule))?;
    consent::may_change(workspace, false, COMMAND)?;
    if terminal::ask_exactly(PROMPT)?.as_deref() != Some(WORD) {
        terminal::print("Nothing was changed.\n")?;
        return Ok(false);
    }
    let _lock = writer::hold(workspace, UNCHANGED)?;
    if read(workspace)? != before {
        return Err(conflict(&format!(
            "{}: changed while you were asked",
            path.display()
        )));
    }
    write(rule, asked, &after, workspace)?;
    terminal::print(&format!(
        "Added. These questions now have the key {}, and your answers so far count.\nTo undo: delete the rule from {}\n",
        rule.key,
        terminal::path(&path)
    ))?;
    Ok(true)
}

/// The effect of the rule on preferences that stand: those whose questions it gives another name.
fn left_behind(workspace: &Workspace, known: &Registry, with_rule: &Registry) -> String {
    let mut text = String::new();
    for file in preferences::all(workspace) {
        for (key, preference) in &file.preferences {
            let Some(new_name) = renamed(key, preference, with_rule) else {
                continue;
            };
            if file.problem.is_none() && renamed(key, preference, known).is_none() {
                let word = in_words::word_among(key, preference, &file.preferences);
                let remedy = new_name.remedy(&word, preference, &file.preference_scope());
                let line = format!(
                    "With this rule, your preference for {} does nothing: {}. If you add the rule, {remedy}",
                    one_line(&word, SHOWN_TEXT),
                    new_name.reason()
                );
                text.push_str(&hanging("", "  ", &line, workspace.width));
            }
        }
    }
    text
}

/// Puts `after` in place, on record first: who else may have written a rule would be seen.
fn write(rule: &Rule, asked: &Asked, after: &str, workspace: &Workspace) -> Result<(), Failure> {
    let path = workspace.paths.registry_file();
    let failure = |error: io::Error| not_written(&path, &error, UNCHANGED);
    if let Some(folder) = path.parent() {
        create_private_dir(folder).map_err(failure)?;
    }
    let staged = atomic_file::stage(&path, after.as_bytes(), 0o600).map_err(failure)?;
    let event = Event {
        project: asked.project.as_str().into(),
        question_key: Some(rule.key.as_str().into()),
        key_source: Some("registry".into()),
        question: Some(asked.question.as_str().into()),
        header: writer::text(&asked.header),
        options: Some(writer::texts(&asked.options)),
        detail: Some(rule.text.as_str().into()),
        ..writer::event(workspace, "suggest two-way", &["registry", &rule.key])
    };
    writer::log(workspace, &[event], UNCHANGED)?;
    staged.put_in_place().map_err(failure)
}

/// The registry as it stands.
///
/// # Errors
/// Conflict (exit code 3) for one that cannot be read.
fn read(workspace: &Workspace) -> Result<Option<String>, Failure> {
    Registry::text(&workspace.paths.registry_file()).map_err(|error| conflict(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_of_the_words_and_is_nobody_elses() {
        let none = |_: &str| false;
        assert_eq!(
            fresh("shall i split the draft", "fam-1", &none),
            "splitting-draft"
        );
        let taken = |key: &str| key == "splitting-draft";
        assert_eq!(
            fresh("shall i split the draft", "fam-1", &taken),
            "splitting-draft-2"
        );
        assert_eq!(fresh("승인 해\u{202e} 주세요", "fam-1", &none), "fam-1");
    }

    #[test]
    fn hostile_labels_are_escaped() {
        let list = quoted_list(["Yes \"now\"", "수정 \\ \u{7f}해"].into_iter()).unwrap();
        assert!(
            list.contains("Yes \\\"now\\\"") && !list.contains('\u{7f}'),
            "{list}"
        );
    }
}
