"""Builds the two binaries for other people's machines, and lays out what goes with them."""

import os
import shutil
import sys
from pathlib import Path

from parts import third_party_licences
from platforms import GLIBC, ROOT, Platform, run, run_for_output

# An old C library to link with, without a machine that has one. Moved together, after a look at `check`.
TOOLS = ["cargo-zigbuild==0.24.0", "ziglang==0.15.2"]

COMPLETIONS = {
    "bash": "bash-completion/completions/plantune",
    "zsh": "zsh/site-functions/_plantune",
    "fish": "fish/vendor_completions.d/plantune.fish",
}


def target_folder() -> Path:
    """Cargo's build folder."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()


def cache_folder() -> Path:
    """Where tools are kept between runs, outside the clone."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "plantune-ci" / "tools"


def profile() -> str:
    """Cargo's profile for `plantune`: that of releases, unless tests of the packages ask for another one."""
    return os.environ.get("PLANTUNE_DIST_PROFILE") or "release"


def library_folder() -> Path:
    """Where DuckDB's library lies; `make setup` puts it there."""
    return Path(os.environ.get("DUCKDB_LIB_DIR", ROOT / ".libduckdb")).absolute()


def zig_environment() -> dict[str, str]:
    """Installs cargo-zigbuild and zig where they are missing, and says how to find them."""
    cache = cache_folder()
    tools = cache / "-".join(tool.replace("==", "-") for tool in TOOLS)
    if not (tools / "whole").exists():
        shutil.rmtree(tools, ignore_errors=True)
        run(sys.executable, "-m", "venv", tools)
        run(tools / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS)
        (tools / "whole").touch()
    return {
        "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "ZIG_GLOBAL_CACHE_DIR": str(cache / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(cache / "zig"),
        "CARGO_ZIGBUILD_CACHE_DIR": str(cache / "cargo-zigbuild"),
    }


def rust_flags() -> str:
    """Keeps the folders of this machine out of the binaries, so that two machines build the same."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    sources = sorted((home / "registry/src").glob("*"))
    return " ".join(f"--remap-path-prefix={source}=/crates" for source in sources)


def build(platform: Platform) -> tuple[Path, Path]:
    """The built `plantune` and `plantune-hook`."""
    run("cargo", "fetch", "--locked", "--quiet", cwd=ROOT)
    flags = rust_flags()
    env = {"PLANTUNE_DIST": "1", "DUCKDB_LIB_DIR": str(library_folder()), "RUSTFLAGS": flags}
    # What `plantune debug version` says it was built from; a copy of the sources without git is told by its caller.
    if "PLANTUNE_COMMIT" not in os.environ:
        describe = ("git", "describe", "--always", "--abbrev=40", "--exclude", "*", "--dirty")
        env["PLANTUNE_COMMIT"] = run_for_output(*describe, cwd=ROOT).strip()
    words = ["build", "--locked", "--profile", profile(), "--bin", "plantune", "--target"]
    if platform.libc == "glibc":
        words = ["zigbuild", *words[1:], f"{platform.target}.{GLIBC}"]
        env |= zig_environment()
    else:
        words.append(platform.target)
    if platform.libc == "musl":
        # DuckDB's library is a shared one, and so the C library has to be.
        env["RUSTFLAGS"] += " -C target-feature=-crt-static"
    run("cargo", *words, cwd=ROOT, env=env)
    # Its flags stand in the Makefile, for it is built the same way wherever it is built.
    run("make", "--no-print-directory", "hook", f"RUSTFLAGS={flags}", cwd=ROOT)
    hook = run_for_output("make", "--no-print-directory", "hook-path", cwd=ROOT).strip()
    return target_folder() / platform.target / profile() / "plantune", Path(hook)


def stage(platform: Platform, out: Path) -> Path:
    """Builds, and lays out bin/, lib/plantune/, share/ and the licences below `out`."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "bin").mkdir(parents=True)
    for built in build(platform):
        put(built, out / "bin" / built.name, 0o755)
    put(library_folder() / platform.library, out / "lib/plantune" / platform.library, 0o644)
    put(library_folder() / "LICENSE", out / "lib/plantune/LICENSE", 0o644)
    put(ROOT / "LICENSE", out / "LICENSE", 0o644)
    (out / "THIRD-PARTY-LICENSES").write_text(third_party_licences(platform))
    plantune = out / "bin/plantune"
    run(plantune, "debug", "man", out / "share/man/man1")
    for shell, place in COMPLETIONS.items():
        (out / "share" / place).parent.mkdir(parents=True)
        (out / "share" / place).write_text(run_for_output(plantune, "debug", "completions", shell))
    return out


def put(source: Path, target: Path, mode: int) -> None:
    """Copies a file, with `mode`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)
