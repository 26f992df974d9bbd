//! What a run works with: folders, clock, time zone, the user's files and the store.

pub(crate) mod context;
pub(crate) mod period;
pub(crate) mod refresh;
pub(crate) mod store;
pub(crate) mod time_zone;
pub(crate) mod user_files;
