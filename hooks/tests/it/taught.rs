//! What a person teaches in the dialog: what is written, what is said, and who cannot teach.

mod dialog;
mod kept;
mod lessons;
mod refused;
