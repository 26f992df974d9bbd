#!/usr/bin/env bash
# Tests the fleet with a lake in an S3-compatible store on this machine (fleet/tests/it/s3.rs): runs the words that it is
# given beside one. With FLEET_S3_IF_POSSIBLE=1 a machine without Python or without a network is no failure, and is
# said to be skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

cannot() {
    if [ "${FLEET_S3_IF_POSSIBLE:-}" = 1 ]; then
        echo "skipped: the tests of the fleet with an object store: $1"
        exit 0
    fi
    echo "the fleet cannot be tested with an object store: $1" >&2
    exit 1
}

command -v python3 >/dev/null 2>&1 || cannot 'python3 is missing'
python3 -c 'import ensurepip, venv' 2>/dev/null || cannot 'python3 has no venv (Debian: python3-venv)'

# The store; installed anew when the list changes.
requirements=fleet/tests/servers/s3-requirements.txt
cache="${XDG_CACHE_HOME:-$HOME/.cache}/plantune-ci/tools"
tools="$cache/s3-$(python3 -c 'import sys; print(*sys.version_info[:2], sep=".")')-$(cksum <"$requirements" | tr ' ' -)"
if [ ! -e "$tools/whole" ]; then
    rm -rf "$tools" && mkdir -p "$cache"
    python3 -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
        --requirement "$requirements" || cannot 'pip could not install moto'
    touch "$tools/whole"
fi

"$tools/bin/python" fleet/tests/servers/s3.py "$@"
