//! The reader beside a parser that others keep: whatever a plain line starts, both find the same.

use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item, IoRedirect};
use brush_parser::word::{self, WordPiece};
use brush_parser::{Parser, ParserOptions};
use proptest::prelude::*;

use super::super::read;

/// The words of each simple command, without quotes; `None` for a line with anything else, or an error.
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

/// A word without its quotes; `None` for one that is expanded.
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

/// What the reader finds in a plain line; `None` for one that is not plain.
fn ours(line: &str) -> Option<Vec<Vec<String>>> {
    let reading = read(line).filter(|reading| reading.is_plain)?;
    let words = |simple: super::Simple| {
        let set = simple.assignments.into_iter();
        let set = set.map(|(name, value)| format!("{name}={}", value.text));
        set.chain(simple.words.into_iter().map(|word| word.text))
            .collect()
    };
    Some(reading.programs.into_iter().map(words).collect())
}

/// Fails when the second parser finds a command that the reader, sure of the line, does not.
fn compare(line: &str) -> bool {
    let Some(ours) = ours(line) else {
        return false;
    };
    // Tildes are looked at behind the reader.
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
        include_str!("../../../../tests/permissions/harmless.txt"),
        include_str!("../../../../tests/permissions/dangerous.txt"),
    ];
    let compared = lists
        .iter()
        .flat_map(|list| list.lines())
        .filter(|line| compare(line));
    assert!(compared.count() > 900);
}

/// A construct that the second parser finds and that is more than simple commands is never plain.
#[test]
fn what_is_more_than_simple_commands_is_not_plain() {
    for line in include_str!("../../../../tests/permissions/dangerous.txt").lines() {
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
