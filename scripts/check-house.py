#!/usr/bin/env python3
"""Counts what makes the code hard to hold: circles between the files of a crate, and names of types that are taken twice.

A circle is a set of files that import each other, directly or through others of the set. That a module uses those that
it declares is no import: it is what a folder's face is for. The check fails where there is more than the limits below
allow; with --list it says what there is, and how large each crate is.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# What is reached. Lower them when you can, never raise them.
MOST_CIRCLES = 0
MOST_TWICE = 0.03

ROOT = Path(__file__).resolve().parent.parent
# Programs that measure, and tests.
LEFT_OUT = {"bench", "benches", "fuzz", "tests", "examples", "build"}


def is_production(path):
    parts = Path(path).parts
    return path.endswith(".rs") and not LEFT_OUT & set(parts) and not parts[-1].endswith("tests.rs")


def without_tests(text):
    """The lines of a file without its test modules and the `mod tests;` that names one."""
    kept, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        module = re.match(r"( *)(pub(\(\w+\))? )?mod \w+ ?([{;])", following)
        if lines[at].strip() == "#[cfg(test)]" and module:
            at += 2
            if module[4] == "{":
                while at < len(lines) and not lines[at].startswith(module[1] + "}"):
                    at += 1
                at += 1
            continue
        kept.append(lines[at])
        at += 1
    return kept


def code_of(lines):
    """The code without comments, and with the texts in it left empty."""
    code = "\n".join(line for line in lines if not line.strip().startswith("//"))
    code = re.sub(r'r(#+)".*?"\1', '""', code, flags=re.S)
    code = re.sub(r"'(\\.|[^\\'])'", "' '", code)
    code = re.sub(r'"(\\.|[^"\\])*"', '""', code, flags=re.S)
    return re.sub(r"//.*", "", code)


def modules_of(root):
    """Module paths below the file `root`, each with its file, as far as `mod` says."""
    found = {}

    def read(path, file, folder):
        found[path] = file
        inside = []
        code = code_of(without_tests((ROOT / file).read_text()))
        for line in code.split("\n"):
            if opened := re.match(r"\s*(?:pub(?:\([\w: ]+\))? )?mod (\w+) \{", line):
                inside.append(opened[1])
                found.setdefault((*path, *inside), file)
            elif inside and re.match(r"\}", line):
                inside.pop()
            elif named := re.match(r"\s*(?:pub(?:\([\w: ]+\))? )?mod (\w+);", line):
                place = folder.joinpath(*inside, named[1])
                for candidate in (place.with_suffix(".rs"), place / "mod.rs"):
                    if (ROOT / candidate).exists():
                        read((*path, *inside, named[1]), str(candidate), place)

    read((), root, Path(root).parent)
    return found


def paths_in(tree, before=()):
    """The paths that a `use` tree names, each with the name it has here."""
    tree = tree.strip()
    if group := re.fullmatch(r"((?:[\w]+\s*::\s*)*)\{(.*)\}", tree, flags=re.S):
        before = (*before, *re.findall(r"\w+", group[1]))
        depth, part = 0, ""
        for letter in group[2] + ",":
            depth += (letter == "{") - (letter == "}")
            if letter == "," and depth == 0:
                if part.strip():
                    yield from paths_in(part, before)
                part = ""
            else:
                part += letter
        return
    path, _, name = tree.partition(" as ")
    path = (*before, *re.findall(r"\w+|\*", path))
    if path and path[-1] == "self":
        path = path[:-1]
    if path:
        yield path, name.strip() or path[-1]


class Crate:
    def __init__(self, root):
        self.files = modules_of(root)
        self.code = {file: code_of(without_tests((ROOT / file).read_text())) for file in set(self.files.values())}
        self.uses = {path: self.read_uses(path) for path in self.files}

    def read_uses(self, path):
        uses = {}
        for statement in re.findall(r"^\s*(?:pub(?:\([\w: ]+\))? )?use ([^;]*);", self.code[self.files[path]], flags=re.M):
            for target, name in paths_in(statement):
                uses[name] = target
        return uses

    def absolute(self, path, target):
        """The path from the crate's root of what is called `target` in the module `path`; None where it is another's."""
        target, at = list(target), list(path)
        if target[0] == "crate":
            return tuple(target[1:])
        if target[0] in ("self", "super"):
            while target and target[0] in ("self", "super"):
                at = at[:-1] if target.pop(0) == "super" else at
            return (*at, *target)
        return (*path, *target) if (*path, target[0]) in self.files else None

    def file_of(self, target, seen=()):
        """The file that defines `target`, through what modules hand on."""
        for length in range(len(target), -1, -1):
            module = target[:length]
            if module not in self.files:
                continue
            if length < len(target):
                name = target[length]
                handed_on = self.uses[module].get(name)
                if handed_on and (module, name) not in seen:
                    onward = self.absolute(module, handed_on)
                    if onward is not None:
                        return self.file_of((*onward, *target[length + 1 :]), (*seen, (module, name)))
                    return None
            return self.files[module]
        return None

    def imports(self):
        """For each file, the others whose definitions it uses."""
        found = defaultdict(set)
        for path, file in self.files.items():
            code = self.code[file]
            declared = {other for below, other in self.files.items() if below[:-1] == path and below}
            targets = [target for target in self.uses[path].values()]
            for words in re.findall(r"\b((?:crate|self|super)(?:::\w+)+)", code):
                targets.append(tuple(words.split("::")))
            named = {name: target for name, target in self.uses[path].items()}
            for words in re.findall(r"(?<![\w:])([a-z_]\w*(?:::\w+)+)", re.sub(r"^\s*(pub(\([\w: ]+\))? )?use [^;]*;", "", code, flags=re.M)):
                first, *rest = words.split("::")
                if first in named:
                    targets.append((*named[first], *rest))
                elif (*path, first) in self.files:
                    targets.append(("self", first, *rest))
            for target in targets:
                absolute = self.absolute(path, target)
                # A module by its name alone is no definition yet.
                if absolute is None or absolute in self.files:
                    continue
                other = self.file_of(absolute)
                if other and other != file and other not in declared:
                    found[file].add(other)
        return found


def circles_of(imports):
    """The sets of files that import each other (Tarjan's strongly connected components)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in imports.get(file, ()):
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            circle = [stack.pop()]
            while circle[-1] != file:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(sorted(circle))

    sys.setrecursionlimit(10_000)
    for file in sorted(set(imports)):
        if file not in index:
            visit(file)
    return found


def main():
    wants_list = "--list" in sys.argv[1:]
    listed = subprocess.run(["git", "ls-files", "*.rs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [file for file in listed.split() if is_production(file) and (ROOT / file).exists()]
    circles = []
    for root in files:
        if re.search(r"(^|/)src/(lib|main)\.rs$", root):
            crate = Crate(root)
            imports = crate.imports()
            for circle in circles_of(imports):
                circles.append((circle, imports))
    known = set()
    circles = [(circle, imports) for circle, imports in circles if not (tuple(circle) in known or known.add(tuple(circle)))]
    places, sizes = defaultdict(list), defaultdict(lambda: [0, 0])
    public = 0
    for file in files:
        lines = [line for line in without_tests((ROOT / file).read_text()) if line.strip() and not line.strip().startswith("//")]
        size = sizes[file.split("/src/")[0] if "/src/" in file else "."]
        size[0], size[1] = size[0] + 1, size[1] + len(lines)
        for line in lines:
            if name := re.match(r"(\s*)(pub |pub\([\w: ]+\) )?(?:struct|enum|trait|union|type) (\w+)", line):
                if not (name[1] and " type " in f" {line.strip()} " and not name[2]):
                    places[name[3]].append(file)
                public += name[2] == "pub "
    twice = {name: where for name, where in places.items() if len(where) > 1}
    share = len(twice) / len(places)
    print(f"{len(circles)} circles between files, {share:.1%} of {len(places)} type names taken twice")
    if wants_list or len(circles) > MOST_CIRCLES:
        for circle, imports in circles:
            print(f"  circle of {len(circle)}:")
            for file in circle:
                others = sorted(other for other in imports[file] if other in circle)
                print(f"    {file} -> {', '.join(others)}")
    if wants_list or share > MOST_TWICE:
        for name, where in sorted(twice.items()):
            print(f"  {name}: {', '.join(where)}")
    if wants_list:
        for crate, (count, lines) in sorted(sizes.items()):
            print(f"  {crate}: {count} files, {lines} code lines")
        print(f"  in all: {len(files)} files, {sum(size[1] for size in sizes.values())} code lines, {public} public types")
    if len(circles) > MOST_CIRCLES or share > MOST_TWICE:
        sys.exit(f"limits: {MOST_CIRCLES} circles, {MOST_TWICE:.0%} of the names (scripts/check-house.py)")


if __name__ == "__main__":
    main()
