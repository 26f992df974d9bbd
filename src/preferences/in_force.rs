//! Which questions the person has decided about already.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use plantune_domain::paths::Paths;
use plantune_domain::preferences::PreferenceFile;

use crate::failure::Failure;
use crate::preferences::scope::Place;
use crate::workspace::user_files::conflict;

/// The keys with a preference, whatever it says; each file is read once, when it is asked for.
pub(crate) struct InForce<'a> {
    paths: &'a Paths,
    files: RefCell<BTreeMap<Place, Result<BTreeSet<String>, String>>>,
}

impl<'a> InForce<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(paths: &'a Paths) -> Self {
        Self {
            paths,
            files: RefCell::default(),
        }
    }

    /// True when a preference for `key` stands in `project` or everywhere. A file that cannot be
    /// read counts as one that decides everything; [`InForce::check`] tells of it.
    pub(crate) fn holds(&self, project: &str, key: &str) -> bool {
        let mut files = self.files.borrow_mut();
        [Place::Project(project.to_owned()), Place::Global]
            .into_iter()
            .any(|place| {
                let path = place.file(self.paths);
                files
                    .entry(place)
                    .or_insert_with(|| {
                        let file = PreferenceFile::load(&path)?;
                        let preferences = file.map(|file| file.preferences).unwrap_or_default();
                        Ok(preferences.into_keys().collect())
                    })
                    .as_ref()
                    .map_or(true, |keys| keys.contains(key))
            })
    }

    /// Reports the first file that could not be read.
    ///
    /// # Errors
    /// Conflict (exit code 3).
    pub(crate) fn check(self) -> Result<(), Failure> {
        match self.files.into_inner().into_values().find_map(Result::err) {
            Some(error) => Err(conflict(&error)),
            None => Ok(()),
        }
    }
}
