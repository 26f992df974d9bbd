//! The lake: a folder or an object store of immutable files, put only where there is none.

mod copies;
pub(crate) mod files;
pub(crate) mod marker;
pub(crate) mod name;
pub(crate) mod tombstones;
pub(crate) mod unfinished;

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::prefix::PrefixStore;
use object_store::{
    Error, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
    RetryConfig,
};
use tokio::runtime::{Builder, Runtime};
use walkdir::WalkDir;

use crate::config::Config;
use crate::failure::Failure;

/// How often a listing is repeated that changes while it is read.
const MOST_LISTINGS: usize = 20;

/// What is said where the store does not let this machine in.
const CREDENTIALS: &str =
    "credentials come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY";

/// One file of the lake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// Its path below the lake's root.
    pub(crate) path: String,
    /// Its length in bytes.
    pub(crate) size: u64,
}

/// A lake that is open.
pub(crate) struct Lake {
    store: Arc<dyn ObjectStore>,
    runtime: Runtime,
    /// Of a lake that is a folder.
    folder: Option<PathBuf>,
    /// Where copies of another lake's files are kept.
    copies: PathBuf,
    /// As configured.
    pub(crate) address: String,
}

impl Lake {
    /// Opens the lake of `config`; `copies` is a folder for copies of its files.
    ///
    /// # Errors
    /// When the folder cannot be made, or the address or its credentials are not understood.
    pub(crate) fn open(config: &Config, copies: &Path) -> Result<Self, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (store, folder): (Arc<dyn ObjectStore>, _) = match config.lake.strip_prefix("s3://") {
            Some(rest) => (s3(rest, config)?, None),
            None => {
                let folder = PathBuf::from(&config.lake);
                if !folder.is_dir() {
                    return Err(Failure::failed(format!("{}: no folder", folder.display()))
                        .hint("mount the share or make the folder; plantune makes what is in it"));
                }
                let store = LocalFileSystem::new_with_prefix(&folder)?.with_fsync(true);
                (Arc::new(store), Some(folder))
            }
        };
        Ok(Self {
            store,
            runtime,
            folder,
            copies: copies.to_owned(),
            address: config.lake.clone(),
        })
    }

    /// The files whose paths begin with the folder `prefix`, in order. Read until two listings agree: then
    /// none is missing that was there all the while, nor both a file and the one that it was merged into.
    ///
    /// # Errors
    /// The store's; a listing that ends early is one.
    pub(crate) fn list(&self, prefix: &str) -> Result<Vec<Entry>, Failure> {
        let mut before = self.list_once(prefix)?;
        for _ in 0..MOST_LISTINGS {
            let now = self.list_once(prefix)?;
            if now == before {
                return Ok(now);
            }
            before = now;
        }
        let words = format!(
            "{}: its files change faster than they can be listed",
            self.address
        );
        Err(Failure::failed(words).hint("try again when no compaction runs"))
    }

    /// The same, in one listing: for files of which none is put in place of another.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn list_once(&self, prefix: &str) -> Result<Vec<Entry>, Failure> {
        let entries = self.objects(prefix)?.into_iter().map(|object| Entry {
            path: object.location.to_string(),
            size: object.size,
        });
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort();
        Ok(entries)
    }

    fn objects(&self, prefix: &str) -> Result<Vec<ObjectMeta>, Failure> {
        let list = self.store.list(Some(&Key::from(prefix)));
        let found = self.runtime.block_on(list.try_collect());
        found.map_err(|error| self.failed(&error))
    }

    /// Waits for the store's answer; `None` where it has no such file.
    fn wait<T>(
        &self,
        answer: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>, Failure> {
        match self.runtime.block_on(answer) {
            Ok(answer) => Ok(Some(answer)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// The content of a file; `None` where there is none.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn get(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let key = Key::from(path);
        let bytes = self.wait(async { self.store.get(&key).await?.bytes().await })?;
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }

    /// Puts a file of a name that nothing else has.
    ///
    /// # Errors
    /// The store's; failed when there is another one.
    pub(crate) fn put_new(&self, path: &str, content: &[u8]) -> Result<(), Failure> {
        match self.put_if_absent(path, content)? {
            true => Ok(()),
            false => Err(Failure::failed(format!("{path}: is there already"))),
        }
    }

    /// Puts a file where there is none; false where there is one with another content.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn put_if_absent(&self, path: &str, content: &[u8]) -> Result<bool, Failure> {
        let key = Key::from(path);
        loop {
            let options = PutOptions::from(PutMode::Create);
            let payload = PutPayload::from(content.to_vec());
            match self
                .runtime
                .block_on(self.store.put_opts(&key, payload, options))
            {
                Ok(_) => return Ok(true),
                // One that is gone was merged and removed just now.
                Err(Error::AlreadyExists { .. }) => {
                    if let Some(found) = self.get(path)? {
                        return Ok(found == content);
                    }
                }
                Err(error) => return Err(self.failed(&error)),
            }
        }
    }

    /// Removes a file; one that is gone is no failure.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn delete(&self, path: &str) -> Result<(), Failure> {
        self.wait(self.store.delete(&Key::from(path))).map(drop)
    }

    /// The folders in the folder `prefix`, by name, and when the last of them changed: of a lake in a folder, when
    /// something was put into it last.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn folders(&self, prefix: &str) -> Result<BTreeMap<String, DateTime<Utc>>, Failure> {
        let mut found: BTreeMap<String, DateTime<Utc>> = BTreeMap::new();
        let Some(root) = &self.folder else {
            let key = Key::from(prefix);
            for object in self.objects(prefix)? {
                let mut parts = object.location.parts().skip(key.parts().count());
                if let (Some(folder), Some(_)) = (parts.next(), parts.next()) {
                    let changed = found.entry(folder.as_ref().to_owned()).or_default();
                    *changed = (*changed).max(object.last_modified);
                }
            }
            return Ok(found);
        };
        // There is more in a folder than files that are whole.
        for entry in WalkDir::new(root.join(prefix)).min_depth(1).max_depth(1) {
            match entry.and_then(|entry| Ok((entry.metadata()?, entry))) {
                Ok((about, entry)) if about.is_dir() => {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    found.insert(name, about.modified()?.into());
                }
                Err(error) if !is_gone(&error) => return Err(Failure::from(error).about(prefix)),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Removes a folder and all in it; one that is gone is no failure.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn delete_folder(&self, prefix: &str) -> Result<(), Failure> {
        for entry in self.list_once(prefix)? {
            self.delete(&entry.path)?;
        }
        // In a folder there is more than files that are whole.
        if let Some(root) = &self.folder
            && let Err(error) = fs::remove_dir_all(root.join(prefix))
            && error.kind() != ErrorKind::NotFound
        {
            return Err(Failure::from(error).about(prefix));
        }
        Ok(())
    }

    /// Removes the copies of the folders in the folder `prefix` that are not `known` any more. What cannot be removed
    /// costs room and nothing else.
    pub(crate) fn forget_copies(&self, prefix: &str, known: impl Fn(&str) -> bool) {
        for copies in [self.copies.clone(), self.copies.join("footers")] {
            let entries = fs::read_dir(copies.join(prefix)).into_iter().flatten();
            for entry in entries.flatten() {
                if !entry.file_name().to_str().is_some_and(&known) {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
        }
    }

    fn failed(&self, error: &Error) -> Failure {
        let failure = Failure::failed(error).about(&self.address);
        // Without any, the store's client looks for those of a machine in Amazon's cloud.
        let has_none = self.folder.is_none() && std::env::var_os("AWS_ACCESS_KEY_ID").is_none();
        match error {
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                failure.hint(CREDENTIALS)
            }
            Error::Generic { .. } if has_none => failure.hint(CREDENTIALS),
            _ => failure,
        }
    }
}

/// True for what is not there, or is there no more.
fn is_gone(error: &walkdir::Error) -> bool {
    let error = error.io_error();
    error.is_some_and(|error| error.kind() == ErrorKind::NotFound)
}

fn s3(rest: &str, config: &Config) -> Result<Arc<dyn ObjectStore>, Failure> {
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
        Failure::conflict(error)
            .hint("fleet.toml: lake, endpoint, region; credentials come from the environment")
    })?;
    Ok(match folder.trim_matches('/') {
        "" => Arc::new(store),
        folder => Arc::new(PrefixStore::new(store, folder)),
    })
}
