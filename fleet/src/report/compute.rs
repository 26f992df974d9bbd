//! Computing the report on an engine, whichever it is.

use std::fs::File;
use std::path::Path;

use plantune_reports::fleet::{Document, LakeState};

use super::engine::{self, Engine, Recorder, Scope};
use super::source::Source;
use crate::failure::Failure;

/// The report of what an engine has loaded.
pub(super) fn compute(
    engine: &mut dyn Engine,
    source: Source,
    scope: &Scope,
    lake: LakeState,
    record: Option<&Path>,
) -> Result<Document, Failure> {
    let Some(path) = record else {
        return engine::document(engine, source, scope, lake);
    };
    let mut file =
        File::create(path).map_err(|error| Failure::from(error).about(path.display()))?;
    let mut recorder = Recorder {
        engine,
        file: &mut file,
    };
    engine::document(&mut recorder, source, scope, lake)
}
