# SPDX-License-Identifier: MIT
"""Builds the package for pip (PEP 517) with CMake and the standard library alone.

No other build tool is needed, so `pip install ./python` works without a network. The extension
module uses the stable ABI: the wheel serves Python 3.11 and all later versions.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def _version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(Saltus\s+VERSION\s+([0-9.]+)", text)
    if not found:
        raise RuntimeError("CMakeLists.txt has no version")
    return found[1]


def _metadata() -> str:
    return "\n".join(
        [
            "Metadata-Version: 2.1",
            "Name: saltus",
            f"Version: {_version()}",
            "Summary: Simulation of hybrid and structural-dynamic systems",
            "License: MIT",
            "Requires-Python: >=3.11",
            "Requires-Dist: numpy",
            "Description-Content-Type: text/markdown",
            "",
            (HERE / "README.md").read_text(encoding="utf-8"),
        ]
    )


def _tag() -> str:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"cp311-abi3-{platform}"


def _wheel() -> str:
    return f"Wheel-Version: 1.0\nGenerator: saltus\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _run(*command: str) -> None:
    print("+", *command, file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=sys.stderr)


def _build(folder: Path) -> Path:
    """The folder of the built package."""
    chosen = os.environ.get("SALTUS_BUILD_DIR")
    build = Path(chosen) if chosen else folder / "build"
    if not (build / "CMakeCache.txt").exists():
        _run(
            "cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
            "-DBUILD_TESTING=OFF", "-Wno-dev", f"-DSALTUS_PYTHON={sys.executable}",
        )  # fmt: skip
    jobs = str(len(os.sched_getaffinity(0)))
    _run("cmake", "--build", str(build), "--target", "saltus-python", "-j", jobs)
    return build / "python" / "saltus"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def get_requires_for_build_editable(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"saltus-{_version()}.dist-info"
    folder = Path(metadata_directory) / name
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(_wheel(), encoding="utf-8")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"saltus-{_version()}-{_tag()}.whl"
    info = f"saltus-{_version()}.dist-info"
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as scratch:
        package = _build(Path(scratch))
        for path in sorted((HERE / "src" / "saltus").iterdir()):
            if path.suffix in (".py", ".pyi") or path.name == "py.typed":
                files[f"saltus/{path.name}"] = path.read_bytes()
        files["saltus/_core.abi3.so"] = (package / "_core.abi3.so").read_bytes()
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _wheel().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    _write_wheel(Path(wheel_directory) / name, files, info)
    return name


def _write_wheel(path: Path, files: dict[str, bytes], info: str) -> None:
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, data)
        record.append(f"{info}/RECORD,,")
        archive.writestr(f"{info}/RECORD", "\n".join(record) + "\n")


def build_sdist(sdist_directory, config_settings=None):
    """The whole repository: the library is built from it."""
    base = f"saltus-{_version()}"
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True
    ).stdout.decode()
    path = Path(sdist_directory) / f"{base}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in filter(None, listed.split("\0")):
            archive.add(ROOT / name, f"{base}/{name}")
    return path.name
