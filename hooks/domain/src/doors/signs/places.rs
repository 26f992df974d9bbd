//! Addresses to send to, paths outside the project, devices, versions to release.

use super::sign::{Sign, has_word};

/// Verbs that bring something to an address.
const SENDING: &str = "post posts posting send sends sending upload uploads uploading push put submit \
    forward report share sync publish stream copy move deploy call trigger notify transfer export write \
    connect point ping hook";

/// Verbs that address a person.
const ADDRESSING: &str = "send mail email write forward invite cc bcc notify share add give contact reply \
    message tell ping dm mention assign answer schicken senden sende schicke mailen einladen envoyer \
    envoie inviter enviar envio mandar mando invitar convidar inviare invio invitare отправить написать \
    пригласить";

/// Verbs that change what lies at a path.
const WRITING: &str = "write writes writing save saving copy copying move moving put putting store \
    install create change edit overwrite symlink link extract unpack append modify update export generate \
    clone chmod chown add replace delete remove clean clear format mount use run touch rename backup \
    restore sync rsync";

/// Folders of the system, and of the person.
const OUTSIDE: &str = "/etc /usr /bin /sbin /lib /var /opt /home /root /users/ /boot /sys /proc /mnt /media /srv /library \
    /system /applications /private ~/ $home";

/// Verbs that release a version.
const RELEASING: &str = "ship shipping release releasing tag tagging cut cutting publish launch announce \
    promote deploy push roll rollout out live";

/// True for a text that names an address or a path outside the project, whatever is said of it.
pub(in crate::doors) fn points_outside(folded: &str) -> bool {
    let mut words = folded.split_whitespace().filter(|word| has_mark(word));
    words.any(|word| {
        let word = word.trim_matches(MARKS_AROUND);
        word.contains("://") || is_mail(word) || is_outside(word) || word.starts_with("../")
    })
}

/// What stands around a word and is no part of it.
const MARKS_AROUND: [char; 20] = [
    '"', '\'', '(', ')', '[', ']', '{', '}', ',', ';', ':', '!', '<', '>', '?', '“', '”', '«', '»',
    '`',
];

pub(super) fn first(folded: &str) -> Option<Sign> {
    let words = folded.split_whitespace().filter(|word| has_mark(word));
    words.into_iter().find_map(|word| {
        let word = word.trim_matches(|c: char| "\"'()[]{},;:!?<>“”«»".contains(c));
        let kind = address(word, folded)
            .or_else(|| path(word, folded))
            .or_else(|| version(word, folded))?;
        Some((kind.to_owned(), word.to_owned()))
    })
}

/// True for a word with something that all addresses, paths and versions have.
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
    if is_store || (is_url && !is_local() && has_word(folded, SENDING)) {
        return Some("an address to send to");
    }
    let is_handle = word.strip_prefix('@').is_some_and(|name| {
        name.len() > 1
            && !name.contains(['/', '(', '.'])
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    (is_mail(word) || is_handle)
        .then_some("somebody to write to")
        .filter(|_| has_word(folded, ADDRESSING))
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
    (is_outside && has_word(folded, WRITING)).then_some("a path outside the project")
}

/// True for a path outside the project, but for the root alone: that may part two words.
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

/// True unless every stroke that stands alone parts two words: "human: 1 day / agent: 20 min".
fn names_the_root(folded: &str) -> bool {
    const BEFORE: &str = "in to on from of under at into";
    let mut words = folded.split_whitespace().peekable();
    let mut before = "";
    while let Some(word) = words.next() {
        let is_named = before.starts_with('-')
            || words.peek().is_none()
            || has_word(before, BEFORE)
            || has_word(before, WRITING);
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
    (is_version && has_word(folded, RELEASING)).then_some("a version to release")
}
