"""Answers, why they stand where they stand, and search results as a person reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING, Final

from cortex.language.markdown import LIST_MARK
from cortex.regex import regex
from cortex.substrate.facts import addressed, plain
from cortex.substrate.model import Answer, Citation, Hit, Statement
from cortex.substrate.quoting import INDENT, inert, label, quoted, titled
from cortex.surfaces import render
from cortex.surfaces.render import cells, cut, dim, heading, indented, joined, line, spaced, stacked, width, wrapped

if TYPE_CHECKING:
    from cortex.composer.explain import Explanation, Row

SHOWN: Final = 3  # statements shown at once, and rows nearest to a question that none answers
BRIEF: Final = 2  # statements that the demo shows
UNVERIFIED: Final = "Unverified: nobody of the project stands behind what leads this answer."
CLOSEST: Final = "Closest matches, none of which answers the question:"
_WORTH_A_TITLE: Final = 16
ROWS: Final = 15  # of an explanation
_RETRIEVERS: Final = ("text", "fact", "vector")


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
    left = len(answered.statements) - len(shown)
    named = {handle for one in shown for handle in one.citations}
    rows = [one for one in answered.citations if one.handle in named]
    names = {one.source for one in rows}
    where = f" in {inert(*names)}" if len(names) == 1 else ""
    return spaced(
        *(_statement(one, numbers) for one in shown),
        UNVERIFIED if answered.evidence == "weak" else "",
        dim(f"and {left} more: {more}") if left else "",
        stacked(heading("Sources") + dim(where), *(_source(one, numbers[one.handle], names) for one in rows)),
    )


def brief(answered: Answer) -> str:
    """The first statements of the answer, each with where it stands; the refusal when it is one."""
    if answered.refused:
        return answered.answer
    numbers, cited = _numbers(answered), {one.handle: one for one in answered.citations}
    shown = []
    for one in answered.statements[:BRIEF]:
        shown.append(_statement(one, numbers))
        for citation in (cited[handle] for handle in one.citations):
            about = joined(label(citation.handle), render.standing(citation.record), render.place(citation.record))
            shown.append(dim(indented(about, 4)))
    more = len(answered.statements) - BRIEF
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
    return " ".join(["\n".join(shown), *(render.mark(numbers[handle]) for handle in one.citations)])


def _source(citation: Citation, number: int, names: Collection[str]) -> str:
    record, margin = citation.record, " " * len(f"[{number}] ")
    name = label(citation.handle) if "@" in citation.handle else f"{citation.handle}  {label(record.ref)}"
    room = width() - cells(f"{margin}{name}  ")
    title = titled(cut(inert(record.title), room - 2)) if room >= _WORTH_A_TITLE else ""
    source, where = inert(citation.source) if len(names) > 1 else "", render.place(record)
    told = joined(render.standing(record), f"authority {citation.authority:.2f}", source)
    below = [joined(told, where)] if cells(margin + joined(told, where)) <= width() else [told, where]
    return "\n".join([f"{render.mark(number)} {heading(name)}  {title}", *(margin + dim(each) for each in below)])


def cited(answered: Answer) -> str:
    """What an answer rests on, each with its words; of a refusal, the rows that come nearest."""
    rows = answered.citations or answered.considered
    names = {one.source for one in rows}
    quotes = (
        stacked(_source(one, n, names), render.ruled("\n".join(filter(str.strip, one.excerpt.splitlines())), indent=4))
        for n, one in enumerate(rows, 1)
    )
    return spaced(CLOSEST if answered.refused and rows else "", *quotes)


def nearest(answered: Answer) -> str:
    """The rows that come nearest to a question that none of them answers; '' when there are none."""
    if not answered.considered:
        return ""
    rows = [f"{label(one.record.ref)}  {titled(one.record.title)}" for one in answered.considered[:SHOWN]]
    return stacked(CLOSEST, *(indented(each, rest=4) for each in rows))


def hits(found: Sequence[Hit]) -> str:
    """Search results, best first: what each says, and the name to show it by."""
    return "\n\n".join(_hit(hit) for hit in found) or "Nothing matches."


def _hit(hit: Hit) -> str:
    about, source = render.standing(hit.record), inert(hit.source)
    title = titled(cut(inert(hit.record.title), max(width() - cells(f"{about}{source}") - 10, _WORTH_A_TITLE)))
    text = quoted(cut(inert(hit.excerpt or hit.statement), 3 * width() - 12))
    return stacked(heading(label(hit.ref)), indented(text), dim(indented(joined(about, title, source))))


def explanation(found: Explanation) -> str:
    """How the question was understood and judged, then a table of the first rows."""
    terms = ", ".join(f"{term} {weight:g}" for term, weight in sorted(found.terms.items(), key=lambda one: -one[1]))
    judged = ", ".join(f"{name} {value:g}" for name, value in found.judged.items())
    took = ", ".join(f"{name} {value:.0f} ms" for name, value in found.timings_ms.items())
    of_first = found.rows[0].parts if found.rows else ()
    features = [name for name in of_first if any(row.parts[name] for row in found.rows)]
    heads = ["#", "record", *_RETRIEVERS, "reason", "link", "lineage", "score", *features]
    rows = [_row(row, features) for row in found.rows[:ROWS]]
    more = len(found.rows) - ROWS
    return stacked(
        heading(line(found.question)),
        f"class {found.class_}, asks for: {found.asks_for}",
        f"terms by weight: {line(terms)}",
        f"searched too: {line(' '.join(found.variant)) or 'nothing'}",
        f"evidence: {found.evidence}, likelihood {found.likelihood:.2f} ({judged})",
        f"retrievers: {took}\n",
        render.table([heads, *rows], numbers={0, 2, 3, 4, *range(8, len(heads))}),
        dim(f"and {more} more rows; --json has them all") if more > 0 else "",
    )


def _row(row: Row, features: list[str]) -> list[str]:
    places = [str(row.places.get(name, "")) for name in _RETRIEVERS]
    parts = [f"{row.parts[name]:.2f}" for name in features]
    lineage = line(", ".join(row.lineage))
    return [str(row.rank), line(row.ref), *places, row.reason, line(row.relation), lineage, f"{row.score:.2f}", *parts]


_FENCE: Final = "```"
_BETWEEN: Final = regex(r"(?<!\\)\|")
_DRAWN: Final = regex(r"[|\s:-]+")
_TWICE: Final = regex(r"``\s?([^`]+?)\s?``")  # code, as reStructuredText has it


def opening(quote: str) -> str:
    """The line of prose that a quotation begins with; '' where it begins with an item of a list, code or a table."""
    first = quote.partition("\n")[0]
    return "" if "\n" in quote and LIST_MARK.match(first) else prose(first)


def blocks(quote: str, by: str, *, columns: int) -> Iterator[str]:
    """The blocks of a quotation after its opening, every line begun with the indent, and who is quoted *by* name.

    Args:
        columns: how long the last line may be.
    """
    first, *others = quote.split("\n")
    opened = opening(quote)
    lines = [*([] if opened or not first else [first]), *(line.removeprefix(INDENT) for line in others)]
    while lines:
        if lines[0] == _FENCE:
            code = list(takewhile(lambda line: line != _FENCE, lines[1:]))
            yield render.folded("\n".join(f"{2 * INDENT}{line}" for line in code))
            del lines[: len(code) + 2]
        elif rows := list(takewhile(lambda line: line.startswith("|"), lines)):
            yield _table(rows)
            del lines[: len(rows)]
        else:
            line = lines.pop(0)
            mark = found[0] if (found := LIST_MARK.match(line)) else ""
            rest, said = INDENT + " " * len(mark), mark + prose(line[len(mark) :])
            if opened and not lines and not mark:
                yield wrapped(f"{said}”{by}", first=INDENT, rest=rest, columns=columns)
                return
            yield wrapped(said, first=INDENT, rest=rest)
    yield wrapped(f"”{by}" if opened else by, first="  ", rest=INDENT, columns=columns)


def prose(markdown: str) -> str:
    """A line of Markdown as it reads, links followed by where they lead."""
    return inert(plain(addressed(_TWICE.sub(r"`\1`", markdown))))


def _table(lines: Sequence[str]) -> str:
    """The rows in columns; where these do not fit, each row as its cells beside what its columns are called."""
    drawn = [line for line in lines if not _DRAWN.fullmatch(line)] or [""]
    split = [_BETWEEN.split(line.strip()[1:].removesuffix("|")) for line in drawn]
    columns = zip_longest(*([prose(cell.replace(r"\|", "|")) for cell in row] for row in split), fillvalue="")
    rows = list(zip(*columns, strict=True))
    head = rows.pop(0) if len(drawn) < len(lines) else ()
    widths = [max(map(cells, column)) for column in zip(*([head] if head else []), *rows, strict=True)]
    if cells(INDENT) + sum(widths) + 2 * len(widths) <= width():
        rule = tuple("─" * size for size in widths)
        return render.table([*([head, rule] if head else []), *rows], indent=INDENT)
    told = (
        "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip_longest(head, row, fillvalue="") if cell)
        for row in rows
    )
    return "\n".join(wrapped(each, first=INDENT, rest=f"{INDENT}  ") for each in told)
