#!/usr/bin/env python3
"""Checks the English that people read: short sentences, and none of the words in scripts/avoided-words.txt.

    scripts/check-prose.py              the documents, the snapshots of what is printed, and --help
    scripts/check-prose.py FILE ...     these documents, snapshots or sources

A sentence has at most 30 words, and those of a document 16 on average. Code, tables and links' addresses are not counted.
"""

import html
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST, AVERAGE = 30, 16
# Rows of tables, headings, code, and permission rules.
NO_PROSE = re.compile(r"\S {2,}\S|^[#|+{<$\\]|^\w+\(.*\)$")


def document(text):
    """The sentences of a Markdown page, each with the number of its line."""
    inside, paragraph, began = False, [], 1
    for number, line in enumerate(text.splitlines() + [""], 1):
        if line.startswith("```"):
            inside = not inside
            line = ""
        bare = line.strip()
        starts_anew = not bare or bare.startswith(("#", "|", "!", ">")) or re.match(r"(?:[-*]|\d+\.) ", bare)
        if inside or starts_anew:
            yield from sentences(" ".join(paragraph), began)
            paragraph = []
        if inside or not bare or bare.startswith(("#", "|", "!", ">")):
            continue
        if not paragraph:
            began = number
        paragraph.append(re.sub(r"^(?:[-*]|\d+\.) ", "", bare))


def snapshots(path, text):
    """The sentences of a snapshot's file, or of the snapshots in a test's source."""
    if path.suffix == ".snap":
        header, content = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)[1:]
        yield from printed(content, header.count("\n") + 3, 140 if "140" in path.name else 80)
        return
    for found in re.finditer(r'@r?(#*)"(.*?)"\1\s*\)', text, re.DOTALL):
        yield from printed(textwrap.dedent(found.group(2)), text.count("\n", 0, found.start(2)) + 1, 80)


def printed(text, began, most):
    """The sentences of what a command prints on a terminal of `most` columns: wrapped lines belong together, tables and JSON are
    left out."""
    start = text.lstrip()[:1]
    if start in ("{", "[") or re.match(r'\s*"?question_key"?,', text):
        return
    if start == "<":
        text = re.sub(r"<(style|script|svg)\b.*?</\1>", lambda found: "\n" * found.group().count("\n"), text, flags=re.DOTALL)
        blocks = re.sub(r"</?(?:p|li|td|th|h\d|div|summary|caption|dt|dd|section|tr|label|option|button)\b[^>]*>", "\0", text)
        number = began
        for block in blocks.split("\0"):
            yield from sentences(html.unescape(re.sub(r"<[^>]*>", "", block)), number)
            number += block.count("\n")
        return
    lines = text.splitlines()
    width = max((len(line) for line in lines if len(line) <= most), default=0)
    paragraph, first, last = [], began, ""
    for number, line in enumerate(lines + [""], began):
        bare = re.sub(r"^(?:[-*] )", "", line.strip())
        is_prose = " " in bare and not NO_PROSE.search(bare)
        goes_on = bare and paragraph and max(len(last), len(line)) <= most and len(last) + 1 + len(bare.split()[0]) > width
        is_wrapped = is_prose and goes_on and bare == line.strip()
        if not is_wrapped:
            yield from sentences(" ".join(paragraph), first)
            paragraph, first = [], number
        if is_prose:
            paragraph.append(bare)
            last = line
    yield from sentences(" ".join(paragraph), first)


def help_texts(text):
    """The sentences that `--help` takes from the comments of a source: those of commands, options and values."""
    lines = text.splitlines()
    for begin, line in enumerate(lines):
        if not re.match(r"\s*#\[derive\(.*\b(?:Args|Parser|Subcommand|ValueEnum)\b", line):
            continue
        first = begin
        while first and lines[first - 1].lstrip().startswith(("///", "#[")):
            first -= 1
        indent = line[: len(line) - len(line.lstrip())]
        closed = (n for n in range(begin, len(lines)) if lines[n] == indent + "}" or re.match(r"\S.*(?:;|\{\})$", lines[n]))
        end = next(closed, begin)
        paragraph, began = [], first
        for number in range(first, end + 1):
            comment = re.match(r"\s*/// ?(.*)", lines[number])
            if comment and comment.group(1):
                began = began if paragraph else number + 1
                paragraph.append(comment.group(1))
            else:
                yield from sentences(" ".join(paragraph), began)
                paragraph = []


def sentences(paragraph, line):
    text = re.sub(r"`[^`]*`", "code", paragraph)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("**", "")
    # A list of names counts as one word.
    text = re.sub(r"\bcode(?: \([^()]*\))?(?:, (?:and |or )?code(?: \([^()]*\))?)+", "code", text)
    for sentence in re.split(r"(?<=[.!?:;])[)\"”]?\s+(?=[\"“(A-Z0-9]|code|plantune)", text):
        words = re.findall(r"[\w’'%/.,-]*\w[\w’'%/.,-]*", sentence)
        if words:
            yield line, sentence.strip(), len(words)


def everything():
    """The files to read: what git knows, and documents and sources that it does not know yet."""
    patterns = ["*.md", "*.snap", "*.rs"]
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")
    files = [ROOT / name for name in names if name and not name.startswith(("tests/fixtures/", "fuzz/", "hooks/tests/fixtures/"))]
    return sorted(file for file in files if file.is_file())


def found_in(path, text):
    if path.suffix == ".md":
        return document(text)
    if path.suffix == ".rs" and "tests" not in path.parts and path.name != "tests.rs":
        return help_texts(text)
    return snapshots(path, text)


def main():
    avoided = [word for word in (ROOT / "scripts/avoided-words.txt").read_text().splitlines() if word and word[0] != "#"]
    pattern = re.compile(r"(?<!\w)(?<!there )(?<!There )(" + "|".join(map(re.escape, avoided)) + r")(?!\w)", re.IGNORECASE)
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or everything()
    faults, read = [], 0
    for path in files:
        found = list(found_in(path, path.read_text()))
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for line, sentence, words in found:
            if words > LONGEST:
                faults.append(f"{name}:{line}: a sentence of {words} words: {sentence[:70]}…")
            for match in pattern.finditer(sentence):
                faults.append(f"{name}:{line}: \"{match.group(1)}\": {sentence[:100]}")
        average = sum(words for _, _, words in found) / max(len(found), 1)
        if path.suffix == ".md" and average > AVERAGE:
            faults.append(f"{name}: {average:.1f} words a sentence, {AVERAGE} at most")
        read += bool(found)
    print("\n".join(faults) or f"{read} files read well")
    return 1 if faults else 0


sys.exit(main())
