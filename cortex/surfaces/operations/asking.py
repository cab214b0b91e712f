"""Ask and search, and who words answers: the rows themselves, or models of the tiers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, Literal, TypedDict

from pydantic import Field

from cortex.composer.pipeline import Composer
from cortex.composer.pipeline import ask as answer
from cortex.composer.query.following import following, is_courtesy
from cortex.composer.search import search as find
from cortex.errors import BrainError, NoModel
from cortex.substrate.brain import Brain
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.substrate.model import Answer, Hit, Scope, Text, Value
from cortex.substrate.sources import timestamp
from cortex.surfaces.contract import Call, Flag, Local, Parameters, operation
from cortex.surfaces.operations.parameters import LONGEST_NAME, Asked, Day, Everything, moment
from cortex.surfaces.placing import placed

HITS: Final = 10
ROWS: Final = 30  # how many of the rows that were retrieved are kept where questions are captured


Choice = Literal["extractive", "model"]


class Question(Parameters):
    """A question, and where to look."""

    question: Annotated[Text, Flag()] = Field(description="What to ask.")
    sources: Asked = ()
    all: Everything = False
    as_of: Annotated[Day, Flag("--as-of", "DATE", "now")] = Field("", description="As of 2025-03-01.")
    after: Annotated[Text, Flag("--after", "HANDLE")] = Field(
        "", max_length=LONGEST_NAME, description="Handle cited last, for 'and why?'."
    )
    composer: Annotated[
        Choice | None, Local(), Flag("--composer", default="extractive, unless CORTEX_COMPOSER says otherwise")
    ] = Field(None, description="Who words it.")


class Query(Parameters):
    """Words to look for, and where."""

    query: Annotated[Text, Flag()] = Field(description="Any text.")
    limit: Annotated[int, Flag("-k")] = Field(HITS, ge=1, le=1000, description="At most.")
    sources: Asked = ()
    all: Everything = False


class Hits(Value):
    """What a search found."""

    query: str
    hits: tuple[Hit, ...] = Field(description="best first")


class Models(TypedDict, total=False):
    """What `ask` takes of models and settings; empty where none is asked for."""

    refuse_below: float
    composer: Composer


@contextmanager
def with_models(call: Call, choice: Choice | None) -> Iterator[Models]:
    """The models that the settings and *choice* ask for.

    Args:
        choice: who words answers; None is what the settings say.
    """
    models: Models = {}
    if call.settings.refuse_below is not None:
        models["refuse_below"] = call.settings.refuse_below
    if (choice or call.settings.composer) != "model":
        yield models
        return
    from secrets import token_hex  # noqa: PLC0415  whoever asks no model waits for none of these

    from cortex.composer.answer.model import ModelComposer  # noqa: PLC0415
    from cortex.surfaces.models import open_tiers  # noqa: PLC0415

    aside = call.deadline.aside if call.deadline else lambda model: model
    run = f"ask:{timestamp(call.now)}:{token_hex(4)}"
    with open_tiers(call.settings, call.path) as tiers:
        if not (tiers.ready("A") or tiers.ready("B")):
            raise NoModel("A")
        models["composer"] = aside(ModelComposer(tiers, run=run))
        yield models


@operation("read")
def ask(call: Call, asked: Question) -> Answer:
    """Answer a question with citations, or say that the brain does not know.

    Why something is so, who owns it, what was decided, what went wrong.
    """
    with call.reader() as brain, with_models(call, asked.composer) as models:
        at = placed(call, brain, asked.sources, everything=asked.all)
        scope = at.scope
        question = following(brain, asked.question, asked.after, scope=scope)
        found = answer(brain, question, scope=scope, as_of=moment(asked.as_of), now=call.now, **models)
        if not is_courtesy(question):
            _keep_if_captured(call, brain, found, scope=scope)
            if found.refused:
                at.remark(call)
    return found


@operation("read")
def search(call: Call, asked: Query) -> Hits:
    """List the rows that match a query, best first.

    To look around.
    """
    with call.reader() as brain:
        at = placed(call, brain, asked.sources, everything=asked.all)
        hits = find(brain, asked.query, scope=at.scope, limit=asked.limit)
        if not hits:
            at.remark(call)
    return Hits(query=asked.query, hits=tuple(hits))


def _keep_if_captured(call: Call, brain: Brain, answer: Answer, *, scope: Scope) -> None:
    """Keep *answer* where questions are captured; one that cannot be is remarked on, and answered all the same."""
    path = ledger_path(call.path)
    if not path.is_file():
        return
    from cortex.evals.asking import retrieve  # noqa: PLC0415  whoever captures nothing does not wait for it
    from cortex.evals.capture import capture, is_on  # noqa: PLC0415

    try:
        with open_ledger(path) as ledger:
            if is_on(ledger):
                rows = retrieve(brain, answer.question, scope=scope, limit=ROWS)
                capture(ledger, answer, retrieved=rows, scope=scope, now=call.now)
    except BrainError as error:
        call.remark(f"the question was not captured: {error}")
