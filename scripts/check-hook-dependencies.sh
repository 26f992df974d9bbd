#!/bin/sh
# The hook runs while a person waits: every crate it links stands in this list, with consent.
# Fails when `cargo tree` shows another one. Run by `make lint`.
set -eu
cd "$(dirname "$0")/.."
allowed=scripts/hook-dependencies.txt
# On Linux it may be linked against musl.
host=$(rustc -vV | sed -n 's/^host: //p')
actual=$(for target in "$host" "$(echo "$host" | sed 's/-gnu$/-musl/')"; do
    cargo tree --locked -p plantune-hooks -e normal --prefix none --format '{p}' --target "$target"
done | sed 's/ .*//' | sort -u)
unexpected=$(echo "$actual" | grep -vxF -f "$allowed" || true)
if [ -n "$unexpected" ]; then
    echo "plantune-hook links crates that $allowed does not name:" >&2
    echo "$unexpected" | sed 's/^/  /' >&2
    echo "Leave them out, or add them there and say in docs/development/dependencies.md why the hook needs them." >&2
    exit 1
fi
