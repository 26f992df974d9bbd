//! The lake: a folder or a bucket of Parquet files, `v=1/machine=…/day=…/….parquet`, each named by its content. Merged
//! ones stand in `v=1/day=…/`.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::aws::AmazonS3Builder;
use object_store::path::Path as Key;
use object_store::prefix::PrefixStore;
use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, RetryConfig,
};
use plantune_domain::paths::create_private_dir;
use tokio::runtime::{Builder, Runtime};

use super::config::Config;
use crate::failure::Failure;

/// Below which all files lie; the number is that of the layout.
pub(super) const ROOT: &str = "v=1";

/// How many files are fetched at a time.
const AT_ONCE: usize = 16;

/// The file that is being written, in the machine's own folder: no engine reads what begins with a dot.
const UNFINISHED: &str = ".unfinished";

/// A file of the lake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stored {
    /// The UTC day of its events.
    pub(super) day: NaiveDate,
    /// Its path below the lake's root.
    pub(super) path: String,
    /// True for one of a merge.
    pub(super) is_merged: bool,
}

impl Stored {
    /// The file of this path; `None` for a path that holds no events.
    fn parse(path: &str) -> Option<Self> {
        let rest = path.strip_prefix(ROOT)?.strip_prefix('/')?;
        let (machine, rest) = match rest.strip_prefix("machine=") {
            Some(rest) => rest
                .split_once('/')
                .map(|(machine, rest)| (Some(machine), rest))?,
            None => (None, rest),
        };
        let (day, name) = rest.strip_prefix("day=")?.split_once('/')?;
        let is_data =
            name.ends_with(".parquet") && !name.starts_with(['.', '_']) && !name.contains('/');
        (is_data && machine != Some("")).then_some(Self {
            day: day.parse().ok()?,
            path: path.to_owned(),
            is_merged: machine.is_none(),
        })
    }
}

/// A lake that is open.
pub(super) struct Lake {
    place: Place,
    /// As configured.
    pub(super) address: String,
}

enum Place {
    Folder(PathBuf),
    Bucket {
        store: Arc<dyn ObjectStore>,
        runtime: Runtime,
        /// Where copies of its files are kept.
        copies: PathBuf,
    },
}

impl Lake {
    /// Opens the lake at `address`; `copies` is a folder for copies of its files.
    ///
    /// # Errors
    /// When there is no such folder, or the address or its credentials are not understood.
    pub(super) fn open(config: &Config, address: &str, copies: PathBuf) -> Result<Self, Failure> {
        let place = match address.strip_prefix("s3://") {
            Some(rest) => Place::Bucket {
                store: bucket(rest, config)?,
                runtime: Builder::new_current_thread().enable_all().build()?,
                copies,
            },
            None if !Path::new(address).is_dir() => {
                return Err(Failure::failed(format!("{address}: no folder"))
                    .hint("mount the share or make the folder; plantune makes what is in it"));
            }
            None => Place::Folder(PathBuf::from(address)),
        };
        Ok(Self {
            place,
            address: address.to_owned(),
        })
    }

    /// The files of events below the folder `prefix`, in order of their days.
    ///
    /// # Errors
    /// The store's; a listing that ends early is one.
    pub(super) fn list(&self, prefix: &str) -> Result<Vec<Stored>, Failure> {
        let mut paths = Vec::new();
        match &self.place {
            Place::Folder(root) => walk(&root.join(prefix), prefix, &mut paths)?,
            Place::Bucket { store, runtime, .. } => {
                let list = store.list(Some(&Key::from(prefix)));
                let found: Vec<_> = runtime
                    .block_on(list.try_collect())
                    .map_err(|error| self.failed(&error))?;
                paths.extend(found.into_iter().map(|object| object.location.to_string()));
            }
        }
        let files = paths.iter().filter_map(|path| Stored::parse(path));
        let mut files: Vec<Stored> = files.collect();
        files.sort();
        Ok(files)
    }

    /// Puts a file where there is none of its name, which says what it holds.
    ///
    /// # Errors
    /// The store's.
    pub(super) fn put(&self, path: &str, content: Vec<u8>) -> Result<(), Failure> {
        match &self.place {
            Place::Folder(root) => {
                let target = root.join(path);
                let day = target.parent().unwrap_or(root);
                fs::create_dir_all(day)?;
                let unfinished = day.parent().unwrap_or(root).join(UNFINISHED);
                let mut file = File::create(&unfinished)?;
                file.write_all(&content)?;
                file.sync_all()?;
                Ok(fs::rename(unfinished, target)?)
            }
            Place::Bucket { store, runtime, .. } => {
                let (key, options) = (Key::from(path), PutOptions::from(PutMode::Create));
                match runtime.block_on(store.put_opts(&key, PutPayload::from(content), options)) {
                    Ok(_) | Err(Error::AlreadyExists { .. }) => Ok(()),
                    Err(error) => Err(self.failed(&error)),
                }
            }
        }
    }

    /// Removes a file; one that is gone is no failure.
    ///
    /// # Errors
    /// The store's.
    pub(super) fn delete(&self, path: &str) -> Result<(), Failure> {
        match &self.place {
            Place::Folder(root) => unless_gone(fs::remove_file(root.join(path))),
            Place::Bucket { store, runtime, .. } => {
                match runtime.block_on(store.delete(&Key::from(path))) {
                    Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                    Err(error) => Err(self.failed(&error)),
                }
            }
        }
    }

    /// Removes all below the folder `prefix`.
    ///
    /// # Errors
    /// The store's.
    pub(super) fn delete_all(&self, prefix: &str) -> Result<(), Failure> {
        if let Place::Folder(root) = &self.place {
            return unless_gone(fs::remove_dir_all(root.join(prefix)));
        }
        let files = self.list(prefix)?;
        files.iter().try_for_each(|file| self.delete(&file.path))
    }

    /// Where the files can be read on this machine: themselves, or copies. Copies of what is not in the lake any more,
    /// of which `all` are the files, are removed. A file that is gone meanwhile is left out.
    ///
    /// # Errors
    /// The store's, and the file system's.
    pub(super) fn on_this_machine(
        &self,
        files: &[Stored],
        all: &[Stored],
    ) -> Result<Vec<PathBuf>, Failure> {
        let Place::Bucket {
            store,
            runtime,
            copies,
        } = &self.place
        else {
            return Ok(files.iter().map(|file| self.path_of(file)).collect());
        };
        create_private_dir(copies)?;
        let known: HashSet<&str> = all.iter().map(|file| file.path.as_str()).collect();
        let mut kept = Vec::new();
        walk(&copies.join(ROOT), ROOT, &mut kept)?;
        for gone in kept.iter().filter(|path| !known.contains(path.as_str())) {
            unless_gone(fs::remove_file(copies.join(gone)))?;
        }
        let fetch = |path: String| async move {
            let bytes = match store.get(&Key::from(path.as_str())).await {
                Ok(found) => found.bytes().await?,
                Err(Error::NotFound { .. }) => return Ok(()),
                Err(error) => return Err(error),
            };
            let copy = copies.join(&path);
            let unfinished = copy.with_extension("part");
            let write = || {
                fs::create_dir_all(copy.parent().unwrap_or(copies))?;
                fs::write(&unfinished, &bytes)?;
                fs::rename(&unfinished, &copy)
            };
            write().map_err(|error| Error::Generic {
                store: "copies",
                source: Box::new(error),
            })
        };
        let is_missing = |file: &&Stored| !copies.join(&file.path).exists();
        let missing = files
            .iter()
            .filter(is_missing)
            .map(|file| file.path.clone());
        let fetched = stream::iter(missing).map(fetch).buffer_unordered(AT_ONCE);
        runtime
            .block_on(fetched.try_collect::<()>())
            .map_err(|error| self.failed(&error))?;
        let paths = files.iter().map(|file| self.path_of(file));
        Ok(paths.filter(|path| path.exists()).collect())
    }

    /// Where a file, or its copy, is read on this machine.
    pub(super) fn path_of(&self, file: &Stored) -> PathBuf {
        match &self.place {
            Place::Folder(root) => root.join(&file.path),
            Place::Bucket { copies, .. } => copies.join(&file.path),
        }
    }

    fn failed(&self, error: &Error) -> Failure {
        let failure = Failure::failed(format!("{}: {error}", self.address));
        // Without any, the store's client looks for those of a machine in Amazon's cloud.
        let has_none = std::env::var_os("AWS_ACCESS_KEY_ID").is_none();
        let is_refused = matches!(
            error,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. }
        );
        match is_refused || (has_none && matches!(error, Error::Generic { .. })) {
            true => failure.hint(
                "credentials come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; docs/fleet.md has the \
                 bucket's policy",
            ),
            false => failure,
        }
    }
}

/// The paths of the files below `folder`, which is `prefix` in the lake. What is gone meanwhile is not there.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<(), Failure> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let Some(name) = entry
            .file_name()
            .to_str()
            .map(|name| format!("{prefix}/{name}"))
        else {
            continue;
        };
        match entry.file_type()?.is_dir() {
            true => walk(&entry.path(), &name, found)?,
            false => found.push(name),
        }
    }
    Ok(())
}

fn unless_gone(removed: std::io::Result<()>) -> Result<(), Failure> {
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn bucket(rest: &str, config: &Config) -> Result<Arc<dyn ObjectStore>, Failure> {
    // The only provider that is built in; an error says that it is chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
    let retry = RetryConfig {
        max_retries: 4,
        retry_timeout: Duration::from_secs(60),
        ..RetryConfig::default()
    };
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_retry(retry);
    if let Some(endpoint) = &config.endpoint {
        builder = builder
            .with_endpoint(endpoint)
            .with_allow_http(endpoint.starts_with("http://"));
    }
    if let Some(region) = &config.region {
        builder = builder.with_region(region);
    }
    let store = builder.build().map_err(|error| {
        Failure::conflict(error.to_string())
            .hint("fleet.toml: lake, endpoint, region; credentials come from the environment")
    })?;
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
        for (path, is_merged) in [
            ("v=1/machine=0f/day=2026-11-20/0123.parquet", false),
            ("v=1/day=2026-11-20/data_0.parquet", true),
        ] {
            let file = Stored::parse(path).unwrap();
            assert_eq!((file.is_merged, file.path.as_str()), (is_merged, path));
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
            assert_eq!(Stored::parse(path), None, "{path}");
        }
    }
}
