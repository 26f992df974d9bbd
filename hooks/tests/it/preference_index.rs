//! The index of a file of preferences: a lookup by it finds what a search finds, whatever happened to
//! either of them.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use plantune_domain::preferences::{Preference, lookup, lookup_indexed};
use proptest::prelude::*;
use tempfile::TempDir;

const SET: &str = "fam-0123456789abcdef";

/// Keys that are beginnings of each other, families with templates, and some that take escapes.
const KEYS: [&str; 12] = [
    "a",
    "a-b",
    "a-b-c",
    "layout",
    "ship-todos-create",
    SET,
    "fam-0123456789abcdef-00000000",
    "fam-0123456789abcdef-ffffffff",
    "fam-0123456789abcdee-00000000",
    "fam-0123456789abcdef0",
    "quoted \"key\"",
    "größe",
];

struct Home(TempDir);

impl Home {
    fn with(text: &str) -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        home.write(text);
        home
    }

    fn write(&self, text: &str) {
        if self.preferences().exists() {
            wait();
        }
        let new = self.0.path().join("new");
        put(&new, text);
        fs::set_permissions(&new, fs::Permissions::from_mode(0o600)).unwrap();
        fs::rename(&new, self.preferences()).unwrap();
    }

    fn preferences(&self) -> PathBuf {
        self.0.path().join("preferences.json")
    }

    fn index(&self) -> PathBuf {
        self.0.path().join("preferences.index")
    }

    /// By the index, which is made when there is none that fits.
    fn find(&self, keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
        lookup_indexed(&self.preferences(), keys, later())
    }
}

/// Lets a file system that counts time coarsely give the next change another time.
fn wait() {
    std::thread::sleep(Duration::from_millis(20));
}

fn put(path: &Path, bytes: impl AsRef<[u8]>) {
    let mut file = fs::File::create(path).unwrap();
    file.write_all(bytes.as_ref()).unwrap();
}

/// When the file of a test has long been left alone.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(10)
}

fn entry(answer: &str) -> String {
    format!(r#"{{"preference":"never-ask","answer":"{answer}"}}"#)
}

/// A file long enough for an index, with `entries` among others.
fn file_of(entries: &[(String, String)]) -> String {
    let others = (0..100).map(|number| {
        let answer = format!("A{number}");
        (format!("other-{number}"), entry(&answer))
    });
    let mut lines: Vec<String> = others
        .chain(entries.iter().cloned())
        .map(|(key, entry)| format!("    {}: {entry}", serde_json::Value::from(key)))
        .collect();
    lines.rotate_left(50);
    format!(
        "{{\n  \"version\": 1,\n  \"preferences\": {{\n{}\n  }}\n}}\n",
        lines.join(",\n")
    )
}

fn all_keys() -> Vec<&'static str> {
    [KEYS.as_slice(), &["other-7", "absent", "", "fam-"]].concat()
}

/// True when a lookup goes by the index: it does not make it again.
fn is_believed(home: &Home) -> bool {
    let index = fs::File::options().write(true).open(home.index()).unwrap();
    index.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    home.find(&all_keys()).unwrap();
    index.metadata().unwrap().modified().unwrap() == SystemTime::UNIX_EPOCH
}

fn answers(found: &[Vec<Preference>]) -> Vec<&str> {
    let entries = found.iter().flatten();
    entries
        .filter_map(|entry| entry.answer.as_deref())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn index_and_search_find_the_same(
        chosen in prop::collection::vec((prop::sample::select(&KEYS[..]), 0..3usize, 0..4usize), 0..20),
        is_compact in any::<bool>(),
        is_escaped in any::<bool>(),
    ) {
        // Entries of three lengths, the last of them longer than what is read at a time, some keys more than once, some nested where they mean nothing.
        let entries: Vec<(String, String)> = chosen.iter().enumerate().map(|(number, (key, length, kind))| {
            let answer = format!("B{number}{}", "x".repeat([0, 5_000, 80_000][*length]));
            let entry = match kind {
                0 => r#"{"preference":"always-ask","answer":"always"}"#.to_owned(),
                1 => format!(r#"{{"preference":"never-ask","answer":"{answer}","evidence":{{"a":{{"preference":"always-ask"}}}}}}"#),
                _ => entry(&answer),
            };
            ((*key).to_owned(), entry)
        }).collect();
        let mut text = file_of(&entries);
        if is_escaped {
            text = text.replace("\"layout\"", "\"layou\\u0074\"").replace("\"a-b\"", "\"\\u0061-b\"");
        }
        if is_compact {
            text = text.replace('\n', "").replace("    ", "\t").replace(": {", ":{");
        }
        let home = Home::with(&text);
        let keys = all_keys();
        let searched = lookup(&home.preferences(), &keys).unwrap();
        prop_assert_eq!(&home.find(&keys).unwrap(), &searched);
        prop_assert!(home.index().exists());
        prop_assert!(is_believed(&home));
        prop_assert_eq!(&home.find(&keys).unwrap(), &searched);
    }

    #[test]
    fn damaged_index_is_not_believed(at in 0..10_000usize, bit in 0..8u32, cut in any::<bool>()) {
        let home = Home::with(&file_of(&[("a".to_owned(), entry("Skip"))]));
        let keys = all_keys();
        let found = home.find(&keys).unwrap();
        let whole = fs::read(home.index()).unwrap();
        let at = at % whole.len();
        let mut damaged = whole.clone();
        if cut {
            damaged.truncate(at);
        } else {
            damaged[at] ^= 1 << bit;
        }
        put(&home.index(), &damaged);
        prop_assert_eq!(home.find(&keys).unwrap(), found);
        // It was made again.
        prop_assert_eq!(fs::read(home.index()).unwrap(), whole);
    }
}

#[test]
fn edited_file_is_obeyed() {
    let first = file_of(&[("a".to_owned(), entry("Skip"))]);
    let home = Home::with(&first);
    let find = || home.find(&["a"]).unwrap();
    for (edited, found) in [
        (first.replace("Skip", "Stop"), vec!["Stop"]),
        (first.replace("\"a\"", "\"b\""), vec![]),
        (first.replace("other-99", "a"), vec!["A99", "Skip"]),
        (first.replace("other-9\"", "\\u0061\""), vec!["Skip", "A9"]),
    ] {
        home.write(&first);
        assert_eq!(answers(&find()), ["Skip"]);
        assert!(is_believed(&home));
        // In place, as some editors do it, and with the old time of modification.
        let modified = fs::metadata(home.preferences()).unwrap().modified();
        wait();
        put(&home.preferences(), &edited);
        let file = fs::File::options().write(true).open(home.preferences());
        file.unwrap().set_modified(modified.unwrap()).unwrap();
        assert_eq!(answers(&find()), found);
    }
}

#[test]
fn index_of_another_file_is_not_believed() {
    let one = Home::with(&file_of(&[("a".to_owned(), entry("Skip"))]));
    let other = Home::with(&file_of(&[("b".to_owned(), entry("Stop"))]));
    for home in [&one, &other] {
        home.find(&["a"]).unwrap();
    }
    fs::copy(one.index(), other.index()).unwrap();
    assert_eq!(answers(&other.find(&["a", "b"]).unwrap()), ["Stop"]);
    // The same bytes in a new file.
    let text = fs::read_to_string(one.preferences()).unwrap();
    let before = fs::read(one.index()).unwrap();
    one.write(&text);
    assert_eq!(answers(&one.find(&["a"]).unwrap()), ["Skip"]);
    assert_ne!(fs::read(one.index()).unwrap(), before);
}

#[test]
fn index_of_a_newer_version_is_not_believed() {
    let home = Home::with(&file_of(&[("a".to_owned(), entry("Skip"))]));
    home.find(&["a"]).unwrap();
    let index = fs::read(home.index()).unwrap();
    let mut newer = b"plantune index 2".to_vec();
    newer.extend(&index[newer.len()..]);
    put(&home.index(), newer);
    assert_eq!(answers(&home.find(&["a"]).unwrap()), ["Skip"]);
    assert_eq!(fs::read(home.index()).unwrap(), index);
}

#[test]
fn index_that_others_may_write_is_not_believed() {
    let home = Home::with(&file_of(&[("a".to_owned(), entry("Skip"))]));
    home.find(&["a"]).unwrap();
    // An index without entries, which fits otherwise, would hide them all.
    let index = fs::read(home.index()).unwrap();
    let line = index.split(|byte| *byte == b'\n').next().unwrap();
    let head = std::str::from_utf8(line)
        .unwrap()
        .rsplit_once(' ')
        .unwrap()
        .0;
    let empty = format!("{head} {:016x}\n", 0xcbf2_9ce4_8422_2325_u64);
    put(&home.index(), &empty);
    assert_eq!(
        answers(&home.find(&["a"]).unwrap()),
        [""; 0],
        "the forgery fits"
    );
    fs::set_permissions(home.index(), fs::Permissions::from_mode(0o620)).unwrap();
    assert_eq!(answers(&home.find(&["a"]).unwrap()), ["Skip"]);
    // A link out of the folder, and a pipe, which is not waited for.
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("index");
    put(&target, &empty);
    fs::remove_file(home.index()).unwrap();
    symlink(&target, home.index()).unwrap();
    assert_eq!(answers(&home.find(&["a"]).unwrap()), ["Skip"]);
    assert_eq!(fs::read_to_string(&target).unwrap(), empty);
    fs::remove_file(home.index()).unwrap();
    fs::create_dir(home.index()).unwrap();
    assert_eq!(answers(&home.find(&["a"]).unwrap()), ["Skip"]);
}

#[test]
fn only_a_long_file_that_is_left_alone_gets_an_index() {
    let home = Home::with(&file_of(&[]));
    let now = SystemTime::now();
    lookup_indexed(&home.preferences(), &["other-1"], now).unwrap();
    assert!(!home.index().exists());
    home.find(&["other-1"]).unwrap();
    assert!(home.index().exists());

    let short = Home::with("{\n  \"version\": 1,\n  \"preferences\": {}\n}\n");
    short.find(&["a"]).unwrap();
    assert!(!short.index().exists());
}

#[test]
fn invalid_file_is_an_error_with_and_without_index() {
    let invalid_entry = r#"{"preference":"sometimes"}"#.to_owned();
    let valid = file_of(&[("a".to_owned(), invalid_entry)]);
    let home = Home::with(&valid);
    for _without_and_with in 0..2 {
        assert_eq!(answers(&home.find(&["other-60"]).unwrap()), ["A60"]);
        assert!(home.index().exists());
    }
    assert!(home.find(&["a"]).unwrap_err().contains("preferences.json"));
    home.write(valid.split_at(valid.len() / 2).0);
    let error = home.find(&["other-60"]).unwrap_err();
    assert!(error.contains("preferences.json"), "{error}");
}
