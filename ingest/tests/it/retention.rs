//! Segments that are sealed and dropped: nothing is lost that was not to be dropped.

mod collected;
mod months;
mod sealed;
