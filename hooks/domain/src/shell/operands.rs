//! Judges operands: the files and names that stay in the project, and words that show a further reach by themselves.

use super::parse::Word;
use crate::reach::Reach;
pub(super) use crate::words::is_listed;
use crate::words::{Starts, count, each};

/// Parts of operands that name secrets, or files that decide what is run later.
const SECRETS: &str = ".ssh|.aws|.gnupg|.kube|.docker|.netrc|.npmrc|.pypirc|.pgpass|.my.cnf|.boto|.s3cfg|.git-credentials|id_rsa|\
    id_dsa|id_ecdsa|id_ed25519|credential|secret|passwd|shadow|.pem|.key|.p8|.p12|.pfx|.keystore|.jks|.kdbx|.ovpn|.gpg|\
    .htpasswd|authorized_keys|known_hosts|private_key|privatekey|apikey|api_key|service-account|service_account|\
    serviceaccount|kubeconfig|tfstate|.tfvars|.vault|wallet.dat|cookies|_history|.envrc|.claude/settings|.mcp.json|firebase-adminsdk|application_default|access_token|accesstoken|auth.json|auth_token|\
    wp-config.php|appsettings|local.settings.json|gradle.properties|database.yml|local_settings.py|localsettings.php|parameters.yml|\
    config.inc.php|web.config|nuget.config|.m2/settings.xml|rclone.conf|my.cnf|application-prod|application-local|connectionstrings|\
    hibernate.cfg|odbc.ini|sftp.json|sftp-config.json|dbeaver|filezilla";

/// Parts of operands that name files that decide what is run later.
const DECIDING: &str = ".bashrc|.zshrc|.profile|.claude/|.husky";

/// Files that steer an agent, which later follows their contents.
const STEERING: &str = "claude.md|claude.local.md|agents.md|agent.md|gemini.md|qwen.md|codex.md|skill.md|.cursorrules|.windsurfrules|\
    .clinerules|copilot-instructions.md|opencode.json";

/// Endings of output files, which programs write and nobody keeps.
const OUTPUTS: &str = "txt|log|out|err|csv|tsv|tmp|diff|patch|xml|html|lcov|sarif|prof|trace|dot|svg|png|zip|tgz|gz|tap|jsonl|ndjson|bak|list";

/// Folders of such files.
const OUTPUT_FOLDERS: &str =
    "build dist out output target coverage reports report logs log tmp temp results artifacts";

/// Names of files that contain a token or a password.
const SECRET_FILES: &str = "token tokens password passwords pass pwd key .token .password .pass .netrc _netrc htpasswd master.key";

/// The folder where a command runs.
#[derive(Clone)]
pub(super) struct WorkingFolder<'a> {
    /// The project's folder.
    pub(super) root: &'a str,
    /// The folder below it, with `/` between parts; empty for the project's folder itself.
    pub(super) below: String,
    /// True if the folder is certain.
    pub(super) is_certain: bool,
}

impl<'a> WorkingFolder<'a> {
    /// The project's folder.
    pub(super) fn new(root: &'a str) -> Self {
        Self {
            root,
            below: String::new(),
            is_certain: true,
        }
    }

    /// True for the path of the project's folder, or of the current folder if that is the same.
    pub(super) fn is_project(&self, path: &str) -> bool {
        self.below.is_empty() && (path == "." || inside(path, self.root) == Some("."))
    }

    /// True in a folder of other people's code.
    pub(super) fn is_foreign(&self) -> bool {
        is_foreign(&self.below)
    }

    /// Enters a folder of the project, as `cd` does; otherwise why it can't. Goes up only if the current folder is
    /// certain.
    pub(super) fn enter(&mut self, to: &str) -> Result<(), &'static str> {
        let (mut parts, rest): (Vec<&str>, &str) = match inside(to, self.root) {
            Some(rest) => (Vec::new(), rest),
            None if self.below.is_empty() => (Vec::new(), to),
            None => (self.below.split('/').collect(), to),
        };
        let goes_back = rest.split('/').any(|part| part == "..");
        let forward: Vec<&str> = rest.split('/').filter(|part| *part != "..").collect();
        if let Some(reason) = reach_of_text(&forward.join("/"), self.root) {
            return Err(reason);
        }
        if !self.is_certain && (goes_back || self.is_foreign()) {
            return Err("a folder that is not certain");
        }
        for part in rest.split('/').filter(|part| !matches!(*part, "" | ".")) {
            match part {
                ".." => drop(parts.pop().ok_or(OUTSIDE)?),
                part => parts.push(part),
            }
        }
        self.below = parts.join("/");
        Ok(())
    }
}

/// True for a path through a folder of other people's code.
pub(super) fn is_foreign(path: &str) -> bool {
    path.split('/').any(|part| is_listed(FOREIGN, part))
}

/// Folders of other people's code.
const FOREIGN: &str = "node_modules vendor vendored third_party third-party external extern deps .venv venv site-packages \
    bower_components Pods Carthage .cargo submodules downloads tmp temp";

/// Why `word` leaves the project or is not certain; `None` if it stays inside.
pub(super) fn reach(word: &Word, folder: &WorkingFolder<'_>) -> Option<&'static str> {
    let text = word.text.as_str();
    // Letters of other languages neither separate words nor deceive.
    if !text
        .chars()
        .all(|c| (' '..='~').contains(&c) || c.is_alphanumeric() && !c.is_ascii())
    {
        return Some("characters that are not plain");
    }
    if word.is_open && !is_harmless_pattern(text) {
        return Some("a pattern that may match anything");
    }
    reach_of_text(text, folder.root)
}

/// Like [`reach`], for a file that is written: a temporary file may be written, but not a hidden one.
pub(super) fn changed(word: &Word, folder: &WorkingFolder<'_>) -> Option<&'static str> {
    match reach(word, folder) {
        None if word.text == "/dev/null" => Some("what is written there is lost"),
        None => {
            let path = inside(&word.text, folder.root).unwrap_or(&word.text);
            (has_hidden(path) || steers(path)).then_some(DECIDES)
        }
        Some(reason) => (written(word, folder) == Reach::Beyond).then_some(reason),
    }
}

/// True for a path with a hidden part, except ignore files.
fn has_hidden(path: &str) -> bool {
    let is_hidden = |part: &str| part.starts_with('.') && part != "." && !part.ends_with("ignore");
    path.split('/').any(is_hidden)
}

/// Like [`reach`], for a file that is only shown: temporary files, and files that decide what is run, may be shown.
pub(super) fn shown(word: &Word, folder: &WorkingFolder<'_>) -> Option<&'static str> {
    match (
        is_temporary(&word.text) && !word.is_open,
        reach(word, folder),
    ) {
        (true, _) => None,
        (false, Some(DECIDES)) => is_state(&word.text).then_some(DECIDES),
        (false, reason) => reason,
    }
}

/// True for files in which Claude Code and its hooks keep state in the project, not for files that people write.
fn is_state(path: &str) -> bool {
    const WRITTEN: &str = "agents commands docs memory output-styles plans rules skills worktrees";
    let below = path.split_once(".claude/").map(|(_, rest)| rest);
    let folder = below.and_then(|rest| rest.split_once('/'));
    folder.is_some_and(|(folder, _)| !is_listed(WRITTEN, folder))
}

/// The reason for a file that decides what is run later.
const DECIDES: &str = "what decides what is run later";

/// True for a file below the folder for temporary files.
pub(super) fn is_temporary(path: &str) -> bool {
    let rest = ["/tmp/", "/private/tmp/", "/var/tmp/"]
        .iter()
        .find_map(|folder| path.strip_prefix(folder));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    rest.is_some_and(|rest| {
        rest.bytes().all(is_plain)
            && !rest.split('/').any(|part| part.starts_with('.'))
            && !is_secret(rest)
    })
}

/// True for a text that begins with a home folder or a system folder.
pub(super) fn names_a_system_path(text: &str) -> bool {
    const FOLDERS: &str = "/etc /usr /var /home /root /Users /opt /proc /sys /dev /bin /sbin /boot /lib /srv /run /mnt \
        /media /private /Library /System /Applications";
    let is_below = |folder: &str| {
        let rest = text.strip_prefix(folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    text != "/dev/null"
        && (is_below("~")
            || text.starts_with("~/")
            || FOLDERS.split_ascii_whitespace().any(is_below))
}

/// The reason for a path outside the project.
pub const OUTSIDE: &str = "a path outside the project";

/// Like [`reach`], for a text without patterns.
pub(super) fn reach_of_text(text: &str, root: &str) -> Option<&'static str> {
    if text.contains("://") || text.contains('@') && text.contains(':') {
        return Some("an address");
    }
    if text.starts_with(['@', '=', '|', '!']) && text != "!" {
        return Some("a file of arguments, or a special operand");
    }
    let text = inside(text, root).unwrap_or(text);
    if text.split(['=', ':', ',', ';', ' ']).any(leaves) {
        return Some(OUTSIDE);
    }
    if is_secret(text) {
        return Some("what may be secret");
    }
    let lower = text.to_ascii_lowercase();
    // Each of their names begins with a dot.
    let mut dots = lower.match_indices('.');
    let decides = dots.any(|(at, _)| {
        let rest = lower.get(at..).unwrap_or_default();
        DECIDING.split('|').any(|name| rest.starts_with(name))
    });
    (decides && !is_worktree(&lower)).then_some(DECIDES)
}

/// True for a path in a worktree that Claude Code created in the project.
fn is_worktree(path: &str) -> bool {
    let rest = path.strip_prefix(".claude/worktrees/");
    rest.is_some_and(|rest| !DECIDING.split('|').any(|name| rest.contains(name)))
}

/// The absolute `path` relative to `cwd`; `None` if it is not below it.
pub(super) fn inside<'a>(path: &'a str, cwd: &str) -> Option<&'a str> {
    let cwd = cwd.trim_end_matches('/');
    let rest = path.strip_prefix(cwd).filter(|_| !cwd.is_empty())?;
    if rest.is_empty() {
        return Some(".");
    }
    rest.strip_prefix('/').filter(|rest| !rest.starts_with('/'))
}

fn leaves(piece: &str) -> bool {
    let is_drive = piece.contains('\\');
    // "-r/tmp/evil.rb"
    let attached = piece.strip_prefix('-').and_then(|option| option.get(1..));
    piece != "/dev/null" && piece.starts_with(['/', '~'])
        || attached.is_some_and(|value| value.starts_with(['/', '~']))
        || is_drive
        || piece.split('/').any(|part| part == "..")
        || piece.contains("~/")
}

/// True for a name or path that may contain secrets or that decides what is run later.
pub(crate) fn is_secret(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let is_hidden = |part: &str| {
        let is_example = [".example", ".sample", ".template", ".dist"]
            .iter()
            .any(|end| part.ends_with(end));
        part == ".git" || (part.ends_with(".env") || part.starts_with(".env.")) && !is_example
    };
    let is_secret_file = |part: &str| {
        let stem = [".txt", ".json", ".yml", ".yaml", ".cfg", ".ini", ".bak"]
            .iter()
            .find_map(|end| part.strip_suffix(end));
        let name = stem.unwrap_or(part);
        name.ends_with("-key") || name.ends_with("_key") || is_listed(SECRET_FILES, name)
    };
    let parts = || lower.split(['/', '=', ':', ',', ' ']);
    let names_secret = |at: usize| {
        let rest = lower.as_bytes().get(at..).unwrap_or_default();
        let start: Option<&[u8; 3]> = rest.first_chunk();
        let mut names = SECRET_NAMES.iter().map(|name| name.as_bytes());
        names.any(|name| name.first_chunk() == start && rest.starts_with(name))
    };
    let may_be_hidden = lower.contains(".git") || lower.contains(".env");
    may_be_hidden && parts().any(is_hidden)
        || parts().next_back().is_some_and(is_secret_file)
        || SECRET_STARTS.places(lower.as_bytes()).any(names_secret)
}

static SECRET_NAMES: [&str; count(SECRETS, b'|')] = each(SECRETS, b'|');

static SECRET_STARTS: Starts = Starts::of(SECRETS.as_bytes(), b'|');

/// True for a pattern that cannot match an option, a parent folder or a hidden file.
fn is_harmless_pattern(text: &str) -> bool {
    !text.starts_with(['*', '?', '[', '{'])
        && !text.contains(['[', '?', '$'])
        && !text.contains("..")
        && !["{.", ",.", ".{"]
            .iter()
            .any(|hidden| text.contains(hidden))
        && text
            .split('/')
            .all(|part| !part.starts_with('.') || !part.contains(['*', '{']))
}

/// True for a word of plain characters, like names of branches, packages and services.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    text.bytes().all(is_plain) && !text.starts_with(['.', '/', '-']) && !text.contains("..")
}

/// How far writing to `file` reaches: into the project or a temporary file, or further.
pub(super) fn written(file: &Word, folder: &WorkingFolder<'_>) -> Reach {
    let text = inside(&file.text, folder.root).unwrap_or(&file.text);
    let is_plain = !file.is_open
        && !text.starts_with('-')
        && !has_hidden(text)
        && !steers(text)
        && reach_of_text(text, folder.root).is_none();
    match is_plain || is_temporary(text) && !file.is_open {
        true => Reach::Project,
        false => Reach::Beyond,
    }
}

/// True for a file that steers an agent, or what runs in production.
fn steers(path: &str) -> bool {
    let name = path
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_live = |part: &str| matches!(part, "prod" | "production");
    STEERING.split('|').any(|one| one == name) || name.split('.').any(is_live)
}

/// True for an output file of a program, whose earlier contents nobody needs.
pub(super) fn is_output(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    let is_known = |folder: &str| is_listed(OUTPUT_FOLDERS, folder);
    is_temporary(path)
        || OUTPUTS.split('|').any(|one| one == end)
        || folders.split('/').any(is_known)
}

/// The word of an unknown call that leaves the project or shows a further reach, and why.
pub(super) fn leads_beyond<'w>(
    words: impl IntoIterator<Item = &'w Word>,
    folder: &WorkingFolder<'_>,
) -> Option<(&'w Word, &'static str)> {
    words.into_iter().find_map(|word| {
        let text = inside(&word.text, folder.root).unwrap_or(&word.text);
        let says = || says_beyond(text).then_some("it says that it reaches further");
        let reason = match word.is_open && !word.is_spread && !word.has_variable {
            // The output of a substitution is one word, not a path in the line.
            true => None,
            false => reach(word, folder),
        };
        Some((word, reason.or_else(says)?))
    })
}

// Lists of words separated by spaces, and words that show by themselves how far a command reaches.

/// Words in the name of a script or target, or in an operand of an unknown program, that show that it goes beyond the
/// project.
const BEYOND: &str = "push publish deploy deployment destroy delete drop release apply rm remove prune purge \
    reset login logout upload send prod production live staging force sudo migrate rollback seed kill uninstall \
    revoke grant install eval exec run-script post submit merge promote wipe truncate nuke dlx add create global link upgrade \
    import config set plugin allow trust clean cleanup distclean clobber mrproper preinstall postinstall shell share stash flush erase implode unregister";

/// True if a part of `text` is a word that shows a further reach: `deploy-all`, `deployAll`, `DEPLOY_ALL`.
pub(super) fn says_beyond(text: &str) -> bool {
    let says = |word: &str| is_listed(BEYOND, &word.to_ascii_lowercase());
    let mut parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| {
        let capitals = part.match_indices(|c: char| c.is_ascii_uppercase());
        let ends = capitals.map(|(at, _)| at).chain([part.len()]);
        let mut start = 0;
        let mut words = ends.map(|end| part.get(std::mem::replace(&mut start, end)..end));
        // Options are not split at capitals: `--globalSetup` is not `--global`.
        says(part) || !text.starts_with('-') && words.any(|word| word.is_some_and(says))
    })
}

/// Parts of the names of scripts and targets that test, lint, check, build or show.
const CHECKING: &str = "test tests testing unit integration e2e smoke spec lint linter check checks build rebuild compile bundle \
    typecheck type types tsc clippy vet bench benchmark benchmarks perf coverage cov doc docs verify validate \
    style unittest jest vitest pytest mypy ruff eslint prettier stylelint assemble all default help classes \
    testclasses ktlintcheck spotlesscheck detekt";

/// Parts of names that change files of the project, or run it.
const CHANGING: &str = "fmt format formatting fix generate gen codegen snapshot snapshots spotlessapply package dev start serve \
    preview storybook watch";

/// Parts of names without a meaning of their own.
const BESIDE: &str = "quick fast slow full ci js css html ts api web ui app client server core lib library backend frontend only \
    changed affected parallel race short verbose strict size list version proto";

/// How far a script or target reaches, by the parts of its name.
pub(super) fn reach_of_target(word: &Word) -> Reach {
    // `:app:test` is a task of a part of the project.
    let lower = word.text.trim_start_matches(':').to_ascii_lowercase();
    if word.is_open || says_beyond(&word.text) || !is_name(&lower.replace(':', "-")) {
        return Reach::Beyond;
    }
    let parts = || lower.split(['-', '_', ':', '.', '/']);
    let is_in = |list: &str| parts().any(|part| is_listed(list, part));
    let known = |part: &str| {
        let mut lists = [CHECKING, CHANGING, BESIDE].iter();
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number || lists.any(|list| is_listed(list, part))
    };
    if !parts().all(known) {
        Reach::Unknown
    } else if is_in(CHANGING) {
        Reach::Project
    } else if is_in(CHECKING) {
        Reach::Reads
    } else {
        Reach::Unknown
    }
}
