//! `plantune install` and `plantune uninstall`: the built binary on real files.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

#[allow(unreachable_pub, reason = "shared by several tests")]
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod copies;
#[cfg(unix)]
mod given;
#[cfg(unix)]
mod installed;
#[cfg(unix)]
mod places;
#[cfg(unix)]
mod repairs;
#[cfg(unix)]
mod settings;
mod surroundings;
#[path = "../world/mod.rs"]
mod world;
