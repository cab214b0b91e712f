"""The changes that a title, or a section of a changelog, states, by the few operations that the brain keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cortex.language.changes import Certainty, StatedChange, parse
from cortex.language.patterns import patterns
from cortex.language.words import content_words
from cortex.substrate.changes import Op

_OPS: Final[dict[str, Op]] = {"adds": "adds", "removes": "removes", "replaces": "replaces", "renames": "replaces",
    "amends": "replaces", "reverts": "reverts", "relands": "relands", "releases": "releases"}  # fmt: skip
_VERSION: Final = r"(?P<new>v?\d+(?:\.\d+)+(?:[-.]?[a-z]+[.-]?\d*)?)"
_HEADING: Final = re.compile(rf"\[?{_VERSION}\]?(?:\s*[-–(:]\s*(?P<day>\d{{4}}-\d\d-\d\d))?.*", re.I)
_ITEM: Final = re.compile(r"^[^\S\n]{0,3}[-*+][^\S\n]+(.+(?:\n[^\S\n]+[^\s*+-].*)*)", re.M)
_SECTIONS: Final[dict[str, Op]] = {"added": "adds", "new features": "adds", "removed": "removes"}
_CLAUSE: Final = re.compile(r";|:\s|\s\(|\s[-–—]\s|\.(?:\s|$)")

LONGEST: Final = 200  # characters of a changelog's item that are read: its first sentence, not its reasons


class Worded(NamedTuple):
    """One change that a text states; '' is what it does not tell."""

    op: Op
    subject: str = ""
    old: str = ""
    new: str = ""
    scope: str = ""
    certainty: float = 1.0


def worded(title: str) -> Iterator[Worded]:
    """The changes that a title states as done; of a revert of a revert the outer alone.

    >>> [(one.op, one.old, one.new) for one in worded("mail: replace Fax with Post (#12)")]
    [('replaces', 'Fax', 'Post')]
    """
    if released := patterns("releases", "worded")["releases"].fullmatch(title.strip()):
        yield Worded("releases", new=released["new"])
        return
    for one in parse(title):
        told = _worded(one)
        if told:
            yield told
        if one.op in ("reverts", "relands"):
            return


def worded_section(heading: str, body: str) -> Iterator[tuple[str, Worded]]:
    """The day, '' where it is not told, and the changes that a section of a changelog states.

    Args:
        heading: its headings, the outermost first, joined by ' › '.
    """
    parts = [part.strip() for part in heading.split("›")]
    released = next((found for part in reversed(parts) if (found := _HEADING.fullmatch(part))), None)
    if not released:
        return
    day = released["day"] or ""
    yield day, Worded("releases", new=released["new"])
    op = _SECTIONS.get(parts[-1].lower())
    for item in _ITEM.findall(body):
        text = " ".join(item.replace("`", "").split()).partition(". ")[0][:LONGEST]
        stated = [one for one in worded(text) if one.op != "releases"]
        if not stated and op and content_words(subject := _CLAUSE.split(text)[0].strip()):
            stated = [Worded(op, subject[:120], certainty=0.8)]
        yield from ((day, one) for one in stated)


def _worded(one: StatedChange) -> Worded | None:
    op = _OPS.get(one.op)
    if not op or one.certainty is not Certainty.DONE or (op == "replaces" and not one.new):
        return None
    subject, old, new = (text.replace("`", "").strip(" '\"“”*,") for text in (one.subject, one.old, one.new))
    if op == "releases":
        version = re.search(_VERSION, subject)
        return Worded(op, new=version["new"]) if version else None
    subject = subject or old
    return Worded(op, subject, old, new, one.scope, 0.8 if one.partial else 1.0) if content_words(subject) else None
