"""The platforms that plantune comes for, and what differs between them."""

import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The oldest GNU C library that the program runs with. DuckDB's library asks for this one as well.
GLIBC = "2.25"


@dataclass(frozen=True)
class Platform:
    """`name` as packages for Node.js say it, `target` as Rust says it."""

    name: str
    target: str

    @property
    def os(self) -> str:
        return self.name.split("-")[0]

    @property
    def cpu(self) -> str:
        return self.name.split("-")[1]

    @property
    def libc(self) -> str | None:
        if self.os != "linux":
            return None
        return "musl" if self.name.endswith("-musl") else "glibc"

    @property
    def library(self) -> str:
        return "libduckdb.dylib" if self.os == "darwin" else "libduckdb.so"

    @property
    def bindings(self) -> str:
        """The package that holds DuckDB's library."""
        return f"@duckdb/node-bindings-{self.name}"


PLATFORMS = [
    Platform("linux-x64", "x86_64-unknown-linux-gnu"),
    Platform("linux-arm64", "aarch64-unknown-linux-gnu"),
    Platform("linux-x64-musl", "x86_64-unknown-linux-musl"),
    Platform("linux-arm64-musl", "aarch64-unknown-linux-musl"),
    Platform("darwin-arm64", "aarch64-apple-darwin"),
    Platform("darwin-x64", "x86_64-apple-darwin"),
]


def this_platform() -> Platform:
    """The platform of this machine; ends the program where there is none."""
    host = run_for_output("rustc", "-vV").split("host: ")[1].split()[0]
    for one in PLATFORMS:
        if one.target == host:
            return one
    raise SystemExit(f"dist: no packages are built on {host} ({platform.system()})")


def run(*command: str | Path, **options) -> None:
    """Runs `command` and ends the program when it fails."""
    env = {**os.environ, **options.pop("env", {})}
    words = [str(word) for word in command]
    if subprocess.run(words, env=env, **options).returncode != 0:
        raise SystemExit(f"dist: failed: {' '.join(words)}")


def run_for_output(*command: str | Path, **options) -> str:
    """What `command` prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"dist: failed: {' '.join(words)}")
    return done.stdout
