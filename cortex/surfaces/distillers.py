"""Who makes facts of docs and comments in an index run: the rules, or the models of the tiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from secrets import token_hex
from typing import Literal

from pydantic import Field

from cortex.errors import NoModel
from cortex.indexers.crew import Crew
from cortex.llm.spending import Spent, spent
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.sources import timestamp
from cortex.surfaces.contract import Call

Choice = Literal["rules", "model"]


class Modelled(Value):
    """What models had to do with an index run."""

    calls: tuple[Spent, ...] = Field(description="by tier and model, dearest first")
    dropped: Mapping[str, int] = Field(description="facts of models that were thrown away, by reason")
    by_rules: int = Field(description="texts that the rules read, for no model answered or could be paid")
    stopped: str = Field(description="why none did; '' where each was read by one")
    kept: int = Field(description="texts that have what the rules found, for nothing stood that a model did")
    passed_over: Mapping[str, str] = Field(description="why a tier gave no answer that could be used, the first time")


Used = Callable[[Brain], Modelled | None]  # what models did so far; none where none was asked


@contextmanager
def with_distiller(call: Call, choice: Choice, crew: Crew) -> Iterator[tuple[Crew, Used]]:
    """*crew* with the distillers of *choice*, and what tells how models fared.

    Raises:
        NoModel: a model is to distill, and none is ready.
    """
    if choice == "rules":
        yield crew, lambda _: None
        return
    from cortex.indexers.distill.model_comments import CommentsByModel  # noqa: PLC0415  whoever asks no model
    from cortex.indexers.distill.model_docs import DocsByModel  # noqa: PLC0415  waits for none of these
    from cortex.indexers.distill.model_replies import Tally  # noqa: PLC0415
    from cortex.surfaces.models import open_tiers  # noqa: PLC0415

    run, tally = f"index:{timestamp(call.now)}:{token_hex(4)}", Tally()
    at_once = call.settings.calls_at_once
    with open_tiers(call.settings, call.path) as tiers:
        if not tiers.ready("A"):
            raise NoModel("A")
        docs = DocsByModel(tiers, run=run, tally=tally, calls=at_once)
        comments = CommentsByModel(tiers, run=run, tally=tally, calls=at_once)

        def used(brain: Brain) -> Modelled:
            return Modelled(
                calls=tuple(spent(brain, since=call.now, run=run)), dropped=dict(tally.dropped.most_common()),
                by_rules=tally.by_rules, stopped=tally.stopped, kept=tally.kept, passed_over=dict(tally.passed_over),
            )  # fmt: skip

        yield crew._replace(docs=docs, comments=comments), used
