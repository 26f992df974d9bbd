//! What strangers can get at: texts and ids in the spool, files others may write, links, and
//! repositories that bring preferences along.

mod files;
mod home;
mod repositories;
mod texts;
