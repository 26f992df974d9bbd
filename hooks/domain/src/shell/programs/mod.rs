//! The facts about programs, as data. Each row lists everything that it allows; everything else is unknown.

mod table;

use memchr::memmem;

use super::parser::Word;
use super::rows::is_listed;
use crate::permissions::Reach;

/// The facts about some commands. Names and options are separated by spaces.
pub(super) struct Row {
    /// The program and its subcommand. Commas separate several of them, and `*` is any argument.
    pub(super) commands: &'static str,
    /// How far they reach when called with only the arguments in the row.
    pub(super) reach: Reach,
    pub(super) options: &'static [Options],
    pub(super) operands: Operands,
}

/// Options of the same kind.
pub(super) enum Options {
    /// They have no value, or a value after `=`, which is judged as a path.
    Flags(&'static str),
    /// They have no value, and make the command change the project.
    Changing(&'static str),
    /// They may have a number, attached or in the next word. `-#` is a number after a dash.
    Numbers(&'static str),
    /// They have a text that is compared or shown: attached, after `=`, or in the next word.
    Texts(&'static str),
    /// They have a pattern for the names of files to read.
    Globs(&'static str),
    /// They have a file to read, or the name of a part of the project.
    Paths(&'static str),
    /// They have the name of a script or target to run.
    Runs(&'static str),
    /// They have a program in a script language, accepted by this function.
    Programs(&'static (&'static str, fn(&str) -> bool)),
    /// They have a plain name followed by a text.
    Pairs(&'static str),
    /// They have one of a few words.
    OneOf(&'static (&'static str, &'static str)),
}

impl Options {
    /// The names of the options.
    pub(super) fn names(&self) -> &'static str {
        match self {
            Self::Flags(names)
            | Self::Changing(names)
            | Self::Numbers(names)
            | Self::Texts(names)
            | Self::Globs(names)
            | Self::Paths(names)
            | Self::Runs(names)
            | Self::Pairs(names)
            | Self::Programs((names, _))
            | Self::OneOf((names, _)) => names,
        }
    }
}

/// The operands of a command.
pub(super) enum Operands {
    /// No operands.
    Nothing,
    /// Files and folders of the project.
    Files,
    /// Files to write, in the project or temporary.
    Written,
    /// At most one file of the project.
    OneFile,
    /// Files to show, in the project or temporary.
    Shown,
    /// Folders of the project that begin with a dot, as in Go.
    Folders,
    /// Text.
    Text,
    /// A text, then files to show. With one of these options, the first operand is also a file.
    TextThenFiles(&'static &'static str),
    /// A program in a script language, accepted by this function, then files to show, or to change in a call that
    /// changes the project.
    ProgramThenFiles(fn(&str) -> bool),
    /// Words, each accepted by this function.
    Each(fn(&str) -> bool),
    /// Plain names of branches, packages and services.
    Names,
    /// Files or modules to run as tests, with names of tests.
    Tests,
    /// A script or target, then files.
    Script,
    /// Scripts or targets.
    Targets,
}

/// The base of a row that only reads, tests or builds.
const READS: Row = Row {
    commands: "",
    reach: Reach::Reads,
    options: &[],
    operands: Operands::Files,
};

/// The base of a row that changes the project.
const PROJECT: Row = Row {
    reach: Reach::Project,
    ..READS
};

/// All rows.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    let tables = [table::GIT, table::BUILDING, table::SERVICES, table::SHOWING];
    tables.into_iter().flatten()
}

/// True if `row` only shows files.
pub(super) fn only_shows(row: &Row) -> bool {
    table::SHOWING.iter().any(|one| std::ptr::eq(one, row)) && row.reach == Reach::Reads
}

/// The rows for `program`, with the subcommand in each, once per command. Rows that do not contain the name at all are
/// skipped quickly, because a person waits.
pub(super) fn rows_of<'p>(
    program: &'p str,
) -> impl Iterator<Item = (&'static Row, impl Iterator<Item = &'static [u8]>)> + 'p {
    let name = memmem::Finder::new(program);
    let about = rows().filter(move |row| name.find(row.commands.as_bytes()).is_some());
    about.flat_map(move |row| {
        let commands = row.commands.as_bytes().split(|byte| *byte == b',');
        commands.filter_map(move |command| {
            let mut words = command.trim_ascii_start().split(|byte| *byte == b' ');
            (words.next()? == program.as_bytes()).then_some((row, words))
        })
    })
}

/// Programs that other programs may start: only well-known ones of their ecosystem, because a missing program is
/// downloaded.
pub(super) const LAUNCHERS: &[(&str, &str)] = &[
    (
        "npx, bunx, bun x, pnpm exec, yarn exec, npm exec --",
        "jest vitest mocha ava tap playwright tsc vue-tsc eslint stylelint prettier biome svelte-check knip publint attw \
         tsd size-limit next vite astro turbo markdownlint",
    ),
    (
        "pnpm, yarn, bun",
        "jest vitest mocha tsc vue-tsc eslint stylelint prettier biome playwright next vite astro turbo",
    ),
    (
        "python -m, python3 -m, uv run python -m",
        "pytest unittest mypy ruff black isort flake8 pylint pyright coverage bandit vulture tox nox",
    ),
    (
        "uv run, poetry run, pipenv run, pdm run, hatch run",
        "pytest mypy ruff black isort flake8 pylint pyright basedpyright coverage bandit vulture tox nox codespell",
    ),
    ("bundle exec", "rspec rubocop standardrb rake rails"),
];

/// Parts of the names of scripts and targets that test, lint, check, build or show.
pub(super) const CHECKING: &str = "test tests testing unit integration e2e smoke spec lint linter check checks build rebuild compile bundle \
    typecheck type types tsc clippy vet bench benchmark benchmarks perf coverage cov doc docs verify validate \
    style unittest jest vitest pytest mypy ruff eslint prettier stylelint assemble all default help classes \
    testclasses ktlintcheck spotlesscheck detekt";

/// Parts of names that change files of the project, or run it.
pub(super) const CHANGING: &str = "fmt format formatting fix generate gen codegen snapshot snapshots spotlessapply package dev start serve \
    preview storybook watch";

/// Parts of names without a meaning of their own.
pub(super) const BESIDE: &str = "quick fast slow full ci js css html ts api web ui app client server core lib library backend frontend only \
    changed affected parallel race short verbose strict size list version proto";

/// Variables that change only the output, or choose built-in settings.
const VARIABLES: &str = "CI DEBUG FORCE_COLOR NO_COLOR LANG LC_ALL TZ RUST_LOG RUST_BACKTRACE COLUMNS VERBOSE LOG_LEVEL \
    CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PROPTEST_CASES CGO_ENABLED GOOS \
    GOARCH UPDATE_SNAPSHOTS";

/// Variables that choose settings by a name.
const ENVIRONMENTS: &str = "NODE_ENV MIX_ENV RAILS_ENV RACK_ENV APP_ENV";

/// Programs that can do anything: shells, interpreters, clients of services, and programs that remove, send or change
/// the machine. Their calls without a row go beyond the project.
const ANYTHING: &str = "\
    alembic alias ansible ansible-playbook apk apt apt-get at awk aws az bash batcat batch brew builtin bun bundle \
    cabal cargo cat cc changeset chgrp chmod choco chown chroot cmake cmd cmp codesign column comm composer cp \
    createdb crontab csh curl cut cypress dash date dd declare defaults del deno diff dig diskutil dnf doas docker \
    docker-compose doctl dotnet dropdb duckdb eas ed egrep emacs env eval ex exec expo export fastlane fd fdisk \
    fgrep file find firebase fish fly flyctl flyway fmt fold format ftp g++ gcc gcloud gdb gem gh ghc git glab go \
    goreleaser gpg gradle gradlew grep halt head helm heroku hexdump hostname hub iptables join journalctl jq just \
    kill killall knex ksh kubectl launchctl lein lerna less liquibase ln ltrace lua mail make man mariadb mix mkfs \
    mongo mongosh more mount mutt mv mvn mysql mysqldump nano nc ncat netlify nft nl nm node nohup npm npx nsenter \
    nslookup nuget nvim od op openssl osascript pacman parallel parted passwd paste patch perl pg_dump pg_restore \
    php ping pip pipx pkill pnpm podman poetry poweroff powershell printenv prisma pscp psql pulumi pwsh pyright \
    python python3 rails rake readelf reboot redis-cli reg rev rg rm rmdir rsync ruby rustc rustfmt rustup sbt scp \
    screen sed semantic-release sendmail sequelize service set setsid setx sftp sh shred shutdown snap socat sops \
    sort source sqlcmd sqlite3 ss ssh ssh-add ssh-keygen stack strace strings stripe su sudo supabase systemctl \
    systemd-run tac tail tar tclsh tcsh tee telnet terraform tmux tofu trap truncate twilio twine ufw umount unlink \
    unset unshare unzip useradd userdel usermod uv vagrant vault vercel vi vim visudo watch wc wget winget wrangler \
    xargs xcrun xxd yarn yq yum zcat zgrep zsh";

/// More programs that can be misused to read and write files and start programs (including those of GTFOBins). In prose
/// they do not count as programs, because many are also ordinary words.
const ALSO_ANYTHING: &str = "\
    7z R aa-exec ab acr addgroup adduser agetty aider alpine amplify ansible-test aoss apache2 apache2ctl apport-cli \
    aptitude ar arch-nspawn argocd aria2c arj arp as ascii-xfr ascii85 asdf ash aspell asterisk atftpd atobm \
    autoconf autoheader autoreconf axel base32 base58 base64 basenc basez bashbug bbot bc bconsole bee bg bind \
    blkdiscard borg bpftrace bq bridge btrfs bundler bunx busctl busybox byebug bzip2 bzr c89 c99 cancel cap capsh \
    cdist cdk cdktf certbot chalice chattr check_by_ssh check_cups check_log check_memory check_raid check_ssl_cert \
    check_statusfile chef chflags chfn choom chpasswd chrt chsh clamscan claude clickhouse-client clisp cloudflared \
    cobc cockroach code codex command complete conda consul copilot corepack cowsay cowthink cpan cpanm cpio \
    cpulimit cqlsh crash createuser crush cryptsetup csplit csrutil csvtool ctr cupsfilter cursor cvs darcs dc \
    debugfs deluser dhclient dialog dirs disown distcc dmesg dmidecode dmsetup dnsmasq dokku dos2unix dosbox dpkg \
    dpkg-reconfigure dropuser dscl dstat duplicity dvips easy_install easyrsa eb efax elvish emerge enable enscript \
    eqn espeak exiftool expand expect explorer facter fail2ban-client fastfetch fc ffmpeg fg finger firejail \
    firewall-cmd flatpak flock flux fnm forge fossil fping fsck ftpd fzf gawk gcore gemini genie genisoimage getent \
    getopts gh-dash ghci gimp ginsh gnuplot goose gosu gpasswd grc groupadd groupdel groupmod grpcurl gsudo gsutil \
    gtester guile guix gzip hash hashcat hd hdparm hg highlight history host hostnamectl hping3 http httpie https \
    iconv ifconfig iftop influx initdb insmod install ionice ip iptables-save irb ispell istioctl iwconfig java jj \
    jjs jobs joe jrunscript jshell jtag julia k9s kexec kill0 kind knife ksshell ksu kubectx kustomize last lastb \
    latex latexmk lazygit ld.so ldconfig let lftp links local localtunnel login loginctl logout logrotate logsave \
    look losetup lp lsattr lualatex luarocks luatex lvremove lwp-download lwp-request lxd m4 mailx mamba mapfile \
    mawk mc micromamba minicom minikube mkswap modprobe mongodump mongoimport mongorestore mosh-server mosquitto \
    msfconsole msgattrib msgcat msgconv msgfilter msgmerge msguniq msmtp mssql-cli mtr multitime n nasm nawk ncdu \
    ncftp needrestart neofetch neonctl networksetup newgrp nginx ngrok nice nix nix-build nix-env nix-shell nmap \
    nmcli nomad notify-send now nroff ntpdate nvm oc octave opam open opencode openvpn openvt opkg packer pandoc pax \
    pbcopy pbpaste pdb pdflatex pdftex perf perlbug pexec pg pg_ctl pic pico pidstat pkexec pkg pkgin planetscale \
    plantune plymouth pmset pnpx popd port posh pr printf procmail pry prlimit pscale psftp ptx puppet pushd pvremove pyenv \
    pygmentize qpdf qwen railway ranger rbenv rc rclone rcp read readarray readonly red redcarpet redis render reset \
    restic rlogin rlwrap rmmod rollbar route rpm rpmdb rpmquery rpmverify rsyslogd rtorrent run-mailcap run-parts \
    runas runscript runuser rustdoc rview rvim s3cmd salt salt-call sam sash say scanmem script scrot scutil security \
    sentry-cli serverless setarch setcap setfacl setfattr setlock sg shift shopt shuf skaffold skill slack sls slsh \
    smbclient smbserver.py socket soelim softlimit spctl split sqlmap ssh-agent ssh-copy-id ssh-keyscan sshfs \
    sshpass sshuttle start start-stop-daemon stdbuf su-exec sudoedit surge suspend svn swaks swapoff swapon sysctl \
    systemd-resolve tailscale task taskset tasksh tbl tc tcpdump tdbtool tex tftp tftpd tic tig tilt time \
    timedatectl timeout tmate top torify torsocks troff ts-node tshark tsx turso typeset ul ulimit umask unalias \
    unexpand uniq unsquashfs update-alternatives urlget uuencode uvx valgrind varnishncsa vgremove view vigr vimdiff \
    vipw virsh vncserver volatility volta w3m wait wall websocat wg-quick whiptail whois wipefs wireshark wish \
    wmctrl x11vnc xattr xclip xdg-open xdg-user-dir xdotool xelatex xetex xh xmodmap xmore xpad xsel xz yash ydotool \
    yelp yt-dlp zathura zfs zic zip zless zpool zsoelim zypper";

/// True for a program that can do anything.
pub(crate) fn can_do_anything(name: &str) -> bool {
    is_listed(ANYTHING, name) || is_listed(ALSO_ANYTHING, name)
}

/// True for the name of a known program, even in a sentence.
pub(crate) fn is_program(name: &str) -> bool {
    is_listed(ANYTHING, name) || rows_of(name).next().is_some()
}

/// True for a variable that may be set to this value for any command.
pub(super) fn is_harmless_setting(name: &str, value: &Word) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.,:=-".contains(&byte);
    let text = value.text.as_str();
    let is_known = if is_listed(ENVIRONMENTS, name) {
        is_listed("test development dev ci", text)
    } else {
        is_listed(VARIABLES, name) && !text.to_ascii_lowercase().contains("prod")
    };
    is_known && !value.is_open && text.bytes().all(is_plain)
}

/// True for a variable that decides what programs run, load or follow.
pub(super) fn decides_what_runs(name: &str) -> bool {
    const STARTS: &str = "LD_ DYLD_ GIT_ PYTHON PYTEST MAKE RUBY PERL NODE_ JAVA MAVEN GRADLE npm_ NPM_ CARGO_ RUSTC \
        RUSTFLAGS BASH_";
    const ENDS: &str = "PATH OPTIONS OPTS FLAGS SHELL EDITOR PAGER PROXY proxy WRAPPER RUNNER HOME \
        CONFIG REGISTRY INDEX_URL INDEX";
    const NAMES: &str = "ENV IFS CC CXX MAKE LESSOPEN BROWSER VISUAL TMPDIR PS4 PROMPT_COMMAND";
    STARTS.split(' ').any(|start| name.starts_with(start))
        || ENDS.split(' ').any(|end| name.ends_with(end))
        || is_listed(NAMES, name)
}
