//! `plantune install` and `plantune uninstall`: the built binary on real files.

mod copies;
mod given;
mod installed;
mod places;
mod purge;
mod repairs;
mod settings;
mod surroundings;
