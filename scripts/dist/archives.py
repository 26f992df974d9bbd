"""A tarball with install.sh, and a package for Debian; the same bytes from the same files."""

import gzip
import hashlib
import io
import os
import shutil
import tarfile
from pathlib import Path

from build import put
from npm import fresh
from parts import version
from platforms import GLIBC, ROOT, Platform, run, run_for_output

DEBIAN_CPU = {"x64": "amd64", "arm64": "arm64"}


def source_date() -> int:
    """When the sources were committed, in seconds since 1970: the date of all that is packed."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or run_for_output("git", "log", "-1", "--format=%ct", cwd=ROOT))


def tarball(platform: Platform, stage: Path, out: Path) -> Path:
    """Packs `stage` with install.sh and the checksums that it verifies."""
    name = f"plantune-{version()}-{platform.target}"
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(stage, folder)
    put(ROOT / "packaging/install.sh", folder / "install.sh", 0o755)
    (folder / "SHA256SUMS").write_text(checksums(folder))
    archive = out / f"{name}.tar.gz"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted([folder, *folder.rglob("*")]):
            tar.add(path, path.relative_to(out), recursive=False, filter=anonymous)
    archive.write_bytes(gzip.compress(packed.getvalue(), compresslevel=6, mtime=0))
    shutil.rmtree(folder)
    return archive


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without what differs between two machines: owner, date, the umask's traces."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mtime = source_date()
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def checksums(folder: Path) -> str:
    """A line a file, as `sha256sum --check` and `shasum` read them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = (f"{sha256(path)}  {path.relative_to(folder)}\n" for path in files)
    return "".join(lines)


def sha256(path: Path) -> str:
    """The hash of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def debian_package(platform: Platform, stage: Path, out: Path) -> Path:
    """Packs `stage` for Debian and its kin. DuckDB's library is not in Debian, and lies in a folder of ours."""
    cpu = DEBIAN_CPU[platform.cpu]
    folder = fresh(out / f"plantune_{version()}_{cpu}")
    shutil.copytree(stage / "bin", folder / "usr/bin")
    library = folder / "usr/lib/plantune" / platform.library
    put(stage / "lib/plantune" / platform.library, library, 0o644)
    shutil.copytree(stage / "share", folder / "usr/share")
    # Where Debian's policy has zsh's and compressed manual pages.
    (folder / "usr/share/zsh/site-functions").rename(folder / "usr/share/zsh/vendor-completions")
    for page in sorted((folder / "usr/share/man/man1").iterdir()):
        put_compressed(page.read_bytes(), page.with_name(f"{page.name}.gz"))
        page.unlink()
    documents = folder / "usr/share/doc/plantune"
    documents.mkdir(parents=True)
    texts = [stage / "LICENSE", stage / "lib/plantune/LICENSE", stage / "THIRD-PARTY-LICENSES"]
    titles = ["plantune", "DuckDB (usr/lib/plantune)", "Crates"]
    parts = (f"{title}\n\n{text.read_text()}" for title, text in zip(titles, texts))
    (documents / "copyright").write_text("\n\n".join(parts))
    put_compressed((ROOT / "CHANGELOG.md").read_bytes(), documents / "changelog.gz")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    control = (ROOT / "packaging/debian-control").read_text()
    control = control.format(version=version(), cpu=cpu, glibc=GLIBC, size=size // 1024)
    (folder / "DEBIAN").mkdir()
    (folder / "DEBIAN/control").write_text(control)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
    archive = out / f"{folder.name}.deb"
    env = {"SOURCE_DATE_EPOCH": str(source_date())}
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", folder, archive, env=env)
    shutil.rmtree(folder)
    return archive


def put_compressed(content: bytes, target: Path) -> None:
    """Writes `content` as gzip, without a name or a date in it."""
    target.write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
