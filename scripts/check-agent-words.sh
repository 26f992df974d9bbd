#!/usr/bin/env bash
# What an agent calls its tools, events, folders and variables is known to its file in hooks/agents/src/ alone. Claude
# Code came first: the files that still name something of it are in agent-words.txt, each with its reason, and no file
# may be added. Comments and tests may say what they like.
set -euo pipefail
cd "$(dirname "$0")/.."

words='AskUserQuestion|PreToolUse|\.claude([/"]|$)|CLAUDE_|User has answered your questions'
list=scripts/agent-words.txt

# The files with such a word before their own tests.
found="$(git ls-files 'src/*.rs' 'hooks/*.rs' 'ingest/src/*.rs' 'query/src/*.rs' 'reports/src/*.rs' 'settings/src/*.rs' 'fleet/src/*.rs' |
    grep -vE '(^|/)tests(/|\.rs$)|^hooks/agents/src/claude_code\.rs|/(examples|benches)/' |
    while read -r file; do
        sed '/^#\[cfg(test)\]/,$d' "$file" | grep -vE '^ *//' | grep -E "$words" >/dev/null && echo "$file" || true
    done | sort)"
allowed="$(sed -n 's/^\([^# ][^ ]*\) .*/\1/p' "$list" | sort)"

new="$(comm -23 <(echo "$found") <(echo "$allowed"))"
gone="$(comm -13 <(echo "$found") <(echo "$allowed"))"
[ -z "$new" ] || { echo "these know Claude Code by its words; hooks/agents/src/claude_code.rs should:" >&2; echo "$new" >&2; }
[ -z "$gone" ] || { echo "these do not any more; take them out of $list:" >&2; echo "$gone" >&2; }
[ -z "$new$gone" ]
