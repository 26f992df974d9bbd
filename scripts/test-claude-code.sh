#!/usr/bin/env bash
# Installs Claude Code from npm into the ignored folder .claude-code/ and drives it against the
# built plantune: docs/development/claude-code.md. CLAUDE_CODE_VERSION chooses another version; words after
# the script's name go to the tests, in place of `claude_code::`, which names all of these. With CLAUDE_CODE_IF_POSSIBLE=1 a machine without npm or
# without a network is no failure, and is said to be skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

# The newest when this was written. What the protocol's fixtures were captured with (2.1.197)
# passes too, but people update, and what the newest does differently is what must be noticed.
version="${CLAUDE_CODE_VERSION:-2.1.329}"
folder="$PWD/.claude-code/$version"

cannot() {
    if [ "${CLAUDE_CODE_IF_POSSIBLE:-}" = 1 ]; then
        echo "skipped: the tests with the real Claude Code: $1"
        exit 0
    fi
    echo "the real Claude Code cannot be driven: $1" >&2
    exit 1
}

# The package holds a program for each platform, so none of its scripts need run.
client() {
    for program in "$folder"/node_modules/@anthropic-ai/claude-code-*/claude; do
        if [ -x "$program" ] && "$program" --version >/dev/null 2>&1; then
            echo "$program"
            return
        fi
    done
    return 1
}

command -v node >/dev/null 2>&1 || cannot 'node is missing (the MCP server of the tests is written for it)'
if ! program="$(client)"; then
    command -v npm >/dev/null 2>&1 || cannot 'npm is missing'
    package="@anthropic-ai/claude-code@$version"
    npm view "$package" version --fetch-retries=1 --fetch-timeout=20000 >/dev/null 2>&1 ||
        cannot "npm does not reach its registry, or there is no $package"
    mkdir -p "$folder"
    # A network that answers nothing is not waited for; not every system has `timeout`.
    limit=()
    command -v timeout >/dev/null 2>&1 && limit=(timeout 300)
    ${limit[@]+"${limit[@]}"} npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts \
        --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=2000 --fetch-retry-maxtimeout=5000 "$package" ||
        cannot "npm could not install $package"
    program="$(client)" || cannot "$package has no program that runs on this machine"
fi

echo "Claude Code $("$program" --version), without a model:"
PLANTUNE_CLAUDE_CODE="$program" "${CARGO:-cargo}" test --locked --workspace --test it \
    -- --ignored --test-threads=2 "${@:-claude_code::}"
