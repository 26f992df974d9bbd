//! `plantune debug version`: which plantune this is, and of which versions what it works with.

use plantune_domain::event::SCHEMA_VERSION;
use plantune_query::health;
use plantune_reports::text::clean;
use plantune_settings::installed_hook::{InstalledHook, has_same_bytes, our_hook};
use serde::Serialize;

use crate::document::Document;
use crate::failure::Failure;
use crate::session::Session;

#[derive(Serialize)]
struct VersionDocument {
    schema_version: u32,
    version: &'static str,
    /// The commit it was built from; null if the build did not say.
    commit: Option<&'static str>,
    /// The schema version of the stores it makes.
    store_schema: u32,
    /// The `v` of the events it logs.
    event_format: u32,
    /// The version of the DuckDB library.
    duckdb: String,
    platform: Platform,
    /// Null if there is none.
    hook: Option<HookVersion>,
}

#[derive(Serialize)]
struct Platform {
    os: &'static str,
    architecture: &'static str,
}

#[derive(Serialize)]
struct HookVersion {
    path: String,
    /// True for the hook that is beside this plantune, to the byte.
    current: bool,
    /// True for the copy that `install` registers.
    installed: bool,
}

impl VersionDocument {
    fn of(session: &Session) -> Result<Self, Failure> {
        Ok(Self {
            schema_version: 1,
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("PLANTUNE_COMMIT").filter(|commit| !commit.is_empty()),
            store_schema: health::store_schema(),
            event_format: SCHEMA_VERSION,
            duckdb: health::duckdb()?,
            platform: Platform {
                os: std::env::consts::OS,
                architecture: std::env::consts::ARCH,
            },
            hook: HookVersion::of(session),
        })
    }
}

impl HookVersion {
    fn of(session: &Session) -> Option<Self> {
        let installed = InstalledHook::of(&session.paths).path();
        let is_installed = installed.exists();
        let path = match is_installed {
            true => installed,
            false => our_hook().ok()?,
        };
        Some(Self {
            current: our_hook().is_ok_and(|ours| has_same_bytes(&ours, &path)),
            path: path.to_string_lossy().into_owned(),
            installed: is_installed,
        })
    }
}

/// Prints the versions.
///
/// # Errors
/// When the library cannot be asked, or standard output not be written.
pub(crate) fn run(json: bool, session: &Session) -> Result<Document, Failure> {
    let document = VersionDocument::of(session)?;
    if json {
        let json = serde_json::to_string_pretty(&document)?;
        return Ok(Document::exact(format!("{json}\n")));
    }
    Ok(Document::text(text(&document)))
}

fn text(document: &VersionDocument) -> String {
    let commit = document.commit.map(|commit| format!(" (commit {commit})"));
    let hook = document.hook.as_ref().map_or("none".to_owned(), |hook| {
        let version = match hook.current {
            true => "current",
            false => "of another plantune",
        };
        let place = match hook.installed {
            true => "installed",
            false => "not installed",
        };
        format!("{version}, {place}: {}", clean(&hook.path))
    });
    format!(
        "plantune {}{}\n\
         store schema  {}\n\
         event format  {}\n\
         DuckDB        {}\n\
         platform      {} {}\n\
         hook          {hook}\n",
        document.version,
        commit.unwrap_or_default(),
        document.store_schema,
        document.event_format,
        document.duckdb,
        document.platform.os,
        document.platform.architecture,
    )
}
