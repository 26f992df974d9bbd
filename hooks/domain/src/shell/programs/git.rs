//! Version control.

use super::Operands::{Names, Nothing, Text, TextThenFiles};
use super::{PROJECT, READS, Row};

#[rustfmt::skip]
pub(super) static GIT: &[Row] = &[
    Row { commands: "git status", flags: "-s -b -u -v -z --short --branch --porcelain --untracked-files --ignored \
            --long --show-stash --no-renames --ahead-behind -uno -uall -unormal -sb", ..READS },
    Row { commands: "git rev-parse, git merge-base, git describe, git count-objects, git check-ignore, git \
            show-ref, git name-rev, git cherry, git var", flags: "--abbrev-ref --show-toplevel --short --verify \
            --git-dir --is-inside-work-tree --show-prefix --show-cdup --git-common-dir --symbolic-full-name \
            --quiet -q --is-ancestor --all --fork-point --tags --always --long --dirty --contains --abbrev \
            --exact-match --name-only --heads -v --is-shallow-repository --symbolic --revs-only \
            --absolute-git-dir --octopus --independent -s --hash --verbose --stdin --no-index -n -H",
        texts: "--match", ..READS },
    Row { commands: "git log, git show, git shortlog, git whatchanged", flags: "-p -s -i -1 --oneline --graph \
            --all --stat --shortstat --numstat --name-only --name-status --patch --no-patch --decorate \
            --abbrev-commit --pretty --follow --first-parent --merges --no-merges --reverse --color --no-color \
            --no-pager --branches --tags --remotes --no-walk --cherry-pick --left-right --topo-order --date-order \
            --full-history -c --cc -m --raw --diff-merges --word-diff --ancestry-path --cherry-mark -z -w -b -M \
            -C -r --no-ext-diff --no-textconv --no-renames --abbrev --no-abbrev-commit --check --exit-code \
            --pickaxe-all -e --summary --compact-summary --no-notes --no-decorate --log-size \
            --simplify-by-decoration --ignore-all-space --clear-decorations -q --quiet --no-expand-tabs \
            --remove-empty", numbers: "-n -# --max-count --skip -U --unified", texts: "-S -G -L --author --grep \
            --since --until --after --before --format --date --diff-filter --glob --decorate-refs \
            --since-as-filter --word-diff-regex", ..READS },
    Row { commands: "git diff, git diff-tree, git diff-index, git range-diff", flags: "-w -b -p -s -r -M -C \
            --stat --shortstat --numstat --name-only --name-status --cached --staged --check --summary --color \
            --no-color --word-diff --ignore-all-space --ignore-space-change --find-renames --exit-code --quiet \
            --merge-base --minimal --no-prefix --raw --no-ext-diff --no-textconv --compact-summary --no-renames \
            -z -R --function-context -W --patch --no-patch --dirstat --patience --histogram --full-index \
            --ignore-blank-lines --no-pager --word-diff-regex --color-words --abbrev -c --cc --root \
            --no-commit-id -m -t --pickaxe-all --ignore-submodules --submodule", numbers: "-U --unified",
        texts: "--diff-filter -S -G -L --stat-width", ..READS },
    Row { commands: "git reflog", flags: "--oneline --all", numbers: "-n -#", operands: Nothing, ..READS },
    Row { commands: "git reflog show", flags: "--oneline", numbers: "-n -#", ..READS },
    Row { commands: "git blame", flags: "-w -M -C -s -e --line-porcelain --porcelain", texts: "-L --date", ..READS },
    Row { commands: "git ls-files, git ls-tree", flags: "-r -m -o -d -s -t -c -z -l --others --modified --cached \
            --deleted --exclude-standard --name-only --stage --error-unmatch --full-name --full-tree --ignored \
            --directory -u -i -v --eol --abbrev --unmerged", texts: "--exclude --format", ..READS },
    Row { commands: "git grep", flags: "-n -i -l -c -w -v -E -F -P -h --cached --count --line-number \
            --ignore-case --heading --break -W -p --untracked --files-with-matches -o --only-matching -I -q \
            --all-match --and --or --not --extended-regexp --fixed-strings --no-color --color", numbers: "-# -A \
            -B -C --max-depth", texts: "-e", pattern: "-e", operands: TextThenFiles, ..READS },
    Row { commands: "git branch", flags: "-a -r -v -l --all --remotes --list --show-current --merged --no-merged \
            --contains --verbose -vv --no-color --column --points-at -q", texts: "--sort --format",
        operands: Nothing, ..READS },
    Row { commands: "git branch --list, git branch --contains, git branch --merged, git branch --no-merged",
        flags: "-a -r --all --remotes -v -vv --no-color", texts: "--format", ..READS },
    Row { commands: "git tag", flags: "-l -n --list --merged --contains", texts: "--sort", operands: Nothing,
        ..READS },
    Row { commands: "git tag -l, git tag --list", flags: "-n", texts: "--sort", operands: Text, ..READS },
    Row { commands: "git remote", flags: "-v --verbose", operands: Nothing, ..READS },
    Row { commands: "git remote show, git remote get-url", flags: "-n", operands: Names, ..READS },
    Row { commands: "git stash list, git stash show", flags: "-p --stat --name-only --oneline -s --name-status -u \
            --include-untracked", numbers: "-n -#", texts: "--format --date", ..READS },
    Row { commands: "git worktree list", flags: "--porcelain", operands: Nothing, ..READS },
    Row { commands: "git config --get, git config --get-all", operands: Names, ..READS },
    Row { commands: "git config --list, git config -l", flags: "--show-origin --local --name-only",
        operands: Nothing, ..READS },
    Row { commands: "git cat-file, git for-each-ref, git rev-list", flags: "-p -t -s -e --count --all \
            --left-right --no-merges --merges --reverse --first-parent --objects --remotes --branches --tags \
            --contains --points-at --merged --no-merged --not", numbers: "-n --max-count -#", texts: "--format \
            --sort --since --until --author --grep --after --before", ..READS },
    Row { commands: "git submodule status", flags: "--recursive", ..READS },
    Row { commands: "git version", operands: Names, ..READS },
    Row { commands: "git bisect log, git bisect view", operands: Nothing, ..READS },
    Row { commands: "git apply --check", flags: "-v", ..READS },
    Row { commands: "git ls-remote", flags: "--heads --tags --refs -q", operands: Nothing, ..READS },
    Row { commands: "git add", flags: "-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add", ..PROJECT },
    Row { commands: "git commit", flags: "-a -v -q -s --all --allow-empty --signoff --quiet --verbose --dry-run \
            --no-status --short --porcelain", texts: "-m --message --trailer", files: "-F --file", ..PROJECT },
    Row { commands: "git stash", flags: "-u -k -q --include-untracked --keep-index", operands: Nothing, ..PROJECT },
    Row { commands: "git stash push, git stash save", flags: "-u -k -q --include-untracked --keep-index --staged",
        texts: "-m --message", ..PROJECT },
    Row { commands: "git switch", flags: "-c -q --create --quiet", operands: Names, ..PROJECT },
    Row { commands: "git checkout -b", operands: Names, ..PROJECT },
    Row { commands: "git branch", operands: Names, ..PROJECT },
    Row { commands: "git fetch", flags: "-v -q -t --all --tags --verbose --quiet", operands: Nothing, ..PROJECT },
    Row { commands: "git fetch origin, git fetch upstream", flags: "-v -q -t --tags --verbose --quiet",
        operands: Names, ..PROJECT },
    Row { commands: "git pull", flags: "-v -q --ff-only --verbose --quiet --tags",
        operands: Nothing, ..PROJECT },
    Row { commands: "git restore --staged", ..PROJECT },
    Row { commands: "git mv", flags: "-v -n", ..PROJECT },
    Row { commands: "git init", flags: "-q", files: "-b", operands: Nothing, ..PROJECT },
];
