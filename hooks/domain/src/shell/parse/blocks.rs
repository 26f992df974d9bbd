//! Groups, loops and conditions.

use super::words::is_identifier;
use super::{Close, Reader, Word};

/// Nesting of substitutions, groups and loops that is still read.
const DEEPEST: usize = 6;

impl Reader<'_> {
    /// Loops set the variables of what follows them, groups do not.
    pub(super) fn nested_loop(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        let read = (self.depth <= DEEPEST)
            .then_some(())
            .and_then(|()| read(self));
        self.depth -= 1;
        read
    }

    /// Reads a group or a substitution, whose variables are its own.
    pub(super) fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        // Which of two here-documents of one line is read first depends on the shell.
        if !self.here_documents.is_empty() {
            return None;
        }
        let variables = self.variables.clone();
        let read = self.nested_loop(read);
        self.variables = variables;
        read.filter(|()| self.here_documents.is_empty())
    }

    /// `NAME in WORDS; do LIST; done`: the list is read once for each word.
    pub(super) fn for_loop(&mut self) -> Option<()> {
        self.blanks();
        let name = self.word().filter(|name| is_identifier(&name.text))?;
        self.blanks();
        let mut values = Vec::new();
        if self.skip("in ") || self.skip("in\t") {
            loop {
                self.blanks();
                if self.skip("\\\n") {
                    continue;
                }
                match self.peek()? {
                    ';' | '\n' => break,
                    _ => values.push(self.word()?),
                }
            }
        } else {
            values.push(Word::unknown());
        }
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', ';']);
        if self.word()?.text != "do" {
            return None;
        }
        let body = self.rest;
        for value in values {
            self.rest = body;
            self.set(&name.text, value);
            self.list(Close::Keyword("done"))?;
        }
        // Without a word the list is not run; what it says is not known either.
        (self.rest != body).then_some(())
    }

    /// `[[ … ]]`, which compares and starts nothing but what is substituted in it.
    pub(super) fn condition(&mut self) -> Option<()> {
        loop {
            self.rest = self
                .rest
                .trim_start_matches([' ', '\t', '\n', '!', '(', ')', '<', '>', '|', '&']);
            let word = self.word()?;
            if word.text == "]]" {
                return Some(());
            }
            // Numbers are computed, and what is computed may be substituted.
            if word.text.contains(['`', '$']) && word.is_quoted || word.text.contains('[') {
                return None;
            }
        }
    }
}
