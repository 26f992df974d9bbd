#!/usr/bin/env python3
"""Puts the plugin together as it is given away: what lies in plugin/, and the hook for each platform.

assemble_plugin.py FOLDER PLATFORM=PROGRAM [PLATFORM=PROGRAM …]

FOLDER is made anew. It is a plugin and a marketplace of its own: `claude plugin marketplace add FOLDER`.
With one platform its entries start the program itself; with more, a script that chooses.
"""

import json
import shutil
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# What plugin/hooks/plantune-hook looks for, and the processor in the program's header: of ELF, of Mach-O.
PLATFORMS = {
    "linux-x64": ("elf", 62),
    "linux-arm64": ("elf", 183),
    "darwin-x64": ("macho", 0x01000007),
    "darwin-arm64": ("macho", 0x0100000C),
}

# The type of the part of an ELF file that names the loader.
PROGRAM_INTERPRETER = 3


def kind(program: bytes) -> tuple[str, int] | None:
    """The format of a 64-bit little-endian program, and its processor."""
    if program[:6] == b"\x7fELF\x02\x01":
        return "elf", struct.unpack_from("<H", program, 18)[0]
    if program[:4] == b"\xcf\xfa\xed\xfe":
        return "macho", struct.unpack_from("<I", program, 4)[0]
    return None


def is_static(elf: bytes) -> bool:
    """Whether the program needs no loader, so that any Linux runs it, whatever its C library."""
    start, size, count = struct.unpack_from("<Q", elf, 32)[0], *struct.unpack_from("<HH", elf, 54)
    types = (struct.unpack_from("<I", elf, start + size * at)[0] for at in range(count))
    return PROGRAM_INTERPRETER not in types


def fault(platform: str, program: bytes) -> str | None:
    """Why the program cannot stand for the platform."""
    if platform not in PLATFORMS:
        return f"is for none of {', '.join(PLATFORMS)}"
    if kind(program) != PLATFORMS[platform]:
        return f"is no program for {platform}"
    if platform.startswith("linux") and not is_static(program):
        return "is not linked statically: build it as the Makefile does"
    return None


def assemble(folder: Path, programs: dict[str, Path]) -> None:
    if folder.exists() and not (folder / ".claude-plugin/plugin.json").is_file():
        sys.exit(f"{folder} is there and no plugin: it is left as it is")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "plugin", folder)
    shutil.copy(ROOT / "LICENSE", folder)
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    market["plugins"][0]["source"] = "./"
    (folder / ".claude-plugin/marketplace.json").write_text(json.dumps(market, indent=2) + "\n")
    for platform, program in programs.items():
        copy = folder / "hooks" / platform / "plantune-hook"
        copy.parent.mkdir()
        shutil.copyfile(program, copy)
    if len(programs) == 1:
        name_program(folder / "hooks/hooks.json", *programs)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.name == "plantune-hook" else 0o644)


def name_program(hooks: Path, platform: str) -> None:
    """Has the entries start the one program there is, without the script that chooses one.

    The script stays: a session that runs may have read entries that name it.
    """
    text = hooks.read_text()
    script, program = "/hooks/plantune-hook", f"/hooks/{platform}/plantune-hook"
    hooks.write_text(text.replace(f'"${{CLAUDE_PLUGIN_ROOT}}{script}"', f'"${{CLAUDE_PLUGIN_ROOT}}{program}"'))


def main() -> None:
    words = [word.partition("=") for word in sys.argv[2:]]
    if not words or not all(program for _, _, program in words):
        sys.exit(__doc__.strip())
    programs = {platform: Path(program) for platform, _, program in words}
    for platform, program in programs.items():
        if found := fault(platform, program.read_bytes()):
            sys.exit(f"{program} {found}")
    folder = Path(sys.argv[1])
    assemble(folder, programs)
    sizes = {one: program.stat().st_size for one, program in programs.items()}
    print(f"{folder}: " + ", ".join(f"{one} {size:,} bytes" for one, size in sizes.items()))


if __name__ == "__main__":
    main()
