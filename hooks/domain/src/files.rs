//! Where files lie, and how they are read and written.

pub mod atomic_file;
pub mod launcher;
pub mod paths;
pub mod private_file;
pub mod roots;
