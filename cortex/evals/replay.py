"""Replay: captured questions put to the present brain, and what changed in the answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from cortex.composer.pipeline import ask
from cortex.errors import CortexError
from cortex.evals.asking import Retrieved, cited_by
from cortex.evals.capture import Captured
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Value
from cortex.substrate.secrets import redact

Change = Literal["same", "answer", "citations", "now refused", "now answered", "failed"]


class Replayed(Value):
    """A captured question with its answer then and now."""

    id: int
    question: str
    change: Change = Field(description="'answer': other words; 'citations': the same words from other records")
    useful: bool | None
    before: str
    after: str
    dropped: tuple[str, ...] = Field(description="records cited then and not now")
    added: tuple[str, ...] = Field(description="records cited now and not then")
    ms_before: float
    ms_after: float


class Replay(Value):
    """All that were replayed, the latest question first."""

    changes: Mapping[str, int]
    questions: tuple[Replayed, ...]


def replay(brain: Brain, questions: Iterable[Captured]) -> Replay:
    """Ask *brain* the *questions* again, each in its own scope; a source that is gone makes a question 'failed'."""
    done = tuple(_replayed(brain, one) for one in questions)
    return Replay(changes=dict(Counter(one.change for one in done).most_common()), questions=done)


def _replayed(brain: Brain, was: Captured) -> Replayed:
    cited: tuple[Retrieved, ...] = ()
    change: Change = "failed"
    ms = 0.0
    try:
        answer = ask(brain, was.question, scope=was.scope)
    except CortexError as error:
        after = str(error)
    else:
        cited, after, ms = cited_by(answer), redact(answer.answer), float(answer.timings_ms.get("total", 0.0))
        change = _change(was, answer, cited)
    then, now = _records(was.citations), _records(cited)
    return Replayed(
        id=was.id, question=was.question, change=change, useful=was.useful, before=was.answer, after=after,
        dropped=tuple(ref for ref in then if ref not in now), added=tuple(ref for ref in now if ref not in then),
        ms_before=float(was.timings_ms.get("total", 0.0)), ms_after=ms,
    )  # fmt: skip


def _change(was: Captured, answer: Answer, cited: Iterable[Retrieved]) -> Change:
    if was.refused != answer.refused:
        return "now refused" if answer.refused else "now answered"
    if unmarked(was.answer) != unmarked(redact(answer.answer)):
        return "answer"
    return "same" if _records(was.citations) == _records(cited) else "citations"


def unmarked(answer: str) -> str:
    """*answer* without its citation marks.

    >>> unmarked("It is 70 %. [CITATION:fact-0a1b2c3d4e5f]")
    'It is 70 %.'
    """
    return re.sub(r"\s*\[CITATION:[^\]\s]+\]", "", answer)


def _records(cited: Iterable[Retrieved]) -> list[str]:
    return list(dict.fromkeys(one.record for one in cited))
