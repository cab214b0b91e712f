"""The model composer: a model selects quotes from fenced rows; only verbatim quotes are kept."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from cortex.composer.answer.attribution import attribution, citation, day_of
from cortex.composer.values import Query, Scored, Written
from cortex.errors import BudgetSpent, TiersFailed, UnusableReply
from cortex.language.markdown import Span
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.llm.model import Request
from cortex.llm.tiers import Tiers
from cortex.packaged import files
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, QuestionClass, Statement, Value
from cortex.substrate.quoting import fence, inert

ROWS: Final[Mapping[QuestionClass, int]] = {"A": 12, "B": 30}
CHARACTERS: Final[Mapping[QuestionClass, int]] = {"A": 1200, "B": 2000}  # of a row's text, around its window
QUOTES: Final[Mapping[QuestionClass, int]] = {"A": 2, "B": 6}
MAX_TOKENS: Final[Mapping[QuestionClass, int]] = {"A": 2048, "B": 8192}
LONGEST: Final = 400  # characters of a quote
_log = logging.getLogger("cortex.composer")


class Picked(Value):
    """A quote, the row it stands in, and words before it."""

    row: str
    quote: str
    lead: str = ""


class Composed(Value):
    """A model's answer; without a quote the rows do not answer the question."""

    quotes: list[Picked]


class ModelComposer:
    """Selects quotes with the model tiers: small models for class A, large ones for class B.

    Args:
        run: names what the budget of a run counts together.
    """

    def __init__(self, tiers: Tiers, *, run: str) -> None:
        self._tiers, self._run = tiers, run

    def __call__(self, query: Query, ranked: Sequence[Scored], extracted: Written) -> Written:
        """The quotes a model selects, as far as the rows contain them.

        Args:
            ranked: best first; there is evidence that they answer.
            extracted: the extractive answer, which stays where no model answers or none of its quotes stands. A model
                that finds no answer in the rows is believed.
        """
        class_ = query.class_
        rows = {f"row-{place}": one for place, one in enumerate(ranked[: ROWS[class_]], 1)}
        if not self._tiers.ready(class_):
            _log.warning("no model is ready for class %s: the answer is extractive", class_)
            return extracted
        content = _content(query, rows, key=self._tiers.key)
        prompt = (files("cortex.composer.answer") / "prompt.md").read_text("utf-8")
        request = Request("compose", prompt, content, Composed, class_=class_, max_tokens=MAX_TOKENS[class_])
        try:
            done = self._tiers.complete(request, run=self._run)
        except (BudgetSpent, TiersFailed, UnusableReply) as error:
            _log.warning("the answer is extractive: %s", error)
            return extracted
        picked = [one for one in done.answer.quotes if one.quote.strip()]
        if not picked:
            return Written([], [], done.tier)
        stands = [found for one in picked if (found := verify(query, one, rows))][: QUOTES[class_]]
        if len(stands) < len(picked):
            _log.info("%d of %d quotes of %s do not stand", len(picked) - len(stands), len(picked), done.model)
        if not stands:
            return extracted
        statements = {statement.quote: statement for statement, _ in stands}
        citations = {cites.handle: cites for _, cites in stands}
        return Written([*statements.values()], [*citations.values()], done.tier)


def verify(query: Query, picked: Picked, rows: Mapping[str, Scored]) -> tuple[Statement, Citation] | None:
    """The statement of *picked*, if its row contains the quote and every word of the lead; else None."""
    if picked.row not in rows:
        return None
    one = rows[picked.row]
    span = find(one.record["body"], picked.quote)
    if span is None:
        return None
    told = f"{query.text} {one.record['title']} {one.record['author']} {day_of(one.record)} {one.record['body']}"
    lead = " ".join(picked.lead.split())
    if not {*split(lead)} - STOP_WORDS <= {*split(told)}:
        lead = ""
    at = replace(one, window=one.window._replace(span=span, best=span))
    cites = citation(at, span)
    quote = inert(plain(one.record["body"][span.start : span.end]))
    return Statement(
        text=inert(lead), quote=quote, attribution=attribution(one.record), citations=(cites.handle,)
    ), cites


def find(body: str, quote: str) -> Span | None:
    """The span of *quote* in *body*, ignoring white space; None if absent or too long."""
    words = quote.split()
    if not words or len(quote) > LONGEST:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), body)
    return Span(*found.span()) if found else None


def _content(query: Query, rows: Mapping[str, Scored], *, key: bytes) -> str:
    about, texts = [], {"question": query.text}
    for name, one in rows.items():
        record = one.record
        state = record["state"] if record["state"].isalpha() else ""
        told = (
            f"authority {record['authority']:.2f}",
            "unverified" * bool(one.row.unverified),
            record["type"],
            state,
            day_of(record),
        )
        about.append(f"{name}: " + ", ".join(word for word in told if word))
        texts[name] = _text(one, CHARACTERS[query.class_])
    return "\n".join(about) + "\n\n" + fence(texts, key=key)


def _text(one: Scored, longest: int) -> str:
    """The text of a row for the model: title, author and the text around the window."""
    record, window = one.record, one.window
    start = max(0, min(window.span.start - longest // 4, len(record["body"]) - longest))
    named = {"ref": record["ref"], "title": record["title"], "author": record["author"]}
    return (
        "\n".join(f"{name}: {inert(value)}" for name, value in named.items() if value)
        + f"\n\n{record['body'][start : start + longest]}"
    )
