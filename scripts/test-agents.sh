#!/usr/bin/env bash
# Installs the clients of the other agents from npm into a folder outside the clone (PLANTUNE_AGENTS, else one in the
# person's cache), and drives each against the built plantune, without a model. CODEX_VERSION, COPILOT_VERSION,
# GEMINI_VERSION, OPENCODE_VERSION and QWEN_VERSION choose other versions, or the `newest`. Words after the script's
# name choose tests; `agents::real::` names all of these. With AGENTS_IF_POSSIBLE=1 a machine that lacks something is no
# failure; the script says that it skipped the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
whose='the real clients of the other agents' if_possible="${AGENTS_IF_POSSIBLE:-}"
. scripts/clients.sh

folder="${PLANTUNE_AGENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/plantune-agents}"
for program in node npm tmux git; do
    command -v "$program" >/dev/null 2>&1 || cannot "$program is missing"
done

# Each version has a folder of its own; the tests find the one that was chosen by the agent's name.
client() {
    local package
    package="$(package_of "$1" "$2")"
    install_client "$folder/versions/$1-${package##*@}" "$package"
    rm -rf "${folder:?}/$1"
    ln -s "versions/$1-${package##*@}" "$folder/$1"
    echo "$package"
}
mkdir -p "$folder"
client codex "${CODEX_VERSION:-}"
client copilot "${COPILOT_VERSION:-}"
client gemini "${GEMINI_VERSION:-}"
client opencode "${OPENCODE_VERSION:-}"
client qwen "${QWEN_VERSION:-}"

# Qwen Code needs Node.js 22.
if [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 22 ]; then
    ln -sfn "$(command -v node)" "$folder/node"
else
    platform="$(node -p 'process.platform + "-" + process.arch')"
    install_client "$folder/node22" "node-$platform@22"
    ln -sfn "node22/node_modules/node-$platform/bin/node" "$folder/node"
fi

"${CARGO:-cargo}" build --locked --bins
PLANTUNE_AGENTS="$folder" "${CARGO:-cargo}" test --locked --package plantune --test it \
    -- --ignored --test-threads=2 "${@:-agents::real::}"
