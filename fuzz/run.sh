#!/bin/sh
# Fuzzes every target, or those named, for so many seconds each, on one core:
#     fuzz/run.sh SECONDS [TARGET…]
#     fuzz/run.sh minimise [TARGET…]     adds to fuzz/corpus the few inputs that reach the most
# What a target asserts, and what to do about a finding: docs/development/fuzzing.md. Run by `make fuzz`.
set -eu
if [ -n "${CARGO_TARGET_DIR:-}" ]; then
    mkdir -p "$CARGO_TARGET_DIR/fuzz"
    target_dir=$(cd "$CARGO_TARGET_DIR/fuzz" && pwd)
fi
cd "$(dirname "$0")"
target_dir=${target_dir:-$(pwd)/target}

targets='hook parts results permissions preferences project registry stretched decoder segments transcript settings'
what=${1:-60}
[ $# -eq 0 ] || shift
[ $# -eq 0 ] || targets=$*

fail() { echo "fuzz: $1" >&2; exit 1; }
command -v cargo >/dev/null 2>&1 || fail 'cargo is missing: install Rust (1.95 or newer), see https://rustup.rs'
command -v c++ >/dev/null 2>&1 || fail 'a C++ compiler (c++) is missing, which libFuzzer is built with: install g++ or clang'
host=$(rustc -vV | sed -n 's/^host: //p')
corpus=$target_dir/corpus
findings=$target_dir/findings

# What cargo-fuzz passes for `--sanitizer none`: nothing of it needs a nightly compiler.
flags='--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
-Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0'
# `--target` keeps the flags away from build scripts, which have no fuzzer to report to.
RUSTFLAGS="$(echo "$flags" | tr '\n' ' ')" CARGO_TARGET_DIR="$target_dir" \
    cargo build --quiet --locked --release --target "$host"
fuzzer=$target_dir/$host/release/plantune-fuzz

# Files are written so often that a disk would be all there is to wait for.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then memory=/dev/shm; else memory=${TMPDIR:-/tmp}; fi
PLANTUNE_FUZZ_SCRATCH=$(mktemp -d "$memory/plantune-fuzz.XXXXXX")
export PLANTUNE_FUZZ_SCRATCH
trap 'rm -rf "$PLANTUNE_FUZZ_SCRATCH"' EXIT
trap 'exit 130' INT TERM

# How long an input may be, in bytes, and how long it may take, in seconds.
options() {
    case $1 in
    stretched) echo '-max_len=96 -timeout=5' ;;
    segments) echo '-max_len=4096 -timeout=10' ;;
    hook | transcript) echo '-max_len=8192 -timeout=5' ;;
    *) echo '-max_len=4096 -timeout=5' ;;
    esac
}

# The corpus in the repository stays small.
most_added=7

for target in $targets; do
    [ -d "corpus/$target" ] || fail "there is no target $target"
    export PLANTUNE_FUZZ_TARGET="$target"
    mkdir -p "$corpus/$target" "$findings/$target"
    set -- $(options "$target") -artifact_prefix="$findings/$target/" -rss_limit_mb=2048
    if [ "$what" = minimise ]; then
        # The fewest inputs that reach all the code the seeds do not, those that reach most first.
        small=$(mktemp -d "$target_dir/minimised.XXXXXX")
        cp "corpus/$target"/* "$small"
        "$fuzzer" "$@" -set_cover_merge=1 -use_counters=0 -max_len=1024 \
            "$small" "$corpus/$target" 2>/dev/null
        added=0
        for input in $(ls -tr "$small"); do
            [ ! -e "corpus/$target/$input" ] && [ "$added" -lt "$most_added" ] || continue
            cp "$small/$input" "corpus/$target" && added=$((added + 1))
        done
        rm -rf "$small"
        echo "fuzz: $target: $added inputs added, now $(ls "corpus/$target" | wc -l)"
        continue
    fi
    log=$target_dir/$target.log
    if nice -n 10 "$fuzzer" "$@" -dict=json.dict -max_total_time="$what" -print_final_stats=1 \
        "$corpus/$target" "corpus/$target" >"$log" 2>&1; then
        echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, $(grep -o 'cov: [0-9]*' "$log" | tail -1)"
    else
        tail -40 "$log" >&2
        fail "$target: a finding, in $findings/$target; the whole log is $log"
    fi
done
