//! How the file is laid out, and edits that follow it: what plantune adds looks like its
//! neighbours, and taking it out again leaves the bytes that were there.

use std::fmt::Write as _;

use super::document::{Member, Span, slice};

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

/// JSON to be written.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// JSON as it stands.
    Raw(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The JSON string of `text`.
    pub(super) fn string(text: &str) -> Self {
        Self::Raw(serde_json::Value::from(text).to_string())
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
    /// The habits of `text`, whose root object stands at `root` and holds `members`. A file too
    /// small to have habits gets those of Claude Code itself: lines, indented by two spaces.
    pub(super) fn of(text: &str, root: &Span, members: &[Member]) -> Self {
        let colon = members
            .first()
            .map(|member| slice(text, &member.colon))
            .filter(|colon| !colon.contains(['\n', '\r']))
            .unwrap_or(": ");
        let lead = members
            .first()
            .map(|first| slice(text, &(root.start + 1..first.whole.start)))
            .unwrap_or_default();
        let unit = lead.rsplit_once('\n').map(|(_, indent)| {
            indent
                .strip_prefix(indentation(text, root.start))
                .unwrap_or(indent)
        });
        Self {
            newline: newline(text),
            unit: unit.unwrap_or("  ").to_owned(),
            colon: colon.to_owned(),
            gap: if colon.ends_with(':') { "" } else { " " },
            multi_line: members.is_empty() || slice(text, root).contains('\n'),
        }
    }

    /// `node` in this style: over several lines that hang on `indent`, or in one when `None`.
    fn render(&self, node: &Node, indent: Option<&str>) -> String {
        match node {
            Node::Raw(raw) => raw.clone(),
            Node::Array(items) => {
                let items = items.iter().map(|item| (String::new(), item));
                self.enclose('[', items.collect(), ']', indent)
            }
            Node::Object(members) => {
                let members = members.iter().map(|(key, value)| (self.key(key), value));
                self.enclose('{', members.collect(), '}', indent)
            }
        }
    }

    fn key(&self, key: &str) -> String {
        format!("{}{}", serde_json::Value::from(key), self.colon)
    }

    fn enclose(
        &self,
        open: char,
        items: Vec<(String, &Node)>,
        close: char,
        indent: Option<&str>,
    ) -> String {
        let mut out = String::from(open);
        let deeper = indent.map(|indent| format!("{indent}{}", self.unit));
        let last = items.len();
        for (at, (key, item)) in items.into_iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let space = match &deeper {
                Some(deeper) => format!("{}{deeper}", self.newline),
                None => if at == 0 { "" } else { self.gap }.to_owned(),
            };
            let item = self.render(item, deeper.as_deref());
            // Writing to a string cannot fail.
            let _ = write!(out, "{comma}{space}{key}{item}");
        }
        if let Some(indent) = indent.filter(|_| last > 0) {
            let _ = write!(out, "{}{indent}", self.newline);
        }
        out.push(close);
        out
    }

    /// Adds `node` (under `key`, in an object) behind the `items` of `container`.
    pub(super) fn append(
        &self,
        text: &str,
        container: &Span,
        items: &[Span],
        key: Option<&str>,
        node: &Node,
    ) -> Edit {
        let key = key.map(|key| self.key(key)).unwrap_or_default();
        let Some(last) = items.last() else {
            return self.fill(text, container, &key, node);
        };
        let lead = lead(text, container, items);
        let whole = slice(text, last);
        let (space, indent) = if let Some(at) = lead.rfind('\n') {
            // An empty line between neighbours is not repeated.
            let indent = slice(lead, &(at + 1..lead.len()));
            (format!("{}{indent}", self.newline), Some(indent))
        } else {
            let space = if items.len() > 1 { lead } else { self.gap };
            (
                space.to_owned(),
                whole.contains('\n').then(|| indentation(text, last.end)),
            )
        };
        let node = self.render(node, indent);
        Edit {
            span: last.end..last.end,
            with: format!(",{space}{key}{node}"),
        }
    }

    /// Gives the empty `container` its first item.
    fn fill(&self, text: &str, container: &Span, key: &str, node: &Node) -> Edit {
        let inside = container.start + 1..container.end - 1;
        if !self.multi_line {
            return Edit {
                span: inside,
                with: format!("{key}{}", self.render(node, None)),
            };
        }
        let outer = indentation(text, container.start);
        let inner = format!("{outer}{}", self.unit);
        let (newline, node) = (self.newline, self.render(node, Some(&inner)));
        Edit {
            span: inside,
            with: format!("{newline}{inner}{key}{node}{newline}{outer}"),
        }
    }

    /// Puts `node` in the place of what stands at `span`.
    pub(super) fn replace(&self, text: &str, span: &Span, node: &Node) -> Edit {
        let indent = slice(text, span)
            .contains('\n')
            .then(|| indentation(text, span.start));
        Edit {
            span: span.clone(),
            with: self.render(node, indent),
        }
    }

    /// Makes `node` the whole of `text`, a file of white space; a byte order mark stays.
    pub(super) fn file(&self, text: &str, node: &Node) -> Edit {
        let start = if text.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        let with = format!("{}{}", self.render(node, Some("")), self.newline);
        Edit {
            span: start..text.len(),
            with,
        }
    }
}

/// Takes item `at` out of `container`, with the comma that bound it to its neighbour.
pub(super) fn remove(container: &Span, items: &[Span], at: usize) -> Edit {
    let neighbour = |at: Option<usize>| at.and_then(|at| items.get(at));
    let span = match (
        neighbour(at.checked_sub(1)),
        items.get(at),
        neighbour(at.checked_add(1)),
    ) {
        (Some(before), Some(item), _) => before.end..item.end,
        (None, Some(item), Some(after)) => item.start..after.start,
        (None, ..) | (Some(_), None, _) => container.start + 1..container.end - 1,
    };
    Edit {
        span,
        with: String::new(),
    }
}

/// The white space before the last of `items`.
fn lead<'a>(text: &'a str, container: &Span, items: &[Span]) -> &'a str {
    let (last, before) = match items {
        [.., before, last] => (last.start, before.end),
        [only] => (only.start, container.start + 1),
        [] => (container.start, container.start),
    };
    let between = slice(text, &(before..last));
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

/// Where the members of an object stand, each with its key.
pub(super) fn wholes(members: &[Member]) -> Vec<Span> {
    members.iter().map(|member| member.whole.clone()).collect()
}
