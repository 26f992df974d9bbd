//! Values behind their names: `name=value`, `name: value`, `"name": "value"`, `<name>value</name>`.

use super::names::{Strength, has_scheme, strength};
use super::values::Found;
use super::words::{Quotes, is_name, is_quoted, unspaced};

/// What user and password are given to, one after the other.
const LOGINS: [&str; 7] = [
    "VALUES (", "auth=(", "auth(", "login(", "PDO(", "connect(", "start(",
];

impl Found<'_> {
    /// Masks the values of all names that say so.
    pub(super) fn assignments(&mut self) {
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
    fn name(&self, at: usize) -> (&str, &str) {
        let before = self.before(at);
        let bare = before.trim_end_matches([' ', '"', '\'', '\\', ']', '}']);
        let start = bare.trim_end_matches(is_name).len();
        (bare.get(start..).unwrap_or_default(), before)
    }

    fn assignment(&mut self, at: usize, sign: u8, in_shell: bool) {
        let (name, before) = self.name(at);
        let mut strength = strength(name);
        if matches!(name, "value" | "default") && self.is_named_before(before) {
            strength = Strength::Strong;
        }
        if strength == Strength::None {
            return;
        }
        let is_named = before.ends_with(['"', '\'', ']']);
        let is_apart = before.ends_with(' ');
        let rest = self.from(at + 1);
        let spaces = rest.len() - unspaced(rest).len();
        // `grep token= file`: a shell assigns nothing there.
        if sign == b'=' && spaces > 0 && !is_apart && !is_named {
            return;
        }
        let signs = rest.trim_start_matches(['=', ':', '>', '~']);
        let value = self.text.len() - unspaced(signs).len();
        let is_compared = sign == b'=' && rest.starts_with('=') || before.ends_with(['=', '!']);
        let is_literal = is_quoted(self.from(value));
        let is_line = !is_compared && self.is_line(name, before, value);
        let likely = match strength {
            Strength::Authorization => return self.credentials(value),
            Strength::Cookie if sign == b':' => return self.cookies(value),
            Strength::Cookie | Strength::None => return,
            Strength::Weak => 12,
            _ if is_compared => 12,
            Strength::Header if sign == b':' => 0,
            _ if is_line || is_named => 0,
            _ if sign == b'=' && (is_literal || !is_apart) => 0,
            _ => 6,
        };
        let begins = before.strip_suffix(name);
        let is_variable = begins.is_some_and(|begins| begins.ends_with('\n')) && !is_literal;
        self.value(value, likely);
        // In a file of variables a value goes up to the end of its line.
        if is_variable && self.writes && self.is_taken(value) && self.text.contains(".env") {
            let line = self.from(value).split('\n').next().unwrap_or_default();
            self.pass(value + line.len());
            self.pieces(value..value + line.len(), true);
        }
        if in_shell && !is_apart && sign == b'=' && likely == 0 && self.is_taken(value + 1) {
            self.tail(value);
        }
    }

    /// True where the last text in quotes is a name: `variable "token" { default = "…" }`.
    fn is_named_before(&self, before: &str) -> bool {
        let quoted = before.rsplit('"').nth(1).unwrap_or_default();
        strength(quoted) == Strength::Strong
    }

    /// True where a line of a file that a command writes holds the name and the value alone.
    fn is_line(&self, name: &str, before: &str, value: usize) -> bool {
        let line = before.rsplit('\n').next().unwrap_or_default();
        let starts = line.trim_start_matches([' ', '\t', '-']).starts_with(name);
        let text = self.near(value).split('\n').next().unwrap_or_default();
        let is_word = !text.trim_end().contains([' ', '(', '<', '[', '.']);
        starts && is_word && line.len() < before.len() && self.writes
    }

    /// `define('NAME', 'value')`
    fn argument(&mut self, at: usize) {
        let (name, before) = self.name(at);
        let rest = self.from(at + 1);
        let value = rest.trim_start_matches([' ', '\\']);
        if before.ends_with(['"', '\'']) && is_quoted(value) && strength(name) == Strength::Strong {
            let spaces = rest.len() - unspaced(rest).len();
            self.value(at + 1 + spaces, 8);
        }
    }

    /// `<name>value</name>`
    fn element(&mut self, at: usize) {
        let (name, before) = self.name(at);
        let is_element = before
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with('<'));
        if is_element && strength(name) == Strength::Strong {
            let (range, _, end) = self.bounds(at + 1);
            if !range.is_empty() && self.from(end).starts_with("</") {
                self.value(at + 1, 0);
            }
        }
    }

    /// What follows `Authorization:`, but its scheme.
    fn credentials(&mut self, at: usize) {
        let start = at + usize::from(self.from(at).starts_with(['"', '\'', '`']));
        match has_scheme(self.near(start)) {
            Some(length) => self.value(start + length, 0),
            None => self.value(at, 0),
        }
    }

    /// The values of `a=1; b=2`, up to the end of the quoted text.
    pub(super) fn cookies(&mut self, at: usize) {
        if self.is_taken(at) {
            return;
        }
        let list = self.from(at).split(['"', '\'', '\n']).next();
        let list = list.unwrap_or_default();
        for (sign, _) in list.match_indices('=') {
            self.value(at + sign + 1, 0);
        }
        self.pass(at + list.len());
    }

    /// The passwords of `login('user', 'password')`.
    pub(super) fn logins_in_calls(&mut self) {
        if !self.text.contains('(') {
            return;
        }
        for call in LOGINS {
            for (at, _) in self.text.match_indices(call) {
                let start = at + call.len();
                if call.starts_with("VALUES") && !self.before(at).contains("password") {
                    continue;
                }
                let arguments = self.near(start).split([')', '\n']).next();
                for (comma, _) in arguments.unwrap_or_default().match_indices(',') {
                    let rest = self.from(start + comma + 1);
                    let value = unspaced(rest);
                    if value.trim_start_matches('\\').starts_with(['"', '\'']) {
                        self.value(self.text.len() - value.len(), 8);
                    }
                }
            }
        }
    }
}
