"""What is in the binaries: the licence texts, and a CycloneDX list of parts."""

import hashlib
import json
import tomllib
import uuid
from pathlib import Path

from platforms import ROOT, Platform, run_for_output

BINARIES = ["plantune", "plantune-hooks"]

# Of its file COPYRIGHT; the licence is MIT's.
MUSL = "Copyright © 2005-2020 Rich Felker, et al."


def version() -> str:
    """plantune's own."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def duckdb_version() -> str:
    """That of the published package with DuckDB's library, from the script that fetches it."""
    script = (ROOT / "scripts/setup-libduckdb.sh").read_text()
    return next(line for line in script.splitlines() if line.startswith("version=")).split("=")[1]


class Parts:
    """The crates that are linked into the binaries for one platform: no build scripts' or tests' own."""

    def __init__(self, platform: Platform):
        targets = [platform.target]
        if is_linux(platform):
            targets.append(platform.target.replace("-gnu", "-musl"))
        words = ["cargo", "metadata", "--locked", "--format-version=1", *(f"--filter-platform={one}" for one in targets)]
        metadata = json.loads(run_for_output(*words, cwd=ROOT))
        packages = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        # The metadata has features that only the fleet asks for, and the crates behind them.
        tree = ["cargo", "tree", "--locked", "--edges=normal", "--prefix=none", "--format={p}"]
        tree += [f"--package={one}" for one in BINARIES] + [f"--target={one}" for one in targets]
        built = {tuple(line.split()[:2]) for line in run_for_output(*tree, cwd=ROOT).splitlines()}
        self.edges: dict[str, list[str]] = {}
        waiting = [id for id, package in packages.items() if package["name"] in BINARIES]
        while waiting:
            id = waiting.pop()
            if id in self.edges:
                continue
            linked = [
                dependency["pkg"]
                for dependency in nodes[id]["deps"]
                if any(kind["kind"] is None for kind in dependency["dep_kinds"])
                and not is_macro(package := packages[dependency["pkg"]])
                and (package["name"], f"v{package['version']}") in built
            ]
            self.edges[id] = linked
            waiting.extend(linked)
        chosen = [packages[id] for id in self.edges]
        self.packages = sorted(chosen, key=lambda package: (package["name"], package["version"]))

    def foreign(self) -> list[dict]:
        """Those that are not plantune's own."""
        return [package for package in self.packages if package["source"]]


def is_linux(platform: Platform) -> bool:
    """True where the hook may be linked against musl, whatever the other program is linked against."""
    return "-linux-" in platform.target


def is_macro(package: dict) -> bool:
    """True for crates that run in the compiler and are not linked."""
    return any("proc-macro" in target["kind"] for target in package["targets"])


def licence_files(package: dict) -> list[Path]:
    """The licence texts that a crate's makers ship."""
    folder = Path(package["manifest_path"]).parent
    words = ("licen", "copying", "notice", "unlicense")
    files = [path for path in folder.iterdir() if path.name.lower().startswith(words)]
    for path in list(files):
        if path.is_dir():
            files.remove(path)
            files.extend(path.iterdir())
    return sorted(path for path in files if path.is_file() and path.suffix != ".rs")


def third_party_licences(platform: Platform) -> str:
    """The licence texts of all crates in the binaries; a text that several share stands once."""
    rust = run_for_output("rustc", "--version").split()[1]
    users = {text: [f"Rust's standard library {rust}"] for text in standard_library_licences()}
    overview = [f"Rust's standard library {rust}: MIT OR Apache-2.0"]
    if is_linux(platform):
        overview.append("musl, the C library of plantune-hook: MIT")
        mit = standard_library_licences()[0]
        users[mit.replace("Copyright (c) <year> <copyright holders>", MUSL)] = ["musl"]
    for package in Parts(platform).foreign():
        name = f"{package['name']} {package['version']}"
        overview.append(f"{name}: {package['license'] or 'see its licence file'}")
        files = licence_files(package)
        texts = [file.read_text(errors="replace").strip() for file in files]
        for text in texts or [without_text(package)]:
            users.setdefault(text, []).append(name)
    head = (
        "plantune contains code of the crates below. DuckDB's library, which it links when it starts,\n"
        "is under the MIT licence; its text is in the package that it comes in.\n"
    )
    rule = "\n\n" + "-" * 80 + "\n"
    sections = [f"{', '.join(names)}\n\n{text}\n" for text, names in users.items()]
    return head + "\n" + "\n".join(overview) + "\n" + "".join(rule + one for one in sections)


def standard_library_licences() -> list[str]:
    """The texts that come with the compiler."""
    folder = Path(run_for_output("rustc", "--print", "sysroot").strip()) / "share/doc/rust/licenses"
    return [(folder / f"{name}.txt").read_text().strip() for name in ("MIT", "Apache-2.0")]


def without_text(package: dict) -> str:
    """What stands for a crate that names its licence and ships no text."""
    authors = ", ".join(package["authors"]) or f"the authors of {package['name']}"
    return f"Licensed under {package['license']} (the crate ships no text). Copyright: {authors}."


def bill_of_materials(platform: Platform) -> str:
    """All parts as CycloneDX 1.6 in JSON, the same for the same sources."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in lock}
    parts = Parts(platform)
    references = {package["id"]: reference(package) for package in parts.packages}
    components = []
    for package in parts.packages:
        if package["name"] == "plantune":
            continue
        component = {
            "type": "library",
            "bom-ref": reference(package),
            "name": package["name"],
            "version": package["version"],
            "purl": reference(package),
        }
        if package["license"]:
            # Before SPDX had operators, crates wrote `MIT/Apache-2.0`.
            expression = package["license"].replace("/", " OR ")
            component["licenses"] = [{"expression": expression}]
        if checksum := checksums.get((package["name"], package["version"])):
            component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        components.append(component)
    duckdb = f"pkg:npm/{platform.bindings.replace('@', '%40')}@{duckdb_version()}"
    components.append(
        {
            "type": "library",
            "bom-ref": duckdb,
            "name": platform.bindings,
            "version": duckdb_version(),
            "purl": duckdb,
            "licenses": [{"expression": "MIT"}],
        }
    )
    edges = {
        references[id]: sorted(references[other] for other in linked)
        for id, linked in parts.edges.items()
    }
    own = f"pkg:cargo/plantune@{version()}"
    edges[own].append(duckdb)
    main = {"type": "application", "bom-ref": own, "name": "plantune", "version": version(), "purl": own}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main | {"licenses": [{"expression": "MIT"}]}},
        "components": components,
        "dependencies": [{"ref": ref, "dependsOn": on} for ref, on in sorted(edges.items())],
    }
    digest = hashlib.sha256(json.dumps(bill, sort_keys=True).encode()).hexdigest()
    bill["serialNumber"] = f"urn:uuid:{uuid.UUID(digest[:32])}"
    return json.dumps(bill, indent=1) + "\n"


def reference(package: dict) -> str:
    """The package URL of a crate."""
    return f"pkg:cargo/{package['name']}@{package['version']}"
