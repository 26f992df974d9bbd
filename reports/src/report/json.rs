//! The report for scripts.

use std::io;

use super::Document;
use crate::{Format, json};

/// JSON, `schema_version` 1.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl Format<Document> for Json {
    fn write(&self, document: &Document, out: &mut dyn io::Write) -> io::Result<()> {
        json::write(document, out)
    }
}
