#!/usr/bin/env bash
# That the sources name an operating system in their `platform` modules alone, and that they compile for Windows
# where Rust's library for it is installed (docs/development/windows.md).
set -euo pipefail
cd "$(dirname "$0")/.."

# Up to the tests of a file, which may name what they like.
named="$(git ls-files --cached --others --exclude-standard -- '*.rs' |
    grep -E '^(src|(hooks|hooks/domain|ingest|query|reports|migrations)/src)/' |
    grep -vE '/platform(\.rs$|/)|/tests(\.rs$|/)' |
    xargs awk 'FNR == 1 { tests = 0 } /^#\[cfg\(test\)\]/ { tests = 1 }
        !tests && /std::os::(unix|windows|fd|linux)|libc::|rustix::|signal_hook::|cfg\((not\()?(any\()?(unix|windows|target_os)/ {
            print FILENAME ":" FNR ": " $0 }')"
if [ -n "$named" ]; then
    printf '%s\n' "$named" "what is one system's own belongs into a platform module (docs/development/windows.md)" >&2
    exit 1
fi

target=x86_64-pc-windows-gnu
if ! ls "$(rustc --print sysroot)/lib/rustlib/$target/lib"/libstd-*.rlib >/dev/null 2>&1; then
    echo "skipped: the check for Windows: Rust's library for $target is not installed"
    exit 0
fi
# SQLite need not be compiled for it: nothing is linked.
export CC_x86_64_pc_windows_gnu=true AR_x86_64_pc_windows_gnu=true
cargo check --locked --quiet --target "$target" -p plantune -p plantune-hooks --bins
echo "plantune and plantune-hook compile for $target; nothing was linked or run"
