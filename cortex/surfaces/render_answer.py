"""Answers and search results as a person reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from cortex.substrate.model import Answer, Citation, Hit, Statement
from cortex.substrate.quoting import inert, label, quoted, titled
from cortex.surfaces.render import cells, cut, dim, heading, mark, place, safe, standing, width, wrapped
from cortex.surfaces.render_quote import blocks, opening

SHOWN: Final = 3  # statements shown at once, and rows nearest to a question that none answers
UNVERIFIED: Final = "Unverified: nobody of the project stands behind what leads this answer."
CLOSEST: Final = "Closest matches, none of which answers the question:"
_WORTH_A_TITLE: Final = 16


def answer(answered: Answer, *, every: bool = False, more: str = "--all") -> str:
    """The first statements with numbered citations, then the rows they stand for; the refusal alone when it is one.

    Args:
        every: show all statements.
        more: how to ask for the statements that are left out.
    """
    if answered.refused:
        return answered.answer
    shown = answered.statements if every else answered.statements[:SHOWN]
    numbers = _numbers(answered)
    statements = [_statement(one, numbers) for one in shown]
    if answered.evidence == "weak":
        statements.append(UNVERIFIED)
    if left := len(answered.statements) - len(shown):
        statements.append(dim(f"and {left} more: {more}"))
    named = {handle for one in shown for handle in one.citations}
    rows = [one for one in answered.citations if one.handle in named]
    names = {one.source for one in rows}
    where = f" in {inert(*names)}" if len(names) == 1 else ""
    cited = [_source(one, numbers[one.handle], names) for one in rows]
    return "\n\n".join([*statements, heading("Sources") + dim(where) + "\n" + "\n".join(cited)])


def brief(answered: Answer, *, statements: int = 2) -> str:
    """The first *statements* of the answer, each with where it stands; the refusal when it is one."""
    if answered.refused:
        return answered.answer
    numbers, cited = _numbers(answered), {one.handle: one for one in answered.citations}
    shown = []
    for one in answered.statements[:statements]:
        shown.append(_statement(one, numbers))
        for citation in (cited[handle] for handle in one.citations):
            about = (label(citation.handle), standing(citation.record), place(citation.record))
            shown.append(dim(wrapped(" · ".join(filter(None, about)), first="    ", rest="    ")))
    more = len(answered.statements) - statements
    return "\n".join([*shown, dim(f"    and {more} more")] if more > 0 else shown)


def _numbers(answered: Answer) -> Mapping[str, int]:
    return {citation.handle: number for number, citation in enumerate(answered.citations, 1)}


def _statement(one: Statement, numbers: Mapping[str, int]) -> str:
    """A statement with the numbers of its citations: only its first line begins at the margin."""
    room = width() - cells(" ".join(["", *(f"[{numbers[handle]}]" for handle in one.citations)]))
    first, by = opening(one.quote), f" — {one.attribution}" if one.attribution else ""
    opened = " ".join(filter(None, (one.text, f"“{first}" if first else "")))
    if "\n" in one.quote:
        shown = [*([wrapped(opened, rest="  ")] if opened else []), *blocks(one.quote, by, columns=room)]
    else:
        shown = [wrapped(f"{opened}{'”' if first else ''}{by}", rest="  ", columns=room)]
    return " ".join(["\n".join(shown), *(mark(numbers[handle]) for handle in one.citations)])


def _source(citation: Citation, number: int, names: Collection[str]) -> str:
    record, margin = citation.record, " " * len(f"[{number}] ")
    name = label(citation.handle) if "@" in citation.handle else f"{citation.handle}  {label(record.ref)}"
    room = width() - cells(f"{margin}{name}  ")
    title = titled(cut(inert(record.title), room - 2)) if room >= _WORTH_A_TITLE else ""
    about = [standing(record), f"authority {citation.authority:.2f}", inert(citation.source) if len(names) > 1 else ""]
    told = " · ".join(filter(None, about))
    where = place(record)
    joined = f"{told} · {where}" if where else told
    below = [joined] if cells(margin + joined) <= width() else [told, where]
    return "\n".join([f"{mark(number)} {heading(name)}  {title}", *(margin + dim(each) for each in below)])


def cited(answered: Answer) -> str:
    """What an answer rests on, each with its words; of a refusal, the rows that come nearest."""
    rows = answered.citations or answered.considered
    names = {one.source for one in rows}
    first = [CLOSEST] if answered.refused and rows else []
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
    rows = [(one.record.ref, titled(one.record.title)) for one in answered.considered[:SHOWN]]
    return "\n".join([CLOSEST, *(wrapped(f"{label(ref)}  {title}", first="  ", rest="    ") for ref, title in rows)])


def hits(found: Sequence[Hit]) -> str:
    """Search results, best first: what each says, and the name to show it by."""
    return "\n\n".join(_hit(hit) for hit in found) or "Nothing matches."


def _hit(hit: Hit) -> str:
    about, source = standing(hit.record), inert(hit.source)
    title = titled(cut(inert(hit.record.title), max(width() - cells(f"{about}{source}") - 10, _WORTH_A_TITLE)))
    text = quoted(cut(inert(hit.excerpt or hit.statement), 3 * width() - 12))
    where = wrapped(" · ".join(filter(None, (about, title, source))), first="  ", rest="  ")
    return "\n".join([heading(label(hit.ref)), wrapped(text, first="  ", rest="  "), dim(where)])
