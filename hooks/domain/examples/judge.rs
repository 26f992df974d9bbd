//! How many questions the door rules hold, from JSON lines with `question`, `header`, `options`, `answer` or
//! `chosen`, and `one_way` where it is known: `cargo run --release -p plantune-domain --example judge FILE`.
//!
//! Prints a line for each disagreement, then the shares.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a program for the terminal, and JSON indexed by name"
)]

use std::error::Error;

use plantune_domain::gate::{ProposedAnswer, check};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let registry = Registry::default();
    let (mut counts, mut held) = ([0_u32; 2], [0_u32; 2]);
    for line in std::fs::read_to_string(path)?.lines() {
        let one: Value = serde_json::from_str(line)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let options = one["options"].as_array().cloned().unwrap_or_default();
        let labels: Vec<String> = options
            .iter()
            .map(|option| text(option.get("label").unwrap_or(option)))
            .collect();
        let chosen = text(one.get("chosen").unwrap_or(&one["answer"]));
        let place = labels.iter().position(|label| same_label(label, &chosen));
        let option = place.and_then(|place| options.get(place));
        let beside = |name| text(option.and_then(|one| one.get(name)).unwrap_or(&Value::Null));
        let (question, header) = (text(&one["question"]), text(&one["header"]));
        let verdict = check(
            &ProposedAnswer {
                key: "",
                text: &question,
                header: Some(&header),
                options: &labels,
                label: Some(&chosen),
                description: &beside("description"),
                preview: &beside("preview"),
            },
            &registry,
        );
        let Some(is_one_way) = one["one_way"].as_bool() else {
            continue;
        };
        let at = usize::from(is_one_way);
        if let Some(count) = counts.get_mut(at) {
            *count += 1;
        }
        if let (Some(held), true) = (held.get_mut(at), verdict.is_err()) {
            *held += 1;
        }
        if verdict.is_err() != is_one_way {
            let reason = verdict
                .err()
                .map_or("answered".to_owned(), |refusal| refusal.to_string());
            println!("{reason}\t{chosen}\t{question}\t{}", beside("description"));
        }
    }
    println!(
        "harmless: {} of {} held; one-way: {} of {} held",
        held[0], counts[0], held[1], counts[1]
    );
    Ok(())
}
