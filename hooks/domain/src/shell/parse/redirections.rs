//! Redirections and here-documents.

use super::{Close, Reader, Simple, Word};

/// A here-document whose text has not been read.
pub(super) struct HereDocument {
    delimiter: String,
    /// True for `<<-`: tabs before its lines do not count.
    is_indented: bool,
    /// True when nothing in it is expanded.
    is_literal: bool,
}

impl Reader<'_> {
    /// A redirection: `>`, `>>`, `2>&1`, `<`, `<<`, `<<<`.
    pub(super) fn arrow(&mut self, now: &mut Simple) -> Option<()> {
        let appends = self.skip(">>");
        if appends || self.skip(">|") || self.skip(">") {
            if self.skip("&") {
                let target = self.word()?;
                let is_number = target
                    .text
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'-');
                return is_number.then_some(());
            }
            if self.peek() == Some('(') {
                return None;
            }
            now.truncates.push(!appends);
            return self.redirection(now);
        }
        if self.rest.starts_with("<>") {
            return None;
        }
        if self.skip("<<<") {
            self.is_plain = false;
            now.reads_pipe = true;
            self.blanks();
            return self.word().map(drop);
        }
        if self.skip("<<") {
            self.is_plain = false;
            now.reads_pipe = true;
            let is_indented = self.skip("-");
            self.blanks();
            let delimiter = self.word().filter(|word| !word.is_open)?;
            self.here_documents.push(HereDocument {
                delimiter: delimiter.text,
                is_indented,
                is_literal: delimiter.is_quoted,
            });
            return Some(());
        }
        self.take();
        if self.skip("(") {
            self.is_plain = false;
            return self.nested(|inner| inner.list(Close::Char(')')));
        }
        self.blanks();
        let source = self.word()?;
        self.is_plain &= !source.is_open;
        now.reads.push(source);
        Some(())
    }

    pub(super) fn redirection(&mut self, now: &mut Simple) -> Option<()> {
        self.blanks();
        let target = self.word()?;
        self.is_plain &= !target.is_open;
        now.writes.push(target);
        Some(())
    }

    /// The texts of the here-documents that the line before has begun.
    pub(super) fn here_documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.here_documents) {
            let text = self.rest;
            let mut length = 0;
            loop {
                let line = text.get(length..)?.split_inclusive('\n').next()?;
                let bare = line.strip_suffix('\n').unwrap_or(line);
                let bare = match document.is_indented {
                    true => bare.trim_start_matches('\t'),
                    false => bare,
                };
                if bare == document.delimiter {
                    self.rest = text.get(length + line.len()..)?;
                    break;
                }
                // A substitution may close on the line of the delimiter.
                length += line.len();
            }
            if !document.is_literal {
                let after = std::mem::replace(&mut self.rest, text.get(..length)?);
                let mut word = Word::default();
                while let Some(c) = self.peek() {
                    match c {
                        '\\' => {
                            self.take();
                            self.take();
                        }
                        '$' | '`' => self.expansion(&mut word, true)?,
                        _ => drop(self.take()),
                    }
                }
                self.rest = after;
            }
        }
        Some(())
    }
}
