"""How long `cortex ask` takes as a process, against `import pydantic, sqlite3`, and how many modules each loads.

    python bench/startup.py BRAIN.db [--runs 30] [--question TEXT] [--write]

Both run in turn, so that whatever else the machine does slows both; figures are medians over the runs, wall time and
processor time. A copy of the brain is asked. Bytecode is written before the first run, as an installed package has it.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from cortex.substrate.brain import open_brain

RESULTS: Final = Path(__file__).parent / "results" / "startup.md"
QUESTION: Final = "Why was the endomorphism enabled by default?"
BASE: Final = "import pydantic, sqlite3"
ASK: Final = "from cortex.__main__ import main; main()"
COUNTED: Final = "import sys\ntry:\n  {}\nexcept SystemExit:\n  pass\nprint('modules:', *sys.modules)"


class Took(NamedTuple):
    """Seconds of one run."""

    wall: float
    cpu: float


def took(command: Sequence[str], environment: Mapping[str, str]) -> Took:
    """Run *command* to its end."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def loaded(program: str, arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """The modules that a process has loaded once it has run *program*."""
    command = [sys.executable, "-c", COUNTED.format(program), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.rpartition("modules: ")[2].split()


def of_package(names: Sequence[str], package: str) -> int:
    """How many of the modules *names* belong to *package*."""
    return sum(f"{name}.".startswith(f"{package}.") for name in names)


def report(brain: Path, question: str, runs: int, bytecode: str) -> str:
    """Run both in turn, and the table of what they took."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"CORTEX_DB": str(brain), "PYTHONPYCACHEPREFIX": bytecode}
    base, asked = [sys.executable, "-c", BASE], [sys.executable, "-m", "cortex", "ask", question]
    few, many = loaded(BASE, (), environment), loaded(ASK, asked[3:], environment)
    pairs = [(took(base, environment), took(asked, environment)) for _ in range(runs + 1)][1:]
    rows = []
    for name, at in (("wall", 0), ("processor", 1)):
        plain, ours = median(one[at] for one, _ in pairs), median(other[at] for _, other in pairs)
        ratio = median(other[at] / one[at] for one, other in pairs)
        rows.append(f"| {name} time, ms | {plain * 1000:.0f} | {ours * 1000:.0f} | {ratio:.2f} |")
    rows.append(f"| modules loaded | {len(few)} | {len(many)} | {len(many) / len(few):.2f} |")
    rows += [
        f"| … of {name} | {of_package(few, name)} | {of_package(many, name)} | |" for name in ("pydantic", "cortex")
    ]
    return "\n".join(
        [
            "# How long a question takes as a process",
            "",
            f"`python bench/startup.py BRAIN --write`; medians of {runs} runs in turn, the ratio that of each pair.",
            f"Python {platform.python_version()}, pydantic {version('pydantic')}; load {os.getloadavg()[0]:.1f}.",
            "",
            f"| | `{BASE}` | `cortex ask` | times that |",
            "|---|---:|---:|---:|",
            *rows,
            "",
        ]
    )


def main() -> None:
    """Measure, print, and keep the table if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brain", type=Path)
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        scratch = Path(name)
        with closing(sqlite3.connect(options.brain)) as held, closing(sqlite3.connect(scratch / "brain.db")) as copy:
            held.backup(copy)
        open_brain(scratch / "brain.db").close()  # of an earlier schema, it is brought up to date here
        told = report(scratch / "brain.db", options.question, options.runs, str(scratch / "bytecode"))
    print(told)
    if options.write:
        RESULTS.write_text(told, "utf-8")


if __name__ == "__main__":
    main()
