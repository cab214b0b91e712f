"""Which pull request a revert takes back that names it by its title, or by a commit of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from cortex.indexers.meant import is_done
from cortex.substrate.brain import Brain
from cortex.language.words import STOP_WORDS
from cortex.substrate.statements import sql
from cortex.language.stems import split

_VERB: Final = (
    r"(?P<verb>revert(?:s|ed|ing)?|back(?:s|ed|ing)?\s+out|roll(?:s|ed|ing)?\s*back|undo(?:es|ing)?"
    r"|re-?appl(?:y|ies|ied|ying)|re-?land(?:s|ed|ing)?)"
)
_TITLE = re.compile(
    rf"{_VERB}(?:\([\w/, -]*\))?!?(?:\s*:\s*|\s+)(?P<what>\S.*?)\s*(?:\(#(?P<number>[1-9]\d*)\))?", re.I
)
_MARKS: Final = ('""', "“”", "''", "‘’", "``", "«»")

LONGEST_TITLE: Final = 300
"""Characters of a title that are read: layers of quotation marks, not prose."""

_REACH: Final = 80

FEWEST: Final = 2
"""Words of what is removed, for it to be what a pull request brought."""

_REMOVES = re.compile(
    r"\b(?P<verb>remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|delet(?:e|es|ed|ing))\s+(?:the\s+)?(?P<what>[\w/-]+(?:[^\S\n]+[\w/-]+){0,5}?)"
    r"\s+(?:(?:that\s+was\s+)?(?:added|introduced)\s+(?:in|by|with)|of|from|in)\s+(?:pr\s+)?#(?P<number>[1-9]\d*)"
    r"(?=\s*(?:[.;,:!)\n]|\Z)|\s+(?:as|because|since|again)\b)",
    re.I,
)

_NUMBERS: Final = re.compile(r"\d[\w.,]*")

_WAS = re.compile(
    r"(?:^|[.(\n])[^\S\n]*(?:it\s+)?was\s+(?P<what>\d[\w.,]*(?:\s+\w+){0,2}?)\s+since\s+(?:pr\s+)?#(?P<number>[1-9]\d*)"
    r"(?=\s*(?:[.;,)\n]|\Z))",
    re.I,
)
"""'Was 20 minutes since #4', which is no longer so."""

_REMOVING = re.compile(
    r"(?:[\w()/., -]{1,30}:\s+)?(?:remove|drop|delete|disable|(?:turn|switch)\s+off|get\s+rid\s+of|rip\s+out)s?\s+"
    r"(?:the\s+)?(?P<what>.+)",
    re.I,
)
"""A title that says so of a thing, of which the text names the pull request that brought it."""

_IN_PART = re.compile(r"\b(?:partial(?:ly)?|partly|parts?|only|temporar\w+|for now)\b", re.I)

_TOLD = re.compile(
    r"#(?P<of>[1-9]\d*)\s+(?:was|got|is|has\s+been|had\s+been|were)\s+(?:then\s+|later\s+|since\s+|now\s+)?"
    r"(?:reverted|backed\s+out|rolled\s+back)\s+(?:again\s+)?(?:by|in|with|via)\s+(?:pr\s+|pull\s+request\s+)?#(?P<by>[1-9]\d*)"
    r"(?=\s*(?:[.;,:!)\n]|\Z)|\s+(?:as|because|since|and|but|so)\b)",
    re.I,
)
"""What tells of two others: '#4 got reverted by #5'."""

_SUPPOSED = re.compile(r"\b(?:if|whether|unless|once|when|until|before|would|could|might)\b[^.\n]*$", re.I)

_Titles = Mapping[str, Sequence["_Merged"]]


class _Merged(NamedTuple):
    ref: str
    title: str
    at: str


class _Read(NamedTuple):
    """What a title takes or brings back; `number` stands behind it, and may be its own."""

    relation: Literal["reverts", "reapplies"]
    title: str
    number: str


def link_reverts(brain: Brain, *, source_id: int) -> None:
    """Link what takes back a commit, or what another is called, to the pull request that this is; then follow them."""
    with brain.transaction() as db:
        db.execute(sql("pulls_of_reverted_commits"), {"source_id": source_id})
        link = "insert or ignore into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, ?, '', ?)"
        for type_ in ("pull", "commit"):
            db.executemany(link, [(source_id, *found) for found in _by_title(brain, source_id, type_)])
        removed = [(source_id, by, "supersedes", pull) for by, pull in _removed(brain, source_id)]
        db.executemany(link, [*removed, *((source_id, by, "reverts", pull) for by, pull in _told(brain, source_id))])
        db.execute(sql("parts_of_reverted_commits"), {"source_id": source_id})  # what no title says is all of it
        db.execute(sql("resolve_reverts"), {"source_id": source_id})


def _by_title(brain: Brain, source_id: int, type_: str) -> Iterator[tuple[str, str, str]]:
    titled = brain.db.execute(sql("titled_reverts"), {"source_id": source_id, "type": type_}).fetchall()
    if all(known for *_, known in titled):
        return
    merged: dict[str, list[_Merged]] = defaultdict(list)
    for row in brain.db.execute(sql("merged_pulls"), {"source_id": source_id}):
        one = _Merged(*row)
        merged[_called(one.title)].append(one)
    gone = _taken_back(brain, source_id, type_)
    for ref, title, at, own, known in titled:
        for read in [] if known else _readings(title):
            if pull := _meant(read, merged, gone, own=own, before=at):
                gone[pull].add(ref)
                yield ref, read.relation, pull
                break


def _removed(brain: Brain, source_id: int) -> Iterator[tuple[str, str]]:
    """Which pull request removed what another had brought: its words for that name most of the other, or its number."""
    for by, own, body, pull, title in brain.db.execute(sql("pulls_speaking_of"), {"source_id": source_id}).fetchall():
        whole = _content(brain, title)
        for found in _REMOVES.finditer(body):
            is_it = f"pull:{found['number']}" == pull and _names(_content(brain, found["what"]), whole)
            if is_it and is_done(body, found.span("verb"), found.end()):
                yield by, pull
        for found in _WAS.finditer(body):
            same = _content(brain, own) - _content(brain, _NUMBERS.sub(" ", title))
            is_it = f"pull:{found['number']}" == pull and _content(brain, found["what"]) <= whole
            if is_it and all(word.isdecimal() for word in same):
                yield by, pull
        alike = _IN_PART.search(body) or _REMOVING.fullmatch(title)
        removing = None if alike else _REMOVING.fullmatch(own)
        if removing and _names(_content(brain, removing["what"]), whole):
            yield by, pull


def _names(named: frozenset[str], whole: frozenset[str]) -> bool:
    """Whether it is most of *whole* that is *named*, and nothing else."""
    return len(named) >= FEWEST and named <= whole and 2 * len(named) >= len(whole)


def _told(brain: Brain, source_id: int) -> Iterator[tuple[str, str]]:
    """Which pull request took back which that was merged before it, as a text tells that is of neither or of either."""
    asked = {"source_id": source_id}
    texts = brain.db.execute(sql("texts_telling_reverts"), asked).fetchall()
    merged = {row[0]: row[2] for row in brain.db.execute(sql("merged_pulls"), asked)} if texts else {}
    for (text,) in texts:
        for found in _TOLD.finditer(text):
            by, pull = f"pull:{found['by']}", f"pull:{found['of']}"
            known = by in merged and pull in merged and merged[pull] < merged[by]
            if known and not _SUPPOSED.search(text, max(0, found.start() - _REACH), found.start()):
                yield by, pull


def _content(brain: Brain, text: str) -> frozenset[str]:
    return frozenset(brain.stemmer.sequence(" ".join(word for word in split(text) if word not in STOP_WORDS)))


def _taken_back(brain: Brain, source_id: int, type_: str) -> defaultdict[str, set[str]]:
    """What was taken back, and by which records of this type."""
    reverts = "select to_ref, from_ref from links where source_id = ? and relation = 'reverts' and from_ref glob ?"
    found = defaultdict(set)
    for ref, by in brain.db.execute(reverts, (source_id, f"{type_}:*")):
        found[ref].add(by)
    return found


def _readings(title: str) -> Iterator[_Read]:
    """What *title* takes or brings back; then, where that is a revert itself, what this does.

    >>> [(read.relation, read.title) for read in _readings('Revert "Revert "Oil the gears""')]
    [('reverts', 'revert "oil the gears"'), ('reapplies', 'oil the gears')]
    """
    back, title = False, title[:LONGEST_TITLE]
    while match := _TITLE.fullmatch(title):
        back ^= not match["verb"].lower().startswith(("rea", "re-", "rel"))
        title = match["what"]
        if title[0] + title[-1] in _MARKS:
            title = title[1:-1].strip()
        yield _Read("reverts" if back else "reapplies", _called(title), match["number"] or "")


def _meant(read: _Read, merged: _Titles, gone: Mapping[str, set[str]], *, own: str, before: str) -> str | None:
    """The one pull request merged before that is called so, or has the number that is not the revert's own."""
    found = [one.ref for one in merged.get(read.title, ()) if one.at <= before and one.ref != f"pull:{own}"]
    if read.number not in ("", own):
        numbered = f"pull:{read.number}"
        known = any(one.ref == numbered and one.at <= before for every in merged.values() for one in every)
        return numbered if known else None
    standing = [ref for ref in found if (ref in gone) == (read.relation == "reapplies")]
    found = standing if len(found) > 1 else found
    return found[0] if len(found) == 1 else None


def _called(title: str) -> str:
    return " ".join(title.split()).casefold()


def takes_back(title: str) -> bool:
    """Whether *title* says that this takes something back, or brings it back.

    >>> takes_back('Revert "Oil the gears" (#7)'), takes_back("Oil the gears")
    (True, False)
    """
    return _TITLE.fullmatch(title[:LONGEST_TITLE]) is not None
