//! Tests of the table of programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::judge;
use super::programs::{ArgumentKind, CallFacts};
use crate::atomic_file;
use crate::reach::{OwnReaches, Reach};

const TABLE: &str = include_str!("programs.tsv");

/// The lines of the table, each split after its first column.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('\t').unwrap())
}

/// What the lines about the calls of `command` say.
fn facts(command: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (_, columns) in lines().filter(|(one, _)| *one == command) {
        match columns.strip_prefix("like ") {
            Some(other) => found.extend(facts(other)),
            None if CallFacts::read(columns).is_some() => found.push(columns),
            None => {}
        }
    }
    found
}

fn is_understood(columns: &'static str) -> bool {
    let (what, rest) = columns.split_once('\t').unwrap_or((columns, ""));
    let is_column = |column: &'static str| match column.split_once(": ") {
        Some(("note" | "instead of the first operand", _)) => true,
        Some((kind, _)) => ArgumentKind::named(kind).is_some(),
        None => column == "a number after a dash",
    };
    let mut further = rest.split('\t').skip(1);
    match what {
        "can do anything" => matches!(rest, "" | "an ordinary word"),
        "starts" | "loads what is not known with" | "with any arguments" => {
            !rest.is_empty() && !rest.contains('\t')
        }
        "has before its subcommand" => rest.split('\t').all(is_column),
        "starts the command after it" | "starts the command after it for each line" => {
            further.all(is_column)
        }
        _ => match what.strip_prefix("like ") {
            Some(other) => rest.is_empty() && !facts(other).is_empty(),
            None => CallFacts::read(columns).is_some() && further.all(is_column),
        },
    }
}

/// A line is found by its first column, and what it does not say in known words is not known.
#[test]
fn the_table_is_sorted_and_understood() {
    let commands: Vec<&str> = lines().map(|(command, _)| command).collect();
    assert!(commands.is_sorted());
    let odd = lines().filter(|(_, columns)| !is_understood(columns));
    assert_eq!(odd.collect::<Vec<_>>(), []);
}

/// What the table says of calls, each set of facts once: the commands that it holds for, and a column a line.
fn printed() -> String {
    let mut commands: Vec<&str> = lines().map(|(command, _)| command).collect();
    commands.dedup();
    let mut of_facts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for command in commands {
        for facts in facts(command) {
            of_facts.entry(facts).or_default().push(command);
        }
    }
    let mut sets: Vec<(Vec<&str>, &str)> = of_facts
        .into_iter()
        .map(|(facts, commands)| (commands, facts))
        .collect();
    sets.sort_unstable();
    let mut text = String::new();
    for (commands, facts) in sets {
        let facts = facts.replace('\t', "\n    ");
        writeln!(text, "{}\n    {facts}\n", commands.join(", ")).unwrap();
    }
    text
}

/// Whoever changes the table sees in `tests/permissions/programs.txt` for which commands that holds.
/// `PLANTUNE_WRITE_EXPECTED=1` writes it.
#[test]
fn the_table_says_what_it_said() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/permissions/programs.txt"
    );
    let found = printed();
    if std::env::var_os("PLANTUNE_WRITE_EXPECTED").is_some() {
        atomic_file::replace(path.as_ref(), found.as_bytes(), 0o644).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert!(
        found == expected,
        "programs.txt is not what the table says:\n{found}"
    );
}

/// No line reaches "reads" with an operand or a value that is an option, a path elsewhere or a substitution.
#[test]
fn no_line_reads_with_a_word_that_may_be_anything() {
    let bad = ["--x=./evil", "-x./evil", "~/.ssh/id_rsa", "/etc/x", "$(x)"];
    let mut tried = 0;
    let calls = lines().filter(|(_, columns)| CallFacts::read(columns).is_some());
    for (command, columns) in calls {
        let lists = columns
            .split('\t')
            .filter_map(|column| column.split_once(": "));
        let options = lists.filter(|(kind, _)| *kind != "note");
        let options: Vec<&str> = options.flat_map(|(_, names)| names.split(' ')).collect();
        for bad in bad {
            let mut words = vec![
                bad.to_owned(),
                format!("test {bad}"),
                format!("test x {bad}"),
            ];
            for option in &options {
                words.push(format!("{option} {bad} test"));
                words.push(format!("{option} x {bad}"));
            }
            for words in words {
                tried += 1;
                let line = format!("{command} {words}");
                let judged = judge(&line, "/home/dev/shop", &OwnReaches::default());
                let worst = judged.and_then(|line| line.commands.iter().map(|one| one.reach).max());
                assert_ne!(worst, Some(Reach::Reads), "{line}");
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
}

/// A rule for any arguments of a command would allow no command of the list, as far as the host leaves it to rules, and
/// but for filters that show the environment, of which the rule's own words warn.
#[test]
fn what_may_have_any_arguments_is_nothing_dangerous() {
    let dangerous = include_str!("../../tests/permissions/dangerous.txt");
    let own = OwnReaches::default();
    let judged = |line: &str| judge(line, "/home/dev/shop", &own).filter(|line| line.is_plain);
    let parts = dangerous.lines().filter_map(judged);
    let parts = parts.flat_map(|line| line.commands);
    let parts: Vec<String> = parts
        .filter(|part| part.reach == Reach::Beyond && !part.writes_file)
        .map(|part| part.text())
        .filter(|part| !part.contains("--jq") && !part.contains(" -q "))
        .collect();
    let wide = lines().filter(|(_, columns)| columns.starts_with("with any arguments\t"));
    let wide: Vec<&str> = wide.map(|(command, _)| command).collect();
    assert!(wide.len() > 50 && parts.len() > 500, "{wide:?}");
    for command in wide {
        let is_begun = |part: &&String| {
            let rest = part.strip_prefix(command);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        assert_eq!(parts.iter().find(is_begun), None, "{command} *");
        let reads = |facts: &&str| facts.starts_with("shows") || facts.starts_with("reads");
        assert!(facts(command).iter().all(reads), "{command}");
    }
}
