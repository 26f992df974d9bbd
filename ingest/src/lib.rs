//! plantune-ingest

pub mod claude_code;
