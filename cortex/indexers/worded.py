"""The changes that a title, or a section of a changelog, states, by the few operations that the brain keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cortex.language.changelogs import entries, section, version_in_title
from cortex.language.changes import Certainty, parse
from cortex.language.words import content_words
from cortex.substrate.changes import Op

_OPS: Final[dict[str, Op]] = {"adds": "adds", "removes": "removes", "replaces": "replaces", "renames": "replaces",
    "amends": "replaces", "reverts": "reverts", "relands": "relands"}  # fmt: skip
_SECTIONS: Final[dict[str, Op]] = {"added": "adds", "new features": "adds", "removed": "removes"}
_CLAUSE: Final = re.compile(r";|:\s|\s\(|\s[-–—]\s|\.(?:\s|$)")

LONGEST: Final = 200  # characters of a changelog's item that are read: its first sentence, not its reasons
PENDING: Final = 0.4  # certainty of a release that is yet to come


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
    if version := version_in_title(title):
        yield Worded("releases", new=version)
        return
    for one in parse(title):
        op = _OPS.get(one.op)
        subject, old, new = (text.replace("`", "").strip(" '\"“”*,") for text in (one.subject, one.old, one.new))
        subject, told = subject or old, one.certainty is Certainty.DONE and (op != "replaces" or one.new)
        if op and told and content_words(subject):
            yield Worded(op, subject, old, new, one.scope, 0.8 if one.partial else 1.0)
        if one.op in ("reverts", "relands"):
            return


def worded_section(heading: str, body: str) -> Iterator[tuple[str, Worded]]:
    """The day, '' where it is not told, and the changes that a section of a changelog states, its release the first.

    Args:
        heading: its headings, the outermost first, joined by ' › '.
    """
    told = section(heading, body)
    if not told:
        return
    yield told.day, Worded("releases", new=told.version, certainty=PENDING if told.pending else 1.0)
    if told.pending:
        return
    op = _SECTIONS.get(heading.rpartition("›")[2].strip().lower())
    for (start, end), _ in entries(body):
        text = " ".join(body[start:end].replace("`", "").split()).partition(". ")[0][:LONGEST]
        stated = [one for one in worded(text) if one.op != "releases"]
        if not stated and op and content_words(subject := _CLAUSE.split(text)[0].strip()):
            stated = [Worded(op, subject[:120], certainty=0.8)]
        yield from ((told.day, one) for one in stated)
