"""Checks built binaries before they are given away: what they ask of a machine, and their sizes."""

import re
from pathlib import Path

from platforms import GLIBC, Platform, run_for_output

# What plantune may link when it starts: DuckDB's library, and what every Linux has.
SHARED = r"libduckdb\.so|lib(c|m|dl|pthread|rt|gcc_s|util)\.so\.\d|ld-linux-.*|(libc|ld)[.-]musl-.*"

# The bound of the hook (docs/development/benchmarks.md), and of all packages that plantune itself ships.
HOOK_BYTES = 2_621_440
PACKED_BYTES = 12_000_000


def check_binaries(platform: Platform, stage: Path) -> list[str]:
    """What is wrong with the binaries in `stage`, a line a fault."""
    plantune, hook = stage / "bin/plantune", stage / "bin/plantune-hook"
    faults = []
    if (size := hook.stat().st_size) > HOOK_BYTES:
        faults.append(f"{hook.name} has {size:,} bytes, more than {HOOK_BYTES:,}")
    # Builds for development alone know it (hooks/domain/src/events/clock.rs).
    faults += [f"{program.name} lets its environment set the clock"
               for program in (plantune, hook) if b"PLANTUNE_NOW" in program.read_bytes()]
    if platform.os != "linux":
        return faults
    faults += check_program(platform, plantune)
    if re.search(r"\b(INTERP|DYNAMIC)\b", readelf("--program-headers", hook)):
        faults.append(f"{hook.name} is not linked statically")
    return faults


def check_program(platform: Platform, plantune: Path) -> list[str]:
    """What is wrong with how `plantune` is linked."""
    faults = []
    dynamic = readelf("--dynamic", plantune)
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not re.fullmatch(SHARED, library):
            faults.append(f"{plantune.name} links {library}, which not every machine has")
    paths = [path for found in re.findall(r"\(RUNPATH\).*\[(.*)\]", dynamic) for path in found.split(":")]
    if not any(path.endswith(platform.bindings) for path in paths):
        faults.append(f"{plantune.name} does not look for {platform.bindings}")
    for path in paths:
        if not path.startswith("$ORIGIN"):
            faults.append(f"{plantune.name} looks for libraries in {path}, which is this machine's own")
    if platform.libc == "glibc":
        newest = max(glibc_versions(plantune), key=as_numbers)
        if as_numbers(newest) > as_numbers(GLIBC):
            faults.append(f"{plantune.name} asks for glibc {newest}, newer than {GLIBC}")
    return faults


def glibc_versions(binary: Path) -> set[str]:
    """The versions of the GNU C library that the symbols of `binary` name."""
    return set(re.findall(r"Name: GLIBC_([\d.]+)", readelf("--version-info", binary)))


def as_numbers(version: str) -> tuple[int, ...]:
    """For comparing: 2.9 is older than 2.25."""
    return tuple(int(number) for number in version.split("."))


def readelf(what: str, binary: Path) -> str:
    """What binutils read from `binary`."""
    return run_for_output("readelf", "--wide", what, binary)


def check_packages(packages: list[Path]) -> list[str]:
    """What is wrong with the packed packages of one platform."""
    size = sum(package.stat().st_size for package in packages)
    return [f"the packages have {size:,} bytes, more than {PACKED_BYTES:,}"] if size > PACKED_BYTES else []
