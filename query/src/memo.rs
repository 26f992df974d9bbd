//! What takes long to work out, and is asked for again and again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many answers are remembered; after more it begins again.
const MOST: usize = 20_000;

/// What was worked out so far.
#[derive(Debug)]
pub(crate) struct Memo<V>(Mutex<HashMap<String, V>>);

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<V: Clone> Memo<V> {
    /// What `work_out` says of `key`, or said before.
    pub(crate) fn get(&self, key: &str, work_out: impl FnOnce() -> V) -> V {
        if let Some(known) = self.known().get(key) {
            return known.clone();
        }
        let value = work_out();
        let mut known = self.known();
        if known.len() == MOST {
            known.clear();
        }
        known.insert(key.to_owned(), value.clone());
        value
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, HashMap<String, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
