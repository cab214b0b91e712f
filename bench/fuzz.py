"""Ask a project what nobody should: python bench/fuzz.py [DATA] [--brain FILE] [--count 10000] [--seed 0] [--write].

DATA is a GitHub export; the demo project where neither it nor a brain is given. Every question must be answered with
citations, refused, or called empty where it has no words; nothing may be raised and nothing written. The questions are
drawn from the seed. Exits 1 with those that broke something. `--write` keeps the table in bench/results/fuzz.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import re
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from folders import indexed

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.errors import EmptyQuestion
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import REFUSAL, Scope
from cortex.surfaces.evaluating import index_demo

RESULTS: Final = Path(__file__).parent / "results" / "fuzz.md"
HEAD: Final = """# Fuzzed questions

Python {python}, SQLite {sqlite}; {project}, seed {seed}; each question was asked and searched for. Broken is an
answer without a citation or that is no JSON, a refusal that says more than the refusal, and whatever is raised but that
a question has no words. The brain's file was {file}.
"""
CITED: Final = re.compile(r"\[CITATION:([^\]]+)\]")
WORDS: Final = (
    "who owns", "packet", "why", "when was it merged", "how many", "which", "runner", "lease", "src/a/b.py",
    "openBrain",
    "busy_timeout", "is it still", "before every commit", "last month", "in 2024", "which PR fixed", "decision 3",
)  # fmt: skip
PIECES: Final[Mapping[str, Sequence[str]]] = {
    "full-text syntax": (
        "AND", "OR", "NOT", "NEAR(a b, 5)", "(", ")", '"', "''", "*", "^", "-", ":", "{parts}:", "col : x", "a*b*",
        "(((",
    ),
    "SQL": (
        "'; drop table facts; --", "union select handle from facts", "1=1", '" or ""="', "/* x */", "rowid", "?1",
        ":ids",
        "attach database 'x' as y", "x'00'", "%' like '",
    ),
    "markup": (
        "<script>alert(1)</script>", "&lt;", "[x](javascript:y)", "```", "| a | b |", "# h", "> q", "\x1b[31m",
        "{{7*7}}",
        "%s%n%x", "{0}", "<!--", "]]>", "\\", "$(rm -rf)", "../../etc/passwd", "[CITATION:fact-0]", "[CITATION:",
        "“", "”",
    ),
    "scripts and signs": (
        "مرحبا بالعالم", "שלום", "项目的所有者是谁", "誰が所有していますか", "кто владеет", "🙂", "👩\u200d👩\u200d👧",
        "e\u0301\u0301", "\ufb01", "\u0130i\u0307\u0131I", "ß", "\u01c5", "\u202eevil\u202c", "\u200b", "\ufeff",
        "①②", "½", "\u0663",
        "\U0001d518\U0001d52b\U0001d526",
    ),
    "numbers": (
        "#958", "#0", "#-1", "#99999999999999999999", "9" * 400, "1e999", "NaN", "v1.2.3", "v1..2", "2026-02-30",
        "0000-00-00", "9999-12-31", "99:99", "−5", "issue 496", "PR#", "fact-0a1b2c3d4e5f", "issue:496@120-310",
        "ADR 0",
    ),
}  # fmt: skip
BETWEEN: Final = (" ", " ", " ", "", "\n", "\t", "\r\n", "\u00a0", "\u2028", "-", "/", "_")
LONG: Final = 100_000
LONG_EVERY: Final = 100
"""One question in so many is long."""


class Asked(NamedTuple):
    """A question, what became of it, and how long that took.

    Attributes:
        wrong: '' when nothing is, '-' when it has no words.
    """

    kind: str
    text: str
    wrong: str
    seconds: float


def questions(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """*count* questions with their kind, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311  no secret
    every = [piece for pieces in PIECES.values() for piece in pieces]
    for place in range(count):
        kind = chance.choice([*PIECES, "everything at once", "any characters"])
        pieces = PIECES.get(kind, every)
        if place % LONG_EVERY == 0:
            kind, piece = "100 kB", chance.choice((*every, *WORDS, "x"))
            text = (piece + chance.choice(BETWEEN)) * (LONG // (len(piece) + 1) + 1)
        elif kind == "any characters":  # controls, surrogates and NUL among them
            text = "".join(chr(chance.randrange(chance.choice((0x20, 0x100, 0x110000)))) for _ in range(200))
        else:
            chosen = [chance.choice(chance.choice((pieces, pieces, WORDS))) for _ in range(chance.randint(1, 10))]
            text = chance.choice(BETWEEN).join(chosen)
        yield kind, text


def problem(brain: Brain, text: str, now: datetime) -> str:
    """What is wrong with the answer to *text*; '' when nothing is, '-' when it rightly has none."""
    try:
        answer = ask(brain, text, scope=Scope(), now=now)
        hits = search(brain, text, scope=Scope())
    except EmptyQuestion:
        return "a question with words is called empty" if any(map(str.isalnum, text)) else "-"
    if not all(hit.ref and hit.excerpt for hit in hits):
        return "a hit without a row"
    json.loads(answer.model_dump_json())
    if answer.refused:
        return "" if answer.answer == REFUSAL and not answer.citations else "a refusal that says more"
    known = {citation.handle for citation in answer.citations}
    if not all(one.citations for one in answer.statements):
        return "a statement without a citation"
    return "" if {*CITED.findall(answer.answer)} == known else "citations that are not there"


def fuzz(brain: Brain, count: int, seed: int) -> list[Asked]:
    """*count* questions put to *brain*, whatever they raise."""
    asked, now = [], datetime.now(UTC)
    for kind, text in questions(count, seed):
        started = time.perf_counter()
        try:
            wrong = problem(brain, text, now)
        except Exception as error:  # noqa: BLE001  that is what is looked for
            wrong = repr(error)
        asked.append(Asked(kind, text, wrong, time.perf_counter() - started))
    return asked


def table(asked: list[Asked]) -> list[str]:
    """By kind: how many, how many without words, what broke, and the time of asking and searching together."""
    kinds: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        kinds[one.kind].append(one)
    lines = ["| questions | asked | without words | broken | median ms | slowest ms |", "|---" + "|---:" * 5 + "|"]
    for kind, those in [*sorted(kinds.items()), ("**all**", asked)]:
        times = sorted(one.seconds * 1000 for one in those)
        empty, broken = sum(one.wrong == "-" for one in those), sum(one.wrong not in ("", "-") for one in those)
        lines.append(
            f"| {kind} | {len(those):,} | {empty:,} | {broken:,} | {times[len(times) // 2]:.1f} | {times[-1]:,.0f} |"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", nargs="?", type=Path, help="a folder with a GitHub export")
    parser.add_argument("--brain", type=Path, help="a brain that is there already")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = given.brain or Path(folder) / "brain.db"
        if not given.brain:
            with indexed(given.data, path) if given.data else open_brain(path) as brain:
                _ = given.data or [*index_demo(brain, progress=lambda *_: None, now=datetime.now(UTC))]
        before = sha256(path.read_bytes()).hexdigest()
        with open_brain(path, read_only=True) as brain:
            asked = fuzz(brain, given.count, given.seed)
        unchanged = sha256(path.read_bytes()).hexdigest() == before
    broken = [one for one in asked if one.wrong not in ("", "-")]
    project = (given.brain or given.data or Path("the demo project")).stem
    file = "the same to the byte afterwards" if unchanged else "CHANGED"
    versions = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    text = "\n".join([HEAD.format(**versions, project=project, seed=given.seed, file=file), *table(asked), ""])
    print(text)
    for one in broken[:20]:
        print(f"{one.kind}: {one.wrong}: {one.text[:200]!r}")
    if given.write:
        RESULTS.write_text(text, "utf-8")
    return 1 if broken or not unchanged else 0


if __name__ == "__main__":
    sys.exit(main())
