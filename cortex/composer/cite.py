"""Cite or recant: a statement stands only if what it says is in the row it cites.

Outside quotes an answer says its row's words one after the other, as they stand there. It may leave out articles, what
is in brackets, and whole clauses at either end that do not turn what is left; and it may tell of the record itself what
is known: who did what to it, and when. What it quotes is there word by word.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import Final

from cortex.composer.afterthoughts import belongs
from cortex.composer.cited import Row
from cortex.composer.claims import EMPTY, GLUE, NEGATIONS, begins_orders, runs, says_beside, tokens
from cortex.composer.compose.extractive import Statement
from cortex.composer.cuts import CLAUSE_END, keeps_sense
from cortex.composer.leads import needed
from cortex.composer.support import is_joined, supports
from cortex.language.markdown import Span
from cortex.language.sentences import sentences_of
from cortex.language.stems import Stemmer
from cortex.substrate.model import Citation

CITED: Final = re.compile(r"\[CITATION:([^\]]+)\]")

_AROUND: Final = 2000
"""Characters to look at beside what is quoted, for the rest of its sentences."""

_PLACES: Final = 40
"""In a row where it may have what is quoted; an attacker's may have it anywhere."""

_UNDER: Final = " › "
_EMPTY: Final = EMPTY | GLUE | NEGATIONS
_FRAMED: Final = re.compile(r"(.*?:\s*|[…\s]*)“(.*)”[\s.]*", re.S)
_INSIDE: Final = re.compile(r"“([^”]*)”|\"([^\"]*)\"")
_OWN: Final = frozenset(string.printable) - frozenset("\r\x0b\x0c") | frozenset("“”‘’…—–·›☐☑")


def standing(
    statements: Iterable[Statement], bodies: dict[str, str], stemmer: Stemmer | None = None
) -> list[Statement]:
    """Those of *statements* that hold; the others are dropped, and with none left the answer is the refusal.

    Args:
        bodies: the body of every record that was among the rows, by source and ref: 'owner/name issue:496'.
        stemmer: one to use again.
    """
    stemmer = stemmer or Stemmer()
    return [one for one in statements if holds(one.text.removeprefix(one.led_by), one.citations, bodies, stemmer)]


def holds(text: str, citations: Sequence[Citation], bodies: dict[str, str], stemmer: Stemmer | None = None) -> bool:
    """Whether *text* cites some of *citations*, none else, and says before each handle only what that row does.

    A second row of the same sentence says what the first does where it has the same lines of the same file.
    """
    known = {citation.handle: citation for citation in citations}
    stemmer = stemmer or Stemmer()
    pieces = CITED.split(text)
    if (
        len(pieces) < 3
        or says_beside(pieces[-1])
        or any(_is_bracketed(*pair) for pair in zip(pieces[::2], pieces[2::2], strict=False))
    ):
        return False
    said, before = "", None
    for piece, handle in zip(pieces[::2], pieces[1::2], strict=False):
        said = piece if says_beside(piece) else said
        if handle not in known or not said:
            return False
        citation, body = known[handle], bodies.get(f"{known[handle].source} {known[handle].record.ref}", "")
        repeats = before is not None and not says_beside(piece) and _has_lines_of(before, citation, body)
        if not repeats and not _says(said, Row(citation, body, stemmer)):
            return False
        before = citation
    return True


def _has_lines_of(first: Citation, second: Citation, body: str) -> bool:
    """Whether *second* quotes, of a row with *body*, the lines of the same file that *first* does."""
    of_one_file = bool(first.record.path) and (first.source, first.record.path) == (second.source, second.record.path)
    lines, within = first.record.lines, second.record.lines
    if not of_one_file or not lines or not within or first.excerpt != second.excerpt:
        return False
    return within[0] <= lines[0] <= lines[1] <= within[1] and second.excerpt in body


def _says(said: str, row: Row) -> bool:
    """Whether *row* says what stands before its handle."""
    said = said.strip()
    if begins_orders(said) < len(said) or not _is_plain(said, row) or not says_beside(said, _EMPTY):
        return False
    if " ".join(said.split()) == " ".join(row.statement.split()):
        return True
    title = row.record.title
    is_titled = bool(title) and re.match(r"\s*(?:[:,(›]|$)", said[len(title) :]) is not None and said.startswith(title)
    rest, under = said.removeprefix(title) if is_titled else said, row.headings if is_titled else ()
    framed = _FRAMED.fullmatch(rest)
    if framed:
        rest, *named = framed[1].rstrip(": ").split(_UNDER)
        under = needed((*under, *(one for one in named if one not in row.places)), framed[2])
        if not says_beside(framed[2]) or not _quotes(framed[2], row, under):
            return False
    elif under:
        rest = said  # what turns a sentence is said with it
    quoted = ["".join(pair) for pair in _INSIDE.findall(rest)]
    if not all(_quotes(one, row, None) for one in quoted if says_beside(one)):
        return False
    starts = [span.start for span in sentences_of(rest, Span(0, len(rest)))]
    cuts = [0, *starts[1:], len(rest)]  # a list's mark is said too
    every = [rest[start:end] for start, end in pairwise(cuts)]
    if supports(every, row):
        return True
    grouped = _with_what_belongs(every)
    alone = [one for one in grouped if not is_joined(one, row)]
    return len(alone) < len(grouped) and supports(alone, row)


def _with_what_belongs(every: Sequence[str]) -> list[str]:
    """Sentences, each with those after it that say something only of it."""
    joined: list[str] = []
    for one in every:
        if joined and belongs(one.strip()):
            joined[-1] += one
        else:
            joined.append(one)
    return joined


def _quotes(quoted: str, row: Row, under: Sequence[str] | None) -> bool:
    """Whether the row has *quoted* word by word, and what is cut off its sentences does not turn it.

    Args:
        under: what is said to stand above it: all that turns it there, and nothing else; None within a sentence.
    """
    for told in row.lines:
        for start, end in islice(runs(quoted, told.text), _PLACES):
            before, after = told.text[max(0, start - _AROUND) : start], told.text[end : end + _AROUND]
            if under is None:
                stands = NEGATIONS.isdisjoint(tokens(CLAUSE_END.split(before)[-1]))
            else:
                stands = told.leads_at(start, end) == tuple(under) and keeps_sense(before, after, quoted)
            if stands:
                return True
    return False


def _is_plain(said: str, row: Row) -> bool:
    """Whether each character is of plain English or of the row: none looks like another, none is not seen."""
    strange = {*said} - _OWN
    return not strange or strange <= row.characters


def _is_bracketed(before: str, after: str) -> bool:
    """Whether the brackets of a handle stand in other brackets."""
    return before.rstrip().endswith(("[", "(", "{", "【")) or after.lstrip().startswith(("]", ")", "}", "】"))
