//! The table of programs: one row for each set of subcommands and options with the same facts.

use super::Operands::{
    Each, Files, Folders, Names, Nothing, OneFile, ProgramThenFiles, Script, Shown, Targets, Tests,
    Text, TextThenFiles, Written,
};
use super::Options::{Changing, Flags, Globs, Numbers, OneOf, Pairs, Paths, Programs, Runs, Texts};
use super::{PROJECT, READS, Row};
use crate::permissions::Reach;
use crate::shell::scripts;

/// The base of a row for a program that only shows files: those of the project, and temporary ones.
const SHOWS: Row = Row {
    operands: Shown,
    ..READS
};

#[rustfmt::skip]
pub(super) static SHOWING: &[Row] = &[
    Row { commands: "echo, true, false, seq, basename, dirname, whoami, pwd, nproc, tty, groups, :, printf, expr",
        operands: Text, ..SHOWS },
    Row { commands: "sleep", operands: Each(scripts::is_short_wait), ..SHOWS },
    Row { commands: "ls", options: &[Flags("-a -l -h -t -r -R -S -1 -A -F -d -s -i -p -G -T -X --all --color \
            --human-readable --group-directories-first -c -u -m -L -I --full-time --sort --time -D -n -g -o -@ -e \
            -q -v -C -x")], ..SHOWS },
    Row { commands: "cat", options: &[Flags("-n -b -A -e -s -E -T -t -v --number --show-all -u")], ..SHOWS },
    Row { commands: "head", options: &[Flags("-q -v"), Numbers("-n -c -# --lines --bytes")], ..SHOWS },
    Row { commands: "tail", options: &[Flags("-q -v -f -F"), Numbers("-n -c -# --lines")], ..SHOWS },
    Row { commands: "wc", options: &[Flags("-l -w -c -m -L --lines --words --chars --bytes --max-line-length")], ..SHOWS },
    Row { commands: "grep, egrep, fgrep, zgrep", options: &[Flags("-r -n -i -l -c -v -w -x -E -F -P -o -h -H -s -q \
            -L -R --color --line-number --ignore-case --files-with-matches --count --recursive --no-filename \
            --with-filename --only-matching --invert-match --extended-regexp --fixed-strings --word-regexp -a -I -z -b -T -U \
            --text --quiet --silent --no-messages --files-without-match --line-regexp --perl-regexp --basic-regexp -G \
            --null --null-data --byte-offset --initial-tab --line-buffered --binary-files"),
        Numbers("-A -B -C -m -# --max-count --context --after-context --before-context"), Texts("-e --exclude \
            --exclude-dir --regexp"), Globs("--include")], operands: TextThenFiles(&"-e --regexp"), ..SHOWS },
    Row { commands: "rg", options: &[Flags("-n -i -l -c -v -w -x -F -P -o -s -S -U -N -q --files \
            --files-with-matches --count --no-heading --heading --line-number --ignore-case --smart-case \
            --fixed-strings --multiline -L -u -uu --hidden --no-ignore --stats --pcre2 --only-matching \
            --invert-match --word-regexp --json --type-list -0 --null --trim --follow --no-line-number --vimgrep --column \
            --quiet --count-matches --files-without-match --line-regexp --unrestricted --passthru -I -p --pretty \
            --no-filename --with-filename -H -h -a --text --crlf --case-sensitive --max-columns-preview \
            --no-messages -b"),
        Numbers("-A -B -C -m --max-count -# --context -d --max-depth --max-columns -M --after-context \
            --before-context -j --threads"), Texts("-e -t -T -r --type --type-not --sort --sortr \
            --regexp --color --colors --replace"), Globs("-g --glob --iglob")], operands: TextThenFiles(&"-e --regexp --files"),
        ..SHOWS },
    Row { commands: "find", options: &[Flags("-empty -not -o -a -or -and -print -prune -print0 -ls -P -E -depth \
            -xdev -X -s -x -d -mount -daystart -readable -writable -executable -nouser -nogroup -quit -true \
            -false -noleaf"), Numbers("-maxdepth -mindepth -mtime -mmin -size -atime -ctime -amin -cmin \
            -links -inum -uid -gid -used"), Texts("-name -iname -path -type -regex -iregex -ipath -wholename \
            -iwholename -lname -ilname -xtype -perm -user -group -fstype -printf -newermt -newerat -newerct \
            -regextype"), Paths("-newer -anewer -cnewer -samefile")], ..SHOWS },
    Row { commands: "fd", options: &[Flags("-a -p -i -s -g -H -I -L -0 -l --hidden --no-ignore --absolute-path -u \
            --unrestricted --list-details --full-path --glob --regex --fixed-strings -F --case-sensitive \
            --ignore-case --print0 -q --quiet -1 --no-ignore-vcs --show-errors --prune"), Texts("-e -t -d -E -S -c \
            --type --extension --max-depth --min-depth --exact-depth --exclude --size --changed-within \
            --changed-before --color --owner"), Numbers("-j --threads --max-results")], operands: TextThenFiles(&""), ..SHOWS },
    Row { commands: "stat", options: &[Flags("-L -x -t -r"), Texts("-c -f --format --printf")], ..SHOWS },
    Row { commands: "file", options: &[Flags("-b -i -L -h --mime-type --brief")], ..SHOWS },
    Row { commands: "md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, shasum, b3sum, cksum, md5, sum", options: &[
        Flags("-b -t -q -r --tag --binary --text"), Numbers("-a")], ..SHOWS },
    Row { commands: "nl, tac, rev, comm", options: &[Flags("-1 -2 -3 -ba -bt -i --nocheck-order --check-order --total -z")], ..SHOWS },
    Row { commands: "base64, base32", options: &[Flags("-d -D -i --decode --ignore-garbage"), Numbers("-w --wrap -b")],
        operands: OneFile, ..SHOWS },
    Row { commands: "iconv", options: &[Flags("-c -s -l --list --silent --verbose"), Texts("-f -t --from-code --to-code")],
        ..SHOWS },
    Row { commands: "shuf, expand, unexpand, pr", options: &[Flags("-z"), Numbers("-n -t")], ..SHOWS },
    Row { commands: "gzip -l, gzip --list, gzip -t, gzip --test, gzip -dc, gzip -cd, gzip -c, gzip --stdout, bzip2 -t, bzip2 -dc, \
            xz -l, xz --list, xz -t, xz -dc, zstd -l, gunzip -c, zcmp, zdiff, bzcat, xzcat, zstdcat, zipinfo", options: &[
        Flags("-v -q -1 -l -h -m -t -T --verbose --quiet")], ..SHOWS },
    Row { commands: "tar -tf, tar tf, tar -tvf, tar tvf, tar -tzf, tar tzf, tar -ztf, tar ztf, tar -tvzf, tar tvzf, \
            tar -tzvf, tar tzvf, tar -tjf, tar tjf, tar -tvjf, tar tvjf, tar -tJf, tar tJf, tar -tvJf, tar tvJf, tar \
            -ztvf, tar ztvf, tar -t, tar --list", options: &[Flags("-f -v -z -j -J --verbose --gzip --wildcards")],
        operands: Names, ..SHOWS },
    Row { commands: "unzip -l, unzip -v, unzip -t, unzip -z, unzip -lv, unzip -lq, unzip -tq, unzip -Z, unzip -Z1, unzip \
            -Zl", options: &[Flags("-1 -2 -l -m -q -v -s")], ..SHOWS },
    Row { commands: "7z l, 7z t, 7z h, 7z i, 7z b, 7zz l, 7zz t", options: &[Flags("-slt -ba")], ..SHOWS },
    Row { commands: "readlink, realpath", options: &[Flags("-f -e -m -n -s -z")], ..SHOWS },
    Row { commands: "cut", options: &[Flags("-s -n --complement --only-delimited"), Texts("-d -f -c -b --delimiter --fields \
            --characters --bytes --output-delimiter")], ..SHOWS },
    Row { commands: "tr", options: &[Flags("-d -s -c -C")], operands: Text, ..SHOWS },
    Row { commands: "sort", options: &[Flags("-n -r -u -h -V -b -f -g -c --numeric-sort --reverse --unique -s -z -R \
            -M -d -i -C -m --human-numeric-sort --version-sort --month-sort --general-numeric-sort --random-sort \
            --ignore-case --ignore-leading-blanks --ignore-nonprinting --dictionary-order --check --merge --stable \
            --zero-terminated --debug"), Numbers("-S --buffer-size --parallel"), Texts("-k -t --key \
            --field-separator")], ..SHOWS },
    Row { commands: "uniq", options: &[Flags("-c -d -u -i -D -z --count --repeated --unique --ignore-case --all-repeated \
            --zero-terminated"), Numbers("-w -f -s --skip-fields --skip-chars --check-chars")], operands: OneFile, ..SHOWS },
    Row { commands: "fold, fmt", options: &[Flags("-s"), Numbers("-w")], ..SHOWS },
    Row { commands: "column", options: &[Flags("-t"), Numbers("-c"), Texts("-s")], ..SHOWS },
    Row { commands: "paste", options: &[Flags("-s"), Texts("-d")], ..SHOWS },
    Row { commands: "join", options: &[Flags("-i --header"), Numbers("-1 -2 -a -v -j"), Texts("-t -o")], ..SHOWS },
    Row { commands: "diff, cmp", options: &[Flags("-u -r -q -y -w -b -B -i -a -N -s -l --brief --unified --color \
            --side-by-side --recursive"), Numbers("-U")], ..SHOWS },
    Row { commands: "du", options: &[Flags("-s -h -a -c -m -k"), Numbers("-d --max-depth")], ..SHOWS },
    Row { commands: "df, free, uptime", options: &[Flags("-h -k -m -g -b -i -T -a -l -p -s -H --human-readable --total")],
        operands: Nothing, ..SHOWS },
    Row { commands: "date", options: &[Flags("-u -I -R --iso-8601"), Texts("-d --date")],
        operands: Each(scripts::begins_with_plus), ..SHOWS },
    Row { commands: "ps", options: &[Flags("-e -f -a -x -u -A -H -l -m -r -w -j -M -T --forest --no-headers"), Numbers("-p \
            --pid --ppid"), Texts("-o -C --sort -U")],
        operands: Each(scripts::is_process_selection), ..SHOWS },
    Row { commands: "id, uname, hostname, lscpu, lsblk, locale, sw_vers, hostinfo, vm_stat, users, logname, lsmod, \
            lspci, lsusb, who, w, last, hostnamectl, timedatectl", options: &[Flags("-a -s -r -m -n -u -g -p -o -v -k -q -h -l -f \
            -e -j -d \
            -productName -productVersion -buildVersion --all --json"), Numbers("-#")], operands: Nothing, ..SHOWS },
    Row { commands: "id, last", options: &[Flags("-u -g -G -n"), Numbers("-#")], operands: Names, ..SHOWS },
    Row { commands: "dmesg", options: &[Flags("-T -L -w -x -r -t -k -u -e -P --ctime --color --follow --decode --raw \
            --notime --kernel --userspace --reltime --nopager --facility --level"), Texts("-l -f --since --until"),
        Numbers("-s --buffer-size")], operands: Nothing, ..SHOWS },
    Row { commands: "journalctl *", options: &[Flags("-f -r -b -k -x -e -a -q -m --follow --reverse --boot --dmesg \
            --no-pager --disk-usage --list-boots --all --quiet --user --system --utc --no-hostname --catalog --verify"),
        Numbers("-n --lines -#"), Texts("-u -p -o -S -U -t -g --unit --user-unit --priority --output --since --until \
            --grep --identifier")], operands: Nothing, ..SHOWS },
    Row { commands: "ip addr, ip address, ip a, ip link, ip l, ip route, ip r, ip rule, ip ru, ip neigh, ip neighbor, ip n, \
            ip tunnel, ip tuntap, ip maddr, ip mroute, ip netns, ip netconf, ip stats, ifconfig, netstat, ss, arp", options: &[
        Flags("-a -n -t -u -l -p -r -s -i -v -4 -6 -e -o -tulpn -tlnp -ltn -an -rn")], operands: Nothing, ..SHOWS },
    Row { commands: "ip addr show, ip addr list, ip address show, ip a show, ip a s, ip addr s, ip link show, ip link list, ip \
            link ls, ip l show, ip route show, ip route list, ip route get, ip r show, ip rule show, ip rule list, ip neigh \
            show, ip neigh list, ip neigh get, ip tunnel show, ip tuntap show, ip tuntap list, ip maddr show, ip mroute \
            show, ip monitor, ip netns list, ip netns identify, ip netns pids, ip netconf show, ip stats show, man -w, man -k, man -f, whatis, apropos, hash -t, command -V", operands: Names,
        ..SHOWS },
    Row { commands: "ifconfig", operands: OneFile, ..SHOWS },
    Row { commands: "sysctl", options: &[Flags("-a -n -e -d -N -A")], operands: Names, ..SHOWS },
    Row { commands: "dpkg -l *, dpkg --list *, dpkg -L, dpkg -s, dpkg --status, dpkg --listfiles, dpkg-query -l *, dpkg-query -W, \
            dpkg-query -L, dpkg-query -s, apt list, apt show, apt search, apt policy, apt depends, apt-cache show, apt-cache \
            search, apt-cache policy, apt-cache depends, apt-cache rdepends, rpm -qa, rpm -q, rpm -qi, rpm -ql, pacman -Q, \
            pacman -Qi, pacman -Ql, pacman -Ss, dnf list, dnf info, dnf search, apk info, apk list, apk search, snap list, \
            flatpak list, conda list, conda info", options: &[Flags("--installed --upgradable --all-versions -a")],
        operands: Names, ..SHOWS },
    Row { commands: "tree", options: &[Flags("-a -d -f --gitignore --dirsfirst -h -s -D -C -n -i -p -A --noreport"),
        Numbers("-L"), Texts("-I -P")], ..SHOWS },
    Row { commands: "jq", options: &[Flags("-r -c -s -e -S -M -C -a -j -n -R --raw-output --compact-output --sort-keys \
            --slurp --tab --null-input --raw-input --exit-status --color-output --monochrome-output --ascii-output \
            --join-output"), Numbers("--indent"), Pairs("--arg --argjson")], operands: ProgramThenFiles(scripts::is_plain_jq), ..SHOWS },
    Row { commands: "yq, yq eval, yq e", options: &[Flags("-r -c -C -P -M -N --colors --no-colors --prettyPrint --no-doc"),
        OneOf(&("-o --output-format -p --input-format", "json yaml y j props xml csv toml"))],
        operands: ProgramThenFiles(scripts::is_plain_yq), ..SHOWS },
    Row { commands: "sed, gsed", options: &[Flags("-n -E -r -s -u -z --quiet --silent --regexp-extended --posix"),
        Changing("-i -i.bak -i.orig --in-place"), Programs(&("-e --expression", scripts::is_plain_sed))],
        operands: ProgramThenFiles(scripts::is_plain_sed), ..SHOWS },
    Row { commands: "awk, gawk, mawk, nawk", options: &[Texts("-F -v --field-separator --assign")], operands: ProgramThenFiles(scripts::is_plain_awk),
        ..SHOWS },
    Row { commands: "hexdump, od, strings, hd", options: &[Flags("-C -c -x -a -v -b -d -o"), Numbers("-n -N -j -w -s"),
        Paths("-A -t")], ..SHOWS },
    Row { commands: "xxd", options: &[Flags("-p -b -i -u -a -e -E -v"), Numbers("-l -s -c -g -o")], operands: OneFile, ..SHOWS },
    Row { commands: "cloc, tokei, scc", options: &[Flags("--json --by-file --files -f"), Paths("-s --sort")], ..SHOWS },
    Row { commands: "test, [, [[", options: &[Flags("-f -d -e -s -r -w -x -z -n -L -h -S -p -b -c -t -O -G -a -o -k -u -g -N \
            -eq -ne -lt -le -gt -ge -nt -ot -ef")], operands: Text, ..SHOWS },
    Row { commands: "command -v, type, which, whereis", options: &[Flags("-a -p -t -P -s")], operands: Names, ..SHOWS },
    Row { commands: "curl", options: &[Flags("-s -S -f -i -I -v --silent --show-error --fail --head --include \
            --compressed -k -N"), Numbers("-m --max-time --connect-timeout --retry"), Texts("-H --header"),
        Programs(&("-w --write-out", scripts::is_plain_format)), OneOf(&("-o --output", "/dev/null")),
        OneOf(&("-X --request", "GET HEAD"))],
        operands: Each(scripts::is_this_machine), ..SHOWS },
    Row { commands: "mkdir, touch", options: &[Flags("-p -v --parents -a -c")], operands: Written, ..PROJECT },
    Row { commands: "cp, mv", options: &[Flags("-r -R -a -p -v -n -i -f -u --recursive --archive --verbose --no-clobber")],
        operands: Written, ..PROJECT },
    Row { commands: "chmod +x, chmod u+x, chmod a+x, chmod 755, chmod 644", operands: Written, ..PROJECT },
    Row { commands: "ag, ack", options: &[Flags("-i -l -c -w -n -r --hidden"), Globs("-G"), Paths("-A -B -C")],
        operands: TextThenFiles(&""), ..SHOWS },
    Row { commands: "bat, batcat", options: &[Flags("-p -n -A --plain --number"), Texts("--style -r --line-range -l"),
        OneOf(&("--paging", "never")), OneOf(&("--color", "never"))], ..SHOWS },
    Row { commands: "exa, eza", options: &[Flags("-a -l -h -R -T -1 -r -F -d --tree --git --all --long --icons"),
        Texts("-s"), Paths("--level")], ..SHOWS },
    Row { commands: "lsof, pgrep, netstat, pstree, vmstat, iostat", options: &[Flags("-n -P -t -a -l -f -u -x -p -s -r -i -v"),
        Paths("-i")], operands: Names, ..SHOWS },
    Row { commands: "nm, objdump, readelf, size, zcat", options: &[Flags("-C -D -d -S -a -h -l -W -g -u -t")],
        ..SHOWS },
];

// Packages, builds, tests, formatters and linters.

#[rustfmt::skip]
pub(super) static BUILDING: &[Row] = &[
    Row { commands: "npm test, npm t, npm tst", options: &[Flags("--silent -s --coverage --watch --watchAll --ci \
            --verbose --workspaces --if-present --run --bail --runInBand -i"),
        Paths("-t --testNamePattern -w --workspace")], ..READS },
    Row { commands: "npm ls, npm list, npm ll, npm la, npm outdated, npm why, npm explain, npm root, npm bin, npm prefix", options: &[
        Flags("-a --all --json --long --parseable --prod --dev -g --global"), Numbers("--depth"), Paths("-w --workspace --omit")],
        operands: Names, ..READS },
    Row { commands: "npm view, npm info, npm show, npm v, npm search, npm s, npm find, npm fund, npm pkg get, npm query, npm \
            find-dupes, npm sbom, npm help-search, npm owner ls, npm dist-tag ls, npm cache ls, npm doctor, npm \
            ping, npm completion, npm run --list", options: &[Flags("--json")], operands: Names, ..READS },
    Row { commands: "npm audit", options: &[Flags("--json --production"), Paths("--omit --audit-level")],
        operands: Nothing, ..READS },
    Row { commands: "npm pack --dry-run, npm version, npm help, npm run, npm run-script, bundle list, bundle outdated, bundle check, bundle platform, swift package describe, swift package show-dependencies, xcodebuild -list, xcodebuild -version, xcodebuild -showsdks", operands: Nothing, ..READS },
    Row { commands: "npm run, npm run-script", options: &[Flags("--silent -s --workspaces --if-present --coverage \
            --watch --ci --verbose --run --json --noEmit --check --list --runInBand --passWithNoTests --quiet \
            --no-coverage"), Numbers("--max-warnings --bail"), Texts("-t --testNamePattern --grep -g \
            --testPathPattern"), Paths("-w --workspace --reporter"), Changing("--fix --write")],
        operands: Script, ..READS },
    Row { commands: "pnpm run, yarn run, pnpm, yarn", options: &[Flags("--silent -s -r --recursive --if-present --coverage \
            --watch --ci --verbose --run --check --list --runInBand --passWithNoTests --quiet --no-coverage"),
        Numbers("--max-warnings --bail"), Texts("-t --testNamePattern --grep -g --testPathPattern"),
        Paths("--filter --reporter"), Changing("--fix --write")], operands: Script, ..READS },
    // These are not scripts: they run code of dependencies.
    Row { commands: "pnpm rebuild, yarn rebuild", reach: Reach::Beyond, ..READS },
    Row { commands: "bun run", options: &[Flags("--silent --coverage --watch --check --list --runInBand \
            --passWithNoTests --quiet --no-coverage"), Numbers("--max-warnings --bail"), Texts("-t"),
        Paths("--filter --reporter"), Changing("--fix --write")], operands: Script, ..READS },
    Row { commands: "pnpm list, pnpm ls, pnpm why, pnpm outdated, yarn list, yarn ls, yarn why, yarn outdated", options: &[
        Flags("-r --json"), Numbers("--depth")], operands: Names, ..READS },
    Row { commands: "pnpm root, pnpm bin, pnpm licenses list, pnpm store path, yarn info, yarn workspaces list, bun pm ls", options: &[Flags("-g -r --json")], operands: Names, ..READS },
    Row { commands: "turbo run", options: &[Flags("--no-cache")], operands: Targets, ..READS },
    Row { commands: "bun test", options: &[Flags("--watch --coverage --only --todo"), Numbers("--bail --timeout"),
        Texts("-t")], operands: Files, ..READS },
    Row { commands: "npm start", options: &[Flags("--silent -s")], operands: Nothing, ..PROJECT },
    Row { commands: "npm ci, npm install, npm i", options: &[Flags("--silent -s --no-audit --no-fund \
            --prefer-offline --offline --ignore-scripts --legacy-peer-deps")], operands: Nothing, ..PROJECT },
    Row { commands: "npm install, npm i, npm add, pnpm add, yarn add, bun add, uv add, poetry add, pdm add, cargo add, pip \
            install, pip3 install, uv pip install", options: &[Flags("-D -S -E -d -q --save --save-dev --save-exact --dev \
            --exact --no-audit --no-fund --quiet"), Paths("--features --group --optional")],
        operands: Each(scripts::is_package), ..PROJECT },
    Row { commands: "npm prune, npm dedupe, pnpm, yarn", operands: Nothing, ..PROJECT },
    Row { commands: "pnpm install, yarn install, bun install", options: &[Flags("--frozen-lockfile --prefer-offline \
            --offline --immutable --silent --ignore-scripts")], operands: Nothing, ..PROJECT },
    Row { commands: "jest", options: &[Flags("--ci --coverage --watch --watchAll --verbose --silent --runInBand -i \
            -b --passWithNoTests --onlyChanged -o --json --detectOpenHandles --forceExit --listTests --no-coverage \
            --no-cache"), Numbers("--bail --maxWorkers -w"), Texts("-t --testNamePattern --testPathPattern"),
        Paths("--testPathPatterns")], ..READS },
    Row { commands: "vitest", options: &[Flags("--run --coverage --watch --ui --silent"), Numbers("--bail"),
        Texts("-t --testNamePattern")], ..READS },
    Row { commands: "vitest run, vitest watch, vitest list, vitest bench", options: &[Flags("--coverage --silent"),
        Numbers("--bail"), Texts("-t --testNamePattern")], ..READS },
    Row { commands: "mocha", options: &[Flags("--bail -b --watch -w --recursive --exit"), Numbers("--timeout"),
        Texts("--grep -g"), Paths("-t")], ..READS },
    Row { commands: "playwright test", options: &[Flags("--headed --list"), Texts("--project -g --grep"),
        Paths("--workers --retries --max-failures")], ..READS },
    Row { commands: "tsc, vue-tsc", options: &[Flags("--noEmit --watch -w --pretty --skipLibCheck --strict \
            --version -v --listFiles --showConfig --incremental --listFilesOnly --diagnostics --extendedDiagnostics \
            --explainFiles --noErrorTruncation --traceResolution"), Paths("-p --project"), Changing("--build -b")],
        ..READS },
    Row { commands: "eslint", options: &[Flags("--quiet --cache --no-cache --color --no-color \
            --report-unused-disable-directives"), Numbers("--max-warnings"), Texts("--ext"), Changing("--fix"),
        OneOf(&("--format", "stylish json compact unix html")), OneOf(&("-f", "stylish json compact unix html"))], ..READS },
    Row { commands: "eslint --print-config, node --check, node -c", ..READS },
    Row { commands: "stylelint", options: &[Flags("--quiet"), Numbers("--max-warnings"), Changing("--fix")], ..READS },
    Row { commands: "prettier", options: &[Flags("--check -c --list-different -l --ignore-unknown -u --no-color"),
        Paths("--log-level --loglevel"), Changing("--write -w")], ..READS },
    Row { commands: "biome check, biome lint, biome ci", options: &[Flags("--changed --staged"),
        Paths("--max-diagnostics --diagnostic-level"), Changing("--write --apply --fix")], ..READS },
    Row { commands: "biome format", options: &[Flags("--write")], ..PROJECT },
    Row { commands: "next lint, next build", options: &[Flags("--quiet"), Changing("--fix")], operands: Nothing,
        ..READS },
    Row { commands: "next dev, next start", options: &[Flags("--turbo --turbopack"), Paths("-p --port")],
        operands: Nothing, ..PROJECT },
    Row { commands: "vite build, astro build", options: &[Paths("--mode")], operands: Nothing, ..READS },
    Row { commands: "vite, vite dev, vite preview, astro dev, astro preview", options: &[Paths("--port")], operands: Nothing, ..PROJECT },
    Row { commands: "node --test", options: &[Flags("--watch --experimental-test-coverage --test-only"),
        Texts("--test-name-pattern")], operands: Tests, ..READS },
    Row { commands: "deno test, deno lint, deno check, deno bench", options: &[Flags("--watch --quiet -q \
            --fail-fast --parallel"), Texts("--filter")], operands: OneFile, ..READS },
    Row { commands: "deno fmt", options: &[Flags("--check")], ..PROJECT },
    Row { commands: "cargo test, cargo t", options: &[Flags("--lib --bins --tests --doc --examples --all \
            --workspace --all-targets --all-features --no-default-features --release -r --no-run --no-fail-fast -v \
            -q --verbose --quiet --locked --offline --frozen --nocapture --ignored --include-ignored --exact \
            --show-output --list"), Numbers("-j --jobs --test-threads"), Texts("--skip"), Paths("-p --package --bin \
            --test --example --exclude --features -F --profile --message-format --color")], ..READS },
    Row { commands: "cargo nextest run, cargo nextest list", options: &[Flags("--lib --bins --all --workspace \
            --all-targets --all-features --release --no-fail-fast -v --locked --offline --no-capture"), Numbers("-j"),
        Texts("-E"), Paths("-p --package --test --features --profile")], ..READS },
    Row { commands: "cargo build, cargo b, cargo check, cargo c, cargo clippy, cargo doc, cargo bench", options: &[
        Flags("--lib --bins --tests --benches --examples --all --workspace --all-targets --all-features \
            --no-default-features --release -r --keep-going -v -q --verbose --quiet --locked --offline --frozen \
            --no-deps --document-private-items --timings"), Numbers("-j --jobs"), Texts("-W -D -A"), Paths("-p \
            --package --bin --test --bench --example --exclude --features -F --profile --message-format --color")],
        operands: Nothing, ..READS },
    Row { commands: "cargo clippy --fix", options: &[Flags("--allow-dirty --allow-staged --all-targets \
            --all-features --workspace --lib --bins --tests"), Paths("-p")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo fmt --check", options: &[Flags("--all -v -q"), Paths("-p --package")], operands: Nothing,
        ..READS },
    Row { commands: "cargo fmt", options: &[Flags("--all --check -v -q -l"), Paths("-p --package")],
        operands: Nothing, ..PROJECT },
    Row { commands: "cargo fix", options: &[Flags("--allow-dirty --allow-staged --edition --all-targets --workspace \
            --lib"), Paths("-p")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo clean, cargo fetch, cargo generate-lockfile, cargo update", options: &[Flags("--release \
            --locked --offline"), Paths("-p")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo run", options: &[Flags("--release -r -q --quiet -v --verbose --all-features --locked \
            --offline"), Paths("-p --package --features"), Runs("--bin --example")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo tree, cargo metadata, cargo pkgid, cargo outdated, cargo audit, cargo deny, cargo \
            machete, cargo locate-project", options: &[Flags("-d --duplicates --all-features --no-deps --locked \
            --offline --workspace"), Paths("-p --package -i --invert -e --edges --depth --features --format-version")],
        operands: Nothing, ..READS },
    Row { commands: "cargo --list, cargo read-manifest, cargo verify-project, rustup show, rustup toolchain list, rustup \
            target list, rustup component list, rustup which", options: &[Flags("-v --verbose --installed")], operands:
            Names, ..READS },
    Row { commands: "cargo search, cargo info, cargo pkgid", options: &[Flags("-v --verbose -q"), Numbers("--limit")], operands: Names, ..READS },
    Row { commands: "go test, go vet, go build, go list", options: &[Flags("-v -race -cover -short -failfast \
            -benchmem -json -m -x -trimpath -a"), Numbers("-count -parallel"), Texts("-run -bench -f -timeout -skip"),
        Paths("-cpu -tags -p")], operands: Folders, ..READS },
    Row { commands: "go list -m", options: &[Flags("-json -u -versions"), Texts("-f")], operands: Names, ..READS },
    Row { commands: "go env, go version, go doc, go help, go tool dist list", options: &[Flags("-json -all -short")], operands: Names, ..READS },
    Row { commands: "go mod graph, go mod verify, go mod why", options: &[Flags("-m")], operands: Nothing, ..READS },
    Row { commands: "go mod tidy, go mod download, go mod vendor", options: &[Flags("-v")], operands: Nothing,
        ..PROJECT },
    Row { commands: "go fmt", options: &[Flags("-n -x")], operands: Folders, ..PROJECT },
    Row { commands: "gofmt, goimports, gofumpt", options: &[Flags("-l -d -s"), Changing("-w")], ..READS },
    Row { commands: "golangci-lint run", options: &[Flags("--fast --verbose -v --new"), Paths("--timeout"),
        Changing("--fix")], ..READS },
    Row { commands: "staticcheck, shellcheck, hadolint, yamllint, actionlint, typos, codespell, tflint", options: &[Flags("-x --strict"), Texts("-e --exclude"), Paths("-s -S -f --severity")], ..READS },
    Row { commands: "shfmt", options: &[Flags("-d -l"), Paths("-i"), Changing("-w")], ..READS },
    Row { commands: "pytest", options: &[Flags("-v -q -x -s -l --lf --ff -vv --verbose --quiet --exitfirst \
            --last-failed --failed-first --collect-only --co --no-header --no-cov --disable-warnings -ra -rs -rf \
            -rA --strict-markers --showlocals --sw --stepwise --runxfail -vvv --cache-clear --setup-show --fixtures"),
        Numbers("--maxfail --durations"), Texts("-k -m --tb --ignore --deselect --timeout --log-level \
            --log-cli-level --import-mode -n --dist"), Paths("--cov --cov-report --color")], ..READS },
    Row { commands: "unittest", options: &[Flags("-v -q -f -b --verbose --failfast"), Texts("-k")], operands: Tests, ..READS },
    Row { commands: "unittest discover", options: &[Flags("-v"), Texts("-p"), Paths("-s -t")], ..READS },
    Row { commands: "mypy", options: &[Flags("--strict --ignore-missing-imports --show-error-codes \
            --no-error-summary --pretty --no-incremental --check-untyped-defs --namespace-packages \
            --explicit-package-bases --no-color-output --show-error-context --no-strict-optional \
            --show-column-numbers --no-site-packages"), Texts("-p -m --python-version --exclude")], ..READS },
    Row { commands: "pyright, basedpyright, flake8, pylint, vulture, bandit", options: &[Flags("-v --verbose \
            --outputjson --stats --errors-only -E -r -q -ll --statistics --count"), Texts("--select --ignore \
            --extend-ignore --disable --enable"), Paths("--max-line-length -j")], ..READS },
    Row { commands: "ruff check", options: &[Flags("--statistics --no-cache --quiet -q --diff --show-fixes \
            --preview -v --verbose --no-fix --show-files --exit-zero"), Texts("--select --ignore --extend-select \
            --exclude"), Paths("--output-format"), Changing("--fix --unsafe-fixes")], ..READS },
    Row { commands: "ruff format --check, ruff format --diff", options: &[Flags("--quiet -q"), Paths("--line-length")],
        ..READS },
    Row { commands: "ruff format", options: &[Flags("--check --diff --quiet -q"), Paths("--line-length")], ..PROJECT },
    Row { commands: "black --check, black --diff, black --check-only, isort --check, isort --diff, isort \
            --check-only", options: &[Flags("--check --diff -q -v --color"), Paths("-l --line-length --profile")],
        ..READS },
    Row { commands: "black, isort, autopep8", options: &[Flags("-q -v --in-place -i -r"), Paths("-l --line-length \
            --profile")], ..PROJECT },
    Row { commands: "coverage report, coverage xml, coverage html", options: &[Flags("-m --show-missing \
            --skip-covered"), Paths("--fail-under")], operands: Nothing, ..READS },
    Row { commands: "tox, nox", options: &[Flags("-q -v -l --list")], operands: Nothing, ..READS },
    Row { commands: "pip list, pip freeze, pip show, pip check, pip inspect, pip debug, pip cache dir, pip cache info, pip cache list, pip index versions, pip hash, pip3 list, pip3 freeze, \
            pip3 show, pip3 check, pip3 inspect, pip3 index versions, pip3 hash, uv pip list, uv pip show, uv pip freeze, uv pip check, uv pip \
            tree, uv tree, uv version, uv cache dir, uv python list, uv python find, uv python dir, uv tool list, pipx list", options: &[
        Flags("--outdated -o --uptodate -u --user --local -l --not-required --editable -e --include-editable \
            --exclude-editable --all --global --site --verbose -v --files -f --strict --all-versions --only-installed \
            --no-dedupe --pre --quiet -q --invert --outdated --frozen --locked"), Numbers("--depth -d"),
        Paths("--format --path --exclude --package --platform --algorithm -a")], operands: Names, ..READS },
    Row { commands: "pip install -r requirements.txt, pip install -r requirements-dev.txt, pip install -r \
            dev-requirements.txt, pip3 install -r requirements.txt, pip3 install -r requirements-dev.txt, pip3 \
            install -r dev-requirements.txt", options: &[Flags("--quiet -q --require-hashes")], operands: Nothing,
        ..PROJECT },
    Row { commands: "uv sync, uv lock", options: &[Flags("--frozen --locked --all-extras --dev --quiet --all-groups \
            --no-dev -q --all-packages --no-install-project --check --upgrade -U"), Paths("--extra --group")], operands: Nothing, ..PROJECT },
    Row { commands: "uv venv, uv export", options: &[Flags("--seed --no-dev --all-extras --no-hashes --quiet -q --frozen \
            --locked"), Paths("--format --extra -o --output-file"), Programs(&("--python -p", scripts::is_version))], operands: Nothing, ..PROJECT },
    Row { commands: "poetry install, pdm install, pipenv install, bundle install, composer install", options: &[
        Flags("--no-root --sync --frozen-lockfile --quiet -q --no-interaction -n --ignore-platform-reqs \
            --no-scripts")], operands: Nothing, ..PROJECT },
    Row { commands: "poetry show, poetry check, poetry validate, pdm show, pdm check, pdm validate, composer show, \
            composer check, composer validate, composer outdated, composer licenses, composer why, composer why-not, \
            composer depends, poetry env info, poetry env list, poetry version --short, gem list, gem search, gem info, gem \
            environment, gem which, gem contents, gem outdated, gem dependency, bundle show, bundle info, bundle licenses", options: &[Flags("--tree \
            --no-interaction -n --latest -l --outdated -o --all -a --local --remote -r --versions --paths --direct \
            -D")], operands: Names,
        ..READS },
    Row { commands: "rspec", options: &[Flags("--fail-fast --only-failures --color --no-color"), Texts("-e"),
        Paths("-P --order"), OneOf(&("-f", "documentation progress json d p")),
        OneOf(&("--format", "documentation progress json"))], ..READS },
    Row { commands: "rubocop, standardrb", options: &[Flags("--parallel"), Texts("--only"), Changing("-a -A \
            --autocorrect --auto-correct --fix"), OneOf(&("--format", "progress json simple clang"))], ..READS },
    Row { commands: "rails test, rails routes", options: &[Flags("--verbose -v")], ..READS },
    Row { commands: "rake, sbt, lein, zig build", operands: Targets, ..READS },
    Row { commands: "phpunit, pest, phpstan, psalm", options: &[Flags("--testdox --verbose --coverage \
            --stop-on-failure --no-progress"), Texts("--filter")], ..READS },
    Row { commands: "phpstan analyse, phpstan analyze", options: &[Flags("--no-progress"), Paths("--level -l \
            --memory-limit")], ..READS },
    Row { commands: "mix test, mix compile, mix credo, mix dialyzer", options: &[Flags("--trace --failed --stale \
            --warnings-as-errors --strict --force"), Texts("--only --exclude"), Paths("--seed")], ..READS },
    Row { commands: "mix format, mix deps.get", options: &[Flags("--check-formatted")], ..PROJECT },
    Row { commands: "make, gmake, just, task", options: &[Flags("-k -s -B -n --silent --quiet --keep-going \
            --dry-run --always-make"), Numbers("-j --jobs")], operands: Targets, ..READS },
    Row { commands: "make, gmake", options: &[Flags("-k -s -n --silent --quiet"), Numbers("-j")], operands: Nothing,
        ..READS },
    Row { commands: "gradle, gradlew, ./gradlew, mvn, mvnw, ./mvnw", options: &[Flags("-q -B -o --quiet --info \
            --stacktrace --no-daemon --offline --continue --batch-mode -DskipTests"), Texts("--tests"),
        Paths("--console")], operands: Targets, ..READS },
    Row { commands: "dotnet test, dotnet build", options: &[Flags("--no-build --no-restore --nologo"),
        Texts("--filter"), Paths("-c --configuration -v --verbosity")], ..READS },
    Row { commands: "dotnet format, dotnet restore", options: &[Flags("--verify-no-changes --no-restore")], ..PROJECT },
    Row { commands: "swift test, swift build, zig test, stack test, stack build, cabal test, cabal build, flutter test, \
            flutter build, flutter analyze, dart test, dart analyze, dart compile, bazel test, bazel build, bazel query", options: &[
        Flags("-v --verbose --coverage"), Texts("--filter"), Paths("-c")], ..READS },
    Row { commands: "swift format, zig fmt, dart format, terraform fmt, tofu fmt, buf format", options: &[Flags("-check -recursive -diff --check")],
        ..PROJECT },
    Row { commands: "terraform validate, terraform version, terraform providers, terraform graph, tofu validate, \
            tofu version, tofu providers, tofu graph", options: &[Flags("-json")], operands: Nothing, ..READS },
    Row { commands: "ctest", options: &[Flags("-V --output-on-failure --verbose -N"), Numbers("-j"), Texts("-R")],
        operands: Nothing, ..READS },
    Row { commands: "cmake --build", options: &[Numbers("-j --parallel"), Paths("--config")], operands: OneFile,
        ..READS },
    Row { commands: "rustfmt --check", options: &[Flags("-l"), Paths("--edition")], ..READS },
    Row { commands: "rustfmt", options: &[Flags("-l -v"), Paths("--edition")], ..PROJECT },
    Row { commands: "uv lock, poetry lock, pdm lock", options: &[Flags("--quiet -q --no-update")], operands: Nothing,
        ..PROJECT },
    Row { commands: "composer test, composer lint, zig build", options: &[Flags("-q -v")], operands: Nothing, ..READS },
];

// Version control.

#[rustfmt::skip]
pub(super) static GIT: &[Row] = &[
    Row { commands: "git status", options: &[Flags("-s -b -u -v -z --short --branch --porcelain --untracked-files \
            --ignored --long --show-stash --no-renames --renames -M --ahead-behind --column --ignore-submodules --find-renames -uno -uall -unormal -sb")], ..READS },
    Row { commands: "git rev-parse, git merge-base, git describe, git count-objects, git check-ignore, git \
            show-ref, git name-rev, git cherry, git var", options: &[Flags("--abbrev-ref --show-toplevel --short \
            --verify --git-dir --is-inside-work-tree --show-prefix --show-cdup --git-common-dir \
            --symbolic-full-name --quiet -q --is-ancestor --all --fork-point --tags --always --long --dirty \
            --contains --abbrev --exact-match --name-only --heads -v --is-shallow-repository --symbolic --revs-only \
            --absolute-git-dir --octopus --independent -s --hash --verbose --stdin --no-index -n -H"),
        Texts("--match")], ..READS },
    Row { commands: "git log, git show, git shortlog, git whatchanged", options: &[Flags("-p -s -i -1 --oneline \
            --graph --all --stat --shortstat --numstat --name-only --name-status --patch --no-patch --decorate \
            --abbrev-commit --pretty --follow --first-parent --merges --no-merges --reverse --color --no-color \
            --no-pager --branches --tags --remotes --no-walk --cherry-pick --left-right --topo-order --date-order \
            --full-history -c --cc -m --raw --diff-merges --word-diff --ancestry-path --cherry-mark -z -w -b -M -C \
            -r --no-ext-diff --no-textconv --no-renames --abbrev --no-abbrev-commit --check --exit-code \
            --pickaxe-all -e --summary --compact-summary --no-notes --no-decorate --log-size \
            --simplify-by-decoration --ignore-all-space --clear-decorations -q --quiet --no-expand-tabs \
            --remove-empty --numbered --cherry --boundary --source --show-signature --parents --children --no-patch --root \
            --ignore-space-change --minimal --patience --histogram --no-color-moved --color-moved --color-words \
            --dirstat --find-renames --find-copies --full-diff --date-order --author-date-order --reflog --shortstat"), Numbers("-n -# --max-count --skip -U --unified"), Globs("-L"), Texts("-S -G --author --grep \
            --since --until --after --before --format --date --diff-filter --glob --decorate-refs --since-as-filter \
            --word-diff-regex")], ..READS },
    Row { commands: "git diff, git diff-tree, git diff-index, git diff-files, git range-diff", options: &[Flags("-w -b -p -s -r -M \
            -C --stat --shortstat --numstat --name-only --name-status --cached --staged --check --summary --color \
            --no-color --word-diff --ignore-all-space --ignore-space-change --find-renames --exit-code --quiet \
            --merge-base --minimal --no-prefix --raw --no-ext-diff --no-textconv --compact-summary --no-renames -z \
            -R --function-context -W --patch --no-patch --dirstat --patience --histogram --full-index \
            --ignore-blank-lines --no-pager --word-diff-regex --color-words --abbrev -c --cc --root --no-commit-id \
            -m -t --pickaxe-all --ignore-submodules --submodule"), Numbers("-U --unified"), Globs("-L"), Texts("--diff-filter -S \
            -G --stat-width")], ..READS },
    Row { commands: "git reflog", options: &[Flags("--oneline --all"), Numbers("-n -#")], operands: Nothing, ..READS },
    Row { commands: "git reflog show", options: &[Flags("--oneline"), Numbers("-n -#")], ..READS },
    Row { commands: "git blame, git annotate", options: &[Flags("-w -M -C -s -e -l -f -n -t -c --show-email --line-porcelain --porcelain"), Texts("-L --date")],
        ..READS },
    Row { commands: "git ls-files, git ls-tree", options: &[Flags("-r -m -o -d -s -t -c -z -l --others --modified \
            --cached --deleted --exclude-standard --name-only --stage --error-unmatch --full-name --full-tree \
            --ignored --directory -u -i -v --eol --abbrev --unmerged"), Texts("--exclude --format")], ..READS },
    Row { commands: "git grep", options: &[Flags("-n -i -l -c -w -v -E -F -P -h --cached --count --line-number \
            --ignore-case --heading --break -W -p --untracked --files-with-matches -o --only-matching -I -q \
            --all-match --and --or --not --extended-regexp --fixed-strings --no-color --color"), Numbers("-# -A -B \
            -C --max-depth"), Texts("-e")], operands: TextThenFiles(&"-e"), ..READS },
    Row { commands: "git branch", options: &[Flags("-a -r -v -l --all --remotes --list --show-current --merged \
            --no-merged --contains --verbose -vv --no-color --column --points-at -q --remote --no-column --ignore-case -i --no-contains --abbrev"), Texts("--sort --format")],
        operands: Nothing, ..READS },
    Row { commands: "git branch --list, git branch --contains, git branch --merged, git branch --no-merged", options: &[
        Flags("-a -r --all --remotes -v -vv --no-color"), Texts("--format")], ..READS },
    Row { commands: "git tag", options: &[Flags("-l --list --merged --contains"), Numbers("-n"), Texts("--sort --format")],
        operands: Nothing, ..READS },
    Row { commands: "git tag -l, git tag --list", options: &[Numbers("-n"), Texts("--sort --format")], operands: Text, ..READS },
    Row { commands: "git tag --contains, git tag --no-contains, git tag --points-at, git tag --merged, git tag --no-merged",
        options: &[Texts("--sort --format")], ..READS },
    Row { commands: "git fsck", options: &[Flags("--full --strict --no-dangling --unreachable --connectivity-only --root \
            --tags --cache --verbose --no-reflogs --no-progress --progress")], operands: Nothing, ..READS },
    Row { commands: "git notes list, git notes show, git sparse-checkout list, git bundle verify, git bundle list-heads, git \
            lfs ls-files, git lfs status, git lfs env, git replace -l, git replace --list, git rerere status, git rerere \
            diff, git show-branch, git hash-object, git maintenance is-registered, git patch-id, git column", options: &[
        Flags("--all -l --stdin --remotes --more --current --topo-order --date-order --sparse")], ..READS },
    Row { commands: "git archive", options: &[Flags("-v --verbose -l --list"), OneOf(&("--format", "tar zip tar.gz tgz")),
        Texts("--prefix")], ..READS },
    Row { commands: "git symbolic-ref", options: &[Flags("-q --quiet --short")], operands: OneFile, ..READS },
    Row { commands: "git config, git config get", options: &[Flags("--global --local --system --show-origin --show-scope \
            --null --includes --all --bool --int --path")], operands: OneFile, ..READS },
    // Its other subcommands set.
    Row { commands: "git config edit, git config set, git config unset", reach: Reach::Beyond, ..READS },
    Row { commands: "git -h, git -v, git help, git bisect log, git bisect view", operands: Nothing, ..READS },
    Row { commands: "git checkout main, git checkout master, git checkout develop, git checkout -", operands: Nothing, ..PROJECT },
    Row { commands: "git clean -n, git clean --dry-run, git clean -nd, git clean -dn, git clean -ndx, git clean -ndX", options: &[
        Flags("-d -x -X -n --dry-run")], ..READS },
    Row { commands: "git rm -n, git rm --dry-run", options: &[Flags("-r -f --force --cached -n --dry-run")], ..READS },
    Row { commands: "git rm --cached", options: &[Flags("-r -q -n --quiet")], ..PROJECT },
    Row { commands: "git reset", options: &[Flags("-q --quiet")], operands: Nothing, ..PROJECT },
    Row { commands: "git reset HEAD", options: &[Flags("-q --quiet")], ..PROJECT },
    Row { commands: "git stash apply", options: &[Flags("-q --quiet --index")], ..PROJECT },
    Row { commands: "git format-patch", options: &[Flags("--stdout --cover-letter -n -s -k"), Numbers("-#"),
        Paths("-o --output-directory")], ..PROJECT },
    Row { commands: "git ls-remote origin, git ls-remote upstream, git ls-remote --tags origin, git ls-remote --heads origin",
        options: &[Flags("--heads --tags --refs -q")], operands: Names, ..READS },
    Row { commands: "git remote", options: &[Flags("-v --verbose")], operands: Nothing, ..READS },
    Row { commands: "git remote show, git remote get-url", options: &[Flags("-n")], operands: Names, ..READS },
    Row { commands: "git stash list, git stash show", options: &[Flags("-p --patch --stat --name-only --oneline -s \
            --name-status -u --include-untracked"), Numbers("-n -#"), Texts("--format --date")], ..READS },
    Row { commands: "git worktree list", options: &[Flags("--porcelain")], operands: Nothing, ..READS },
    Row { commands: "git config --get, git config --get-all, git version", operands: Names, ..READS },
    // They show passwords in addresses.
    Row { commands: "git config --list, git config -l, git config list, git config --get-regexp, git config --get-urlmatch", reach: Reach::Beyond, ..READS },
    Row { commands: "git cat-file, git for-each-ref, git rev-list", options: &[Flags("-p -t -s -e --count --all \
            --left-right --no-merges --merges --reverse --first-parent --objects --remotes --branches --tags \
            --contains --points-at --merged --no-merged --not"), Numbers("-n --max-count -#"), Texts("--format \
            --sort --since --until --author --grep --after --before")], ..READS },
    Row { commands: "git submodule status", options: &[Flags("--recursive")], ..READS },
    Row { commands: "git apply --check", options: &[Flags("-v")], ..READS },
    Row { commands: "git ls-remote", options: &[Flags("--heads --tags --refs -q")], operands: Nothing, ..READS },
    Row { commands: "git add", options: &[Flags("-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add")],
        ..PROJECT },
    Row { commands: "git commit", options: &[Flags("-a -v -q -s --all --allow-empty --signoff --quiet --verbose \
            --dry-run --no-status --short --porcelain"), Texts("-m --message --trailer"), Paths("-F --file")],
        ..PROJECT },
    Row { commands: "git stash", options: &[Flags("-u -k -q --include-untracked --keep-index")], operands: Nothing,
        ..PROJECT },
    Row { commands: "git stash push, git stash save", options: &[Flags("-u -k -q --include-untracked --keep-index \
            --staged"), Texts("-m --message")], ..PROJECT },
    Row { commands: "git switch", options: &[Flags("-c -q --create --quiet")], operands: Names, ..PROJECT },
    Row { commands: "git checkout -b, git checkout --orphan, git checkout --detach, git \
            switch --detach, git branch", operands: Names, ..PROJECT },
    Row { commands: "git fetch", options: &[Flags("-v -q -t --all --tags --verbose --quiet")], operands: Nothing,
        ..PROJECT },
    Row { commands: "git fetch origin, git fetch upstream", options: &[Flags("-v -q -t --tags --verbose --quiet")],
        operands: Names, ..PROJECT },
    Row { commands: "git pull origin, git pull upstream", options: &[Flags("-v -q --ff-only --quiet --tags")],
        operands: Names, ..PROJECT },
    Row { commands: "git pull", options: &[Flags("-v -q --ff-only --verbose --quiet --tags")], operands: Nothing,
        ..PROJECT },
    Row { commands: "git restore --staged, git restore -S", ..PROJECT },
    Row { commands: "git mv", options: &[Flags("-v -n")], operands: Written, ..PROJECT },
    Row { commands: "git init", options: &[Flags("-q"), Paths("-b")], operands: Nothing, ..PROJECT },
];

// Read-only calls to services.

#[rustfmt::skip]
pub(super) static SERVICES: &[Row] = &[
    Row { commands: "gh pr view, gh pr list, gh pr diff, gh pr checks, gh pr status, gh issue view, gh issue list, \
            gh issue status, gh run view, gh run list, gh release view, gh release list, gh search \
            code, gh search repos, gh search issues, gh search prs, gh search commits, gh status, gh label list, gh repo list, gh project list, gh project view, gh ruleset \
            list, gh ruleset view, gh cache list, gh org list, gh gist list, gh codespace list, gh extension list, gh run \
            watch, gh workflow list, gh workflow view", options: &[
        Flags("--comments -c --name-only --patch --log --log-failed --yaml --exclude-drafts"), Numbers("--limit -L"), Texts("-R --repo \
            --json --state -s --author --label -l --assignee --branch -b --workflow --search --owner --org --head --language \
            --sort --order --ref"), Paths("--job"),
        Programs(&("--jq -q", scripts::is_plain_jq))], operands: Names, ..READS },
    Row { commands: "gh pr checks", options: &[Flags("--watch --required")], operands: Names, ..READS },
    Row { commands: "gh repo view", options: &[Texts("--json")], operands: Names, ..READS },
    Row { commands: "gh api", options: &[Flags("--paginate -i --include --silent --slurp"), OneOf(&("-X --method", "GET get")),
        Programs(&("--jq -q", scripts::is_plain_jq))], operands: Names, ..READS },
    Row { commands: "gh auth status", operands: Nothing, ..READS },
    Row { commands: "docker ps, docker images, docker version, docker info, docker system df, docker history, docker diff, docker context \
            ls, docker buildx ls, docker network inspect, docker volume inspect", options: &[Flags("-a \
            -q -l --all --no-trunc --quiet"), Numbers("-n"), Texts("--format --filter -f")], operands: Names, ..READS },
    Row { commands: "docker logs, docker top, docker port, docker stats, docker container logs, docker container top", options: &[Flags("-t --timestamps \
            --no-stream --details"), Numbers("-n --tail"), Texts("--since --until")], operands: Names, ..READS },
    Row { commands: "docker compose ls, docker image ls, docker container ls, docker volume ls, docker network ls", options: &[
        Flags("-a -q"), Texts("--format")], operands: Nothing, ..READS },
    Row { commands: "docker-compose ps, docker-compose logs", options: &[Flags("-t --timestamps --no-color -a"),
        Texts("--since"), Paths("--tail")], operands: Names, ..READS },
    Row { commands: "docker compose ps, docker compose logs, docker compose top, docker compose port, docker compose images, docker \
            compose events", options: &[Flags("-t --timestamps --no-color \
            --no-log-prefix -a --services"), Numbers("--tail"), Texts("--since --format")], operands: Names, ..READS },
    Row { commands: "docker compose up, docker compose start, docker compose build", options: &[Flags("-d --detach --build --wait --no-deps --remove-orphans --force-recreate --no-cache")],
        operands: Each(scripts::is_service), ..PROJECT },
    Row { commands: "kubectl get", options: &[Flags("-A -w --all-namespaces --watch --show-labels --no-headers"),
        Texts("-n --namespace -l --selector"), OneOf(&("-o", "wide yaml json name"))], operands: Names, ..READS },
    Row { commands: "kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl api-resources, kubectl \
            cluster-info", options: &[Flags("-A --previous -p --all-containers"), Numbers("--tail"), Texts("-n \
            --namespace -c --container --since -l")], operands: Names, ..READS },
    Row { commands: "kubectl rollout status, kubectl rollout history", options: &[Texts("-n --namespace"),
        Paths("--timeout")], operands: Names, ..READS },
    Row { commands: "systemctl status, systemctl is-active, systemctl is-enabled, systemctl list-units", options: &[
        Flags("--no-pager --user")], operands: Names, ..READS },
    Row { commands: "brew list, brew ls, brew outdated, brew doctor, brew dr, brew config, brew info, brew search, brew deps, \
            brew desc, brew leaves, brew uses, brew missing, brew options, brew tap-info, brew formulae, brew casks, brew \
            log, brew cat, brew commands, brew shellenv, brew analytics state, brew services list, brew -S, brew -v, brew \
            --config, brew --env, brew --taps, brew --cache, brew --cellar, brew --caskroom, brew --prefix, brew \
            --repository, brew --repo", options: &[Flags("-1 -l -r -t -v -s -n -d -p -q -g -D --json --installed --all --analytics \
            --cask --casks --formula --formulae --verbose --quiet --full-name --versions --pinned --multiple \
            --installed-on-request --installed-as-dependency --poured-from-bottle --built-from-source --desc --eval-all \
            --pull-request --open --closed --tree --graph --dot --direct --union --topological --include-build \
            --include-optional --include-test --skip-recommended --missing --annotate --for-each --search --name \
            --description --recursive --greedy --greedy-latest --greedy-auto-updates --fetch-HEAD --list-checks \
            --audit-debug --unbrewed --patch --stat --oneline --include-aliases --hide --HEAD --force-bottle \
            --build-from-source"), Numbers("--max-count -#")], operands: Names, ..READS },
    Row { commands: "terraform plan, tofu plan", options: &[Flags("-no-color -input -detailed-exitcode \
            -compact-warnings")], operands: Nothing, ..READS },
];
