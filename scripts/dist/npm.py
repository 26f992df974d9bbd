"""Packs the packages for npm: the launcher, and for each platform one with the two binaries."""

import json
import re
import shutil
from pathlib import Path

from build import put
from parts import duckdb_version, version
from platforms import PLATFORMS, ROOT, Platform, run

SOURCES = ROOT / "packaging/npm"
SCOPE = "@plantune/cli"
REPOSITORY = "https://github.com/plantune/plantune"


def manifest(name: str, description: str, **more) -> dict:
    """What all the packages' manifests have."""
    repository = {"type": "git", "url": f"git+{REPOSITORY}.git"}
    return {
        "name": name,
        "version": version(),
        "description": description,
        "license": "MIT",
        "repository": repository,
        "publishConfig": {"access": "public"},
        **more,
    }


def launcher(out: Path) -> Path:
    """Packs `plantune`, which is the same on every platform."""
    folder = fresh(out / "plantune")
    put(SOURCES / "plantune.js", folder / "bin/plantune.js", 0o755)
    (folder / "README.md").write_text(readme())
    put(ROOT / "LICENSE", folder / "LICENSE", 0o644)
    package = manifest(
        "plantune",
        "Learns which questions a coding agent need not ask",
        keywords=["claude-code", "coding-agent", "hooks", "cli"],
        bin={"plantune": "bin/plantune.js"},
        engines={"node": ">=18"},
        optionalDependencies={f"{SCOPE}-{one.name}": version() for one in PLATFORMS},
    )
    return pack(folder, package, out)


def readme() -> str:
    """The repository's README, whose links lead to the repository from everywhere; pictures as they are drawn there."""
    text = (ROOT / "README.md").read_text()
    text = re.sub(r"(!\[[^\]]*\]\()(?!http)", rf"\1{REPOSITORY}/raw/main/", text)
    return re.sub(r"(\]\()(?!http)", rf"\1{REPOSITORY}/blob/main/", text)


def for_platform(platform: Platform, stage: Path, out: Path) -> Path:
    """Packs the binaries in `stage`. DuckDB's library comes as its makers publish it."""
    name = f"{SCOPE}-{platform.name}"
    folder = fresh(out / name)
    for binary in ("plantune", "plantune-hook"):
        put(stage / "bin" / binary, folder / "bin" / binary, 0o755)
    for text in ("LICENSE", "THIRD-PARTY-LICENSES"):
        put(stage / text, folder / text, 0o644)
    about = f"The programs of [plantune](https://github.com/plantune/plantune) for {platform.name}. "
    (folder / "README.md").write_text(f"# {name}\n\n{about}Install `plantune`, which asks for it.\n")
    libc = {"libc": [platform.libc]} if platform.libc else {}
    package = manifest(
        name,
        f"The programs of plantune for {platform.name}",
        os=[platform.os],
        cpu=[platform.cpu],
        **libc,
        # Its files are found by their paths; zipped, as some package managers keep packages, they are not.
        preferUnplugged=True,
        dependencies={platform.bindings: duckdb_version()},
    )
    return pack(folder, package, out)


def fresh(folder: Path) -> Path:
    """An empty `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def pack(folder: Path, package: dict, out: Path) -> Path:
    """Writes the manifest and packs `folder`; npm gives all files one date."""
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n")
    run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", out, cwd=folder)
    name = package["name"].removeprefix("@").replace("/", "-")
    return out / f"{name}-{package['version']}.tgz"
