//! The statements of `fleet/sql/`: what machines push to an organisation's lake, and the reports over it. Those of the
//! reports are in the common dialect of DuckDB and Spark.

/// A view over the files of a lake, and the query that it is.
#[derive(Clone, Copy, Debug)]
pub struct LakeView {
    /// Its name.
    pub name: &'static str,
    /// The query.
    pub sql: &'static str,
    /// True if many queries read it, so that its rows are worth keeping.
    pub is_kept: bool,
}

const fn view(name: &'static str, sql: &'static str, is_kept: bool) -> LakeView {
    LakeView { name, sql, is_kept }
}

/// The views of the files, in order: each reads `files` or those before it.
pub const VIEWS: [LakeView; 3] = [
    view("events", include_str!("../sql/events.sql"), false),
    view("questions", include_str!("../sql/questions.sql"), true),
    view("prompts", include_str!("../sql/prompts.sql"), true),
];

/// The views of a report's parts, in order. They read [`VIEWS`], `settings` ([`SETTINGS`]) and `parts`, the parts that
/// are wanted.
pub const OF_PARTS: [LakeView; 2] = [
    view("grouped", include_str!("../sql/grouped.sql"), true),
    view("named", include_str!("../sql/named.sql"), true),
];

/// The row of settings, with a number for each name in braces.
pub const SETTINGS: &str = include_str!("../sql/settings.sql");

/// The contents of a lake.
pub const CONTENTS: &str = include_str!("../sql/contents.sql");

/// The figures of the groups of `parts`.
pub const FIGURES: &str = include_str!("../sql/figures.sql");

/// The answers that machines give alike.
pub const ALIKE: &str = include_str!("../sql/alike.sql");

/// The files that the views read on DuckDB: those that the variable of this name lists.
pub const FILES: &str = include_str!("../sql/files.sql");

/// The columns that the views read of the files, as Spark writes a schema.
pub const SPARK_COLUMNS: &str = include_str!("../sql/spark.sql");

/// A database that computes in a folder, the variable `folder`.
pub const SESSION: &str = include_str!("../sql/session.sql");

/// The statements of a push.
pub mod push {
    /// The table of events to push; `{columns}` are the columns of events.
    pub const DUE: &str = include_str!("../sql/push/due.sql");
    /// Its days.
    pub const DAYS: &str = include_str!("../sql/push/days.sql");
    /// Writes the file of a day: the variables `day` and `path`.
    pub const WRITE: &str = include_str!("../sql/push/write.sql");
    /// Some of its rows.
    pub const SAMPLES: &str = include_str!("../sql/push/samples.sql");
}
