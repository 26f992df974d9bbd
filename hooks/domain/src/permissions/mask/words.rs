//! The words of a command, as far as a search for secrets needs them, and the programs whose flags tell one.

use std::ops::Range;

/// True where one command ends and another may begin.
pub(super) fn is_end(c: char) -> bool {
    matches!(c, ';' | '|' | '&' | '\n')
}

/// True for what no word of [`words`] holds.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || is_end(c) || "<>()'\"`$\\{}[],".contains(c)
}

/// True for what an unquoted value does not hold.
pub(super) fn ends_value(c: char) -> bool {
    c.is_whitespace() || is_end(c) || "<>()'\"`$".contains(c)
}

/// True for what names of variables, fields and headers are made of.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// True for what follows `$` in the name of a variable.
pub(super) fn is_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '{' | '}')
}

/// Where the words of `text` stand.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split(is_separator).filter_map(move |word| {
        let range = at..at + word.len();
        // Separators are one byte or more; whitespace may be three.
        at = range.end
            + text
                .get(range.end..)?
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        (!word.is_empty()).then_some(range)
    })
}

/// In which quotes a byte of a command stands.
#[derive(Default)]
pub(super) struct Quotes {
    open: Option<u8>,
    is_escaped: bool,
}

impl Quotes {
    /// Goes past `byte`, the next one.
    pub(super) fn pass(&mut self, byte: u8) {
        if self.is_escaped {
            self.is_escaped = false;
            return;
        }
        match (byte, self.open) {
            (b'\\', None | Some(b'"')) => self.is_escaped = true,
            (b'\'' | b'"', None) => self.open = Some(byte),
            (byte, Some(open)) if byte == open => self.open = None,
            _ => {}
        }
    }

    /// True when `rest`, what follows, begins with the end of the quoted text, and not with a quoted value.
    /// An apostrophe may have been taken for a quote: what goes on in the same word is a value after all.
    pub(super) fn close(&self, rest: &str) -> bool {
        let after = self
            .open
            .and_then(|quote| rest.strip_prefix(char::from(quote)));
        after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
    }
}

/// A program whose flags tell a secret, or whose operands are hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// Any other.
    Other,
    /// `-p x`, `-px`
    Password,
    /// `docker`: only its `login` takes a password.
    Docker,
    /// `-a x`
    Redis,
    /// `-P x`
    Zip,
    /// `-u user:password`
    Http,
    /// `-pass pass:x`
    Openssl,
    /// Operands are hashes, and no secrets.
    Hashes,
}

impl Tool {
    /// The tool after `word`, in the same command.
    pub(super) fn after(self, word: &str) -> Self {
        match word.rsplit('/').next().unwrap_or_default() {
            "mysql" | "mysqldump" | "mysqladmin" | "mysqlimport" | "mysqlsh" | "mariadb"
            | "mariadb-dump" | "mariadb-admin" | "mongo" | "mongosh" | "mongodump"
            | "mongorestore" | "sshpass" | "7z" | "7za" => Self::Password,
            "login" if self == Self::Docker => Self::Password,
            "docker" | "podman" | "helm" | "oras" | "skopeo" | "crane" => Self::Docker,
            "redis-cli" => Self::Redis,
            "zip" | "unzip" => Self::Zip,
            "curl" | "wget" | "http" | "https" | "xh" => Self::Http,
            "openssl" => Self::Openssl,
            "git" | "gh" | "glab" | "jj" | "hg" | "shasum" | "sha1sum" | "sha256sum"
            | "sha512sum" | "md5sum" | "b2sum" => Self::Hashes,
            _ => self,
        }
    }

    /// True when long hexadecimal operands are hashes.
    pub(super) fn names_hashes(self) -> bool {
        self == Self::Hashes
    }

    /// The password that is part of `word`.
    pub(super) fn attached(self, word: &str) -> Option<&str> {
        let password = match self {
            Self::Password => word.strip_prefix("-p"),
            Self::Openssl => word.strip_prefix("pass:"),
            _ => None,
        };
        password.filter(|password| !password.is_empty() && !password.starts_with("assw"))
    }

    /// True when the word after this flag is a password.
    pub(super) fn takes_password(self, word: &str) -> bool {
        matches!(
            (self, word),
            (Self::Password, "-p") | (Self::Redis, "-a") | (Self::Zip, "-P")
        )
    }

    /// True when the word after this flag is `user:password`.
    pub(super) fn takes_login(self, word: &str) -> bool {
        let is_login = matches!(
            word,
            "-u" | "--user" | "-U" | "--proxy-user" | "-a" | "--auth"
        );
        self == Self::Http && is_login
    }
}
