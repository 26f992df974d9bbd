#!/usr/bin/env bash
# Installs Claude Code from npm into the ignored folder .claude-code/ and drives it against the built plantune:
# docs/development/claude-code.md. CLAUDE_CODE_VERSION chooses another version, or the `newest`. Words after the
# script's name choose tests; `claude_code::` names all of these. With CLAUDE_CODE_IF_POSSIBLE=1 a machine without npm
# or a network is no failure; the script says that it skipped the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
whose='the real Claude Code' if_possible="${CLAUDE_CODE_IF_POSSIBLE:-}"
. scripts/clients.sh

command -v node >/dev/null 2>&1 || cannot 'node is missing (the MCP server of the tests is written for it)'
package="$(package_of claude-code "${CLAUDE_CODE_VERSION:-}")"
folder="$PWD/.claude-code/${package##*@}"
install_client "$folder" "$package"

# The package holds a program for each platform.
client() {
    for program in "$folder"/node_modules/@anthropic-ai/claude-code-*/claude; do
        if [ -x "$program" ] && "$program" --version >/dev/null 2>&1; then
            echo "$program"
            return
        fi
    done
    return 1
}
program="$(client)" || cannot "$package has no program that runs on this machine"

echo "Claude Code $("$program" --version), without a model:"
PLANTUNE_CLAUDE_CODE="$program" "${CARGO:-cargo}" test --locked --test it \
    -- --ignored --test-threads=2 "${@:-claude_code::}"
