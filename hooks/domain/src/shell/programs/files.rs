//! Programs that print, search and compare files, and look at this machine.

use super::Operands::{
    Each, Names, Nothing, OneFile, ProgramThenFiles, Shown, Text, TextThenFiles,
};
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
    Row { commands: "ls", flags: "-a -l -h -t -r -R -S -1 -A -F -d -s -i -p -G -T -X --all --color \
            --human-readable --group-directories-first -c -u -m -L -I --full-time --sort --time -D -n -g -o -@ -e \
            -q -v -C -x", ..SHOWS },
    Row { commands: "cat", flags: "-n -b -A -e -s -E -T -t -v --number --show-all -u", ..SHOWS },
    Row { commands: "head", flags: "-q -v", numbers: "-n -c -# --lines --bytes", ..SHOWS },
    Row { commands: "tail", flags: "-q -v -f -F", numbers: "-n -c -# --lines", ..SHOWS },
    Row { commands: "wc", flags: "-l -w -c -m -L", ..SHOWS },
    Row { commands: "grep, egrep, fgrep, zgrep", flags: "-r -n -i -l -c -v -w -x -E -F -P -o -h -H -s -q -L -R \
            --color --line-number --ignore-case --files-with-matches --count --recursive --no-filename \
            --with-filename --only-matching --invert-match --extended-regexp --fixed-strings --word-regexp -a -I \
            -z", numbers: "-A -B -C -m -# --max-count --context --after-context --before-context", texts: "-e \
            --include --exclude --exclude-dir --regexp", pattern: "-e --regexp", operands: TextThenFiles, ..SHOWS },
    Row { commands: "rg", flags: "-n -i -l -c -v -w -x -F -P -o -s -S -U -N -q --files --files-with-matches \
            --count --no-heading --heading --line-number --ignore-case --smart-case --fixed-strings --multiline \
            -L -u -uu --hidden --no-ignore --stats --pcre2 --only-matching --invert-match --word-regexp --json \
            --type-list -0 --null --trim --follow --no-line-number", numbers: "-A -B -C -m --max-count -# \
            --context -d --max-depth --max-columns -M", texts: "-e -t -T -g -r --type --glob --sort --regexp --color --replace",
        pattern: "-e --regexp --files", operands: TextThenFiles, ..SHOWS },
    Row { commands: "find", flags: "-empty -not -o -a -or -and -print -prune -print0 -ls -P -E -depth -xdev",
        numbers: "-maxdepth -mindepth", texts: "-name -iname -path -type -mtime -mmin -size -regex -iregex -ipath \
            -wholename -perm -user -printf -newermt", files: "-newer", ..SHOWS },
    Row { commands: "fd", flags: "-a -p -i -s -g -H -I -L -0 -l --hidden --no-ignore --absolute-path -u",
        texts: "-e -t -d --type --extension --max-depth", operands: TextThenFiles, ..SHOWS },
    Row { commands: "stat", flags: "-L -x -t -r", texts: "-c -f --format --printf", ..SHOWS },
    Row { commands: "file", flags: "-b -i -L -h --mime-type --brief", ..SHOWS },
    Row { commands: "md5sum, sha1sum, sha256sum, sha512sum, shasum, b3sum, cksum", flags: "-b -t", numbers: "-a",
        ..SHOWS },
    Row { commands: "nl, tac, rev, comm", flags: "-1 -2 -3 -ba", ..SHOWS },
    Row { commands: "readlink, realpath", flags: "-f -e -m -n -s -z", ..SHOWS },
    Row { commands: "cut", flags: "-s", texts: "-d -f -c -b --delimiter --fields", ..SHOWS },
    Row { commands: "tr", flags: "-d -s -c -C", operands: Text, ..SHOWS },
    Row { commands: "sort", flags: "-n -r -u -h -V -b -f -g -c --numeric-sort --reverse --unique -s -z -R -M",
        texts: "-k -t", ..SHOWS },
    Row { commands: "uniq", flags: "-c -d -u -i --count", numbers: "-w -f -s", operands: OneFile, ..SHOWS },
    Row { commands: "fold, fmt", flags: "-s", numbers: "-w", ..SHOWS },
    Row { commands: "column", flags: "-t", numbers: "-c", texts: "-s", ..SHOWS },
    Row { commands: "paste", flags: "-s", texts: "-d", ..SHOWS },
    Row { commands: "join", numbers: "-1 -2", texts: "-t", ..SHOWS },
    Row { commands: "diff, cmp", flags: "-u -r -q -y -w -b -B -i -a -N -s -l --brief --unified --color \
            --side-by-side --recursive", numbers: "-U", ..SHOWS },
    Row { commands: "du", flags: "-s -h -a -c -m -k", numbers: "-d --max-depth", ..SHOWS },
    Row { commands: "df, free, uptime", flags: "-h -k -m -T -p -s --human-readable", operands: Nothing, ..SHOWS },
    Row { commands: "date", flags: "-u -I -R --iso-8601", texts: "-d --date",
        operands: Each(little::is_date_format), ..SHOWS },
    Row { commands: "ps", flags: "-e -f -a -x -u -A", numbers: "-p", texts: "-o",
        operands: Each(little::is_process_selection), ..SHOWS },
    Row { commands: "id, uname, hostname, lscpu, lsblk, locale", flags: "-a -s -r -m -n -u -g -p -o",
        operands: Nothing, ..SHOWS },
    Row { commands: "tree", flags: "-a -d -f --gitignore --dirsfirst -h -s -D -C -n -i -p -A --noreport",
        numbers: "-L", texts: "-I -P", ..SHOWS },
    Row { commands: "jq", flags: "-r -c -s -e -S -M -C -a -j --raw-output --compact-output --sort-keys --slurp \
            --tab", operands: ProgramThenFiles(little::is_plain_jq), ..SHOWS },
    Row { commands: "sed, gsed", flags: "-n -E -r --quiet --regexp-extended",
        operands: ProgramThenFiles(little::is_plain_sed), ..SHOWS },
    Row { commands: "awk, gawk, mawk", texts: "-F", operands: ProgramThenFiles(little::is_plain_awk), ..SHOWS },
    Row { commands: "hexdump, od, strings", flags: "-C -c -x -a", numbers: "-n", files: "-A -t", ..SHOWS },
    Row { commands: "xxd", flags: "-p", numbers: "-l -s -c -g", operands: OneFile, ..SHOWS },
    Row { commands: "cloc, tokei, scc", flags: "--json --by-file --files -f", files: "-s --sort", ..SHOWS },
    Row { commands: "test, [, [[", flags: "-f -d -e -s -r -w -x -z -n -L -h -S -p -b -c -t -O -G -a -o -eq -ne \
            -lt -le -gt -ge -nt -ot -ef", operands: Text, ..SHOWS },
    Row { commands: "command -v, type, which, whereis", flags: "-a", operands: Names, ..SHOWS },
    Row { commands: "curl", flags: "-s -S -f -i -I -v --silent --show-error --fail --head --include \
            --compressed -k -N",
        numbers: "-m --max-time --connect-timeout --retry", texts: "-w --write-out -H --header",
        choices: &[("-o --output", "/dev/null"), ("-X --request", "GET HEAD")],
        operands: Each(little::is_this_machine), ..SHOWS },
    Row { commands: "mkdir", flags: "-p -v --parents", ..PROJECT },
    Row { commands: "touch", ..PROJECT },
    Row { commands: "ag, ack", flags: "-i -l -c -w -n -r --hidden", texts: "-G", files: "-A -B -C",
        operands: TextThenFiles, ..SHOWS },
    Row { commands: "bat, batcat", flags: "-p -n -A --plain --number", texts: "--style -r --line-range -l",
        choices: &[("--paging", "never"), ("--color", "never")], ..SHOWS },
    Row { commands: "exa, eza", flags: "-a -l -h -R -T -1 -r -F -d --tree --git --all --long --icons", texts: "-s",
        files: "--level", ..SHOWS },
    Row { commands: "lsof, pgrep, netstat, pstree, vmstat, iostat", flags: "-n -P -t -a -l -f -u -x -p -s",
        files: "-i", operands: Names, ..SHOWS },
    Row { commands: "expr", operands: Text, ..SHOWS },
    Row { commands: "nm, objdump, readelf, size, zcat", flags: "-C -D -d -S -a -h -l -W -g -u -t", ..SHOWS },
];
