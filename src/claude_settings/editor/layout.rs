//! How the file is laid out, and edits that follow it: what plantune adds looks like its
//! neighbours, and taking it out again leaves the bytes that were there.

use super::document::{Item, Json, Span, quoted, slice};

/// A replacement of some bytes of the text.
#[derive(Debug)]
pub(super) struct Edit {
    span: Span,
    with: String,
}

impl Edit {
    /// `text` after the edit.
    pub(super) fn apply(&self, text: &str) -> String {
        let before = slice(text, &(0..self.span.start));
        let after = slice(text, &(self.span.end..text.len()));
        [before, &self.with, after].concat()
    }
}

/// The habits of one file.
#[derive(Debug)]
pub(super) struct Style {
    newline: &'static str,
    /// One step of indentation.
    unit: String,
    /// What stands between a key and its value.
    colon: String,
    /// What stands after a comma within a line.
    gap: &'static str,
    /// False for a file that is one line.
    multi_line: bool,
}

impl Style {
    /// The habits of `text`, whose root is `root`. A file too small to have habits gets those of Claude Code itself:
    /// lines, indented by two spaces.
    pub(super) fn of(text: &str, root: Option<Json<'_>>) -> Self {
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

    /// What stands before a value: its key, in an object.
    fn key(&self, key: Option<&str>) -> String {
        key.map_or_else(String::new, |key| quoted(key) + &self.colon)
    }

    /// Adds `json` (under `key`, in an object) behind what `container` holds.
    pub(super) fn append(&self, container: Json<'_>, key: Option<&str>, json: &str) -> Edit {
        let (text, json, key) = (container.text, Json::of(json), self.key(key));
        let items: Vec<Span> = container
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
        let Span { start, end } = container.span();
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

    /// Puts `json` in the place of `old`; what it holds of the values `kept` stays as it is.
    pub(super) fn replace(&self, old: Json<'_>, json: &str, kept: &[Item<'_>]) -> Edit {
        let span = old.span();
        let has_lines = old.raw.contains('\n');
        let indent = has_lines.then(|| indentation(old.text, span.start));
        Edit {
            with: self.render(Json::of(json), indent, kept),
            span,
        }
    }

    /// Makes `json` the whole of `text`, a file of white space; a byte order mark stays.
    pub(super) fn file(&self, text: &str, json: &str) -> Edit {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        Edit {
            span: text.len() - body.len()..text.len(),
            with: self.render(Json::of(json), Some(""), &[]) + self.newline,
        }
    }
}

/// Takes the last of `places` out, each a container and which of its items holds the next one; with it go the
/// containers that hold nothing else. The comma goes that bound it to its neighbour.
pub(super) fn remove(places: &[(Json<'_>, usize)]) -> Option<Edit> {
    let holds_more = |(container, _): &&(Json<'_>, usize)| container.items().len() > 1;
    let (container, at) = places.iter().rfind(holds_more).or(places.first())?;
    let items: Vec<Span> = container
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
fn lead<'a>(container: Json<'a>, items: &[Span]) -> &'a str {
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
