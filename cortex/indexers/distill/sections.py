"""Sections of documents cut into units: sentences, list items with what introduces them, table rows with their heads.

Markdown is read as CommonMark has it; reStructuredText by its lines, as far as these tell an item from a paragraph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cortex.indexers.distill import markdown, restructured
from cortex.indexers.distill.questions import is_question, says_only_yes_or_no
from cortex.indexers.distill.unit import Unit
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "sections")


def sections(title: str, body: str, *, path: str) -> Iterator[Unit]:
    """The units of a section, in order.

    Args:
        title: its headings, joined by ' › '.
        path: of the file, whose suffix tells what it is written in.
    """
    units = (restructured if path.endswith(".rst") else markdown).units(body)
    unanswered = is_question(title.rpartition(" › ")[2])
    for number, unit in enumerate(units):
        if unanswered and (number == 0 or unit.sentences > 1) and unit.shape in ("sentence", "term"):
            unanswered = says_only_yes_or_no(unit.text)
            yield unit._replace(first=number == 0, shape="answer")
        else:
            unanswered = unanswered and number > 0
            if _is_readable(unit):
                yield unit._replace(first=number == 0)


def _is_readable(unit: Unit) -> bool:
    """Whether *unit* does not begin with an "it" or "these" that nothing in it tells of."""
    if unit.shape not in ("sentence", "item") or unit.context or not _ENGLISH["opens"].match(unit.text):
        return True
    return bool(_ENGLISH["nobody"].match(unit.text)) and not _ENGLISH["of_a_thing"].search(unit.text)
