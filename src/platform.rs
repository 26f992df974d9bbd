//! What the command line needs of the operating system beyond files (`plantune_domain::platform`): other programs,
//! the terminal and its signals, the person. A file a system, with the same functions in each.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;
