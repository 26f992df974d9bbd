//! The reader beside the parser that others keep, on lines with loops, conditions, groups, substitutions and
//! here-documents: each program that the second one finds is found here, too.

use std::collections::BTreeSet;

use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item, CompoundCommand};
use brush_parser::ast::{IoFileRedirectTarget as Target, IoRedirect};
use brush_parser::word::{self, WordPiece};
use brush_parser::{Parser, ParserOptions};

use super::super::read;

/// The programs that a line starts by name, those in substitutions included.
#[derive(Default)]
struct Started(BTreeSet<String>);

impl Started {
    /// `None` where the second parser does not understand the line.
    fn line(&mut self, line: &str) -> Option<()> {
        let mut parser = Parser::new(line.as_bytes(), &ParserOptions::default());
        let program = parser.parse_program().ok()?;
        program
            .complete_commands
            .iter()
            .for_each(|list| self.list(list));
        Some(())
    }

    fn list(&mut self, list: &ast::CompoundList) {
        for pipeline in list.0.iter().flat_map(|item| &item.0) {
            pipeline
                .1
                .seq
                .iter()
                .for_each(|command| self.command(command));
        }
    }

    fn command(&mut self, command: &ast::Command) {
        match command {
            ast::Command::Simple(simple) => self.simple(simple),
            ast::Command::Compound(compound, redirects) => {
                self.compound(compound);
                redirects
                    .iter()
                    .flat_map(|list| &list.0)
                    .for_each(|one| self.redirect(one));
            }
            ast::Command::Function(function) => self.compound(&function.body.0),
            ast::Command::ExtendedTest(..) => {}
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(group) => self.list(&group.list),
            CompoundCommand::ForClause(looped) => {
                looped
                    .values
                    .iter()
                    .flatten()
                    .for_each(|word| self.word(&word.value));
                self.list(&looped.body.list);
            }
            CompoundCommand::ArithmeticForClause(looped) => self.list(&looped.body.list),
            CompoundCommand::CaseClause(case) => {
                case.cases
                    .iter()
                    .filter_map(|one| one.cmd.as_ref())
                    .for_each(|list| self.list(list));
            }
            CompoundCommand::IfClause(condition) => {
                self.list(&condition.condition);
                self.list(&condition.then);
                for one in condition.elses.iter().flatten() {
                    one.condition.iter().for_each(|list| self.list(list));
                    self.list(&one.body);
                }
            }
            CompoundCommand::WhileClause(looped) | CompoundCommand::UntilClause(looped) => {
                self.list(&looped.0);
                self.list(&looped.1.list);
            }
            _ => {}
        }
    }

    fn simple(&mut self, simple: &ast::SimpleCommand) {
        let prefix = simple.prefix.iter().flat_map(|prefix| &prefix.0);
        let suffix = simple.suffix.iter().flat_map(|suffix| &suffix.0);
        if let Some(name) = &simple.word_or_name {
            self.word(&name.value);
            let is_literal = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:[".contains(&byte);
            if name.value.bytes().all(is_literal) {
                self.0.insert(name.value.clone());
            }
        }
        for item in prefix.chain(suffix) {
            match item {
                Item::Word(word) | Item::AssignmentWord(_, word) => self.word(&word.value),
                Item::IoRedirect(redirect) => self.redirect(redirect),
                Item::ProcessSubstitution(_, group) => self.list(&group.list),
            }
        }
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, _, Target::Filename(word) | Target::Duplicate(word))
            | IoRedirect::HereString(_, word)
            | IoRedirect::OutputAndError(word, _) => self.word(&word.value),
            IoRedirect::File(_, _, Target::ProcessSubstitution(_, group)) => self.list(&group.list),
            IoRedirect::File(..) => {}
            IoRedirect::HereDocument(_, document) if document.requires_expansion => {
                self.word(&format!("\"{}\"", document.doc.value.replace('"', "")));
            }
            IoRedirect::HereDocument(..) => {}
        }
    }

    fn word(&mut self, word: &str) {
        for piece in word::parse(word, &ParserOptions::default()).unwrap_or_default() {
            self.piece(&piece.piece);
        }
    }

    fn piece(&mut self, piece: &WordPiece) {
        match piece {
            WordPiece::DoubleQuotedSequence(pieces)
            | WordPiece::GettextDoubleQuotedSequence(pieces) => {
                pieces.iter().for_each(|piece| self.piece(&piece.piece));
            }
            WordPiece::CommandSubstitution(line)
            | WordPiece::BackquotedCommandSubstitution(line) => {
                self.line(line);
            }
            _ => {}
        }
    }
}

/// Fails when the second parser finds a program that the reader does not; false where one of them does not
/// understand the line.
fn compare(line: &str) -> bool {
    let Some(reading) = read(line) else {
        return false;
    };
    // The second parser expands here-documents in substitutions that are quoted.
    if line.contains("$(cat <<") {
        return false;
    }
    let mut theirs = Started::default();
    if theirs.line(line).is_none() {
        return false;
    }
    let ours = reading
        .programs
        .iter()
        .filter_map(|simple| simple.words.first());
    let ours: BTreeSet<&str> = ours.map(|word| word.text.as_str()).collect();
    // A `time` is a keyword to the second parser, and a condition no program.
    let missing = theirs
        .0
        .iter()
        .filter(|name| !ours.contains(name.as_str()) && *name != "[[");
    let missing: Vec<&String> = missing.filter(|_| !ours.contains("time")).collect();
    assert!(missing.is_empty(), "{line}\n{missing:?}");
    true
}

#[test]
fn lines_that_are_not_plain() {
    for line in [
        "for f in a b; do c $f | d; done > e",
        "while a; do b; done; until c; do d; done",
        "if a; then b; elif c; then d; else e; fi && f",
        "{ a; b; } | (c; d)",
        "a \"$(b \"$(c)\")\" `d` <(e) && f",
        "a <<E\n$(b)\nE\nc",
        "a <<-'E' | b\n\t$(c)\n\tE\nd",
        "x=$(a) y=b; c \"${x:-d}\"",
        "[[ -f a && ! -d b ]] || c",
    ] {
        assert!(compare(line), "{line}");
    }
}

/// Commands that agents really ran, where they are on this machine.
#[test]
fn real_lines_are_read_alike() {
    let Some(shared) = std::env::var_os("PLANTUNE_SHARED") else {
        eprintln!("skipped: PLANTUNE_SHARED names no folder with real commands");
        return;
    };
    let path = std::path::Path::new(&shared).join("corpus/commands.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut all, mut understood, mut compared) = (0, 0, 0);
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let command = value["command"].as_str().unwrap();
        all += 1;
        understood += usize::from(read(command).is_some());
        compared += usize::from(compare(command));
    }
    assert!(understood * 100 >= all * 97, "{understood} of {all}");
    assert!(compared * 100 >= all * 90, "{compared} of {all}");
}
