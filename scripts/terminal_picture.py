#!/usr/bin/env python3
"""Draws docs/terminal.svg: the demonstration (import, report, suggest, answered) as a terminal shows it.

    make picture

Plays `plantune demo` in a pseudo-terminal, keeps the first lines of each command's output, and lets the
package `rich` (scripts/picture-requirements.txt) draw them. The picture names no font of another place.
"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

WIDTH = 84

# How many lines of each command's output are kept, by what the command begins with; the first that fits counts.
KEPT = [
    ("plantune import", 8),
    ("plantune report", 32),
    ("plantune suggest --apply", 0),
    ("plantune suggest", 19),
]

# Lines at the end of a section that are always kept.
ALWAYS = re.compile(r"^(set: |  undo: |\d+ suggestions? wait)")

SVG = """\
<svg class="terminal" viewBox="-12 -12 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>plantune import, report, suggest, and a question answered, in a terminal</title>
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


def played(command):
    """What `command` prints to a terminal WIDTH columns wide."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, WIDTH, 0, 0))
        os.environ.update(TERM="xterm-256color", COLUMNS=str(WIDTH), PAGER="cat")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    output = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            break
        if not block:
            break
        output += block
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        sys.exit(output.decode(errors="replace") + "\nthe demonstration failed")
    return output.decode().replace("\r\n", "\n")


def shortened(output):
    """The demonstration's lines, each command's output cut to what KEPT says."""
    sections = [[]]
    for line in output.split("\n"):
        plain = Text.from_ansi(line).plain
        if plain.startswith(("$ ", "Now Claude Code asks")):
            sections.append([])
        if plain.startswith("That was the demonstration"):
            break
        sections[-1].append(line)
    lines = []
    for section in sections[1:]:
        command = Text.from_ansi(section[0]).plain.removeprefix("$ ")
        most = next((most for start, most in KEPT if command.startswith(start)), len(section))
        body = section[1:]
        while body and not body[-1].strip():
            body.pop()
        lines += [section[0], *body[:most]]
        rest = body[most:]
        if rest:
            lines.append("…")
            lines += [line for line in rest if ALWAYS.match(Text.from_ansi(line).plain)]
        lines.append("")
    return lines[:-1]


def main():
    target, command = sys.argv[1], sys.argv[2:]
    lines = shortened(played(command))
    console = Console(record=True, width=WIDTH, force_terminal=True, color_system="truecolor", file=open(os.devnull, "w"))
    for line in lines:
        console.print(Text.from_ansi(line), no_wrap=True, overflow="crop", soft_wrap=False)
    svg = console.export_svg(title="", theme=MONOKAI, code_format=SVG, unique_id="t")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(line.rstrip() for line in svg.split("\n")))


main()
