"""Every attack that is kept, counted: python bench/attacks.py [DATA, which it does not need] [--only NAME] [--write].

Runs the tests of each class, whose tables hold the attacks, and what is too long for a test: commands at once, damaged
brains and raw HTTP. `bench/kills.py`, `bench/fuzz.py`, `bench/memory.py`, `bench/redacting.py` and `bench/sequences.py`
measure the rest on pages of their own.
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "attacks.md"
COMMANDS, AT_ONCE, DAMAGED, RAW = 255, 51, 12, 1_000

sys.path.insert(0, str(ROOT))
from cortex.substrate.secrets import redact  # noqa: E402
from tests.attacks import repositories, test_forgery, test_outsiders  # noqa: E402
from tests.attacks.secret_contexts import CONTEXTS, SEEDS, is_left, told  # noqa: E402
from tests.attacks.test_http_hostile import REQUESTS  # noqa: E402
from tests.attacks.wrecking import commands_at_once, damaged, raw_http  # noqa: E402

HEAD: Final = """# Attacks

What was tried and what got through, by `python bench/attacks.py --write`. Python {python}, {cpus} × {machine}.
Measured apart: [kills](kills.md), [memory and time of a record](memory.md), [sequences with undo](sequences.md),
[secrets](redacting.md) and [fuzzed questions](fuzz.md).

| attack | tried | got through | s |
|---|---:|---:|---:|
"""


class Tried(NamedTuple):
    """How many attacks there were, and which got through."""

    attacks: int
    through: list[str]


def of_tests(*paths: str, of: int = 0) -> Tried:
    """Run the tests in *paths*, which hold *of* attacks or one each; a test that fails is one that got through."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", f"--junitxml={report}"]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "LONG": "1"}
        subprocess.run(
            [*command, *(f"tests/{path}" for path in paths)],
            cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        cases = [*ET.parse(report).getroot().iter("testcase")]  # noqa: S314  our own
    ran = [one for one in cases if one.find("skipped") is None]
    through = [one.get("name", "") for one in ran if one.find("failure") is not None or one.find("error") is not None]
    return Tried((of or len(ran)) if ran else 0, through)


def pumps() -> Tried:
    """Pump every repetition of every pattern."""
    done = subprocess.run([sys.executable, "-m", "tests.attacks.pumps"], cwd=ROOT, check=True, capture_output=True)
    *slow, count = done.stdout.decode().splitlines()
    return Tried(int(count), slow)


ATTACKS: Final[Mapping[str, Callable[[], Tried]]] = {
    "hostile repositories, each indexed, initialised, hooked and evaluated: executions and leaks": partial(
        of_tests, "attacks/test_hostile_repositories.py", "attacks/test_one_runner.py", of=len(repositories.ATTACKS)
    ),
    "forged statements, on every surface": partial(of_tests, "attacks/test_forgery.py", of=len(test_forgery.FORGED)),
    "stories of outsiders' decisions listed as verified": partial(
        of_tests, "attacks/test_outsiders.py", of=len(test_outsiders.ATTACKS)
    ),
    "records and requests of no bound": partial(of_tests, "attacks/test_bounds.py"),
    "words of another source told by scores, of two oracles": partial(
        of_tests, "attacks/test_oracle.py", "attacks/test_shares.py", of=400
    ),
    "what else a token is told": partial(of_tests, "attacks/test_tokens.py"),
    "invisible text": partial(of_tests, "attacks/test_invisible.py"),
    "compactions undone": partial(
        of_tests, "compactor/test_undoing.py", "compactor/test_reviving.py", "attacks/test_sequences.py"
    ),
    "secrets in other contexts": lambda: Tried(
        len(CONTEXTS) * len(SEEDS), [one.text for one in told() if is_left(one.secret, redact(one.text))]
    ),
    "patterns pumped": pumps,
    "kills of a compaction": partial(of_tests, "attacks/test_kills.py"),
    f"commands on one brain, {AT_ONCE} at once": lambda: Tried(COMMANDS, commands_at_once(COMMANDS, AT_ONCE)),
    "damaged brains": lambda: Tried(3 * DAMAGED, damaged(DAMAGED)),
    "foreign and refused files": partial(of_tests, "substrate/test_brain.py"),
    "hostile HTTP requests": partial(of_tests, "attacks/test_http_hostile.py", of=len(REQUESTS)),
    "raw HTTP": lambda: Tried(RAW, raw_http(RAW)),
    "the page, full of markup and script": partial(of_tests, "surfaces/test_page.py"),
}


def main() -> None:
    """Run, print, and write where asked; fails where an attack got through."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", nargs="?", help="not needed")
    options.add_argument("--only", default="", help="attacks with this in their name")
    options.add_argument("--write", action="store_true", help=f"keep the result in {RESULTS.name}")
    given = options.parse_args()
    logging.disable()
    lines, failed = [], False
    for name, attack in ATTACKS.items():
        if given.only in name:
            started = time.perf_counter()
            tried = attack()
            failed |= bool(tried.through)
            took = time.perf_counter() - started
            lines.append(f"| {name} | {tried.attacks or 'not run'} | {len(tried.through)} | {took:.0f} |")
            print(lines[-1], *tried.through[:20], sep="\n  ", flush=True)
    head = HEAD.format(python=platform.python_version(), cpus=os.cpu_count(), machine=platform.machine())
    if given.write and not given.only:
        RESULTS.write_text(head + "\n".join(lines) + "\n", "utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
