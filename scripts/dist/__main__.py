"""Builds what plantune is given away as, for the platform it runs on: `python3 scripts/dist [what …]`.

build     the binaries and what goes with them, and checks them
npm       the launcher's package and this platform's
tarball   plantune-<version>-<target>.tar.gz with install.sh
deb       a package for Debian
parts     the list of parts (CycloneDX)
Without words: all that this platform can. Everything lands below <build folder>/dist/<version>.
"""

import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import archives  # noqa: E402
import npm  # noqa: E402
from build import profile, stage, target_folder  # noqa: E402
from check import check_binaries, check_packages  # noqa: E402
from parts import bill_of_materials, version  # noqa: E402
from platforms import this_platform  # noqa: E402

KINDS = ("build", "npm", "tarball", "deb", "parts")


def main(words: list[str]) -> None:
    """Makes what `words` name."""
    if unknown := [word for word in words if word not in KINDS]:
        raise SystemExit(f"dist: {unknown[0]} is none of {', '.join(KINDS)}\n\n{__doc__}")
    platform, out = this_platform(), target_folder() / "dist" / version()
    staged = stage(platform, out / "stage")
    stop_at(check_binaries(platform, staged))
    made: list[Path] = []
    if not words or "npm" in words:
        packages = [npm.launcher(out), npm.for_platform(platform, staged, out)]
        if profile() == "release":
            stop_at(check_packages(packages))
        made += packages
    if not words or "tarball" in words:
        made.append(archives.tarball(platform, staged, out))
    if "deb" in words or not words and platform.libc == "glibc" and shutil.which("dpkg-deb"):
        made.append(archives.debian_package(platform, staged, out))
    if not words or "parts" in words:
        bill = out / f"plantune-{version()}-{platform.target}.cdx.json"
        bill.write_text(bill_of_materials(platform))
        made.append(bill)
    for path in made:
        path.with_name(f"{path.name}.sha256").write_text(f"{archives.sha256(path)}  {path.name}\n")
        print(f"{path.stat().st_size:>12,}  {path}")


def stop_at(faults: list[str]) -> None:
    """Ends the program when there are any."""
    if faults:
        raise SystemExit("".join(f"dist: {fault}\n" for fault in faults).rstrip())


main(sys.argv[1:])
