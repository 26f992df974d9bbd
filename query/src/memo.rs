//! What takes long to work out, and is asked for again and again.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many answers are remembered; after more it begins again.
const MOST: usize = 20_000;

/// What was worked out so far.
#[derive(Debug)]
pub(crate) struct Memo<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// What `work_out` says of `key`, or said before.
    pub(crate) fn get<Q>(&self, key: &Q, work_out: impl FnOnce() -> V) -> V
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
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

    pub(crate) fn known(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
