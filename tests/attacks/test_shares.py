"""A caller that may read some sources learns nothing of the others: no score, count or choice depends on them."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.settings import Settings
from cortex.substrate.search import count_terms
from cortex.substrate.search import search as find
from cortex.surfaces.contract import Call, as_json, run
from cortex.surfaces.operations import named
from tests.brains import LATER, NOW, SEEDS, index_records, open_new, place, record

OURS, THEIRS = "o8-labs/o8", "o8-labs/o8-runner"
UNLIKE = ("timings_ms", "took_ms", "last_run")  # of when something ran, and its number
LAST = "abcdefghijklmnopqrst" if os.environ.get("LONG") else "abcd"  # bench/attacks.py tries all
WORDS = [f"{first}{last}on" for first in ("zorb", "quil", "vard", "merp", "tusk") for last in LAST]
HIDDEN = [*WORDS, *(word + "ix" for word in WORDS)]
Reading = Callable[..., Any]


def reading(path: Path, *sources: str) -> Reading:
    """What a token of these *sources* gets of the brain at *path*, without times."""

    def read(name: str, **given: object) -> Any:  # noqa: ANN401  JSON
        chosen = named(name)
        call = Call("remote", path, Settings(db=path), LATER, sources=sources)
        return timeless(as_json(run(chosen, call, given), chosen))

    return read


def timeless(found: Any) -> Any:  # noqa: ANN401  JSON
    if isinstance(found, dict):
        return {name: timeless(value) for name, value in found.items() if name not in UNLIKE}
    if isinstance(found, list):
        return [*map(timeless, found)]
    return round(found, 6) if isinstance(found, float) else found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reading, Reading]:
    """A brain of two repositories as a token of one reads it, and a brain of that one."""
    folder = tmp_path_factory.mktemp("demo")
    held = {"both": {THEIRS: "o8-runner", OURS: "o8"}, "one": {OURS: "o8"}}
    for name, sources in held.items():
        with open_new(folder / name) as brain:
            for source, seeds in sources.items():
                index(brain, export_feeds(SEEDS / seeds, source), source=source, now=NOW)
    return reading(place(folder / "both"), OURS), reading(place(folder / "one"), OURS)


@pytest.mark.parametrize(
    ("operation", "given"),
    [
        *(("ask", {"question": one}) for one in (
            "Why did we move the runner to leases?", "What is the default port?", "Which timeout does the runner use?",
            "Who merged the last pull request?", "How many pull requests merged?", "What did we decide on retries?",
        )),
        *(("search", {"query": one}) for one in (
            "runner lease queue timeout", "retry the job when it fails", "empty state copy", "websocket",
            "the and of it", "runner runner websocket lease poll gateway retries port packet orchestrator",
        )),
        *(("brief", {"task": one}) for one in ("retry jobs in the runner", "change the lease of a packet")),
        ("precedents", {"task": "retry jobs in the runner"}),
        *((one, {}) for one in ("decisions", "facts", "sources", "status", "compactions", "queue")),
        ("owners", {"subject": "the runner"}),
    ],
    ids=str,
)  # fmt: skip
def test_a_token_of_a_source_reads_what_a_brain_of_that_source_says(
    demo: tuple[Reading, Reading], operation: str, given: dict[str, Any]
) -> None:
    both, one = demo
    assert both(operation, **given) == one(operation, **given)


@pytest.fixture(scope="module")
def brains(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two brains, the first with a source besides that holds every other of the hidden words."""
    chance = random.Random(17)  # noqa: S311  no secret
    ours = [
        record(f"issue:{n}", f"Gears {n}\n\nWe decided to oil {' '.join(HIDDEN[n::40])} of hall {n}.", source="ours")
        for n in range(40)
    ]
    theirs = [
        record(f"issue:{n}", f"Plan {n}\n\nOil, {chance.choice(HIDDEN[::2])} and {word}.", source="theirs")
        for n, word in enumerate(HIDDEN[::2] * 3)
    ]
    folder = tmp_path_factory.mktemp("brains")
    for name, sources in {"both": {"theirs": theirs, "ours": ours}, "one": {"ours": ours}}.items():
        with open_new(folder / name) as brain:
            for source, records in sources.items():
                index_records(brain, *records, source=source)
    return place(folder / "both"), place(folder / "one")


def test_no_score_tells_which_words_another_source_holds(brains: tuple[Path, Path]) -> None:
    both, one = (reading(path, "ours") for path in brains)
    asked = {word: f"{word} and {HIDDEN[1]} of hall 7" for word in HIDDEN}
    told = [word for word, query in asked.items() if both("search", query=query) != one("search", query=query)]
    assert (len(HIDDEN), told) == (10 * len(LAST), [])
    for word in HIDDEN[:6]:
        question = f"What did we decide on the {word} of the gears?"
        assert both("ask", question=question) == one("ask", question=question)


@pytest.mark.parametrize("query", [" ".join(HIDDEN[:5]), f"oil the gears of hall 7 {HIDDEN[7]}", "oil", "the of"])
def test_the_scores_of_a_share_are_those_of_sqlite_for_a_brain_of_it(brains: tuple[Path, Path], query: str) -> None:
    found = []
    for path, sources in zip(brains, ([2], None), strict=True):
        with open_new(path) as brain:
            count_terms(brain)
            for matches, texts in (
                (find(brain.db, "passages", query, sources=sources, beside=["gears"]), "select id, body from passages"),
                (find(brain.db, "passages", query, sources=sources), "select id, body from passages"),
                (find(brain.db, "facts", query, sources=sources), "select id, statement from facts"),
            ):
                text_of = dict(brain.db.execute(texts))
                found.append([(text_of[one.rowid], pytest.approx(one.score)) for one in matches])
    assert found[0]
    assert found[:3] == found[3:]
