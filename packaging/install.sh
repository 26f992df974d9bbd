#!/bin/sh
# Installs plantune from the folder that this script lies in, after a look at its checksums.
#   ./install.sh               into ~/.local
#   PREFIX=/opt/x ./install.sh elsewhere
#   ./install.sh --uninstall   takes it out of PREFIX again
set -eu

prefix="${PREFIX:-$HOME/.local}"
here="$(cd "$(dirname "$0")" && pwd)"

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

case "${1:-}" in
    '' | --uninstall) ;;
    *) echo "usage: [PREFIX=/some/where] $0 [--uninstall]" >&2; exit 2 ;;
esac

cd "$here"
[ -f SHA256SUMS ] || fail "there is no SHA256SUMS in $here: unpack the archive again, whole"

# What goes below PREFIX; the rest stays here.
files() {
    sed 's/^[0-9a-f]*  //' SHA256SUMS | grep -E '^(bin|lib|share)/'
}

if [ "${1:-}" = --uninstall ]; then
    files | while IFS= read -r file; do rm -f "$prefix/$file"; done
    rmdir "$prefix/lib/plantune" 2>/dev/null || true
    echo "Removed from $prefix. Left alone: your data, and Claude Code's settings (plantune uninstall, before this)"
    exit 0
fi

if command -v sha256sum >/dev/null 2>&1; then
    sha256sum -c SHA256SUMS >/dev/null 2>&1 || fail "a file is not what was packed; nothing was installed. Which: sha256sum -c SHA256SUMS"
elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 -c SHA256SUMS >/dev/null 2>&1 || fail "a file is not what was packed; nothing was installed. Which: shasum -a 256 -c SHA256SUMS"
else
    fail "neither sha256sum nor shasum is there to check the files with"
fi
bin/plantune --version >/dev/null || fail "this is not for this machine: $here"

# Replaced by renaming: a session that runs the old hook is not disturbed.
files | while IFS= read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    cp "$file" "$prefix/$file.new"
    mv -f "$prefix/$file.new" "$prefix/$file"
done
echo "Installed into $prefix. Next: plantune import claude-code; plantune report; plantune install"
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "note: $prefix/bin is not in PATH" ;; esac
