#!/bin/sh
# Starts the installed hook, wherever it lies: first the copy that plantune keeps up to date. Without a
# hook the session goes on as if there were no plugin; at its start, and only there, a word says what is
# missing.
hook="${XDG_DATA_HOME:-$HOME/.local/share}/plantune/bin/plantune-hook"
[ -x "$hook" ] && exec "$hook"
command -v plantune-hook >/dev/null 2>&1 && exec plantune-hook
# Programs that are not started from a shell often have a short PATH.
for hook in "$HOME/.local/bin/plantune-hook" /usr/local/bin/plantune-hook /opt/homebrew/bin/plantune-hook; do
    [ -x "$hook" ] && exec "$hook"
done
if [ "$1" = say-if-missing ]; then
    echo '{"systemMessage":"The plantune plugin is on, but plantune-hook is not installed, so nothing is logged or answered. Run `plantune doctor --fix`, or `claude plugin disable plantune`."}'
fi
exit 0
