#!/usr/bin/env python3
"""Draws docs/terminal.svg: plantune on the sample history, as a terminal shows it.

    make picture

Runs commands in a pseudo-terminal and a home of their own, keeps the first lines of what each prints, and lets the
package `rich` (scripts/picture-requirements.txt) draw them. The picture names no font of another place.
"""

import fcntl
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios
import textwrap
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
HOME = Path("/tmp/plantune-picture")
WIDTH = 84

# The day of the sample history's end, which builds that are no releases take for today.
NOW = "2026-11-20T16:00:00Z"

# What is typed, what is answered to it, and how many of the lines below are kept.
COMMANDS = [
    ("plantune", [], 22),
    ("plantune suggest", [], 13),
    # The label to the proposal, and no to registering the hook.
    ("plantune suggest 2 --apply", ["Full suite\n", "n\n"], 19),
]

QUESTION = "<plantune:test-scope> Image sizes changed. Which tests should run?"
OPTIONS = ["Only affected tests (Recommended)", "Full suite", "None for now"]

SVG = """\
<svg class="terminal" viewBox="-12 -12 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>plantune, suggest, suggest --apply, and a question answered, in a terminal</title>
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
<rect x="-12" y="-12" width="100%" height="100%" rx="8" fill="#0c0c0c"/>
<g clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def write_history():
    """The sample history, as Claude Code would have kept it in HOME, and just enough of its repositories."""
    for name in ("sample-history.jsonl", "sample-permissions.jsonl"):
        for line in (ROOT / "demo" / name).read_text().splitlines(keepends=True):
            line = line.replace("@WORK@", str(HOME))
            event = json.loads(line)
            project = Path(event["cwd"])
            session = HOME / ".claude/projects" / project.name / f"{event['sessionId']}.jsonl"
            session.parent.mkdir(parents=True, exist_ok=True)
            with session.open("a") as file:
                file.write(line)
            git = project / ".git"
            git.mkdir(parents=True, exist_ok=True)
            (git / "HEAD").write_text("ref: refs/heads/main\n")
            (git / "config").write_text(f'[remote "origin"]\n\turl = https://github.com/sample/{project.name}.git\n')


def environment(programs):
    return {
        "HOME": str(HOME),
        "PATH": f"{programs}:/usr/bin:/bin",
        "PLANTUNE_NOW": NOW,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": str(WIDTH),
        "PAGER": "cat",
    }


def played(command, replies, programs):
    """What `command` prints to a terminal WIDTH columns wide, where somebody types a reply each time it asks."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, WIDTH, 0, 0))
        os.chdir(HOME / "billing-api")
        words = command.split()
        os.execve(programs / words[0], words, environment(programs))
    output = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            break
        if not block:
            break
        output += block
        # What is typed before it is asked for does not count.
        if replies and output.endswith(b"] "):
            os.write(terminal, replies.pop(0).encode())
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        sys.exit(output.decode(errors="replace") + f"\n{command} failed")
    return output.decode().replace("\r\n", "\n").replace(str(HOME), "~")


def answered(programs):
    """What the hook has Claude Code show when the question comes that was just accepted."""
    options = [{"label": label, "description": ""} for label in OPTIONS]
    question = {"question": QUESTION, "header": "Tests", "multiSelect": False, "options": options}
    call = {
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion",
        "cwd": str(HOME / "billing-api"),
        "tool_use_id": "toolu_1",
        "tool_input": {"questions": [question]},
    }
    hook = programs / "plantune-hook"
    done = subprocess.run([hook], input=json.dumps(call), capture_output=True, text=True, env=environment(programs), check=True)
    return json.loads(done.stdout)["systemMessage"]


def shown(programs):
    """The lines of the picture."""
    lines = []
    for command, replies, most in COMMANDS:
        body = played(command, list(replies), programs).strip("\n").split("\n")
        lines += [f"$ {command}", *body[:most]]
        if len(body) > most:
            lines.append("…")
        lines.append("")
    return [*lines, "The next time the agent asks, Claude Code shows:", *textwrap.wrap(answered(programs), WIDTH), ""]


def main():
    target, programs = sys.argv[1], Path(sys.argv[2]).resolve()
    HOME.mkdir()
    try:
        write_history()
        lines = shown(programs)
    finally:
        shutil.rmtree(HOME)
    console = Console(record=True, width=WIDTH, force_terminal=True, color_system="truecolor", file=open(os.devnull, "w"))
    for line in lines:
        console.print(Text.from_ansi(line))
    svg = console.export_svg(title="", theme=MONOKAI, code_format=SVG, unique_id="t")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(line.rstrip() for line in svg.split("\n")))


if __name__ == "__main__":
    main()
