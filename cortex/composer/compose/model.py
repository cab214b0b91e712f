"""The model composer: a tier words the answer from rows it gets as data, and only what they say stands."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

from cortex.composer.cite import holds
from cortex.composer.claims import begins_orders
from cortex.composer.compose.extractive import Statement
from cortex.composer.compose.framing import cited, day_of
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.quote import quote
from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer
from cortex.llm.fence import fence
from cortex.llm.model import Request
from cortex.llm.tiers import Tiers
from cortex.packaged import files
from cortex.substrate.facts import plain
from cortex.substrate.model import REFUSAL, Citation, QuestionClass, Value

ROWS: Final[Mapping[QuestionClass, int]] = {"A": 12, "B": 30}
CHARACTERS: Final[Mapping[QuestionClass, int]] = {"A": 1200, "B": 2000}
"""Of a row's text, around what was found of it."""

SENTENCES: Final[Mapping[QuestionClass, int]] = {"A": 2, "B": 6}
MAX_TOKENS: Final[Mapping[QuestionClass, int]] = {"A": 2048, "B": 8192}

_WORDS: Final = re.compile(r"[a-z][a-z_ -]{0,29}")

_log = logging.getLogger("cortex.composer")


class Sentence(Value):
    """What a model says, and the rows it names for it."""

    text: str
    rows: list[str]


class Composed(Value):
    """An answer as a model gives it; without a sentence the rows do not answer."""

    sentences: list[Sentence]


class Written(NamedTuple):
    """The statements of an answer, and who worded them: a tier, or 'extractive'."""

    statements: list[Statement]
    composer: str


class ModelComposer:
    """Words answers by the tiers: class A by their small models, B by their large ones.

    Args:
        run: what the budget of a run counts together.
    """

    def __init__(self, tiers: Tiers, *, run: str) -> None:
        self._tiers, self._run = tiers, run

    def __call__(
        self,
        question: Question,
        fused: Sequence[Fused],
        records: Mapping[int, Mapping[str, Any]],
        extracted: list[Statement],
        stemmer: Stemmer,
    ) -> Written:
        """What a model makes of the rows, as far as they say it.

        Args:
            fused: best first; there is evidence that they answer.
            extracted: the extractive answer as far as it stands, which stays where no model answers or nothing of what
                it says holds. A model that finds no answer in the rows is believed: docs/decisions/ says why.
        """
        class_ = question.class_
        rows = {f"row-{place}": one for place, one in enumerate(fused[: ROWS[class_]], 1)}
        if not self._tiers.ready(class_):
            _log.warning("no model is ready for class %s: the answer is extractive", class_)
            return Written(extracted, "extractive")
        request = Request(
            "compose", _prompt(), _content(question, rows, records, key=self._tiers.key), Composed, class_=class_,
            max_tokens=MAX_TOKENS[class_],
        )  # fmt: skip
        try:
            done = self._tiers.complete(request, run=self._run)
        except (BudgetSpent, TiersFailed, UnusableReply) as error:
            _log.warning("the answer is extractive: %s", error)
            return Written(extracted, "extractive")
        said = [one for one in done.answer.sentences if one.text.strip() and one.text.strip() != REFUSAL]
        if not said:
            return Written([], done.tier)
        found = (_standing(one, question, rows, records, stemmer) for one in said)
        statements = list({one.text: one for one in found if one}.values())[: SENTENCES[class_]]
        if len(statements) < len(said):
            _log.info(
                "%d of %d sentences of %s are not what their rows say",
                len(said) - len(statements),
                len(said),
                done.model,
            )
        return Written(statements, done.tier) if statements else Written(extracted, "extractive")


def _standing(
    sentence: Sentence,
    question: Question,
    rows: Mapping[str, Fused],
    records: Mapping[int, Mapping[str, Any]],
    stemmer: Stemmer,
) -> Statement | None:
    """*sentence* with the weightiest of its rows that says it; none where none does, or one was never given."""
    if not all(name in rows for name in sentence.rows):
        return None
    text = " ".join(sentence.text.split())
    named = [rows[name] for name in dict.fromkeys(sentence.rows)]
    for one in sorted(named, key=lambda one: -one.row.authority):
        record = records[one.row.record_id]
        citation = _citation(text, question, one, record, stemmer)
        cited_text = f"{text} [CITATION:{citation.handle}]"
        if holds(cited_text, [citation], {f"{record['source']} {record['ref']}": record["body"]}, stemmer):
            return Statement(cited_text, citation)
    return None


def _citation(text: str, question: Question, one: Fused, record: Mapping[str, Any], stemmer: Stemmer) -> Citation:
    """The characters of *record* that say *text*: the fact they are, else the passage."""
    body: str = record["body"]
    meant = replace(question, weights=dict.fromkeys(stemmer.sequence(text), 1.0))
    found = quote(meant, body, record["type"], Span(0, len(body)), stemmer)
    start, end = found.window
    fact = one.fact
    told: dict[str, Any] = {"handle": f"{record['ref']}@{start}-{end}", "kind": None, "confidence": 1.0}
    told["statement"] = plain(body[found.best.start : found.best.end])
    if fact is not None and fact.start <= found.best.start and fact.end >= found.best.end:
        told = {"handle": fact.handle, "kind": fact.kind or None, "confidence": fact.confidence, "statement": fact.text}
    return Citation(
        **told, excerpt=body[start:end], authority=record["authority"], record=cited(record), source=record["source"]
    )


def _content(
    question: Question, rows: Mapping[str, Fused], records: Mapping[int, Mapping[str, Any]], *, key: bytes
) -> str:
    """The rows' standing in this program's words, then the question and the rows as data."""
    about, texts = [], {"question": question.text}
    for name, one in rows.items():
        record = records[one.row.record_id]
        trusted = "unverified" if record["unverified"] else ""
        told = (f"authority {record['authority']:.2f}", trusted, record["type"], record["state"], day_of(record))
        about.append(f"{name}: " + ", ".join(word for word in told if _WORDS.match(word) or word[:1].isdigit()))
        texts[name] = _text(one, record, CHARACTERS[question.class_])
    return "\n".join(about) + "\n\n" + fence(texts, key=key)


def _text(one: Fused, record: Mapping[str, Any], longest: int) -> str:
    """What a model reads of a row: what it is called, and its text around what was found, up to any orders in it."""
    body: str = record["body"]
    end = begins_orders(body)
    start = max(0, min(one.row.start - longest // 4, end - longest))
    shown = body[start : min(start + longest, end)]
    handle = one.fact.handle if one.fact else record["ref"]
    named = {
        "handle": handle,
        "title": record["title"],
        "author": record["author"],
        "reverted by": record["reverted_by"],
    }
    return "\n".join(f"{name}: {value}" for name, value in named.items() if value) + f"\n\n{shown}"


@cache
def _prompt() -> str:
    return (files("cortex.composer.compose") / "prompt.md").read_text("utf-8")
