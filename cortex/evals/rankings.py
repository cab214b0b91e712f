"""How well search ranks, on queries whose relevant records are known; the formulas are ir-measures'."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ConfigDict, Field, ValidationError

from cortex.errors import BadInput, MissingExtra
from cortex.evals.cases import read_text
from cortex.evals.scoring import named, plain
from cortex.substrate.model import Hit, Value

CUTS: Final = (1, 5, 10)


class Gold(Value):
    """A query and the records that are relevant to it, as gold files write them."""

    id: str
    query: str = Field(min_length=1)
    relevant: tuple[str, ...]
    relevant_any: tuple[str, ...] = ()
    exclude: tuple[str, ...] = Field((), description="left out of the ranking, and their comments too")
    thread: str | None = Field(None, description="the query's own, left out too")

    model_config = ConfigDict(frozen=True, extra="ignore")

    @property
    def wanted(self) -> set[str]:
        """What is relevant."""
        return set(self.relevant_any or self.relevant)


class Ranked(Value):
    """How well rankings did, as means over all queries; a query that found nothing counts as 0."""

    queries: int
    recall: Mapping[str, float] = Field(description="by cut: share of queries with a relevant record above it")
    found: Mapping[str, float] = Field(description="by cut: share of the relevant records above it")
    mrr: float = Field(description="mean reciprocal rank of the first relevant record")
    ndcg: float = Field(description="normalised discounted cumulative gain of the first ten")


def is_gold_file(path: Path) -> bool:
    """Whether *path* holds queries with relevant records, not questions."""
    if path.suffix != ".jsonl":
        return False
    first = next((line for line in read_text(path).splitlines() if line.strip()), "")
    try:
        row = json.loads(first)
    except ValueError:
        return False
    return isinstance(row, dict) and "query" in row and "relevant" in row


def load_gold(path: Path) -> list[Gold]:
    """The queries of *path*."""
    gold, hint = [], "a line holds id, query and relevant"
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            gold += [Gold.model_validate_json(line)] if line.strip() else []
        except ValidationError as error:
            first = error.errors()[0]
            field = f"{first['loc'][0]}: " if first["loc"] else ""
            raise BadInput(f"{path}:{number}", f"{field}{first['msg']}", hint=hint) from error
    return gold


def rank_quality(gold: Sequence[Gold], found: Mapping[str, Sequence[Hit]]) -> Ranked:
    """Measure the ranking *found* for each query's id against *gold*."""
    try:
        import ir_measures  # noqa: PLC0415  an extra, and half a second
        from ir_measures import RR, R, Success, nDCG  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("rankings", "cortex eval on a gold file") from error
    measures = [RR, nDCG @ 10, *(measure @ k for measure in (Success, R) for k in CUTS)]
    qrels = [ir_measures.Qrel(one.id, ref, 1) for one in gold for ref in one.wanted]
    run = [
        ir_measures.ScoredDoc(one.id, name, -place)
        for one in gold
        for place, name in enumerate(kept(one, found.get(one.id, ())))
    ]
    means = ir_measures.calc_aggregate(measures, qrels, run)
    mean = {measure: round(float(value), 3) for measure, value in means.items()}
    recall, found_ = ({str(k): mean[measure @ k] for k in CUTS} for measure in (Success, R))
    return Ranked(queries=len(gold), recall=recall, found=found_, mrr=mean[RR], ndcg=mean[nDCG @ 10])


def kept(gold: Gold, hits: Sequence[Hit]) -> Iterator[str]:
    """A name for each of *hits* that is not left out, best first: the relevant record's own the first time it comes."""
    out = {*gold.exclude, gold.thread}
    closed = {ref.partition(":")[2].rsplit("#", 1)[-1] for ref in gold.exclude}
    seen: set[str] = set()
    for place, hit in enumerate(hits):
        names = named(hit.record.ref, hit.source)
        kind, _, rest = hit.record.ref.partition(":")
        if names & out or (kind == "comment" and "#" in rest and rest.rpartition("#")[0] in closed):
            continue
        match = next(iter(sorted(names & gold.wanted - seen)), None)
        seen |= {match} if match else set()
        yield match or f"{plain(hit.record.ref)} at {place}"
