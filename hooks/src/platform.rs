//! What the hook's program needs of the operating system beyond files (`plantune_domain::platform`): its start, its
//! standard streams, and a program that it talks to. A file a system, with the same functions in each.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;
