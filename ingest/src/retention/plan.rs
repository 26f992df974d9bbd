//! What is to happen to the files of the log, and what became of them.

/// One file of the log, and what is to happen to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The file's name. Untrusted text.
    pub file_name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// What is to happen.
    pub step: Step,
}

/// What is to happen to a file of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its events go to the sealed segment of its month.
    Seal,
    /// It is removed, and what it says is gone.
    Drop,
    /// It stays as it is.
    Keep(Why),
}

/// Why a file stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its day, or the day it was last written to, may still get events: today, yesterday, or one to come.
    DayIsOpen,
    /// It is old enough to be sealed, but its month is not: a month is sealed at once.
    MonthIsOpen,
    /// Its time has not come; it is so many days old.
    Young {
        /// Days since its day and since it was last written to, whichever is less; of a sealed segment,
        /// since the last day of its month.
        days: u32,
    },
    /// So many bytes of it are not in the store.
    NotRead {
        /// The bytes; of a sealed file, all of it.
        bytes: u64,
    },
    /// It ends in the middle of a line.
    Torn,
    /// It is another file than the one that was read.
    Replaced,
    /// Its time has come, but lines of it are in quarantine.
    Quarantined {
        /// How many.
        lines: u64,
    },
    /// It is sealed, and cannot be read to its end.
    Damaged,
    /// The sealed segment of its month is damaged, or no file of plantune's.
    MonthIsDamaged,
    /// It is empty.
    Empty,
    /// It is a symbolic link.
    Link,
    /// plantune gives no such name.
    Unknown,
    /// The file system refuses, in its words.
    Unreadable(String),
}

/// What became of a file of the log.
#[derive(Debug)]
pub struct Collected {
    /// What was to happen.
    pub planned: Planned,
    /// How many bytes were freed, or why nothing was done.
    pub freed: Result<u64, String>,
}
