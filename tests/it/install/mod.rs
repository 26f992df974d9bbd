//! `plantune install` and `plantune uninstall`: the built binary on real files.

mod copies;
mod home;
mod places;
mod settings;
