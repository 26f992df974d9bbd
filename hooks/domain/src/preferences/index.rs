//! Where the entries of a file of preferences stand, so that the hook finds a few of them without reading
//! all of it.
//!
//! The index lies beside the file (`preferences.index`): a line that says which file it was made from,
//! and the entries' offsets in the order of their keys. The hook makes it from a file that it had to
//! search, and believes it for that very file alone, unchanged since: what a person edits is searched
//! again. It holds no keys: each is read where the file has it.

use std::cmp::Ordering;
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::file::LONGEST;
use super::finding::key_offsets;
use super::preference::Preference;
use crate::family::{is_named, is_set_key};
use crate::platform::Identity;
use crate::{platform, private_file};

/// A shorter file than this, in bytes, is searched as fast as an index.
const WORTHWHILE: u64 = 4 * 1024;

/// How much of an entry is read at once, in bytes: enough for a key; for most entries; for any.
const WINDOWS: [usize; 4] = [128, 4 * 1024, 128 * 1024, 4 * 1024 * 1024];

/// The place of an entry's key in the file, little-endian; [`LONGEST`] is less than 4 GiB.
type Offset = [u8; size_of::<u32>()];

/// Where the index of the preferences in `path` lies.
fn beside(path: &Path) -> PathBuf {
    path.with_extension("index")
}

/// The entries of `file`, which was opened at `path`, for each of `keys`: the same as a search of the
/// whole file finds, in the same order. `None` when there is no index of exactly this file.
pub(super) fn find(file: &File, path: &Path, keys: &[&str]) -> Option<Vec<Vec<Preference>>> {
    let described = file.metadata().ok()?;
    if described.len() < WORTHWHILE {
        return None;
    }
    let index = private_file::open_own(&beside(path), LONGEST).ok()??;
    // With room for all of it, one read takes it, and another one finds its end.
    let length = index.metadata().ok()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(length).ok()? + 1);
    index.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (head, offsets) = bytes.split_at_checked(end + 1)?;
    if head != head_of(&described, offsets)?.as_bytes() {
        return None;
    }
    let (offsets, rest) = offsets.as_chunks();
    if !rest.is_empty() {
        return None;
    }
    let entries = keys.iter().map(|key| entries_of(file, offsets, key));
    entries.collect()
}

/// Makes the index of `file`, which was opened at `path`, unless that is too short to need one, or may
/// still change without another time of change.
///
/// # Errors
/// Those of the file system. What is written by then is no index.
pub(super) fn write(file: &File, path: &Path, now: SystemTime) -> io::Result<()> {
    let described = file.metadata()?;
    if described.len() < WORTHWHILE || !is_settled(&described, now) {
        return Ok(());
    }
    // Not renamed into place: of one that is half written, the first line does not fit.
    let mut index = private_file::overwrite(&beside(path))?;
    let mut bytes = Vec::new();
    let mut reader = file;
    io::Seek::rewind(&mut reader)?;
    reader.take(LONGEST).read_to_end(&mut bytes)?;
    let Ok(offsets) = key_offsets(&bytes) else {
        return Ok(());
    };
    let offsets: Vec<u8> = offsets.iter().flat_map(|at| at.to_le_bytes()).collect();
    if identity(&file.metadata()?) == identity(&described)
        && let Some(head) = head_of(&described, &offsets)
    {
        index.write_all(&[head.as_bytes(), &offsets].concat())?;
    }
    Ok(())
}

/// The first line of an index of the file `described`; `None` where no such file can be told from others.
fn head_of(described: &Metadata, offsets: &[u8]) -> Option<String> {
    let identity = identity(described)?;
    let sum = sum(offsets);
    Some(format!("plantune index 1 of {identity}: {sum:016x}\n"))
}

/// What no two states of a file have in common: which it is, its size, and when it was changed.
fn identity(described: &Metadata) -> Option<String> {
    let Identity {
        file,
        modified,
        changed,
    } = platform::identity(described)?;
    Some(format!(
        "{}/{} with {} bytes of {}.{:09}, changed {}.{:09}",
        file.0,
        file.1,
        described.len(),
        modified.0,
        modified.1,
        changed.0,
        changed.1
    ))
}

/// FNV-1a over the offsets, against damage; whoever writes the index may write the preferences, too.
fn sum(offsets: &[u8]) -> u64 {
    let (words, rest) = offsets.as_chunks();
    let words = words
        .iter()
        .map(|word| u64::from(u32::from_le_bytes(*word)));
    let rest = rest.iter().map(|byte| u64::from(*byte));
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        (sum ^ word).wrapping_mul(0x0100_0000_01b3)
    })
}

/// True when any later change gives the file another time of change: that of this one has passed, however
/// coarsely the file system counts (FAT: two seconds).
fn is_settled(described: &Metadata, now: SystemTime) -> bool {
    const COARSE: u32 = 10_000_000;
    let Some((seconds, nanos)) = platform::identity(described).map(|identity| identity.changed)
    else {
        return false;
    };
    let Ok(seconds) = u64::try_from(seconds) else {
        return false;
    };
    let nanos = u32::try_from(nanos).unwrap_or_default();
    let step = match nanos % COARSE {
        0 => Duration::from_secs(2),
        _ => Duration::from_millis(100),
    };
    let changed = UNIX_EPOCH + Duration::new(seconds, nanos);
    now.duration_since(changed).is_ok_and(|age| age > step)
}

/// The entries that `wanted` names, in the order of the file; `None` when an offset is not one of an entry.
fn entries_of(file: &File, offsets: &[Offset], wanted: &str) -> Option<Vec<Preference>> {
    let first = first_from(file, offsets, wanted)?;
    let mut found = Vec::new();
    for offset in offsets.get(first..)? {
        let key = key_at(file, *offset)?;
        if !key.starts_with(wanted) {
            break;
        }
        if is_named(&key, wanted) {
            let mut entry = entry_at(file, *offset)?;
            entry.key = is_set_key(wanted).then_some(key);
            found.push((u32::from_le_bytes(*offset), entry));
        }
    }
    found.sort_unstable_by_key(|(offset, _)| *offset);
    Some(found.into_iter().map(|(_, entry)| entry).collect())
}

/// The place of the first key that is not less than `wanted`.
fn first_from(file: &File, offsets: &[Offset], wanted: &str) -> Option<usize> {
    let (mut low, mut high) = (0, offsets.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        match key_at(file, *offsets.get(middle)?)?.as_str().cmp(wanted) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal | Ordering::Greater => high = middle,
        }
    }
    Some(low)
}

fn key_at(file: &File, offset: Offset) -> Option<String> {
    read_at(file, offset, &WINDOWS, |bytes| Some(split_key(bytes)?.0))
}

fn entry_at(file: &File, offset: Offset) -> Option<Preference> {
    read_at(file, offset, WINDOWS.get(1..)?, |bytes| {
        let value = split_key(bytes)?.1.trim_ascii_start().strip_prefix(b":")?;
        let mut values = serde_json::Deserializer::from_slice(value).into_iter();
        values.next()?.ok()
    })
}

/// The string that `bytes` begin with, and what follows it.
fn split_key(bytes: &[u8]) -> Option<(String, &[u8])> {
    let mut strings = serde_json::Deserializer::from_slice(bytes).into_iter();
    let key = strings.next()?.ok()?;
    Some((key, bytes.get(strings.byte_offset()..)?))
}

/// What `parse` makes of the file from `offset` on, given as much of it as it needs.
fn read_at<T>(
    file: &File,
    offset: Offset,
    windows: &[usize],
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Option<T> {
    windows.iter().find_map(|size| {
        let mut window = vec![0; *size];
        let read = platform::read_at(file, &mut window, u32::from_le_bytes(offset).into());
        parse(window.get(..read.ok()?)?)
    })
}
