#!/usr/bin/env bash
# Fetches the clients of the other agents from npm into a folder outside the clone (PLANTUNE_AGENTS, else one in the
# person's cache), and drives each against the built plantune, without a model. Words after the script's name go to the
# tests, in place of `agents::real::`, which names all of these. With AGENTS_IF_POSSIBLE=1 a machine that lacks
# something is no failure, and is said to be skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

folder="${PLANTUNE_AGENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/plantune-agents}"

cannot() {
    if [ "${AGENTS_IF_POSSIBLE:-}" = 1 ]; then
        echo "skipped: the tests with the real clients of the other agents: $1"
        exit 0
    fi
    echo "the real clients cannot be driven: $1" >&2
    exit 1
}

# Installs the package $2 in the folder $1, where it is not there yet. None of its scripts need run.
fetch() {
    [ -e "$folder/$1/$2.fetched" ] && return
    npm view "$3" version --fetch-retries=1 --fetch-timeout=20000 >/dev/null 2>&1 ||
        cannot "npm has no $3, or does not reach its registry"
    rm -rf "${folder:?}/$1" && mkdir -p "$folder/$1"
    # A network that answers nothing is not waited for; not every system has `timeout`.
    limit=()
    command -v timeout >/dev/null 2>&1 && limit=(timeout 300)
    ${limit[@]+"${limit[@]}"} npm install --prefix "$folder/$1" --no-save --no-audit --no-fund --ignore-scripts \
        --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=2000 --fetch-retry-maxtimeout=5000 "$3" ||
        cannot "npm could not install $3"
    mkdir -p "$(dirname "$folder/$1/$2.fetched")" && : >"$folder/$1/$2.fetched"
}

for program in node npm tmux git; do
    command -v "$program" >/dev/null 2>&1 || cannot "$program is missing"
done
# The versions that `plantune doctor` names as tried.
fetch codex 0.169.0 @openai/codex@0.169.0
fetch gemini 0.61.0 @google/gemini-cli@0.61.0
fetch opencode 1.18.33 opencode-ai@1.18.33
fetch qwen 0.24.4 @qwen-code/qwen-code@0.24.4

# Qwen Code needs Node.js 22.
if [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 22 ]; then
    ln -sfn "$(command -v node)" "$folder/node"
else
    platform="$(node -p 'process.platform + "-" + process.arch')"
    fetch node22 22.22.0 "node-$platform@22"
    ln -sfn "node22/node_modules/node-$platform/bin/node" "$folder/node"
fi

"${CARGO:-cargo}" build --locked --workspace --bins
PLANTUNE_AGENTS="$folder" "${CARGO:-cargo}" test --locked --package plantune --test it \
    -- --ignored --test-threads=2 "${@:-agents::real::}"
