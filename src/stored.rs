//! Opening the store to read it.

use plantune_query::{Error, Store};

use crate::context::Context;
use crate::failure::Failure;

/// The store; `None` before anything was ever ingested.
///
/// # Errors
/// When the store cannot be opened.
pub(crate) fn open(context: &Context) -> Result<Option<Store>, Failure> {
    match Store::open(&context.paths.store()) {
        Ok(store) => Ok(Some(store)),
        Err(Error::Missing(_)) => Ok(None),
        Err(error) => Err(unreadable(context, &error)),
    }
}

/// A failure about the store.
pub(crate) fn unreadable(context: &Context, error: &Error) -> Failure {
    let path = context.paths.store();
    Failure::failed(format!("{}: {error}", path.display()))
        .hint("another plantune may be writing to it; try again in a moment")
}
