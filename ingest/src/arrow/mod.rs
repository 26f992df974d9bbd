//! Events and rows of the store as Arrow record batches.

mod batches;
mod events;
mod unknown_fields;

pub(crate) use batches::{Unsaved, append, array, bytes, column, texts, unexpected};
#[cfg(test)]
pub(crate) use events::is_field;
pub(crate) use events::{EventsBuilder, columns_sql, complete, digests};
pub use events::{fields, with_event_columns};
