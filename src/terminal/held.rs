//! Standard output, and what of it is held back until a verb is done.

use std::io::{ErrorKind, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

/// What is held back; `None` while everything is written at once.
static HELD: Mutex<Option<String>> = Mutex::new(None);

/// Holds output back from here on.
pub(super) fn hold() {
    *held() = Some(String::new());
}

/// Takes what was held back, if output is; everything after it is written at once.
pub(super) fn take() -> Option<String> {
    held().take()
}

/// Writes `text` to standard output, or holds it back while that is wanted. A reader that has gone away (`plantune … | head`) is no failure.
///
/// # Errors
/// When standard output cannot be written for another reason.
pub(crate) fn print_exactly(text: &str) -> Result<(), Failure> {
    if keep(text) {
        return Ok(());
    }
    write_now(text)
}

/// Writes `text` to standard output, whatever is held back.
fn write_now(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Keeps `text`, if output is held back; false when it is to be written.
fn keep(text: &str) -> bool {
    match &mut *held() {
        Some(kept) => {
            kept.push_str(text);
            true
        }
        None => false,
    }
}

/// Writes what was held back, and everything after it at once: the person is asked something, or the verb
/// failed.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn release() -> Result<(), Failure> {
    let kept = take();
    kept.map_or(Ok(()), |text| write_now(&text))
}

fn held() -> MutexGuard<'static, Option<String>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}
