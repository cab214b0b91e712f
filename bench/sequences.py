"""Random sequences of indexing, exporting in part, compacting, undoing and asking: python bench/sequences.py.

Each goes up to 20 steps; then what was compacted is undone, the last input is read, and the brain has to hold what a
fresh brain of that input does: facts, records, passages, links and queue, and nothing in the archive of a compaction.
Writes `bench/results/sequences.md`.
"""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
import time
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "sequences.md"
STEPS: Final = 20

sys.path.insert(0, str(ROOT))
from tests.attacks.sequences import Sequences  # noqa: E402


class Counted(Sequences):
    """Sequences of which those that end otherwise are counted, not stopped at."""

    unequal = 0

    def _compare(self) -> None:
        try:
            super()._compare()
        except AssertionError:
            Counted.unequal += 1


def main() -> None:
    """Run, print, write; fails where one sequence ends otherwise."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("data", nargs="?", help="not needed")
    options.add_argument("--sequences", type=int, default=500)
    given = options.parse_args()
    started = time.perf_counter()
    run_state_machine_as_test(
        Counted,
        settings=settings(
            max_examples=given.sequences, stateful_step_count=STEPS, deadline=None, database=None, derandomize=True,
            phases=[Phase.generate], suppress_health_check=[*HealthCheck],
        ),
    )  # fmt: skip
    RESULTS.write_text(report(time.perf_counter() - started), "utf-8")
    print(RESULTS.read_text("utf-8"))
    sys.exit(Counted.unequal > 0)


def report(seconds: float) -> str:
    done = Sequences.done
    equal = done.pop("sequences")
    steps = ", ".join(f"{number:,} × {what}" for what, number in done.most_common())
    return (
        "# Sequences: every compaction undone equals a fresh index\n\n"
        f"{equal + Counted.unequal:,} sequences of up to {STEPS} steps ({steps}): **{equal:,} equal, {Counted.unequal}"
        f" not**, in {seconds:.0f} s. Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}.\n"
    )


if __name__ == "__main__":
    main()
