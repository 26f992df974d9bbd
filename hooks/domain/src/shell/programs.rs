//! What is known of programs: data, each row with all that it allows. What no row names is not known.

mod building;
mod files;
mod git;
mod services;

use super::parse::Word;
use crate::permissions::Reach;

/// What is known of some commands. Names and options stand with blanks between them.
pub(super) struct Row {
    /// The program and its subcommand; several, with commas between them. `*` is any argument.
    pub(super) commands: &'static str,
    /// How far they reach, called with what the row names.
    pub(super) reach: Reach,
    pub(super) options: &'static [Options],
    pub(super) operands: Operands,
}

impl Row {
    /// The words of each of its commands. As bytes, because all rows are looked at while a person waits.
    pub(super) fn commands(&self) -> impl Iterator<Item = impl Iterator<Item = &'static [u8]>> {
        let commands = self.commands.as_bytes().split(|byte| *byte == b',');
        commands.map(|command| command.trim_ascii_start().split(|byte| *byte == b' '))
    }
}

/// Options of which the same is known.
pub(super) enum Options {
    /// They stand alone, or have a value behind `=`, which is judged as a path.
    Flags(&'static str),
    /// They stand alone, and make it change the project.
    Changing(&'static str),
    /// A number belongs to them, attached or in the next word; without one they stand alone. `-#` is a number behind
    /// a dash.
    Numbers(&'static str),
    /// They have a text that is compared or shown: attached, behind `=`, or in the next word.
    Texts(&'static str),
    /// They have a file that is read, or the name of a part of the project.
    Paths(&'static str),
    /// They have the name of what is run.
    Runs(&'static str),
    /// They have a program in a little language that this accepts.
    Programs(&'static (&'static str, fn(&str) -> bool)),
    /// They have a plain name and, behind it, a text.
    Pairs(&'static str),
    /// They have one of a few words.
    OneOf(&'static (&'static str, &'static str)),
}

impl Options {
    /// The options.
    pub(super) fn names(&self) -> &'static str {
        match self {
            Self::Flags(names)
            | Self::Changing(names)
            | Self::Numbers(names)
            | Self::Texts(names)
            | Self::Paths(names)
            | Self::Runs(names)
            | Self::Pairs(names)
            | Self::Programs((names, _))
            | Self::OneOf((names, _)) => names,
        }
    }
}

/// What the operands of a command are.
pub(super) enum Operands {
    /// There are none.
    Nothing,
    /// Files and folders of the project.
    Files,
    /// Files of the project that are written, or temporary ones.
    Written,
    /// One of them at most.
    OneFile,
    /// Files that are shown, of the project or temporary ones.
    Shown,
    /// Folders of the project that begin with a dot, as Go has them.
    Folders,
    /// Text.
    Text,
    /// Text, then files that are shown; with one of these options the first is a file, too.
    TextThenFiles(&'static str),
    /// A program in a little language that this accepts, then files that are shown, or changed by a call that
    /// changes the project.
    ProgramThenFiles(fn(&str) -> bool),
    /// Words, each of which this accepts.
    Each(fn(&str) -> bool),
    /// Plain names, of branches, packages and services.
    Names,
    /// A script or target, then files.
    Script,
    /// Scripts or targets.
    Targets,
}

/// Of a row that only reads, tests or builds.
const READS: Row = Row {
    commands: "",
    reach: Reach::Reads,
    options: &[],
    operands: Operands::Files,
};

/// Of a row that changes the project.
const PROJECT: Row = Row {
    reach: Reach::Project,
    ..READS
};

/// All rows.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    let tables = [
        git::GIT,
        building::BUILDING,
        services::SERVICES,
        files::SHOWING,
    ];
    tables.into_iter().flatten()
}

/// True where `row` shows files and does nothing else.
pub(super) fn only_shows(row: &Row) -> bool {
    files::SHOWING.iter().any(|one| std::ptr::eq(one, row)) && row.reach == Reach::Reads
}

/// Programs that other programs may start: only well-known ones of their own ecosystem, because what is not there
/// is fetched.
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
pub(super) const CHANGING: &str = "fmt format formatting fix clean generate gen codegen snapshot snapshots spotlessapply package dev start serve \
    preview storybook watch";

/// Parts of names that say nothing alone.
pub(super) const BESIDE: &str = "quick fast slow full ci js css html ts api web ui app client server core lib library backend frontend only \
    changed affected parallel race short verbose strict size list version proto";

/// Words by which the name of a script, a target or an operand of an unknown program says that it goes beyond.
const BEYOND: &str = "push publish deploy deployment destroy delete drop release apply rm remove prune purge \
    reset login logout upload send prod production live staging force sudo migrate rollback seed kill uninstall \
    revoke grant install eval exec run-script post submit merge promote wipe truncate nuke dlx add create global link upgrade \
    import config set plugin preinstall postinstall shell share";

/// Variables that change nothing but how much is shown, or which built-in settings hold.
const VARIABLES: &str = "CI DEBUG FORCE_COLOR NO_COLOR LANG LC_ALL TZ RUST_LOG RUST_BACKTRACE COLUMNS VERBOSE LOG_LEVEL \
    CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PROPTEST_CASES CGO_ENABLED GOOS \
    GOARCH UPDATE_SNAPSHOTS";

/// Variables that choose settings by a name.
const ENVIRONMENTS: &str = "NODE_ENV MIX_ENV RAILS_ENV RACK_ENV APP_ENV";

/// Programs that can do anything: shells, interpreters, clients of services, what removes, sends and changes the
/// machine, and those by which files are read, written and programs started in spite of their purpose (the names
/// of GTFOBins). What no row names of them goes beyond the project.
const ANYTHING: &str = "\
    atftpd tftpd smbserver.py ping nslookup host dig slack plantune hostname cypress fd rg yq unalias hash enable shopt ulimit umask bind complete let mapfile readarray read getopts local \
    readonly typeset shift jobs fg bg suspend logout pushd popd dirs bunx uvx pnpx tsx ts-node command builtin 7z R aa-exec ab acr addgroup adduser agetty aider alembic alias alpine amplify ansible ansible-playbook ansible- \
    test aoss apache2 apache2ctl apk apport-cli apt apt-get aptitude ar arch-nspawn argocd aria2c arj arp as ascii- \
    xfr ascii85 asdf ash aspell asterisk at atobm autoconf autoheader autoreconf awk aws axel az base32 base58 \
    base64 basenc basez bash bashbug batcat batch bbot bc bconsole bee blkdiscard borg bpftrace bq brew bridge btrfs \
    builtin bun bundle bundler busctl busybox byebug bzip2 bzr c89 c99 cabal cancel cap capsh cargo cat cc cdist cdk \
    cdktf certbot chalice changeset chattr check_by_ssh check_cups check_log check_memory check_raid check_ssl_cert \
    check_statusfile chef chflags chfn chgrp chmod choco choom chown chpasswd chroot chrt chsh clamscan claude \
    clickhouse-client clisp cloudflared cmake cmd cmp cobc cockroach code codesign codex column comm composer conda \
    consul copilot corepack cowsay cowthink cp cpan cpanm cpio cpulimit cqlsh crash createdb createuser crontab \
    crush cryptsetup csh csplit csrutil csvtool ctr cupsfilter curl cursor cut cvs darcs dash date dc dd debugfs \
    declare defaults del deluser deno dhclient dialog diff dig diskutil disown distcc dmesg dmidecode dmsetup dnf \
    dnsmasq doas docker docker-compose doctl dokku dos2unix dosbox dotnet dpkg dpkg-reconfigure dropdb dropuser dscl \
    dstat duckdb duplicity dvips eas easy_install easyrsa eb ed efax egrep elvish emacs emerge enscript env eqn \
    espeak eval ex exec exiftool expand expect explorer expo export facter fail2ban-client fastfetch fastlane fc \
    fdisk ffmpeg fgrep file find finger firebase firejail firewall-cmd fish flatpak flock flux fly flyctl flyway fmt \
    fnm fold forge format fossil fping fsck ftp ftpd fzf g++ gawk gcc gcloud gcore gdb gem gemini genie genisoimage \
    getent gh gh-dash ghc ghci gimp ginsh git glab gnuplot go goose goreleaser gosu gpasswd gpg gradle gradlew grc \
    grep groupadd groupdel groupmod grpcurl gsudo gsutil gtester guile guix gzip halt hashcat hd hdparm head helm \
    heroku hexdump hg highlight history hostnamectl hping3 http httpie https hub iconv ifconfig iftop influx initdb \
    insmod install ionice ip iptables iptables-save irb ispell istioctl iwconfig java jj jjs joe join journalctl jq \
    jrunscript jshell jtag julia just k9s kexec kill kill0 killall kind knex knife ksh ksshell ksu kubectl kubectx \
    kustomize last lastb latex latexmk launchctl lazygit ld.so ldconfig lein lerna less lftp links liquibase ln \
    localtunnel login loginctl logrotate logsave look losetup lp lsattr ltrace lua lualatex luarocks luatex lvremove \
    lwp-download lwp-request lxd m4 mail mailx make mamba man mariadb mawk mc micromamba minicom minikube mix mkfs \
    mkswap modprobe mongo mongodump mongoimport mongorestore mongosh more mosh-server mosquitto mount msfconsole \
    msgattrib msgcat msgconv msgfilter msgmerge msguniq msmtp mssql-cli mtr multitime mutt mv mvn mysql mysqldump n \
    nano nasm nawk nc ncat ncdu ncftp needrestart neofetch neonctl netlify networksetup newgrp nft nginx ngrok nice \
    nix nix-build nix-env nix-shell nl nm nmap nmcli node nohup nomad notify-send now npm npx nroff nsenter ntpdate \
    nuget nvim nvm oc octave od op opam open opencode openssl openvpn openvt opkg osascript packer pacman pandoc \
    parallel parted passwd paste patch pax pbcopy pbpaste pdb pdflatex pdftex perf perl perlbug pexec pg pg_ctl \
    pg_dump pg_restore php pic pico pidstat pip pipx pkexec pkg pkgin pkill planetscale plymouth pmset pnpm podman \
    poetry port posh poweroff powershell pr printenv prisma procmail pry pscale pscp psftp psql ptx pulumi puppet \
    pvremove pwsh pyenv pygmentize pyright python python3 qpdf qwen rails railway rake ranger rbenv rc rclone rcp \
    readelf reboot red redcarpet redis redis-cli reg render reset restic rev rlogin rlwrap rm rmdir rmmod rollbar \
    route rpm rpmdb rpmquery rpmverify rsync rsyslogd rtorrent ruby run-mailcap run-parts runas runscript rustc \
    rustdoc rustfmt rustup rview rvim s3cmd salt salt-call sam sash say sbt scanmem scp screen script scrot scutil \
    security sed semantic-release sendmail sentry-cli sequelize serverless service set setarch setcap setfacl \
    setfattr setlock setsid setx sftp sg sh shred shuf shutdown skaffold skill sls slsh smbclient snap socat socket \
    soelim softlimit sops sort source spctl split sqlcmd sqlite3 sqlmap ss ssh ssh-add ssh-agent ssh-copy-id ssh- \
    keygen ssh-keyscan sshfs sshpass sshuttle stack start start-stop-daemon stdbuf strace strings stripe su su-exec \
    sudo sudoedit supabase surge svn swaks swapoff swapon sysctl systemctl systemd-resolve systemd-run tac tail \
    tailscale tar task taskset tasksh tbl tc tclsh tcpdump tcsh tdbtool tee telnet terraform tex tftp tic tig tilt \
    time timedatectl timeout tmate tmux tofu top torify torsocks trap troff truncate tshark turso twilio twine ufw \
    ul umount unexpand uniq unlink unset unshare unsquashfs unzip update-alternatives urlget useradd userdel usermod \
    uuencode uv vagrant valgrind varnishncsa vault vercel vgremove vi view vigr vim vimdiff vipw virsh visudo \
    vncserver volatility volta w3m wait wall watch wc websocat wg-quick wget whiptail whois winget wipefs wireshark \
    wish wmctrl wrangler x11vnc xargs xattr xclip xcrun xdg-open xdg-user-dir xdotool xelatex xetex xh xmodmap xmore \
    xpad xsel xxd xz yarn yash ydotool yelp yt-dlp yum zathura zcat zfs zgrep zic zip zless zpool zsh zsoelim zypper";

/// True for a program that can do anything.
pub(crate) fn can_do_anything(name: &str) -> bool {
    is_listed(ANYTHING, name)
}

/// True for the name of a program that is known here.
pub(crate) fn is_program(name: &str) -> bool {
    let is_about = |row: &Row| {
        let mut commands = row.commands();
        commands.any(|mut words| words.next() == Some(name.as_bytes()))
    };
    can_do_anything(name) || rows().any(is_about)
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

/// True for a variable by which programs find what they run, load or obey.
pub(super) fn decides_what_runs(name: &str) -> bool {
    const STARTS: [&str; 18] = [
        "LD_",
        "DYLD_",
        "GIT_",
        "PYTHON",
        "PYTEST",
        "MAKE",
        "RUBY",
        "PERL",
        "NODE_",
        "JAVA",
        "MAVEN",
        "GRADLE",
        "npm_",
        "NPM_",
        "CARGO_",
        "RUSTC",
        "RUSTFLAGS",
        "BASH_",
    ];
    const ENDS: [&str; 12] = [
        "PATH", "OPTIONS", "OPTS", "FLAGS", "SHELL", "EDITOR", "PAGER", "PROXY", "proxy",
        "WRAPPER", "RUNNER", "HOME",
    ];
    STARTS.iter().any(|start| name.starts_with(start))
        || ENDS.iter().any(|end| name.ends_with(end))
        || is_listed(
            "ENV IFS CC CXX MAKE LESSOPEN BROWSER VISUAL TMPDIR PS4 PROMPT_COMMAND",
            name,
        )
}

/// True where a part of `text` is a word that says it reaches further.
pub(super) fn says_beyond(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| is_listed(BEYOND, part))
}

/// True where `word` is one of the words of `list`.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    let mut words = list.as_bytes().split(|byte| *byte == b' ');
    !word.is_empty() && words.any(|one| one == word.as_bytes())
}
