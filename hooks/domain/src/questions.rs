//! What a question is, and what it is called.

pub mod family;
pub mod keys;
pub mod question;
pub mod recommended;
