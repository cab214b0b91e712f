"""The words that are quoted of a record: its sentence that answers best, and as much around that as fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cortex.composer.afterthoughts import read_on
from cortex.composer.claims import begins_orders, tokens
from cortex.composer.compose.framing import frame
from cortex.composer.cuts import shortened
from cortex.composer.fuse import Fused
from cortex.composer.leads import leads_at, led_until, needed, placed, titled, unquoted
from cortex.composer.quote import Quote
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation
from cortex.substrate.voice import own_words


def sentence_of(record: Mapping[str, Any], found: Quote) -> str:
    """The sentence that answers best, in its author's own words."""
    return plain(own_words(record["body"], record["type"])[slice(*found.best)])


def window_of(one: Fused, found: Quote, records: Mapping[int, Mapping[str, Any]]) -> str:
    """What is quoted of a row, in its author's own words."""
    record = records[one.row.record_id]
    return plain(own_words(record["body"], record["type"])[found.window.start : found.window.end])


def line_of(
    record: Mapping[str, Any], found: Quote, longest: int, citation: Citation, *, goes_on: bool, steps: bool
) -> str:
    """The window as far as it fits and stands under the same headings, begun no later than the best sentence.

    Args:
        steps: it shows code, and is read on below that.
    """
    title, type_ = record["title"], record["type"]
    body = unquoted(own_words(record["body"], type_))
    start, best = found.window.start, plain(body[slice(*found.best)])
    end = read_on(body, max(found.window.end, found.best.end))
    until = led_until(body, title, type_, start, past_code=steps)
    if found.best.end - start > longest or until < found.best.end:
        start, until = found.best.start, led_until(body, title, type_, found.best.start, past_code=steps)
    text = _said(body, start, min(end, until), title, longest)
    if start < found.best.start and not _holds(text, best):
        start, until = found.best.start, led_until(body, title, type_, found.best.start, past_code=steps)
        text = _said(body, start, min(end, until), title, longest)
    framed = "…" if goes_on else frame(record)
    above = () if framed.startswith(title) else tuple(dict.fromkeys((*placed(title, type_), *titled(title, type_))))
    leads = needed((*above, *leads_at(body, title, type_, start)), body[start:end])
    under = "".join(f" › {one}" for one in leads)
    framed = framed if goes_on and not under else f"{framed}{under}:"
    return f"{framed} “{text}” [CITATION:{citation.handle}]"


def _said(body: str, start: int, end: int, title: str, longest: int) -> str:
    """What *body* says from *start* to *end*, as far as it fits."""
    quoted = body[start:end]
    heading, _, rest = quoted.partition("\n\n") if start == 0 and quoted.startswith(title) else ("", "", quoted)
    text = " — ".join(filter(None, (plain(heading), plain(rest))))
    # what a row tells its reader to do is no answer
    text = text[: begins_orders(text)].partition("[CITATION:")[0].rstrip() or text
    return shortened(text, longest)


def _holds(text: str, sentence: str) -> bool:
    """Whether the words of *sentence* are among those of *text*."""
    return sentence in text or f" {' '.join(tokens(sentence))} " in f" {' '.join(tokens(text))} "
