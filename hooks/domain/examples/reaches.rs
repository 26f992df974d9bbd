//! How far the commands of files reach, to measure the judge on commands that nobody wrote for it:
//! `cargo run -p plantune-domain --example reaches -- [--list REACH] FILE.jsonl…`
//!
//! A line is `{"command": "npm test", "folder": "/home/dev/shop"}`; other fields are left alone. For each file:
//! how many commands reach how far, are not understood, and would get a rule or are never asked about. `--list` prints the commands of one
//! reach, with why; `--list unproposed` the others.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a program for the terminal, and JSON indexed by name"
)]

use std::error::Error;

use plantune_domain::permissions::{
    OwnReaches, Reach, describe, is_never_asked, judge, narrowest_rules, parts,
};
use serde_json::{Value, json};

#[derive(Default)]
struct Counts {
    all: usize,
    reach: [usize; Reach::ALL.len()],
    not_understood: usize,
    proposable: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut list = None;
    if files.first().is_some_and(|word| word == "--list") && files.len() > 1 {
        list = files.drain(..2).nth(1);
    }
    for file in files {
        let mut counts = Counts::default();
        for line in std::fs::read_to_string(&file)?.lines() {
            count(&serde_json::from_str(line)?, list.as_deref(), &mut counts);
        }
        print(&file, &counts);
    }
    Ok(())
}

fn count(line: &Value, list: Option<&str>, counts: &mut Counts) {
    let command = line["command"].as_str().unwrap_or_default();
    let folder = line["folder"].as_str().unwrap_or("/home/dev/shop");
    let own = OwnReaches::default();
    let input = json!({ "command": command });
    let described = describe("Bash", &input, folder);
    let is_asked =
        parts(command, folder, &own).is_none_or(|parts| !parts.iter().all(is_never_asked));
    let is_proposable = !is_asked || narrowest_rules("Bash", command, folder, &own).is_some();
    counts.all += 1;
    counts.not_understood += usize::from(judge(command, folder, &own).is_none());
    counts.proposable += usize::from(is_proposable);
    for (reach, counted) in Reach::ALL.iter().zip(&mut counts.reach) {
        *counted += usize::from(*reach == described.reach);
    }
    let is_wanted = list.is_some_and(|list| match list {
        "unproposed" => !is_proposable,
        list => list == described.reach.name(),
    });
    if is_wanted {
        println!(
            "{}\t{command:?}\t{}",
            described.reach.name(),
            described.reason
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines")]
fn print(file: &str, counts: &Counts) {
    let share = |count: usize| {
        format!(
            "{count} ({:.1} %)",
            100.0 * count as f64 / counts.all.max(1) as f64
        )
    };
    println!("{file}: {} commands", counts.all);
    for (reach, count) in Reach::ALL.iter().zip(counts.reach) {
        println!("  {:<8} {}", reach.name(), share(count));
    }
    println!(
        "  not understood {}; a rule or never asked {}",
        share(counts.not_understood),
        share(counts.proposable)
    );
}
