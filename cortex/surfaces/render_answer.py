"""Answers and search results as a person reads them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from cortex.regex import regex
from cortex.substrate.model import Answer, Citation, Hit
from cortex.surfaces.render import cells, cut, dim, heading, line, mark, place, safe, standing, width, wrapped

_CITATION: Final = regex(r"\s*\[CITATION:([^\]]+)\]")
_GLUE: Final = "\N{NO-BREAK SPACE}"  # keeps a citation on the line of the word before it
_NEAREST: Final = 3
_WORTH_A_TITLE: Final = 16


def answer(answered: Answer) -> str:
    """The answer with numbered citations, then the rows they stand for; the refusal alone when it is one."""
    if answered.refused:
        return answered.answer
    numbers = {citation.handle: number for number, citation in enumerate(answered.citations, 1)}
    statements = [_statement(text, numbers) for text in answered.answer.splitlines() if text.strip()]
    names = {citation.source for citation in answered.citations}
    where = f" in {line(*names)}" if len(names) == 1 else ""
    cited = [_source(citation, numbers[citation.handle], names) for citation in answered.citations]
    return "\n\n".join([*statements, heading("Sources") + dim(where) + "\n" + "\n".join(cited)])


def brief(answered: Answer, *, statements: int = 2) -> str:
    """The first *statements* of the answer, each with where it stands; the refusal when it is one."""
    if answered.refused:
        return answered.answer
    numbers = {citation.handle: number for number, citation in enumerate(answered.citations, 1)}
    texts = [text for text in answered.answer.splitlines() if text.strip()]
    shown = []
    for text in texts[:statements]:
        shown.append(_statement(text, numbers))
        for citation in answered.citations:
            if citation.handle in _CITATION.findall(text):
                about = (citation.handle, standing(citation.record), place(citation.record))
                shown.append(dim(wrapped(" · ".join(filter(None, about)), first="    ", rest="    ")))
    more = len(texts) - statements
    return "\n".join([*shown, dim(f"    and {more} more")] if more > 0 else shown)


def _statement(text: str, numbers: dict[str, int]) -> str:
    marked = _CITATION.sub(lambda found: f"{_GLUE}[{numbers.get(found[1], '?')}]", text)
    shown = wrapped(marked).replace(f"{_GLUE}[", " [")
    return re.sub(r"\[(\d+)\]$", lambda found: mark(int(found[1])), shown)


def _source(citation: Citation, number: int, names: Collection[str]) -> str:
    record, margin = citation.record, " " * len(f"[{number}] ")
    name = citation.handle if citation.handle.startswith(record.ref) else f"{citation.handle}  {record.ref}"
    room = width() - cells(f"{margin}{name}  ")
    title = cut(line(record.title), room) if room >= _WORTH_A_TITLE else ""
    about = [standing(record), f"authority {citation.authority:.2f}", citation.source if len(names) > 1 else ""]
    told = " · ".join(filter(None, map(line, about)))
    where = place(record)
    joined = f"{told} · {where}" if where else told
    below = [joined] if cells(margin + joined) <= width() else [told, where]
    return "\n".join([f"{mark(number)} {heading(safe(name))}  {title}", *(margin + dim(each) for each in below)])


def cited(answered: Answer) -> str:
    """What an answer rests on, each with its words; of a refusal, the rows that come nearest."""
    rows = answered.citations or answered.considered
    names = {one.source for one in rows}
    first = ["nearest, though none answers it:"] if answered.refused and rows else []
    return "\n\n".join([*first, *(_quoted(one, number, names) for number, one in enumerate(rows, 1))])


def _quoted(citation: Citation, number: int, names: Collection[str]) -> str:
    paragraphs = [
        wrapped(each, first="    │ ", rest="    │ ") for each in safe(citation.excerpt).splitlines() if each.strip()
    ]
    return "\n".join([_source(citation, number, names), *paragraphs])


def nearest(answered: Answer) -> str:
    """The rows that come nearest to a question that none of them answers; '' when there are none."""
    if not answered.considered:
        return ""
    lines = [
        wrapped(f"{one.record.ref}  {one.record.title}", first="  ", rest="    ")
        for one in answered.considered[:_NEAREST]
    ]
    return "\n".join(["nearest, though none answers it:", *lines])


def hits(found: Sequence[Hit]) -> str:
    """Search results, best first: what each says, and the name to show it by."""
    return "\n\n".join(_hit(hit) for hit in found) or "Nothing matches."


def _hit(hit: Hit) -> str:
    about = " · ".join(filter(None, (standing(hit.record), line(hit.record.title), hit.source)))
    text = cut(line(hit.excerpt or hit.statement), 3 * width() - 12)
    return "\n".join(
        [heading(line(hit.ref)), wrapped(text, first="  ", rest="  "), dim("  " + cut(about, width() - 2))]
    )
