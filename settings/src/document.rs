//! A text of settings that is edited in place: what plantune adds looks like its neighbours, and taking it out again
//! leaves the bytes that were there.
//!
//! The file is the person's, so each edit replaces the bytes of one value and every other byte stays. Syntax trees that
//! can be edited (`jsonc-parser` 0.34 was tried) lay a container out over lines when a member is added and drop blank
//! lines, so that taking it out does not give the bytes back.

use std::ops::Range;

use crate::Problem;
use crate::json::{Item, Json, quoted, root, slice};

// What was done to a text.

/// What a permission rule does to the calls that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEffect {
    /// They run unasked.
    Allow,
    /// They are asked about even if another rule allows them.
    Ask,
    /// They are refused.
    Deny,
}

impl RuleEffect {
    /// Every effect.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// The word for it in all agents' settings.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One change that was made: a verb, and what it was done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditChange {
    /// A part of the settings, by its name.
    Part(&'static str, String),
    /// A rule with this effect.
    Rule(&'static str, RuleEffect),
}

impl EditChange {
    pub(crate) fn part(verb: &'static str, what: &str) -> Self {
        Self::Part(verb, what.to_owned())
    }
}

/// The settings after an edit.
#[derive(Debug)]
pub struct Edited {
    /// The new text.
    pub text: String,
    /// The changes, in order; empty when nothing had to be.
    pub changes: Vec<EditChange>,
}

impl Edited {
    /// `text`, in which nothing had to be done.
    pub fn unchanged(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            changes: Vec::new(),
        }
    }

    /// With `edit` made as well, where something is `wanted`.
    ///
    /// # Errors
    /// The errors of the edit.
    pub fn with<T>(
        mut self,
        wanted: Option<T>,
        edit: impl FnOnce(&str, T) -> Result<Self, Problem>,
    ) -> Result<Self, Problem> {
        if let Some(wanted) = wanted {
            let next = edit(&self.text, wanted)?;
            self.text = next.text;
            self.changes.extend(next.changes);
        }
        Ok(self)
    }

    /// With `edit` made, if there is one; it is the `change`.
    pub(crate) fn after(mut self, edit: Option<Edit>, change: EditChange) -> Self {
        if let Some(edit) = edit {
            self.text = edit.apply(&self.text);
            self.changes.push(change);
        }
        self
    }

    /// The changes in a line: `add PreToolUse, update SessionEnd, add 9 rules that deny`.
    pub fn summary(&self) -> String {
        let parts = self.changes.iter().filter_map(|change| match change {
            EditChange::Part(verb, what) => Some(format!("{verb} {what}")),
            EditChange::Rule(..) => None,
        });
        let mut words: Vec<String> = parts.collect();
        for effect in RuleEffect::ALL {
            let (one, several) = match effect {
                RuleEffect::Allow => ("allows", "allow"),
                RuleEffect::Ask => ("asks", "ask"),
                RuleEffect::Deny => ("denies", "deny"),
            };
            for verb in ["add", "remove"] {
                let change = EditChange::Rule(verb, effect);
                match self.changes.iter().filter(|done| **done == change).count() {
                    0 => {}
                    1 => words.push(format!("{verb} a rule that {one}")),
                    count => words.push(format!("{verb} {count} rules that {several}")),
                }
            }
        }
        words.join(", ")
    }
}

/// Makes the `next` edit of each text until there is none: so the result is one that needs no edit, whatever the file
/// looked like.
pub(crate) fn to_fixpoint(
    text: &str,
    next: impl Fn(&str) -> Result<Option<(Edit, EditChange)>, Problem>,
) -> Result<Edited, Problem> {
    let mut edited = Edited::unchanged(text);
    // Every edit removes or repairs an entry; more of them than bytes would be a defect.
    for _ in 0..text.len() + 64 {
        let Some((edit, change)) = next(&edited.text)? else {
            return Ok(edited);
        };
        edited = edited.after(Some(edit), change);
    }
    Err(
        Problem::at(text, 0, "the entries of plantune have no fixpoint")
            .remedy("take them out by hand, and report this"),
    )
}

// Where in the text something is put, and what is taken out.

/// The whole text.
pub(crate) struct SettingsDocument<'a> {
    text: &'a str,
    pub(crate) style: Style,
    /// The root object; `None` for a file of white space.
    root: Option<Json<'a>>,
}

impl<'a> SettingsDocument<'a> {
    /// Reads `text`; `""` stands for no file.
    ///
    /// # Errors
    /// If Claude Code could not read it.
    pub(crate) fn read(text: &'a str) -> Result<Self, Problem> {
        let root = root(text)?;
        let style = Style::of(text, root);
        Ok(Self { text, style, root })
    }

    /// `fact` about the whole text.
    pub(crate) fn problem(&self, fact: &str) -> Problem {
        Problem::at(self.text, 0, fact)
    }

    /// The value below `keys`.
    ///
    /// # Errors
    /// If one of them is there twice.
    pub(crate) fn get(&self, keys: &[&str]) -> Result<Option<Json<'a>>, Problem> {
        keys.iter().try_fold(self.root, |inside, key| {
            inside.map_or(Ok(None), |inside| inside.get(key))
        })
    }

    /// Puts `json` below `keys`, with the objects that are missing on the way.
    ///
    /// # Errors
    /// If one of the keys is there twice.
    pub(crate) fn insert(&self, keys: &[&str], json: &str) -> Result<Edit, Problem> {
        let [outer @ .., key] = keys else {
            return Ok(self.style.file(self.text, json));
        };
        match self.get(outer)? {
            Some(container) => Ok(self.style.append(container, Some(key), json)),
            None => self.insert(outer, &format!("{{{}:{json}}}", quoted(key))),
        }
    }

    /// Adds `json` to the list below `keys`, which is created if it is missing.
    ///
    /// # Errors
    /// If one of the keys is there twice.
    pub(crate) fn push(&self, keys: &[&str], json: &str) -> Result<Edit, Problem> {
        match self.get(keys)? {
            Some(list) => Ok(self.style.append(list, None, json)),
            None => self.insert(keys, &format!("[{json}]")),
        }
    }

    /// Removes the value below `keys`, or its item `at`, and the containers that hold nothing else; `None`
    /// when nothing is there.
    ///
    /// # Errors
    /// If one of the keys is there twice.
    pub(crate) fn remove(&self, keys: &[&str], at: Option<usize>) -> Result<Option<Edit>, Problem> {
        let mut places = Vec::new();
        let mut here = self.root;
        for key in keys {
            let Some((container, (place, inside))) =
                here.zip(here.map_or(Ok(None), |here| here.find(key))?)
            else {
                return Ok(None);
            };
            places.push((container, place));
            here = Some(inside);
        }
        places.extend(here.zip(at));
        Ok(remove(&places))
    }
}

/// A replacement of some bytes of the text.
#[derive(Debug)]
pub(crate) struct Edit {
    span: Range<usize>,
    with: String,
}

impl Edit {
    /// `text` after the edit.
    pub(crate) fn apply(&self, text: &str) -> String {
        let before = slice(text, &(0..self.span.start));
        let after = slice(text, &(self.span.end..text.len()));
        [before, &self.with, after].concat()
    }
}

/// The layout of one file.
#[derive(Debug)]
pub(crate) struct Style {
    newline: &'static str,
    /// One step of indentation.
    unit: String,
    /// The text between a key and its value.
    colon: String,
    /// The text after a comma within a line.
    gap: &'static str,
    /// False for a file that is one line.
    multi_line: bool,
}

impl Style {
    /// The habits of `text`, whose root is `root`. A file too small to have habits gets those of Claude Code itself:
    /// lines, indented by two spaces.
    pub(crate) fn of(text: &str, root: Option<Json<'_>>) -> Self {
        let items = root.map(Json::items).unwrap_or_default();
        let start = root.map_or(0, |root| root.span().start);
        let first = items.first();
        let colon = first.map(|member| member.colon);
        let colon = colon.filter(|colon| !colon.contains(['\n', '\r']));
        let colon = colon.unwrap_or(": ");
        let lead = first.map(|first| slice(text, &(start + 1..first.span.start)));
        let unit = lead.and_then(|lead| lead.rsplit_once('\n'));
        let unit = unit.map(|(_, indent)| {
            let outer = indentation(text, start);
            indent.strip_prefix(outer).unwrap_or(indent)
        });
        Self {
            newline: newline(text),
            unit: unit.unwrap_or("  ").to_owned(),
            colon: colon.to_owned(),
            gap: if colon.ends_with(':') { "" } else { " " },
            multi_line: first.is_none() || root.is_some_and(|root| root.raw.contains('\n')),
        }
    }

    /// `json` in this style: over several lines that hang on `indent`, or in one when `None`. Values that `kept` has
    /// are the person's, and stay as they are.
    fn render(&self, json: Json<'_>, indent: Option<&str>, kept: &[Item<'_>]) -> String {
        if kept.iter().any(|item| item.value.raw == json.raw) {
            return json.raw.to_owned();
        }
        let items = json.items();
        if items.is_empty() {
            return json.raw.to_owned();
        }
        let deeper = indent.map(|indent| format!("{indent}{}", self.unit));
        let items: Vec<String> = items
            .iter()
            .map(|item| {
                let value = self.render(item.value, deeper.as_deref(), kept);
                match item.raw_key {
                    Some(key) => format!("{key}{}{value}", self.colon),
                    None => value,
                }
            })
            .collect();
        let line = |indent: Option<&str>| indent.map(|indent| format!("{}{indent}", self.newline));
        let lead = line(deeper.as_deref());
        let comma = format!(",{}", lead.as_deref().unwrap_or(self.gap));
        let (open, close) = match json.is_array() {
            true => ('[', ']'),
            false => ('{', '}'),
        };
        let (lead, end) = (lead.unwrap_or_default(), line(indent).unwrap_or_default());
        format!("{open}{lead}{}{end}{close}", items.join(&comma))
    }

    /// The text before a value: its key, in an object.
    fn key(&self, key: Option<&str>) -> String {
        key.map_or_else(String::new, |key| quoted(key) + &self.colon)
    }

    /// Adds `json` (under `key`, in an object) at the end of `container`.
    pub(crate) fn append(&self, container: Json<'_>, key: Option<&str>, json: &str) -> Edit {
        let (text, json, key) = (container.text, Json::of(json), self.key(key));
        let items: Vec<Range<usize>> = container
            .items()
            .into_iter()
            .map(|item| item.span)
            .collect();
        let Some(last) = items.last() else {
            return self.fill(container, &key, json);
        };
        let lead = lead(container, &items);
        let (space, indent) = if let Some(at) = lead.rfind('\n') {
            // An empty line between neighbours is not repeated.
            let indent = slice(lead, &(at + 1..lead.len()));
            (format!("{}{indent}", self.newline), Some(indent))
        } else {
            let space = if items.len() > 1 { lead } else { self.gap };
            let has_lines = slice(text, last).contains('\n');
            let indent = has_lines.then(|| indentation(text, last.end));
            (space.to_owned(), indent)
        };
        Edit {
            span: last.end..last.end,
            with: format!(",{space}{key}{}", self.render(json, indent, &[])),
        }
    }

    /// Gives the empty `container` its first item.
    fn fill(&self, container: Json<'_>, key: &str, json: Json<'_>) -> Edit {
        let Range { start, end } = container.span();
        let with = if self.multi_line {
            let outer = indentation(container.text, start);
            let inner = format!("{outer}{}", self.unit);
            let (newline, json) = (self.newline, self.render(json, Some(&inner), &[]));
            format!("{newline}{inner}{key}{json}{newline}{outer}")
        } else {
            key.to_owned() + &self.render(json, None, &[])
        };
        Edit {
            span: start + 1..end - 1,
            with,
        }
    }

    /// Replaces `old` by `json`; the values `kept` in it stay unchanged.
    pub(crate) fn replace(&self, old: Json<'_>, json: &str, kept: &[Item<'_>]) -> Edit {
        let span = old.span();
        let has_lines = old.raw.contains('\n');
        let indent = has_lines.then(|| indentation(old.text, span.start));
        Edit {
            with: self.render(Json::of(json), indent, kept),
            span,
        }
    }

    /// Makes `json` the whole of `text`, a file of white space; a byte order mark stays.
    pub(crate) fn file(&self, text: &str, json: &str) -> Edit {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        Edit {
            span: text.len() - body.len()..text.len(),
            with: self.render(Json::of(json), Some(""), &[]) + self.newline,
        }
    }
}

/// Takes the last of `places` out, each a container and which of its items holds the next one; with it go the
/// containers that hold nothing else. The comma goes that bound it to its neighbour.
pub(crate) fn remove(places: &[(Json<'_>, usize)]) -> Option<Edit> {
    let holds_more = |(container, _): &&(Json<'_>, usize)| container.items().len() > 1;
    let (container, at) = places.iter().rfind(holds_more).or(places.first())?;
    let items: Vec<Range<usize>> = container
        .items()
        .into_iter()
        .map(|item| item.span)
        .collect();
    let neighbour = |at: Option<usize>| at.and_then(|at| items.get(at));
    let item = items.get(*at)?;
    let span = match (neighbour(at.checked_sub(1)), neighbour(at.checked_add(1))) {
        (Some(before), _) => before.end..item.end,
        (None, Some(after)) => item.start..after.start,
        (None, None) => container.span().start + 1..container.span().end - 1,
    };
    Some(Edit {
        span,
        with: String::new(),
    })
}

/// The white space before the last of `items`.
fn lead<'a>(container: Json<'a>, items: &[Range<usize>]) -> &'a str {
    let start = container.span().start;
    let (last, before) = match items {
        [.., before, last] => (last.start, before.end),
        [only] => (only.start, start + 1),
        [] => (start, start),
    };
    let between = slice(container.text, &(before..last));
    between.split_once(',').map_or(between, |(_, space)| space)
}

/// The first line's ending.
fn newline(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The white space that the line of byte `at` begins with.
fn indentation(text: &str, at: usize) -> &str {
    let before = slice(text, &(0..at));
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = slice(text, &(start..text.len()));
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    slice(line, &(0..end))
}
