//! Programs that print, search and compare files, and look at this machine.

use super::Operands::{
    Each, Names, Nothing, OneFile, ProgramThenFiles, Shown, Text, TextThenFiles, Written,
};
use super::Options::{Changing, Flags, Globs, Numbers, OneOf, Pairs, Paths, Programs, Texts};
use super::{PROJECT, READS, Row};
use crate::shell::little;

/// A program that only shows what is in files: those of the project, and temporary ones.
const SHOWS: Row = Row {
    operands: Shown,
    ..READS
};

#[rustfmt::skip]
pub(super) static SHOWING: &[Row] = &[
    Row { commands: "echo, true, false, seq, basename, dirname, whoami, pwd, nproc, tty, groups, :, printf, expr",
        operands: Text, ..SHOWS },
    Row { commands: "sleep", operands: Each(little::is_short_wait), ..SHOWS },
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
        operands: Each(little::begins_with_plus), ..SHOWS },
    Row { commands: "ps", options: &[Flags("-e -f -a -x -u -A -H -l -m -r -w -j -M -T --forest --no-headers"), Numbers("-p \
            --pid --ppid"), Texts("-o -C --sort -U")],
        operands: Each(little::is_process_selection), ..SHOWS },
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
            --join-output"), Numbers("--indent"), Pairs("--arg --argjson")], operands: ProgramThenFiles(little::is_plain_jq), ..SHOWS },
    Row { commands: "yq, yq eval, yq e", options: &[Flags("-r -c -C -P -M -N --colors --no-colors --prettyPrint --no-doc"),
        OneOf(&("-o --output-format -p --input-format", "json yaml y j props xml csv toml"))],
        operands: ProgramThenFiles(little::is_plain_yq), ..SHOWS },
    Row { commands: "sed, gsed", options: &[Flags("-n -E -r -s -u -z --quiet --silent --regexp-extended --posix"),
        Changing("-i -i.bak -i.orig --in-place"), Programs(&("-e --expression", little::is_plain_sed))],
        operands: ProgramThenFiles(little::is_plain_sed), ..SHOWS },
    Row { commands: "awk, gawk, mawk, nawk", options: &[Texts("-F -v --field-separator --assign")], operands: ProgramThenFiles(little::is_plain_awk),
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
        Programs(&("-w --write-out", little::is_plain_format)), OneOf(&("-o --output", "/dev/null")),
        OneOf(&("-X --request", "GET HEAD"))],
        operands: Each(little::is_this_machine), ..SHOWS },
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
