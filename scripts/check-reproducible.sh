#!/usr/bin/env bash
# Builds everything twice, in two clones at different places and into different folders, and compares the
# hashes of what comes out. Takes as long as two builds from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

export DUCKDB_LIB_DIR="${DUCKDB_LIB_DIR:-$PWD/.libduckdb}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

for place in first "second/at a longer place"; do
    git clone --quiet . "$work/$place/plantune"
    CARGO_TARGET_DIR="$work/$place/built" python3 "$work/$place/plantune/scripts/dist"
    (cd "$work/$place/built/dist" && cat -- */*.sha256) >"$work/$place/hashes"
    # Two builds side by side need twice the room.
    rm -rf "$work/$place/built"
done
diff "$work/first/hashes" "$work/second/at a longer place/hashes"
cat "$work/first/hashes"
echo 'the same twice'
