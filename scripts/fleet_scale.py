#!/usr/bin/env python3
"""Measures `plantune-fleet` on lakes of made-up machines: docs/development/fleet-scale.md has the figures.

    fleet_scale.py PROGRAM GENERATOR FOLDER report EVENTS [EVENTS ...]
    fleet_scale.py PROGRAM GENERATOR FOLDER compact DAYS [EVENTS [MEMORY]]     of a machine on a day, 200; such as 1GB
    fleet_scale.py PROGRAM GENERATOR FOLDER run LAKE WORD ...     one command on a lake that `make fleet-lake` made

`report` makes a lake of each size, merged by day, and reports on all of its days and on eight weeks: of all events, then of
what `prepare` computed, which must say the same.
`compact` makes one of 1,000 machines with a file each a day, and reports before and after it is merged, with so much memory.
Printed of each run: wall and processor seconds (children included), the most memory in megabytes, the most
that lay in the temporary folder, and the load of the machine before it.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

MEGA = 1_000_000


def size_of(folder):
    """Bytes below a folder whose files may vanish meanwhile, as the disk holds them."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_blocks * 512
            except FileNotFoundError:
                pass
    return total


class Watch(threading.Thread):
    """The most that a folder held."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.most, self.over = folder, 0, threading.Event()

    def run(self):
        while not self.over.wait(0.2):
            self.most = max(self.most, size_of(self.folder))


def measured(words, home, temporary):
    """Runs a command; its output and what it took."""
    variables = {"HOME": str(home), "PLANTUNE_ALLOW_UNATTENDED": "1", "TMPDIR": str(temporary), "PATH": os.environ["PATH"]}
    for kept in ("LD_LIBRARY_PATH", "PLANTUNE_FLEET_SPARK_TOKEN"):
        if kept in os.environ:
            variables[kept] = os.environ[kept]
    load = os.getloadavg()[0]
    watch = Watch(temporary)
    watch.start()
    with tempfile.TemporaryFile() as out:
        began = time.monotonic()
        child = os.posix_spawn(words[0], words, variables, file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
        _, status, used = os.wait4(child, 0)
        wall = time.monotonic() - began
        out.seek(0)
        text = out.read().decode()
    watch.over.set()
    if status != 0:
        sys.exit(f"{' '.join(words)}: failed ({os.waitstatus_to_exitcode(status)})")
    return text, {
        "wall": wall,
        "processor": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * 1024 / MEGA,
        "temporary": watch.most / MEGA,
        "load": load,
    }


class Lake:
    """A lake in a folder, and the home of one who reads it."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, pathlib.Path(folder)
        self.home, self.temporary = self.folder / "home", self.folder / "tmp"

    def make(self, *words):
        """Made anew, with `words` for the generator; what it says of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in (self.folder / "lake", self.home, self.temporary):
            folder.mkdir(parents=True)
        self.run("init", str(self.folder / "lake"), "--yes", show=False)
        words = [self.tools.generator, str(self.folder / "lake"), *words]
        text, took = measured(words, self.home, self.temporary)
        row("make " + " ".join(words[2:]), took)
        return json.loads(text)

    def run(self, *words, show=True):
        text, took = measured([self.tools.program, *words], self.home, self.temporary)
        if show:
            row(" ".join(words), took)
        return text

    def report(self, *words, prepared=False):
        """What must be the same however the lake lies, and whether it was computed before."""
        report = json.loads(self.run("report", "--json", *words))
        lake = report.pop("lake")
        if ("computed_at" in lake) != prepared or "not_used" in lake:
            sys.exit(f"not what it should rest on: {lake}")
        print(f"| | {lake['files']} files, {lake['rows']} rows, {lake['events']} events | | | | | |", flush=True)
        if lake["skipped"] or lake["missing_files"]:
            sys.exit(f"files were skipped or are missing: {lake}")
        return report


def row(what, took):
    figures = [f"{took[name]:.1f}" for name in ("wall", "processor")]
    figures += [f"{took[name]:.0f}" for name in ("memory", "temporary")] + [f"{took['load']:.1f}"]
    print(f"| `{what}` | " + " | ".join(figures) + " |", flush=True)


def head():
    print("| | wall s | processor s | memory MB | temporary MB | load |\n| --- | --- | --- | --- | --- | --- |")


def reports(tools):
    for events in tools.rest:
        lake = Lake(tools, pathlib.Path(tools.folder) / f"events-{events}")
        made = lake.make("--events", events)
        print(f"| | {made['bytes'] / made['rows']:.1f} bytes an event, {made['files']} files | | | | | |")
        periods = [("--since", "2000-01-01"), ()]
        expected = [lake.report(*period) for period in periods]
        sys.stderr.write(lake.run("prepare"))
        print(f"| | {size_of(lake.folder / 'lake/projections') / MEGA:.1f} MB | | | | | |")
        if [lake.report(*period, prepared=True) for period in periods] != expected:
            sys.exit("the report says something else of what was computed before")
        if lake.report("--fresh") != expected[1]:
            sys.exit("the report says something else of all events")
        shutil.rmtree(lake.folder)


def compaction(tools):
    days, events = int(tools.rest[0]), int((tools.rest[1:] or ["200"])[0])
    memory = [f"--memory={size}" for size in tools.rest[2:]]
    lake = Lake(tools, pathlib.Path(tools.folder) / f"days-{days}")
    made = lake.make("--pushed", "--machines", "1000", "--days", str(days), "--events", str(1_000 * events * days))
    print(f"| | {made['bytes'] / made['rows']:.1f} bytes an event, {made['files']} files | | | | | |")
    before = lake.report("--since", "2000-01-01")
    lake.run("status")
    lake.run("compact", *memory)
    if lake.report("--since", "2000-01-01") != before:
        sys.exit("the report says something else after the files were merged")
    lake.run("status")
    print(f"| | {size_of(lake.folder / 'lake') / made['rows']:.1f} bytes an event merged | | | | | |")
    shutil.rmtree(lake.folder)


def one(tools):
    lake = Lake(tools, tools.rest[0])
    lake.temporary.mkdir(exist_ok=True)
    sys.stderr.write(lake.run(*tools.rest[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "generator", "folder"):
        parser.add_argument(name)
    parser.add_argument("what", choices=["report", "compact", "run"])
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    tools = parser.parse_args()
    tools.program, tools.generator = os.path.abspath(tools.program), os.path.abspath(tools.generator)
    head()
    {"report": reports, "compact": compaction, "run": one}[tools.what](tools)


if __name__ == "__main__":
    main()
