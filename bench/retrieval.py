"""What each part of the answer path earns: the same questions and rankings with one part switched off.

    python bench/retrieval.py DATA_FOLDER [DATA_FOLDER …] [--brains DIR] [--only WORD] [--workers 2] [--write]

A DATA_FOLDER holds a GitHub export and, where it has them, `questions.jsonl` and `gold/*.jsonl`; bench/questions has
more of its name. Nothing is fitted again: a feature that is off has weight 0; rankings are measured through `search`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from behaviours import measure as behaviours
from behaviours import packs
from folders import all_asked, held_out, opened
from samples import NOW

from cortex.composer import pipeline, resolve
from cortex.composer import search as searching
from cortex.composer.judge import judge
from cortex.composer.query import understand
from cortex.composer.rank import rank
from cortex.composer.retrieve import gather, links, passages
from cortex.composer.values import Model, Query
from cortex.evals.cases import Case, Suite
from cortex.evals.rankings import kept, load_gold
from cortex.evals.scoring import CITATIONS, is_gold
from cortex.evals.scoring import judge as verdict
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.model import Answer, Scope

RESULTS: Final = Path(__file__).parent / "results" / "retrieval.md"
CUT: Final = 5
QUERIES: Final = 30
"""Of a gold file, that every variant searches for; the path as it is searches for all."""

Change = tuple[Any, str, Any]
"""A module, what it calls something, and what that is instead."""


class Variant(NamedTuple):
    """The answer path with one part off.

    Attributes:
        group: which table it stands in.
        searches: whether rankings can change too.
    """

    group: str
    name: str
    changes: Sequence[Change] = ()
    searches: bool = False
    encoder: bool = True


def nothing(*_: object, **__: object) -> list[Any]:
    """Find nothing."""
    return []


def as_ranked(*given: object) -> list[Any]:
    """The rows as they were ranked."""
    return next([*one] for one in given if isinstance(one, list))


def as_found(_: object, found: Sequence[Any], **__: object) -> list[Any]:
    """The candidates as found, without links."""
    return [*found]


def literal(*given: Any, **named: Any) -> Query:  # noqa: ANN401
    """The question without related words."""
    return replace(understand.understand(*given, **named), related={}, variant=())


def weights_without(table: Any, name: str) -> Any:  # noqa: ANN401
    """*table*, coefficients by model, with *name* at 0."""
    return lambda model: {**table(model), name: 0.0}


def variants() -> Iterator[Variant]:
    """Everything that can be switched off, after the answer path as it is."""
    yield Variant("", "as it is", searches=True)
    for name in gather.RETRIEVERS:
        others = {one: found for one, found in gather.RETRIEVERS.items() if one != name}
        yield Variant("retrieval", f"retriever: {name}", [(gather, "RETRIEVERS", others)], searches=True)
    yield Variant("retrieval", "retriever: named", [(gather, "find_named", nothing)], searches=True)
    yield Variant("retrieval", "retriever: lookup", [(gather, "look_up", lambda *_, **__: None)], searches=True)
    yield Variant("retrieval", "retriever: link", [(gather, "with_linked", as_found)], searches=True)
    words = [(pipeline, "understand", literal), (searching, "understand", literal)]
    yield Variant("retrieval", "related words", words, searches=True)
    for name, change in {
        "search for related words": (passages, "VARIED", 0.0),
        "second passage of a record": (passages, "A_RECORD", 1),
        "coverage": (passages, "COVERAGE", 0.0),
        "standing documents first": (passages, "STANDS", 1.0),
        "places for facts": (gather, "PINNED_FACTS", 0),
        "limit on unverified": (gather, "UNVERIFIED_KEPT", 1000),
        "comments that state a decision": (links, "_decisions", nothing),
        "unverified last in a search": (searching, "is_claim", lambda _: False),
    }.items():
        yield Variant("retrieval", name, [change], searches=True)
    yield Variant("retrieval", "encoder", searches=True, encoder=False)
    for name in rank.weights(Model.SEMANTIC):
        yield Variant("ranking", f"rank: {name}", [(rank, "weights", weights_without(rank.weights, name))])
    for name in ("_by_lineage", "_trusted_first", "_later_first"):
        yield Variant("after ranking", f"resolve: {name.strip('_')}", [(resolve, name, as_ranked)])
    for name in judge.coefficients(Model.SEMANTIC):
        if name not in ("bias", "refuse_below", "strong_from"):
            off = weights_without(judge.coefficients, name)
            yield Variant("judge", f"judge: {name}", [(judge, "coefficients", off)])
    for cap in judge.caps():
        caps = tuple(one for one in judge.caps() if one is not cap)
        yield Variant("judge", f"cap: {cap.name}", [(judge, "caps", lambda caps=caps: caps)])
    unfounded = [(pipeline, "is_unfounded", lambda *_: False)]
    yield Variant("judge", "presupposition", unfounded)


class Tally(Counter[str]):
    """How many questions there are, and how many of them are what."""

    def shares(self) -> list[float]:
        """Right, first, any and refused of the answerable, refused of the unanswerable, and the score of all."""
        can, cannot = self["can"] or 1, self["cannot"] or 1
        score = (self["right"] + self["refusal"]) / (self["can"] + self["cannot"] or 1)
        return [*(self[one] / can for one in ("right", "first", "any", "refused")), self["refusal"] / cannot, score]


class Measured(NamedTuple):
    """Of one project and variant: its questions, and of each ranking whether each query hits."""

    questions: Tally
    rankings: Mapping[str, Sequence[bool]]


COLUMNS: Final = ("right", "first", "any", "answerable refused", "unanswerable refused", "score")


def tally(brain: Brain, cases: Sequence[Case]) -> Tally:
    """The answers to *cases*, counted."""
    counts, suite = Tally(), Suite(name="", rubric="questions", cases=())
    for case in cases:
        answer = pipeline.ask(brain, case.question, scope=Scope(), now=NOW)
        found = str(verdict(suite, case, answer).verdict)
        if case.answerable:
            counts.update({"can": 1, found: 1, **hits(case, answer)})
        else:
            counts.update({"cannot": 1, "refusal": int(found == "right")})
    return counts


def hits(case: Case, answer: Answer) -> dict[str, int]:
    """Whether gold is cited first, and at all."""
    gold = [is_gold(one.record.ref, case.cites, one.source) for one in answer.citations[:CITATIONS]]
    return {"first": int(gold[:1] == [True]), "any": int(any(gold))}


def ranked(brain: Brain, folder: Path, most: int | None) -> dict[str, list[bool]]:
    """Of the first *most* queries of each gold file, whether a relevant record is among the first five."""
    found = {}
    for path in sorted((folder / "gold").glob("*.jsonl")):
        every = load_gold(path)[:most]
        first = [[*kept(one, searching.search(brain, one.query, scope=Scope()))][:CUT] for one in every]
        found[path.stem] = [not one.wanted.isdisjoint(refs) for one, refs in zip(every, first, strict=True)]
    return found


def of_variant(one: Variant, encoder: Encoder | None) -> Encoder | None:
    """*encoder*, where the variant has one."""
    return encoder if one.encoder else None


def measure(folder: Path, brains: Path | None, only: str) -> dict[str, Measured]:
    """Every variant on one project."""
    cases = [
        Case.model_validate({"cites" if k == "gold" else k: v for k, v in row.items() if k in KEYS})
        for row in [*all_asked(folder), *held_out(folder)]
    ]
    measured = {}
    with TemporaryDirectory() as scratch:
        encoder = find_encoder(Path(scratch))
        with opened(folder, brains, encoder) as brain:
            pure = remembered()
            for one in chosen(only):
                brain.encoding(partial(of_variant, one, encoder))
                with switched([*([] if one.searches else pure), *one.changes]):
                    measured[one.name] = Measured(
                        tally(brain, cases),
                        ranked(brain, folder, QUERIES if one.group else None) if one.searches else {},
                    )
                print(f"{folder.name}: {one.name}", file=sys.stderr, flush=True)
    return measured


def remembered() -> list[Change]:
    """What no variant after retrieval changes, computed once a question."""
    pure = (
        (pipeline, "understand"),
        (pipeline, "gather"),
        (pipeline, "Matcher"),
        (pipeline, "Likeness"),
        (rank, "choose"),
    )
    return [(module, name, memo(getattr(module, name))) for module, name in pure]


def memo(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function*, computed once for its question, text and span."""
    known: dict[tuple[Any, ...], Any] = {}

    def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        key = tuple(
            one.text if isinstance(one, Query) else one for one in given if isinstance(one, (Query, str, bytes, tuple))
        )
        if key not in known:
            known[key] = function(*given, **named)
        return known[key]

    return call


KEYS: Final = ("id", "category", "question", "answerable", "must", "gold", "meta")


def behaving(only: str) -> dict[str, int]:
    """Cases of the behaviour packs that are right with each variant."""
    cases = [(pack, case) for pack, every in packs().items() for case in every]
    right = {}
    for one in chosen(only):
        with switched(one.changes):
            right[one.name] = sum(not result.wrong for result in behaviours(cases))
    return right


@contextmanager
def switched(changes: Iterable[Change]) -> Iterator[None]:
    """Make *changes* for the while."""
    with ExitStack() as changed:
        for module, attribute, value in changes:
            changed.enter_context(patch.object(module, attribute, value))
        yield


def chosen(only: str) -> list[Variant]:
    """The variants of which the name has *only* in it, and the first."""
    first, *others = variants()
    return [first, *(one for one in others if only in one.name)]


def changes(found: Mapping[str, Mapping[str, Measured]], behave: Mapping[str, int], group: str, only: str) -> list[str]:
    """A table of what each variant of *group* changes, over all questions, and in how many projects."""
    lines = [
        f"| off | {' | '.join(COLUMNS)} | projects better / worse | recall@5 | behaviours |",
        "|---" + "|---:" * 9 + "|",
    ]
    for one in [variant for variant in chosen(only) if variant.group == group]:
        base, off = (total(found, name) for name in ("as it is", one.name))
        moved = [off - base for base, off in zip(base.shares(), off.shares(), strict=True)]
        scores = [
            (each["as it is"].questions.shares()[-1], each[one.name].questions.shares()[-1]) for each in found.values()
        ]
        up, down = (sum(b > a for a, b in pairs) for pairs in (scores, [(b, a) for a, b in scores]))
        recall = recall_of(found, one.name) - recall_of(found, "as it is") if one.searches else 0.0
        kept = behave[one.name] - behave["as it is"]
        cells = [*map(signed, moved), f"{up} / {down}", signed(recall), f"{kept:+}" if kept else ""]
        lines.append(f"| {one.name} | {' | '.join(cells)} |")
    return lines


def signed(value: float) -> str:
    """A difference with its sign; '' for less than half a thousandth."""
    return f"{value:+.3f}" if abs(value) >= 0.0005 else ""


def total(found: Mapping[str, Mapping[str, Measured]], name: str) -> Tally:
    """The counts of all projects."""
    counts = Tally()
    for one in found.values():
        counts.update(one[name].questions)
    return counts


def recall_of(found: Mapping[str, Mapping[str, Measured]], name: str) -> float:
    """Recall at five over the first queries of all projects."""
    hits = [hit for one in found.values() for every in one[name].rankings.values() for hit in every[:QUERIES]]
    return sum(hits) / (len(hits) or 1)


def report(found: Mapping[str, Mapping[str, Measured]], behave: Mapping[str, int], only: str) -> str:
    """The page of results."""
    lines = ["# What each part of the answer path earns", "", ABOUT, ""]
    kinds = [*dict.fromkeys(kind for one in found.values() for kind in one["as it is"].rankings)]
    lines += [f"| project | questions | {' | '.join(COLUMNS)} | {' | '.join(kinds)} |"]
    lines += ["|---" + "|---:" * (len(COLUMNS) + len(kinds) + 1) + "|"]
    for name, one in [*found.items(), ("**all**", None)]:
        counts = one["as it is"].questions if one else total(found, "as it is")
        shares = [f"{share:.3f}" for share in counts.shares()]
        rankings = one["as it is"].rankings if one else {}
        recall = [f"{sum(r) / len(r):.2f} of {len(r)}" if (r := rankings.get(kind)) else "" for kind in kinds]
        lines.append(f"| {name} | {counts['can'] + counts['cannot']} | {' | '.join([*shares, *recall])} |")
    for group in ("retrieval", "ranking", "after ranking", "judge"):
        lines += ["", f"## {group.capitalize()}", "", *changes(found, behave, group, only)]
    return "\n".join([*lines, ""])


ABOUT: Final = """\
`python bench/retrieval.py FOLDER … --write`. First the answer path as it is, with recall@5 of the rankings; then what
switching one part off changes, over all questions, and in how many projects the score rises and falls. Models are not
fitted again, so a feature whose share others could take looks worth more than it is. What changes little here is kept
by a behaviour pack (`bench/behaviours.py`), or is listed to be deleted."""


def main() -> None:
    """Measure every folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--brains", type=Path, help="a folder with a brain of each")
    parser.add_argument("--only", default="", help="variants with this in their names")
    parser.add_argument("--workers", type=int, default=2, help="projects at once")
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {RESULTS.name}")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.workers) as pool:
        behave = pool.submit(behaving, given.only)
        measured = pool.map(partial(measure, brains=given.brains, only=given.only), given.folders)
        found = {folder.name: one for folder, one in zip(given.folders, measured, strict=True)}
        text = report(found, behave.result(), given.only)
    print(text)
    if given.write:
        RESULTS.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
