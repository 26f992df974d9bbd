#!/bin/sh
# Fetches the DuckDB library that plantune links, into .libduckdb/, from the packages that DuckDB's
# makers publish for Node.js. Does nothing when it is there already. Run by `make setup`.
set -eu

# Moves together with the `duckdb` crate in Cargo.toml.
version=1.5.6-r.1
# The sha512 of the published package, as the registry states it.
sha512_linux_x64='sha512-IXcrZJE6kEqM0Z4wwdVnGBHX/frOS33VPNAwDXQ/Q+Fs84b058Qe94chrCCIcNJlG8Y3UHIUU4eBeCQxW5mN1Q=='
sha512_linux_x64_musl='sha512-PVzIEZqp7QN07WBgjmIH0cK2GKXR735KmL6wnghTzRnhHWrePxx3MjZB9zZHI8tB73wdF8luarBm4EgqSjGyVA=='

cd "$(dirname "$0")/.."
target=.libduckdb

fail() {
    echo "setup: $1" >&2
    echo "setup: two ways are left:" >&2
    echo "  - have the library (libduckdb.so or .dylib, DuckDB 1.5.6) in a folder and set DUCKDB_LIB_DIR to it" >&2
    echo "  - DUCKDB_DOWNLOAD_LIB=1 make …, which lets the duckdb crate download it from DuckDB's releases" >&2
    exit 1
}

# Rust builds for the C library that its own host has: glibc, or musl as on Alpine Linux.
libc=
case "$(rustc -vV 2>/dev/null)" in *-linux-musl*) libc=-musl ;; esac
case "$(uname -s)-$(uname -m)$libc" in
    Linux-x86_64) platform=linux-x64; library=libduckdb.so; expected=$sha512_linux_x64 ;;
    Linux-x86_64-musl) platform=linux-x64-musl; library=libduckdb.so; expected=$sha512_linux_x64_musl ;;
    Linux-aarch64*) platform=linux-arm64$libc; library=libduckdb.so; expected= ;;
    Darwin-arm64) platform=darwin-arm64; library=libduckdb.dylib; expected= ;;
    Darwin-x86_64) platform=darwin-x64; library=libduckdb.dylib; expected= ;;
    *) fail "no published library for $(uname -s) on $(uname -m)" ;;
esac

write_cargo_config() {
    # So that plain `cargo build` and `cargo test` find the library too.
    mkdir -p .cargo
    printf '[env]\nDUCKDB_LIB_DIR = { value = ".libduckdb", relative = true }\n' > .cargo/config.toml
}

if [ -f "$target/$library" ] && [ "$(cat "$target/version" 2>/dev/null)" = "$version" ]; then
    write_cargo_config
    exit 0
fi

command -v npm >/dev/null 2>&1 || fail "npm is missing, and the DuckDB library is fetched with it"
command -v openssl >/dev/null 2>&1 || command -v node >/dev/null 2>&1 ||
    fail "neither openssl nor node is there to check the library with"

package="@duckdb/node-bindings-$platform@$version"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "setup: fetching DuckDB ($package, 24 MB)"
archive=$(npm pack --silent --pack-destination "$work" "$package" | tail -n 1) ||
    fail "npm could not fetch $package"
if [ -z "$expected" ]; then
    expected=$(npm view --silent "$package" dist.integrity) || fail "npm could not look up $package"
fi
if command -v openssl >/dev/null 2>&1; then
    actual="sha512-$(openssl dgst -sha512 -binary "$work/$archive" | openssl base64 -A)"
else
    actual="sha512-$(node -e 'const c=require("crypto"),f=require("fs");process.stdout.write(c.createHash("sha512").update(f.readFileSync(process.argv[1])).digest("base64"))' "$work/$archive")"
fi
[ "$actual" = "$expected" ] || fail "$package is not what was published (sha512 $actual, expected $expected)"

tar -xzf "$work/$archive" -C "$work"
mkdir -p "$target"
cp "$work/package/LICENSE" "$target/LICENSE"
# The version is written last: it says that the rest is whole.
rm -f "$target/version"
cp "$work/package/$library" "$target/$library.new"
mv "$target/$library.new" "$target/$library"
echo "$version" > "$target/version"
write_cargo_config
