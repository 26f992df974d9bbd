//! The files of a world.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use plantune_domain::paths::create_private_dir;

use super::World;

/// Files and folders by their paths: the mode, and the content.
pub(crate) type Files = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl World {
    /// Writes the file `name`, below the folder or by its whole path, as plantune writes its own.
    pub(crate) fn put(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.root.path().join(name);
        create_private_dir(path.parent().unwrap()).unwrap();
        plantune_domain::atomic_file::replace(&path, content.as_ref(), 0o600).unwrap();
    }

    /// The text of the file `name`, below the folder or by its whole path.
    pub(crate) fn text(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.root.path().join(name)).unwrap()
    }

    /// Writes a program.
    pub(crate) fn put_program(&self, name: impl AsRef<Path>, script: &str) {
        let path = self.root.path().join(name);
        self.put(&path, script);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The names in a folder, sorted; none where it is missing.
    pub(crate) fn names(&self, folder: impl AsRef<Path>) -> Vec<String> {
        let entries = fs::read_dir(self.root.path().join(folder));
        let entries = entries.into_iter().flatten().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Every file and folder below `folder` but those in `except`, with its mode and content.
    pub(crate) fn everything(&self, folder: impl AsRef<Path>, except: &[&str]) -> Files {
        let mut found = Files::new();
        let mut folders = vec![self.root.path().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if except.iter().any(|name| path == self.path(name)) {
                    continue;
                }
                let metadata = fs::symlink_metadata(&path).unwrap();
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                let content = fs::read(&path).unwrap_or_default();
                found.insert(path, (metadata.permissions().mode() & 0o7777, content));
            }
        }
        found
    }

    /// Makes the log the same as another world's.
    pub(crate) fn copy_log(&self, other: &Self) {
        let events = self.paths().events();
        create_private_dir(&events).unwrap();
        for segment in fs::read_dir(other.paths().events()).unwrap() {
            let segment = segment.unwrap();
            let copy = events.join(segment.file_name());
            fs::copy(segment.path(), &copy).unwrap();
            let modified = segment.metadata().unwrap().modified().unwrap();
            File::open(copy).unwrap().set_modified(modified).unwrap();
        }
    }

    /// `text` without where the world lies.
    pub(crate) fn without_root(&self, text: &str) -> String {
        text.replace(self.root.path().to_str().unwrap(), "ROOT")
    }
}
