//! Signs in single words: addresses to send to, paths outside the project, devices, versions to release.

use crate::words::{WordList, has_word};

static SENDING: WordList = WordList::doors("sending");

static ADDRESSING: WordList = WordList::doors("addressing");

static WRITING: WordList = WordList::doors("writing");

/// Folders of the system, and the person's home folder.
const OUTSIDE: &str = "/etc /usr /bin /sbin /lib /var /opt /home /root /users/ /boot /sys /proc /mnt /media /srv /library \
    /system /applications /private ~/ $home";

static RELEASING: WordList = WordList::doors("releasing");

pub(super) fn first(folded: &str) -> Option<&'static str> {
    let words = folded.split_whitespace().filter(|word| has_mark(word));
    words.into_iter().find_map(|word| {
        let word = word.trim_matches(|c: char| "\"'()[]{},;:!?<>“”«»".contains(c));
        address(word, folded)
            .or_else(|| path(word, folded))
            .or_else(|| version(word, folded))
    })
}

/// True for a word with a character that every address, path or version contains.
fn has_mark(word: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b'/' | b'\\' | b'~' | b'$' | b'@' | b'0'..=b'9');
    word.bytes().any(is_mark)
}

fn address(word: &str, folded: &str) -> Option<&'static str> {
    if !word.contains(['/', '@']) {
        return None;
    }
    const HERE: &str = "localhost 127.0.0.1 [::1] 0.0.0.0 example.com/api";
    const STORES: &str = "s3:// gs:// ssh:// ftp:// sftp:// scp:// smb://";
    let is_local = || HERE.split(' ').any(|here| word.contains(here));
    let is_store = STORES.split(' ').any(|start| word.starts_with(start));
    let is_url =
        word.starts_with("https://") || word.starts_with("http://") || word.starts_with("wss://");
    if is_store || (is_url && !is_local() && has_word(folded, &SENDING)) {
        return Some("an address to send to");
    }
    let is_handle = word.strip_prefix('@').is_some_and(|name| {
        name.len() > 1
            && !name.contains(['/', '(', '.'])
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    (is_mail(word) || is_handle)
        .then_some("somebody to write to")
        .filter(|_| has_word(folded, &ADDRESSING))
}

fn is_mail(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && !name.contains('/')
            && host.contains('.')
            && !host.starts_with('.')
            && !host.starts_with(|c: char| c.is_ascii_digit())
            && !host.contains('/')
    })
}

fn path(word: &str, folded: &str) -> Option<&'static str> {
    const DEVICES: &str =
        "/dev/sd /dev/nvme /dev/disk /dev/hd /dev/vd /dev/mapper /dev/mmcblk /dev/rdisk";
    if word.contains('/') && DEVICES.split(' ').any(|device| word.contains(device)) {
        return Some("a device");
    }
    let is_outside = is_outside(word) || word == "/" && names_the_root(folded);
    (is_outside && has_word(folded, &WRITING)).then_some("a path outside the project")
}

/// True for a path outside the project. The root alone does not count: `/` may separate two words.
fn is_outside(word: &str) -> bool {
    let under = |folder: &str| {
        word.strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
    };
    word.starts_with(['/', '~', '$']) && OUTSIDE.split(' ').any(under)
        || word == "~"
        || word.starts_with("../../")
        || word.get(1..3).is_some_and(|drive| drive == ":\\")
}

/// True unless every separate slash stands between two words: "human: 1 day / agent: 20 min".
fn names_the_root(folded: &str) -> bool {
    const BEFORE: &str = "in to on from of under at into";
    let mut words = folded.split_whitespace().peekable();
    let mut before = "";
    while let Some(word) = words.next() {
        let is_named = before.starts_with('-')
            || words.peek().is_none()
            || BEFORE.split(' ').any(|word| word == before)
            || has_word(before, &WRITING);
        if word == "/" && is_named {
            return true;
        }
        before = word;
    }
    false
}

/// `v2.0`, `1.4.0`.
fn version(word: &str, folded: &str) -> Option<&'static str> {
    let number = word.strip_prefix('v').unwrap_or(word);
    let mut parts = number.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let starts = parts.next().is_some_and(is_number);
    let is_version = starts
        && (number.len() < word.len() || number.contains('.'))
        && parts.clone().count() <= 3
        && parts.all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    (is_version && has_word(folded, &RELEASING)).then_some("a version to release")
}
