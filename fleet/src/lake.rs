//! The lake: a folder or a bucket of Parquet files, `v=1/machine=…/day=…/….parquet`, each named by its content. Merged
//! ones stand in a lake of their own, `v=1/day=…/….parquet`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use chrono::NaiveDate;
use futures_util::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::prefix::PrefixStore;
use object_store::{
    Error, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
};
use plantune::failure::Failure;
use plantune_domain::paths::create_private_dir;
use tokio::runtime::{Builder, Runtime};

/// Below which all files lie; the number is that of the layout.
pub(crate) const ROOT: &str = "v=1";

/// The advice if the store fails.
const HINT: &str = "docs/fleet.md says what the store must allow; its address and credentials come from \
                    AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

/// The file that is being written, in the machine's own folder: no engine reads what begins with a dot.
const UNFINISHED: &str = ".unfinished";

/// A file of the lake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LakeFile {
    /// The UTC day of its events.
    pub(crate) day: NaiveDate,
    /// Its path below the lake's root.
    pub(crate) path: String,
}

impl LakeFile {
    /// The file of this path; `None` for a path that holds no events.
    fn parse(path: &str) -> Option<Self> {
        let folders: Vec<&str> = path.split('/').collect();
        let (day, name) = match folders.as_slice() {
            [ROOT, machine, day, name] if machine.starts_with("machine=") => (day, name),
            [ROOT, day, name] => (day, name),
            _ => return None,
        };
        let is_data = name.ends_with(".parquet") && !name.starts_with(['.', '_']);
        let day = day.strip_prefix("day=").filter(|_| is_data)?;
        Some(Self {
            day: day.parse().ok()?,
            path: path.to_owned(),
        })
    }
}

/// A lake that is open.
pub(crate) struct Lake {
    store: Arc<dyn ObjectStore>,
    runtime: Runtime,
    /// The lake itself where it is a folder, else where copies of its files are kept.
    folder: PathBuf,
    is_folder: bool,
    /// As configured.
    pub(crate) address: String,
}

impl Lake {
    /// Opens the lake at `address`; `copies` is a folder for copies of its files.
    ///
    /// # Errors
    /// When there is no such folder, or the address or its credentials are not understood.
    pub(crate) fn open(address: &str, copies: PathBuf) -> Result<Self, Failure> {
        let bucket_of = address.strip_prefix("s3://");
        let (store, folder): (Arc<dyn ObjectStore>, _) = match bucket_of {
            Some(rest) => (bucket(rest)?, copies),
            None if !Path::new(address).is_dir() => {
                return Err(Failure::failed(format!("{address}: no such folder"))
                    .hint("mount the share, or make the folder; plantune makes everything in it"));
            }
            None => {
                let store = LocalFileSystem::new_with_prefix(address)?;
                (
                    Arc::new(store.with_automatic_cleanup(true)),
                    PathBuf::from(address),
                )
            }
        };
        Ok(Self {
            store,
            runtime: Builder::new_current_thread().enable_all().build()?,
            folder,
            is_folder: bucket_of.is_none(),
            address: address.to_owned(),
        })
    }

    /// The files of events below the folder `prefix`, in order of their days.
    ///
    /// # Errors
    /// Errors of the store; a listing that ends early is one.
    pub(crate) fn list(&self, prefix: &str) -> Result<Vec<LakeFile>, Failure> {
        let list = self.store.list(Some(&Key::from(prefix)));
        let found: Vec<ObjectMeta> = self.wait(list.try_collect())?.unwrap_or_default();
        let files = found
            .iter()
            .filter_map(|object| LakeFile::parse(object.location.as_ref()));
        let mut files: Vec<LakeFile> = files.collect();
        files.sort();
        Ok(files)
    }

    /// Waits for the store's answer; `None` if it has no such file, or has it already.
    fn wait<T>(
        &self,
        answer: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>, Failure> {
        match self.runtime.block_on(answer) {
            Ok(answer) => Ok(Some(answer)),
            Err(Error::NotFound { .. } | Error::AlreadyExists { .. }) => Ok(None),
            Err(error) => Err(Failure::failed(format!("{}: {error}", self.address)).hint(HINT)),
        }
    }

    /// Puts a file where there is none of its name, which says what it holds.
    ///
    /// # Errors
    /// Errors of the store.
    pub(crate) fn put(&self, path: &str, content: Vec<u8>) -> Result<(), Failure> {
        if self.is_folder {
            return Ok(put(&self.folder.join(path), &content)?);
        }
        let (key, options) = (Key::from(path), PutOptions::from(PutMode::Create));
        self.wait(
            self.store
                .put_opts(&key, PutPayload::from(content), options),
        )
        .map(drop)
    }

    /// Removes a file; one that is gone is no failure.
    ///
    /// # Errors
    /// Errors of the store.
    pub(crate) fn delete(&self, path: &str) -> Result<(), Failure> {
        self.wait(self.store.delete(&Key::from(path))).map(drop)
    }

    /// Removes all below the folder `prefix`.
    ///
    /// # Errors
    /// Errors of the store.
    pub(crate) fn delete_all(&self, prefix: &str) -> Result<(), Failure> {
        for file in self.list(prefix)? {
            self.delete(&file.path)?;
        }
        self.delete(&format!("{prefix}/{UNFINISHED}"))
    }

    /// Removes copies of what is not in `all` of the lake's files any more.
    ///
    /// # Errors
    /// Errors of the file system.
    pub(crate) fn forget_copies(&self, all: &[LakeFile]) -> Result<(), Failure> {
        if self.is_folder {
            return Ok(());
        }
        create_private_dir(&self.folder)?;
        let copies = LocalFileSystem::new_with_prefix(&self.folder)?;
        let kept: Vec<ObjectMeta> = self
            .wait(copies.list(None).try_collect())?
            .unwrap_or_default();
        let known: BTreeSet<&str> = all.iter().map(|file| file.path.as_str()).collect();
        for copy in kept
            .iter()
            .filter(|copy| !known.contains(copy.location.as_ref()))
        {
            self.wait(copies.delete(&copy.location))?;
        }
        Ok(())
    }

    /// Where a file can be read on this machine: itself, or a copy; `None` if it is gone.
    ///
    /// # Errors
    /// Errors of the store, and the file system's.
    pub(crate) fn here(&self, path: &str) -> Result<Option<PathBuf>, Failure> {
        let place = self.folder.join(path);
        if !self.is_folder && !place.exists() {
            let key = Key::from(path);
            let content = self.wait(async { self.store.get(&key).await?.bytes().await })?;
            content.map_or(Ok(()), |content| put(&place, &content))?;
        }
        Ok(place.exists().then_some(place))
    }
}

/// Puts a file into a folder: whole, or not at all.
fn put(target: &Path, content: &[u8]) -> io::Result<()> {
    let day = target.parent().unwrap_or(target);
    fs::create_dir_all(day)?;
    let unfinished = day.parent().unwrap_or(day).join(UNFINISHED);
    // What a killed run left, or a link that somebody put there, is not written to.
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(unfinished, target)
}

fn bucket(rest: &str) -> Result<Arc<dyn ObjectStore>, Failure> {
    // The only provider that is built in; an error says that it is chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
    // A bucket's policy allows or forbids the deletion of single files.
    let builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_disable_bulk_delete(true);
    let store = builder
        .build()
        .map_err(|error| Failure::conflict(error.to_string()).hint(HINT))?;
    Ok(match folder.trim_matches('/') {
        "" => Arc::new(store),
        folder => Arc::new(PrefixStore::new(store, folder)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_events_are_known_and_others_are_no_data() {
        for path in [
            "v=1/machine=0f/day=2026-11-20/0123.parquet",
            "v=1/day=2026-11-20/data_0.parquet",
        ] {
            assert_eq!(LakeFile::parse(path).unwrap().path, path);
        }
        for path in [
            "v=1/machine=0f/.unfinished",
            "v=1/machine=0f/day=2026-11-31/0123.parquet",
            "v=1/machine=0f/day=2026-11-20/_SUCCESS",
            "v=1/machine=0f/day=2026-11-20/.0123.parquet.crc",
            "v=1/machine=0f/day=2026-11-20/more/0123.parquet",
            "v=2/machine=0f/day=2026-11-20/0123.parquet",
            "tombstones/v1/0f.json",
        ] {
            assert_eq!(LakeFile::parse(path), None, "{path}");
        }
    }
}
