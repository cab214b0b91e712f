"""The share of each behaviour pack that is answered as its cases expect.

    python bench/behaviours.py [--split dev|held] [--pack NAME] [--show] [--semantic] [--json] [--write]

A pack of evals/behaviours/ is a list of cases: a question to an invented project (bench/worlds.py) and what an answer
must cite and show, without a word of how it is phrased. `--show` prints each failing case of the dev split; rules are
written by those alone.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime, time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final, Literal, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field
from worlds import build

from cortex.composer.pipeline import ask
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.model import Answer, CitedRecord, Scope

PACKS: Final = Path(__file__).parents[1] / "evals" / "behaviours"
RESULTS: Final = Path(__file__).parent / "results" / "behaviours.md"
FLOORS: Final = "floors"
NOW: Final = date(2025, 6, 30)
_TYPES: Final = ("issue:", "pull:", "comment:", "commit:", "outcome:")
_MARK: Final = re.compile(r"\[CITATION:[^\]]*\]")


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Cites(_Closed):
    """Refs an answer cites: one of *any*, each of *all*."""

    any: tuple[str, ...] = ()
    all: tuple[str, ...] = ()


class Case(_Closed):
    """A question and what holds of its answer, however that is worded.

    A ref is 'pull:12', 'comment:4#41', '#12' for whatever stands in that thread, or a path for every row of that file.
    """

    id: str
    world: str
    split: Literal["dev", "held"]
    question: str
    as_of: date | None = Field(None, description="the end of that day")
    now: date = NOW
    cites: Cites = Cites()
    leads: str | tuple[str, ...] = Field((), description="one of these is cited first")
    never_cites: tuple[str, ...] = ()
    shows: tuple[tuple[date | int | str, ...], ...] = Field((), description="of each group one stands in the answer")
    hides: tuple[date | int | str, ...] = ()
    refused: Literal[True, False, "allowed"] = False
    """'allowed': a refusal is right, and so is an answer that meets the rest."""

    @property
    def leading(self) -> tuple[str, ...]:
        """The refs of which one is cited first; any where there is none."""
        return (self.leads,) if isinstance(self.leads, str) else self.leads

    @property
    def cited(self) -> set[str]:
        """Every ref that the case names."""
        return {*self.cites.any, *self.cites.all, *self.leading, *self.never_cites}


class Result(NamedTuple):
    """A case, what was wrong with its answer, and that answer."""

    pack: str
    case: Case
    wrong: list[str]
    answer: Answer


@cache
def packs() -> Mapping[str, Sequence[Case]]:
    """The cases of every pack by its name."""
    files = [path for path in sorted(PACKS.glob("*.yaml")) if path.stem != FLOORS]
    return {path.stem: [Case(**row) for row in yaml.safe_load(path.read_text("utf-8"))] for path in files}


def floors() -> Mapping[str, float]:
    """The share of each pack that has to be right."""
    return dict(yaml.safe_load((PACKS / f"{FLOORS}.yaml").read_text("utf-8")))


def is_ref_of(expected: str, record: CitedRecord) -> bool:
    """Whether *expected* names *record*: a commit by the beginning of its hash, '#12' all of that thread."""
    if expected.startswith("commit:"):
        return record.ref.startswith(expected)
    if expected.startswith("#"):
        return record.ref.partition(":")[2].split("#")[0] == expected[1:]
    return expected == (record.ref if expected.startswith(_TYPES) else record.path)


def stands_in(text: str, expected: date | int | str) -> bool:
    """Whether *text* has *expected* as whole words; a date in any of its usual forms, a number as no part of another.

    >>> stands_in("merged 2024-03-05 by ada", date(2024, 3, 5)), stands_in("PR #3", 3), stands_in("3 in all", 3)
    (True, False, True)
    """
    return any(re.search(rf"(?<![\w#]){one}(?![\w]|[.,-]\d)", text, re.IGNORECASE) for one in _written(expected))


def _written(expected: date | int | str) -> Iterator[str]:
    if isinstance(expected, date):
        day, month = expected.day, expected.strftime("%B")
        forms = (
            f"{day} {month} {expected.year}",
            f"{month} {day}, {expected.year}",
            f"{expected:%b} {day}, {expected.year}",
        )
        yield from map(re.escape, (expected.isoformat(), *forms))
    elif isinstance(expected, int):
        yield rf"(?<![.,/-]){expected}"
    else:
        yield r"\s+".join(map(re.escape, expected.split()))


def faults(case: Case, answer: Answer) -> list[str]:
    """What in *answer* is not as *case* expects; nothing where all is."""
    if answer.refused or case.refused is True:
        return [] if answer.refused and case.refused else ["refused" if answer.refused else "not refused"]
    records = [one.record for one in answer.citations]
    text = _MARK.sub("", answer.answer)

    def cites(refs: Iterable[str]) -> list[str]:
        return [ref for ref in refs if any(is_ref_of(ref, one) for one in records)]

    found = [f"cites none of {', '.join(case.cites.any)}"] if case.cites.any and not cites(case.cites.any) else []
    found += [f"does not cite {ref}" for ref in case.cites.all if not cites([ref])]
    if case.leading and not any(is_ref_of(ref, records[0]) for ref in case.leading):
        found.append(f"leads with {records[0].ref}, not {' or '.join(case.leading)}")
    found += [f"cites {ref}" for ref in cites(case.never_cites)]
    found += [f"does not show {' or '.join(map(str, group))}" for group in case.shows if not _shows(text, group)]
    return found + [f"shows {one}" for one in case.hides if stands_in(text, one)]


def _shows(text: str, group: Iterable[date | int | str]) -> bool:
    return any(stands_in(text, one) for one in group)


def measure(cases: Iterable[tuple[str, Case]], *, encoder: Encoder | None = None) -> Iterator[Result]:
    """Ask every case of the brain of its world, each built once, with the vectors of *encoder* where one is given."""
    with TemporaryDirectory() as scratch, ExitStack() as opened:
        brains: dict[str, Brain] = {}
        for pack, case in cases:
            if case.world not in brains:
                built = build(case.world, Path(scratch), encoder=encoder)
                brain = opened.enter_context(open_brain(built, read_only=True))
                brains[case.world] = brain.encoding(lambda: encoder)
            as_of = _moment(case.as_of, time.max) if case.as_of else None
            now = _moment(case.now, time(12))
            answer = ask(brains[case.world], case.question, scope=Scope(), as_of=as_of, now=now)
            yield Result(pack, case, faults(case, answer), answer)


def _moment(day: date, at: time) -> datetime:
    return datetime.combine(day, at.replace(microsecond=0), tzinfo=UTC)


def shares(results: Iterable[Result]) -> dict[str, dict[str, tuple[int, int]]]:
    """By pack and split, how many cases are right and how many there are."""
    verdicts: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        for split in (one.case.split, "all"):
            verdicts[one.pack][split].append(not one.wrong)
    return {
        pack: {split: (sum(right), len(right)) for split, right in splits.items()} for pack, splits in verdicts.items()
    }


def table(measured: Mapping[str, Mapping[str, tuple[int, int]]]) -> str:
    """The shares as a Markdown table, a row a pack."""
    rows = ["| pack | dev | held | all | floor |", "|---|---:|---:|---:|---:|"]
    for pack, splits in measured.items():
        told = [f"{right}/{of} ({right / of:.2f})" for right, of in (splits.get(one, (0, 1)) for one in SPLITS)]
        rows.append(f"| {pack} | {' | '.join(told)} | {floors()[pack]:.2f} |")
    return "\n".join(rows)


SPLITS: Final = ("dev", "held", "all")


def main() -> None:
    """Measure the packs and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", help="ignored, so that `make bench` may name one: the projects are invented")
    parser.add_argument("--split", choices=SPLITS[:2])
    parser.add_argument("--pack", choices=sorted(packs()))
    parser.add_argument("--show", action="store_true", help="print each failing case of the dev split")
    parser.add_argument("--semantic", action="store_true", help="with the encoder of the extra `semantic`")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args()
    chosen = [
        (pack, case)
        for pack, cases in packs().items()
        for case in cases
        if options.pack in (None, pack) and options.split in (None, case.split)
    ]
    encoder = find_encoder(Path(gettempdir())) if options.semantic else None
    results = [*measure(chosen, encoder=encoder)]
    measured = shares(results)
    failing = [one for one in results if one.wrong and one.case.split == "dev"] if options.show else []
    if options.json:
        shown = [{"id": one.case.id, "wrong": one.wrong, "answer": one.answer.answer} for one in failing]
        print(json.dumps({"shares": measured, "failing": shown}, indent=2, ensure_ascii=False))
    else:
        for one in failing:
            print(f"{one.pack} {one.case.id}: {one.case.question}", *one.wrong, sep="\n  - ")
            print(*(f"  | {line}" for line in one.answer.answer.splitlines()), "", sep="\n")
        print(table(measured))
    if options.write:
        head = "# Behaviours\n\n`python bench/behaviours.py --write`: cases right of each split, in invented projects."
        RESULTS.write_text(f"{head}\n\n{table(measured)}\n", "utf-8")


if __name__ == "__main__":
    main()
