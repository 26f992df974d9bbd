//! What a standing preference answers: what its owner has seen, and nothing else. Each group of probes
//! stands beside questions that are answered.

mod calls;
mod options;
mod words;

use crate::common::question;
use serde_json::Value;

const RUN: &[&str] = &["Run it (Recommended)", "Skip it"];

fn text(text: &str) -> Value {
    question("k", text, RUN)
}

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|one| text(one)).collect()
}
