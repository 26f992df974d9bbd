//! Programs that print, search and compare files, and look at this machine.

use super::Operands::{
    Each, Names, Nothing, OneFile, ProgramThenFiles, Shown, Text, TextThenFiles,
};
use super::Options::{Flags, Numbers, OneOf, Paths, Texts};
use super::{PROJECT, READS, Row};
use crate::shell::little;

/// A program that only shows what is in files: those of the project, and temporary ones.
const SHOWS: Row = Row {
    operands: Shown,
    ..READS
};

#[rustfmt::skip]
pub(super) static SHOWING: &[Row] = &[
    Row { commands: "echo, true, false, sleep, seq, basename, dirname, whoami, pwd, nproc, tty, groups, :",
        operands: Text, ..SHOWS },
    Row { commands: "printf", operands: Text, ..SHOWS },
    Row { commands: "ls", options: &[Flags("-a -l -h -t -r -R -S -1 -A -F -d -s -i -p -G -T -X --all --color \
            --human-readable --group-directories-first -c -u -m -L -I --full-time --sort --time -D -n -g -o -@ -e \
            -q -v -C -x")], ..SHOWS },
    Row { commands: "cat", options: &[Flags("-n -b -A -e -s -E -T -t -v --number --show-all -u")], ..SHOWS },
    Row { commands: "head", options: &[Flags("-q -v"), Numbers("-n -c -# --lines --bytes")], ..SHOWS },
    Row { commands: "tail", options: &[Flags("-q -v -f -F"), Numbers("-n -c -# --lines")], ..SHOWS },
    Row { commands: "wc", options: &[Flags("-l -w -c -m -L")], ..SHOWS },
    Row { commands: "grep, egrep, fgrep, zgrep", options: &[Flags("-r -n -i -l -c -v -w -x -E -F -P -o -h -H -s -q \
            -L -R --color --line-number --ignore-case --files-with-matches --count --recursive --no-filename \
            --with-filename --only-matching --invert-match --extended-regexp --fixed-strings --word-regexp -a -I -z"),
        Numbers("-A -B -C -m -# --max-count --context --after-context --before-context"), Texts("-e --include \
            --exclude --exclude-dir --regexp")], operands: TextThenFiles("-e --regexp"), ..SHOWS },
    Row { commands: "rg", options: &[Flags("-n -i -l -c -v -w -x -F -P -o -s -S -U -N -q --files \
            --files-with-matches --count --no-heading --heading --line-number --ignore-case --smart-case \
            --fixed-strings --multiline -L -u -uu --hidden --no-ignore --stats --pcre2 --only-matching \
            --invert-match --word-regexp --json --type-list -0 --null --trim --follow --no-line-number"),
        Numbers("-A -B -C -m --max-count -# --context -d --max-depth --max-columns -M"), Texts("-e -t -T -g -r \
            --type --glob --sort --regexp --color --replace")], operands: TextThenFiles("-e --regexp --files"),
        ..SHOWS },
    Row { commands: "find", options: &[Flags("-empty -not -o -a -or -and -print -prune -print0 -ls -P -E -depth \
            -xdev"), Numbers("-maxdepth -mindepth"), Texts("-name -iname -path -type -mtime -mmin -size -regex \
            -iregex -ipath -wholename -perm -user -printf -newermt"), Paths("-newer")], ..SHOWS },
    Row { commands: "fd", options: &[Flags("-a -p -i -s -g -H -I -L -0 -l --hidden --no-ignore --absolute-path -u"),
        Texts("-e -t -d --type --extension --max-depth")], operands: TextThenFiles(""), ..SHOWS },
    Row { commands: "stat", options: &[Flags("-L -x -t -r"), Texts("-c -f --format --printf")], ..SHOWS },
    Row { commands: "file", options: &[Flags("-b -i -L -h --mime-type --brief")], ..SHOWS },
    Row { commands: "md5sum, sha1sum, sha256sum, sha512sum, shasum, b3sum, cksum", options: &[Flags("-b -t"),
        Numbers("-a")], ..SHOWS },
    Row { commands: "nl, tac, rev, comm", options: &[Flags("-1 -2 -3 -ba")], ..SHOWS },
    Row { commands: "readlink, realpath", options: &[Flags("-f -e -m -n -s -z")], ..SHOWS },
    Row { commands: "cut", options: &[Flags("-s"), Texts("-d -f -c -b --delimiter --fields")], ..SHOWS },
    Row { commands: "tr", options: &[Flags("-d -s -c -C")], operands: Text, ..SHOWS },
    Row { commands: "sort", options: &[Flags("-n -r -u -h -V -b -f -g -c --numeric-sort --reverse --unique -s -z -R \
            -M"), Texts("-k -t")], ..SHOWS },
    Row { commands: "uniq", options: &[Flags("-c -d -u -i --count"), Numbers("-w -f -s")], operands: OneFile, ..SHOWS },
    Row { commands: "fold, fmt", options: &[Flags("-s"), Numbers("-w")], ..SHOWS },
    Row { commands: "column", options: &[Flags("-t"), Numbers("-c"), Texts("-s")], ..SHOWS },
    Row { commands: "paste", options: &[Flags("-s"), Texts("-d")], ..SHOWS },
    Row { commands: "join", options: &[Numbers("-1 -2"), Texts("-t")], ..SHOWS },
    Row { commands: "diff, cmp", options: &[Flags("-u -r -q -y -w -b -B -i -a -N -s -l --brief --unified --color \
            --side-by-side --recursive"), Numbers("-U")], ..SHOWS },
    Row { commands: "du", options: &[Flags("-s -h -a -c -m -k"), Numbers("-d --max-depth")], ..SHOWS },
    Row { commands: "df, free, uptime", options: &[Flags("-h -k -m -T -p -s --human-readable")], operands: Nothing,
        ..SHOWS },
    Row { commands: "date", options: &[Flags("-u -I -R --iso-8601"), Texts("-d --date")],
        operands: Each(little::is_date_format), ..SHOWS },
    Row { commands: "ps", options: &[Flags("-e -f -a -x -u -A"), Numbers("-p"), Texts("-o")],
        operands: Each(little::is_process_selection), ..SHOWS },
    Row { commands: "id, uname, hostname, lscpu, lsblk, locale", options: &[Flags("-a -s -r -m -n -u -g -p -o")],
        operands: Nothing, ..SHOWS },
    Row { commands: "tree", options: &[Flags("-a -d -f --gitignore --dirsfirst -h -s -D -C -n -i -p -A --noreport"),
        Numbers("-L"), Texts("-I -P")], ..SHOWS },
    Row { commands: "jq", options: &[Flags("-r -c -s -e -S -M -C -a -j --raw-output --compact-output --sort-keys \
            --slurp --tab")], operands: ProgramThenFiles(little::is_plain_jq), ..SHOWS },
    Row { commands: "sed, gsed", options: &[Flags("-n -E -r --quiet --regexp-extended")],
        operands: ProgramThenFiles(little::is_plain_sed), ..SHOWS },
    Row { commands: "awk, gawk, mawk", options: &[Texts("-F")], operands: ProgramThenFiles(little::is_plain_awk),
        ..SHOWS },
    Row { commands: "hexdump, od, strings", options: &[Flags("-C -c -x -a"), Numbers("-n"), Paths("-A -t")], ..SHOWS },
    Row { commands: "xxd", options: &[Flags("-p"), Numbers("-l -s -c -g")], operands: OneFile, ..SHOWS },
    Row { commands: "cloc, tokei, scc", options: &[Flags("--json --by-file --files -f"), Paths("-s --sort")], ..SHOWS },
    Row { commands: "test, [, [[", options: &[Flags("-f -d -e -s -r -w -x -z -n -L -h -S -p -b -c -t -O -G -a -o \
            -eq -ne -lt -le -gt -ge -nt -ot -ef")], operands: Text, ..SHOWS },
    Row { commands: "command -v, type, which, whereis", options: &[Flags("-a")], operands: Names, ..SHOWS },
    Row { commands: "curl", options: &[Flags("-s -S -f -i -I -v --silent --show-error --fail --head --include \
            --compressed -k -N"), Numbers("-m --max-time --connect-timeout --retry"), Texts("-w --write-out -H \
            --header"), OneOf("-o --output", "/dev/null"), OneOf("-X --request", "GET HEAD")],
        operands: Each(little::is_this_machine), ..SHOWS },
    Row { commands: "mkdir", options: &[Flags("-p -v --parents")], ..PROJECT },
    Row { commands: "touch", ..PROJECT },
    Row { commands: "ag, ack", options: &[Flags("-i -l -c -w -n -r --hidden"), Texts("-G"), Paths("-A -B -C")],
        operands: TextThenFiles(""), ..SHOWS },
    Row { commands: "bat, batcat", options: &[Flags("-p -n -A --plain --number"), Texts("--style -r --line-range -l"),
        OneOf("--paging", "never"), OneOf("--color", "never")], ..SHOWS },
    Row { commands: "exa, eza", options: &[Flags("-a -l -h -R -T -1 -r -F -d --tree --git --all --long --icons"),
        Texts("-s"), Paths("--level")], ..SHOWS },
    Row { commands: "lsof, pgrep, netstat, pstree, vmstat, iostat", options: &[Flags("-n -P -t -a -l -f -u -x -p -s"),
        Paths("-i")], operands: Names, ..SHOWS },
    Row { commands: "expr", operands: Text, ..SHOWS },
    Row { commands: "nm, objdump, readelf, size, zcat", options: &[Flags("-C -D -d -S -a -h -l -W -g -u -t")],
        ..SHOWS },
];
