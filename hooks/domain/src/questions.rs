//! Questions and their keys.

pub mod family;
pub mod keys;
pub mod question;
pub mod recommended;
