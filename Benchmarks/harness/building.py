"""Builds what is measured."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _lines(*command: str | Path) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _release_folder() -> Path:
    return Path(_lines("swift", "build", "-c", "release", "--show-bin-path"))


def server() -> Path:
    """The server as it is shipped."""
    print("$ Scripts/release", flush=True)
    subprocess.run([ROOT / "Scripts" / "release"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return _release_folder() / "hearth"


def product(name: str) -> Path:
    """Another product of the package, with the options of the server."""
    flags = _lines(ROOT / "Scripts" / "release-flags").split()
    subprocess.run(["swift", "build", "-c", "release", *flags, "--product", name], cwd=ROOT, check=True)
    return _release_folder() / name


def floor(program: Path, folder: str, *libraries: str, with_sqlite: bool = False):
    """Compiles a floor: the C files of a folder, with libraries that pkg-config knows, and the server's SQLite."""
    flags = _lines("pkg-config", "--cflags", "--libs", *libraries).split() if libraries else []
    sources = sorted((ROOT / "Benchmarks" / folder).glob("*.c"))
    if with_sqlite:
        sqlite = ROOT / "Sources" / "CSQLite"
        library = program.parent / "CSQLite.o"
        print("$ cc -O2 -c Sources/CSQLite/CSQLite.c", flush=True)
        subprocess.run(["cc", "-O2", "-c", sqlite / "CSQLite.c", "-o", library], check=True)
        sources.append(library)
        flags += ["-I", sqlite / "include", "-lm"]
    print(f"$ cc -O2 Benchmarks/{folder}/*.c {' '.join(map(str, flags))}", flush=True)
    options = ["-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *options, *sources, "-o", program, *flags, "-lpthread"], check=True)
