//! Version control.

use super::Operands::{Names, Nothing, OneFile, Text, TextThenFiles, Written};
use super::Options::{Flags, Globs, Numbers, OneOf, Paths, Texts};
use super::{PROJECT, READS, Row};
use crate::permissions::Reach;

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
