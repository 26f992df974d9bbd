//! The commands of docs/fleet.md are run, and print what the page shows.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::string_slice,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

#[path = "../../tests/documents/mod.rs"]
#[allow(dead_code, reason = "only one page is the fleet's")]
mod commands_shown;
mod home;

use commands_shown::{commands, is_shown, root};
use home::{Fleet, answered, text};

#[test]
fn every_command_of_the_page_prints_what_it_shows() {
    let fleet = Fleet::new();
    let machine = fleet.machine("one");
    machine.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    let page = std::fs::read_to_string(root().join("docs/fleet.md")).unwrap();
    let (lake, home) = (fleet.lake(), machine.home.to_str().unwrap());
    let mut wrong = Vec::new();
    let shown = commands(&page);
    assert!(shown.len() > 5);
    for shown in shown {
        let typed = shown.command.strip_prefix("plantune fleet ").unwrap();
        let mut words: Vec<String> = typed
            .split_whitespace()
            .map(|word| word.replace("/mnt/share/plantune", lake.to_str().unwrap()))
            .map(|word| word.replace('~', home))
            .collect();
        if words[0] == "init" {
            words.push("--yes".to_owned());
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = machine.run(&words);
        let printed = text(&ran.stdout);
        let lines: Vec<&str> = printed.trim_matches('\n').lines().collect();
        let as_shown = shown.output.is_empty() || is_shown(&shown.output, &lines);
        if ran.status.code() != Some(shown.exit_code) || !as_shown {
            wrong.push(format!(
                "docs/fleet.md:{}: {}\n{printed}{}",
                shown.line,
                shown.command,
                text(&ran.stderr)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
