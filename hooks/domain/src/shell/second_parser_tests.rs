//! Compares the parser with one that others maintain. In a plain line, both find the same words. In lines with loops,
//! conditions, groups, substitutions and here-documents, this parser finds at least the programs that the other finds.

use std::collections::BTreeSet;

use brush_parser::ast::{
    CommandPrefixOrSuffixItem as Item, CompoundCommand, IoFileRedirectTarget as Target, IoRedirect,
};
use brush_parser::word::WordPiece;
use brush_parser::{Parser, ParserOptions, ast, word};
use proptest::prelude::*;

use super::parse::{Simple, read};

/// The words of each simple command, without quotes; `None` for an error, or a line with anything else.
fn found(line: &str) -> Option<Vec<Vec<String>>> {
    let options = ParserOptions::default();
    let program = Parser::new(line.as_bytes(), &options)
        .parse_program()
        .ok()?;
    let mut found = Vec::new();
    for list in &program.complete_commands {
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                // The second parser reads `time` as a keyword; here it is a word.
                if pipeline.bang || pipeline.timed.is_some() {
                    return None;
                }
                for command in &pipeline.seq {
                    let ast::Command::Simple(simple) = command else {
                        return None;
                    };
                    found.push(words(simple)?);
                }
            }
        }
    }
    Some(found)
}

fn words(simple: &ast::SimpleCommand) -> Option<Vec<String>> {
    let prefix = simple.prefix.iter().flat_map(|prefix| &prefix.0);
    let suffix = simple.suffix.iter().flat_map(|suffix| &suffix.0);
    let mut words = Vec::new();
    for item in prefix {
        words.extend(word_of(item)?);
    }
    words.extend(match &simple.word_or_name {
        Some(name) => Some(text(&name.value)?),
        None => None,
    });
    for item in suffix {
        words.extend(word_of(item)?);
    }
    Some(words)
}

fn word_of(item: &Item) -> Option<Option<String>> {
    match item {
        Item::Word(word) | Item::AssignmentWord(_, word) => text(&word.value).map(Some),
        Item::IoRedirect(IoRedirect::File(..) | IoRedirect::OutputAndError(..)) => Some(None),
        Item::IoRedirect(_) | Item::ProcessSubstitution(..) => None,
    }
}

/// A word without its quotes; `None` for a word with expansions.
fn text(value: &str) -> Option<String> {
    let pieces = word::parse(value, &ParserOptions::default()).ok()?;
    let mut text = String::new();
    for piece in pieces {
        add(&piece.piece, &mut text)?;
    }
    Some(text)
}

fn add(piece: &WordPiece, text: &mut String) -> Option<()> {
    match piece {
        WordPiece::Text(plain) | WordPiece::SingleQuotedText(plain) => text.push_str(plain),
        WordPiece::EscapeSequence(escaped) => {
            text.push_str(escaped.strip_prefix('\\').unwrap_or(escaped));
        }
        WordPiece::TildeExpansion(_) => return None,
        WordPiece::DoubleQuotedSequence(pieces) => {
            for piece in pieces {
                add(&piece.piece, text)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The words that the reader finds in a plain line; `None` for a line that is not plain.
fn ours(line: &str) -> Option<Vec<Vec<String>>> {
    let reading = read(line).filter(|reading| reading.is_plain)?;
    let words = |simple: Simple| {
        let set = simple.assignments.into_iter();
        let set = set.map(|(name, value)| format!("{name}={}", value.text));
        set.chain(simple.words.into_iter().map(|word| word.text))
            .collect()
    };
    Some(reading.programs.into_iter().map(words).collect())
}

/// Fails if the second parser finds a command that the reader misses in a line that it calls plain.
fn compare(line: &str) -> bool {
    let Some(ours) = ours(line) else {
        return false;
    };
    // Tildes are handled after the reader.
    let Some(theirs) = found(line).filter(|_| !line.contains('~')) else {
        return false;
    };
    let is_started = |command: &&Vec<String>| !command.is_empty();
    let theirs: Vec<&Vec<String>> = theirs.iter().filter(is_started).collect();
    let ours: Vec<&Vec<String>> = ours.iter().filter(is_started).collect();
    assert_eq!(ours, theirs, "{line:?}");
    true
}

#[test]
fn lists_of_commands_are_read_alike() {
    let lists = [
        include_str!("../../tests/permissions/harmless.txt"),
        include_str!("../../tests/permissions/dangerous.txt"),
    ];
    let compared = lists
        .iter()
        .flat_map(|list| list.lines())
        .filter(|line| compare(line));
    assert!(compared.count() > 900);
}

/// A line in which the second parser finds more than simple commands is never plain.
#[test]
fn what_is_more_than_simple_commands_is_not_plain() {
    for line in include_str!("../../tests/permissions/dangerous.txt").lines() {
        if let Ok(program) = Parser::new(line.as_bytes(), &ParserOptions::default()).parse_program()
        {
            let shown = format!("{program:?}");
            let is_more = [
                "Compound(",
                "Function(",
                "ProcessSubstitution(",
                "HereDocument(",
                "bang: true",
            ]
            .iter()
            .any(|construct| shown.contains(construct));
            assert!(!is_more || ours(line).is_none(), "{line}");
        }
    }
}

fn piece() -> impl Strategy<Value = String> {
    let fixed = [
        "ls",
        "git",
        "push",
        "-m",
        "x",
        "A=1",
        "'a b'",
        "\"c d\"",
        "''",
        "\"\"",
        "e\\ f",
        "\"g\\\"h\"",
        "i'j'k",
        "&&",
        "||",
        ";",
        "|",
        "|&",
        "&",
        "\n",
        ">",
        ">>",
        "2>",
        "2>&1",
        "<",
        "&>",
        "(",
        ")",
        "{",
        "}",
        "!",
        "$x",
        "$(y)",
        "`z`",
        "#",
        "*",
        "\\",
        "'",
        "\"",
        "=",
        "~",
        "[",
        "]",
        "if",
        "then",
        "fi",
        "-",
        "--",
        "\t",
        "\\\n",
        "$'q'",
        "<<E",
        "1",
        "/dev/null",
        "\"l\\m\"",
        "\"n\\$o\"",
        "p\\;q",
        "r#s",
        ">|",
        "<>",
        "1>",
        ">&2",
        "time",
        "t=u",
        "\r",
        "é",
        "\u{a0}",
    ];
    prop_oneof![
        6 => proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned),
        2 => "[a-z]{1,4}",
        1 => "[ -~]{1,3}",
    ]
}

#[test]
fn quoted_digits_are_no_file_descriptor() {
    for line in [
        "echo \"2\">x",
        "echo \"\">>x",
        "echo '1'<x",
        "echo 2>x",
        "echo a2>x",
    ] {
        assert!(compare(line), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_lines_are_read_alike(
        pieces in proptest::collection::vec((piece(), prop_oneof![3 => Just(" "), 1 => Just("")]), 1..12)
    ) {
        let line: String = pieces.iter().map(|(piece, space)| format!("{piece}{space}")).collect();
        compare(&line);
    }
}

// Lines that are more than plain.

/// The programs that a line starts by name, including those in substitutions.
#[derive(Default)]
struct StartedPrograms(BTreeSet<String>);

impl StartedPrograms {
    /// `None` if the second parser cannot read the line.
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

/// Fails if the second parser finds a program that the reader misses; false if one of them cannot read the line.
fn compare_programs(line: &str) -> bool {
    let Some(reading) = read(line) else {
        return false;
    };
    // The second parser expands quoted here-documents in substitutions.
    if line.contains("$(cat <<") {
        return false;
    }
    let mut theirs = StartedPrograms::default();
    if theirs.line(line).is_none() {
        return false;
    }
    let ours = reading
        .programs
        .iter()
        .filter_map(|simple| simple.words.first());
    let ours: BTreeSet<&str> = ours.map(|word| word.text.as_str()).collect();
    // The second parser reads `time` as a keyword, and a condition is not a program.
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
        assert!(compare_programs(line), "{line}");
    }
}

/// Commands that agents really ran, if they are on this machine.
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
        compared += usize::from(compare_programs(command));
    }
    assert!(understood * 100 >= all * 97, "{understood} of {all}");
    assert!(compared * 100 >= all * 90, "{compared} of {all}");
}
