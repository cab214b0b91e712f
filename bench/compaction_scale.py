"""How a compaction scales, and what asking takes meanwhile: python bench/compaction_scale.py FOLDER.

FOLDER holds issues.jsonl, pulls.jsonl, comments.jsonl as GitHub's API gives them. Brains are made of its
sentences, repeated with edits; each compaction runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter, sleep, thread_time
from typing import Any, Final, NamedTuple

from cortex.composer.pipeline import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from cortex.substrate.search import count_terms

from data import _insert, brain_of, questions, sentences, statements  # isort: skip  a script beside this one

RESULTS: Final = Path(__file__).parent / "results" / "compaction_scale.md"
COMPACT: Final = """
import json, resource, sys
from datetime import UTC, datetime
from cortex.compactor.run import compact
from cortex.substrate.brain import open_brain
before = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
with open_brain(sys.argv[1]) as brain:
    done = compact(brain, now=datetime(2026, 6, int(sys.argv[2]), tzinfo=UTC))
used = resource.getrusage(resource.RUSAGE_SELF)
more = {"megabytes": used.ru_maxrss / 1000, "cpu": used.ru_utime + used.ru_stime - before}
print(json.dumps({**done.model_dump(mode="json"), **more}))
"""
AGES: Final = """
update facts set
    touched_at = strftime('%Y-%m-%dT%H:%M:%SZ', 1767225600 - (id * 7919 % 94608000), 'unixepoch'),
    authority = 0.7 + (id % 5) * 0.05, base_confidence = 0.5 + (id % 10) * 0.05, confidence = 0.5 + (id % 10) * 0.05
"""


def compacting(path: Path, day: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", COMPACT, path, str(day)], stdout=subprocess.PIPE, text=True)


def finished(running: subprocess.Popen[str]) -> dict[str, Any]:
    out, _ = running.communicate()
    assert running.returncode == 0
    done: dict[str, Any] = json.loads(out)
    return done


def row(name: str, done: dict[str, Any]) -> str:
    jobs = " · ".join(f"{ran['job']} {ran['changed']:,} ({ran['seconds']:.2f})" for ran in done["jobs"])
    facts = f"{done['before']:,} → {done['after']:,}"
    return f"| {name} | {facts} | {done['seconds']:.2f} | {done['cpu']:.2f} | {done['megabytes']:.0f} | {jobs} |"


def few(path: Path, originals: list[str]) -> None:
    """2,030 facts of which 63 can be collapsed: copies of others."""
    texts = [text.replace("#", "") for text in originals[: 2030 - 63]]
    copied = random.Random(1).sample(texts, 63)  # noqa: S311  no secret
    brain_of(path, iter([*texts, *(f"{text.rstrip('.')}!" for text in copied)])).close()


class Asked(NamedTuple):
    """What questions took, each."""

    seconds: list[float]
    of_cpu: list[float]

    def told(self) -> str:
        """The 95th percentiles."""
        return f"{p95(self.seconds):.0f} ms ({p95(self.of_cpu):.0f} of them computing; {len(self.seconds):,} questions)"


def asking(brain: Brain, asked: Iterator[str], running: subprocess.Popen[str] | None, count: int) -> Asked:
    """Ask *count* questions, or as many as fit into what is running."""
    done = Asked([], [])
    while running.poll() is None if running else len(done.seconds) < count:
        started, computed = perf_counter(), thread_time()
        ask(brain, next(asked), scope=Scope())
        done.seconds.append(perf_counter() - started)
        done.of_cpu.append(thread_time() - computed)
    return done


def writing(path: Path, running: subprocess.Popen[str], waits: list[float]) -> None:
    """Write a little every tenth of a second while something is *running*, and keep how long each write took."""
    with open_brain(path) as brain:
        while running.poll() is None:
            started = perf_counter()
            brain.db.execute("update sources set location = ?", (str(started),))
            waits.append(perf_counter() - started)
            sleep(0.1)


def p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1] * 1000


def change(path: Path, originals: list[str], count: int) -> None:
    """Replace half of *count* facts, and add the other half."""
    with open_brain(path) as brain:
        with brain.transaction() as db:
            db.execute("delete from facts where id in (select id from facts order by id desc limit ?)", (count // 2,))
            _insert(db, [(4_000_000 + n, text) for n, text in enumerate(statements(originals, count, seed=5))])
        count_terms(brain)


def large(folder: Path, path: Path, count: int) -> Iterator[str]:
    originals = sentences(folder)
    with brain_of(path, statements(originals, count)) as made:
        made.db.execute(AGES)
        count_terms(made)
        made.db.execute("pragma wal_checkpoint(truncate)").fetchone()
    every = cycle(text for text in questions(folder) if re.search(r"\w", text))
    with open_brain(path, read_only=True) as reader:
        asking(reader, every, None, 50)
        idle = asking(reader, every, None, 400)
        before = os.getloadavg()[0]
        running = compacting(path, 1)
        waits: list[float] = []
        writer = Thread(target=writing, args=(path, running, waits))
        writer.start()
        busy = asking(reader, every, running, 0)
        writer.join()
        after = os.getloadavg()[0]
    yield row(f"{count:,} facts", finished(running))
    yield row("the same again", finished(compacting(path, 2)))
    change(path, originals, count // 100)
    yield row("1 % changed", finished(compacting(path, 3)))
    yield ""
    longer, more = p95(busy.seconds) / p95(idle.seconds), p95(busy.of_cpu) / p95(idle.of_cpu)
    yield f"Asking on {count:,} facts, p95: idle {idle.told()},"
    yield f"during the first compaction {busy.told()}:"
    yield f"{longer:.2f} times as long, {more:.2f} times as much to compute. Another program wrote {len(waits):,} times"
    yield f"meanwhile: it waited {max(waits):.1f} s at the longest, {p95(waits):.0f} ms at p95. The load of the machine"
    yield f"of {os.cpu_count()} cores was {before:.1f} before and {after:.1f} after that compaction."


def report(folder: Path, home: Path, count: int) -> Iterator[str]:
    yield "| brain | facts | seconds | of CPU | peak MB | changed by job (seconds) |"
    yield "|---|---|---:|---:|---:|---|"
    few(home / "few.db", sentences(folder))
    for _ in range(3):
        copied = Path(shutil.copy(home / "few.db", home / "copy.db"))
        yield row("2,030 facts, 63 collapsible", finished(compacting(copied, 1)))
    yield from large(folder, home / "large.db", count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--facts", type=int, default=1_000_000)
    arguments = parser.parse_args()
    lines = ["# Compaction at scale", "", f"Python {platform.python_version()}, {platform.machine()}.", ""]
    with TemporaryDirectory() as home:
        for line in report(arguments.folder, Path(home), arguments.facts):
            print(line, flush=True)
            lines.append(line)
    RESULTS.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
