#!/usr/bin/env python3
"""Checks the English of the documents: short sentences, and none of the words in scripts/avoided-words.txt.

    scripts/check-prose.py [FILE ...]      README.md and docs/*.md unless files are named

A sentence has at most 30 words, and those of a page 16 on average. Code, tables and links' addresses are not counted.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST, AVERAGE = 30, 16


def prose(text):
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


def sentences(paragraph, line):
    text = re.sub(r"`[^`]*`", "code", paragraph)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("**", "")
    # A list of names counts as one word.
    text = re.sub(r"\bcode(?: \([^()]*\))?(?:, (?:and |or )?code(?: \([^()]*\))?)+", "code", text)
    for sentence in re.split(r"(?<=[.!?:;])[)\"”]?\s+(?=[\"“(A-Z0-9]|code|plantune)", text):
        words = re.findall(r"[\w’'%/.,-]*\w[\w’'%/.,-]*", sentence)
        if words:
            yield line, sentence, len(words)


def main():
    avoided = [word for word in (ROOT / "scripts/avoided-words.txt").read_text().splitlines() if word and word[0] != "#"]
    pattern = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, avoided)) + r")(?!\w)", re.IGNORECASE)
    files = [pathlib.Path(name) for name in sys.argv[1:]] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    faults = []
    for file in files:
        found = list(prose(file.read_text()))
        for line, sentence, words in found:
            if words > LONGEST:
                faults.append(f"{file}:{line}: a sentence of {words} words: {sentence[:70]}…")
            for match in pattern.finditer(sentence):
                faults.append(f"{file}:{line}: \"{match.group(1)}\": {sentence[:70]}")
        average = sum(words for _, _, words in found) / max(len(found), 1)
        if average > AVERAGE:
            faults.append(f"{file}: {average:.1f} words a sentence, {AVERAGE} at most")
    print("\n".join(faults) or f"{len(files)} pages read well")
    return 1 if faults else 0


sys.exit(main())
