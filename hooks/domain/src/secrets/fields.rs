//! Values behind their names: `name=value`, `name: value`, `"name": "value"`, `<name>value</name>`.

use super::names::{Strength, has_scheme, strength};
use super::shapes::Shape;
use super::values::Found;
use super::words::{
    Quotes, begins, behind_last, ends, has, is_name, is_quoted, places, unspaced, until,
    without_end, without_start,
};

impl<'a> Found<'a> {
    /// Masks the values of all names that say so.
    pub(super) fn fields(&mut self) {
        let mut quotes = Quotes::default();
        for (at, sign) in self.text.bytes().enumerate() {
            quotes.pass(sign);
            match sign {
                _ if self.is_taken(at) => {}
                b'=' | b':' if !quotes.close(self.from(at + 1)) => {
                    self.assignment(at, sign, quotes.are_closed());
                }
                b',' => self.argument(at),
                b'>' => self.element(at),
                _ => {}
            }
        }
    }

    /// The name that ends before `at`, in quotes and brackets or not, and what stands before it.
    fn name(&self, at: usize) -> (&'a str, &'a str) {
        let before = self.before(at);
        let bare = without_end(before, " \"'\\]}`*");
        let start = bare.trim_end_matches(is_name).len();
        (bare.get(start..).unwrap_or_default(), before)
    }

    fn assignment(&mut self, at: usize, sign: u8, in_shell: bool) {
        let (name, before) = self.name(at);
        let mut strength = strength(name);
        if matches!(name, "value" | "default" | "Value") && is_named_before(before, name) {
            strength = Strength::Strong;
        }
        let is_map = sign == b':'
            && (name == "stringData" || (name == "data" && has(self.text, "kind: Secret")));
        if is_map {
            self.block(before, at, true);
        }
        if strength == Strength::None {
            return;
        }
        let is_named = ends(before, "\"']");
        let is_apart = before.ends_with(' ');
        let rest = self.from(at + 1);
        let spaces = rest.len() - unspaced(rest).len();
        // `grep token= file`: a shell assigns nothing there.
        if sign == b'=' && spaces > 0 && !is_apart && !is_named {
            return;
        }
        let signs = without_start(rest, "=:>~");
        let value = self.text.len() - unspaced(signs).len();
        let is_compared = sign == b'=' && rest.starts_with('=') || ends(before, "=!");
        let is_literal = is_quoted(self.from(value));
        let is_line = !is_compared && self.is_line(name, before, value);
        let is_alone = self.writes
            && self
                .near(at + 1)
                .trim_start_matches([' ', '\r'])
                .starts_with('\n');
        if sign == b':' && (is_alone || begins(self.from(value), "|>")) {
            self.block(before, at + 1, false);
        }
        let shape = match strength {
            Strength::Authorization => return self.credentials(value),
            Strength::Cookie if sign == b':' => return self.cookies(value),
            Strength::Cookie | Strength::None => return,
            Strength::Weak => Shape::Likely(12),
            Strength::Number => Shape::Digits(3),
            _ if is_compared => Shape::Likely(12),
            Strength::Header if sign == b':' => Shape::Any,
            _ if is_line || is_named => Shape::Any,
            _ if is_literal && self.is_in_code(before, name) => Shape::Any,
            _ if sign == b'=' && (is_literal || !is_apart) => Shape::Any,
            _ => Shape::Likely(6),
        };
        let begins = before.strip_suffix(name);
        let is_variable = begins.is_some_and(|begins| begins.ends_with('\n')) && !is_literal;
        self.value(value, shape);
        // In a file of variables a value goes up to the end of its line.
        if is_variable && self.writes && self.is_taken(value) && has(self.text, ".env") {
            let line = until(self.from(value), "\n");
            self.pass(value + line.len());
            self.pieces(value..value + line.len(), true);
        }
        if in_shell && !is_apart && sign == b'=' && shape == Shape::Any && self.is_taken(value + 1)
        {
            self.tail(value);
        }
    }

    /// Masks the lines below `at` that stand further in than the line of `before`: all of them, or of a map the values.
    fn block(&mut self, before: &str, at: usize, is_map: bool) {
        let depth = |line: &str| line.len() - without_start(line, " -").len();
        let outer = depth(behind_last(before, "\n"));
        // All in one line: `"stringData":{"k":"…"}`
        let map = without_start(self.near(at), ": \\");
        if let Some(map) = map.strip_prefix('{').filter(|_| is_map) {
            let start = at + self.near(at).len() - map.len();
            let map = map.split('}').next().unwrap_or_default();
            for sign in places(map, ":") {
                self.value(start + sign + 1, Shape::Any);
            }
            return self.pass(start + map.len());
        }
        let mut lines = self.from(at).split('\n');
        let mut start = at + lines.next().unwrap_or_default().len() + 1;
        for line in lines {
            let text = line.trim();
            if depth(line) <= outer && !text.is_empty() {
                break;
            }
            // The next level of a document, and no value.
            if !is_map && (text.ends_with(':') || has(text, ": ")) {
                break;
            }
            match line.find(": ").filter(|_| is_map) {
                Some(sign) => self.value(start + sign + 2, Shape::Any),
                None => self.pieces(start + depth(line)..start + line.len(), false),
            }
            start += line.len() + 1;
        }
        self.pass(start);
    }

    /// True where the name stands as in the objects and calls of a program: `{password:`.
    fn is_in_code(&self, before: &str, name: &str) -> bool {
        let before = before.strip_suffix(name).unwrap_or_default();
        before.trim_end_matches(' ').ends_with(['{', ',', '('])
    }

    /// True where a line of a file that a command writes holds the name and the value alone.
    fn is_line(&self, name: &str, before: &str, value: usize) -> bool {
        let line = behind_last(before, "\n");
        let starts = without_start(line, " \t-").starts_with(name);
        let text = until(self.near(value), "\n");
        let is_word = !text.trim_end().contains([' ', '(', '<', '[', '.']);
        starts && is_word && line.len() < before.len() && self.writes
    }

    /// `define('NAME', 'value')`
    fn argument(&mut self, at: usize) {
        let (name, before) = self.name(at);
        let rest = self.from(at + 1);
        let value = without_start(rest, " \\");
        if ends(before, "\"'") && is_quoted(value) && strength(name) == Strength::Strong {
            let spaces = rest.len() - unspaced(rest).len();
            self.value(at + 1 + spaces, Shape::Likely(8));
        }
    }

    /// `<name>value</name>`
    fn element(&mut self, at: usize) {
        let (name, before) = self.name(at);
        let is_element = before
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with('<'));
        let rest = self.from(at + 1);
        let start = at + 1 + rest.len() - rest.trim_start().len();
        if is_element && strength(name) == Strength::Strong {
            let (range, _, _) = self.bounds(start);
            if !range.is_empty() && self.from(range.end).trim_start().starts_with("</") {
                self.value(start, Shape::Any);
            }
        }
    }

    /// What follows `Authorization:`, but its scheme.
    fn credentials(&mut self, at: usize) {
        let start = at + usize::from(begins(self.from(at), "\"'`"));
        match has_scheme(self.near(start)) {
            Some(length) => self.value(start + length, Shape::Any),
            None => self.value(at, Shape::Any),
        }
    }

    /// The values of `a=1; b=2`, up to the end of the quoted text.
    pub(super) fn cookies(&mut self, at: usize) {
        if self.is_taken(at) {
            return;
        }
        let list = self.from(at).split(['"', '\'', '\n']).next();
        let list = list.unwrap_or_default();
        for sign in places(list, "=") {
            self.value(at + sign + 1, Shape::Any);
        }
        self.pass(at + list.len());
    }
}

/// True where the word before `name` is the name of a secret: `variable "token" { default = "…" }`,
/// `- name: TOKEN`, `value: …`.
fn is_named_before(before: &str, name: &str) -> bool {
    let before = without_end(before, " \"'\\");
    let before = before.strip_suffix(name).unwrap_or_default();
    let before = before.trim_end_matches(|c| !is_name(c));
    let start = before.trim_end_matches(is_name).len();
    strength(before.get(start..).unwrap_or_default()) == Strength::Strong
}
