"""Every attack that is kept, counted by what it tries.

    python bench/attacks.py [DATA, which it does not need] [--write]

Runs the tests of each class and counts the attacks among them and those that got through. `bench/kills.py`,
`bench/fuzz.py`, `bench/memory.py` and `bench/sequences.py` try more of four classes for longer.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "attacks.md"

CLASSES: Final[Mapping[str, tuple[str, ...]]] = {
    "hostile repositories run nothing": (
        "attacks/test_hostile_repositories.py", "attacks/test_one_runner.py",
    ),
    "forged statements": ("attacks/test_forgery.py",),
    "outsiders' decisions": ("attacks/test_outsiders.py",),
    "memory, time and floods of facts": ("attacks/test_bounds.py",),
    "words and counts of sources that may not be read": (
        "attacks/test_oracle.py", "attacks/test_shares.py", "attacks/test_tokens.py",
    ),
    "invisible text": ("attacks/test_invisible.py",),
    "undoing after any sequence": (
        "attacks/test_sequences.py", "compactor/test_undoing.py", "compactor/test_reviving.py",
    ),
    "secrets": ("attacks/test_secrets.py", "substrate/test_secrets.py"),
    "kills": ("compactor/test_kills.py",),
    "commands at once": ("compactor/test_others_meanwhile.py",),
    "damaged and foreign files": ("substrate/test_brain.py",),
    "raw HTTP": ("surfaces/test_http_hostile.py",),
}  # fmt: skip


class Tried(NamedTuple):
    """What a class of attacks came to."""

    attacks: int
    through: int
    seconds: float


def tried(paths: tuple[str, ...]) -> Tried:
    """Run the tests in *paths*; one that fails or does not run is an attack that got through."""
    started = time.perf_counter()
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        tests = [f"tests/{path}" for path in paths]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", f"--junitxml={report}", *tests]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False)
        suites = ET.parse(report).getroot().iter("testsuite")  # noqa: S314  our own
        counts = [{name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors")} for suite in suites]
    through = sum(one["failures"] + one["errors"] for one in counts)
    return Tried(sum(one["tests"] for one in counts), through, time.perf_counter() - started)


def main() -> None:
    """Run, print, and write where asked; fails where an attack got through."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", nargs="?", help="not needed")
    options.add_argument("--write", action="store_true", help=f"keep the result in {RESULTS.name}")
    given = options.parse_args()
    found = {name: tried(paths) for name, paths in CLASSES.items()}
    text = table(found)
    print(text)
    if given.write:
        RESULTS.write_text(text, "utf-8")
    sys.exit(any(one.through or not one.attacks for one in found.values()))


def table(found: Mapping[str, Tried]) -> str:
    """The counts as Markdown."""
    lines = [
        "# Attacks",
        "",
        f"The tests that keep each class of attack, one attack a test at least. Python {platform.python_version()}.",
        "",
        "| class | tests | got through | s |",
        "|---|---:|---:|---:|",
        *(f"| {name} | {one.attacks:,} | {one.through} | {one.seconds:.0f} |" for name, one in found.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
