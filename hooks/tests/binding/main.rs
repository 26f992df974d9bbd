//! What a standing preference answers: what its owner has seen, and nothing else. Each group of probes
//! stands beside questions that are answered.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod options;
mod words;

use common::question;
use serde_json::Value;

const RUN: &[&str] = &["Run it (Recommended)", "Skip it"];

fn text(text: &str) -> Value {
    question("k", text, RUN)
}

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|one| text(one)).collect()
}
