"""Turn slots into a filter, with people, labels and paths as stored in the brain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from cortex.composer.query.tags import Kind
from cortex.language.dates import Period
from cortex.regex import regex
from cortex.substrate.lookups import Filter, git_names, labels_called, list_records, paths_called, people_called
from cortex.substrate.reading import Reader

_LOGIN: Final = regex(r"[\d_-]|^[A-ZÀ-Þ]|\[bot\]")
_WORD: Final = regex(r"[^\W_]+")
_STATES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "open": ("open",),
        "closed": ("closed",),
        "merged": ("merged",),
        "unmerged": ("open", "closed"),
        "declined": ("closed",),
        "merger": ("merged",),
        "closer": ("closed",),
    }
)
_DATED: Final = MappingProxyType(
    {
        "open": "created", "closed": "closed", "declined": "closed", "merged": "merged", "reverted": "reverted",
        "author": "created", "merger": "merged", "closer": "closed",
    }
)  # fmt: skip
_ROLES: Final = MappingProxyType(
    {"author": "authors", "merger": "mergers", "closer": "closers", "declined": "closers", "assignee": "assignees"}
)
_VERDICTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "approver": ("approved",),
        "requester": ("changes_requested",),
        "reviewer": ("approved", "changes_requested", "commented", "dismissed"),
    }
)
_DECIDED: Final = ("accepted", "superseded", "proposed", "deprecated", "rejected", "active")  # states of decisions

_CHANGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"author": ("pull", "issue"), "closer": ("issue", "pull"), "reverted": ("pull", "commit")}
)
"""Types that a question means which names none, by what was done."""


class Unknown(Exception):
    """A name the brain does not know; *certain* if the question can mean nothing else."""

    def __init__(self, *, certain: bool) -> None:
        self.certain = certain
        super().__init__(certain)


def filter_of(reader: Reader, slots: Mapping[str, Any], *, changes: bool) -> tuple[Filter, bool]:
    """The filter for *slots*, and whether fields express all of them.

    Raises:
        Unknown: a person, a label or a path that the brain does not know.
    """
    deed = slots.get("deed") or slots.get("verb") or ""
    state = slots.get("state") or ""
    types = ("issue",) if "noun" in slots else _types(slots.get("kind"), deed or state, changes=changes)
    if types == ("doc",) and (reader.as_of or "topic" in slots):
        raise Unknown(certain=False)  # of documents no past state is kept, and their parts have none
    period = slots.get("period") or Period("", "")
    labels = _labels(reader, slots, ("label", "bare", "area", "noun", "milestone"))
    wanted = Filter(
        types=types,
        states=_states(state, deed, types),
        verdicts=_VERDICTS.get(deed, ()),
        labels=labels[0] if labels else (),
        and_labels=labels[1] if labels[1:] else (),
        not_labels=next(iter(_labels(reader, slots, ("no",))), ()),
        paths=tuple(_path(reader, slots["path"])) if "path" in slots else (),
        dated=_DATED.get(deed) or _DATED.get(state, ""),
        since=period.after,
        until=period.before,
        reverted=state == "reverted",
        oldest=slots.get("order") == "oldest",
    )
    wanted = Filter(**{**wanted._asdict(), **_people(reader, slots, deed, types)})
    topic = slots.get("topic")
    return _about(reader, wanted, topic) if topic else (wanted, True)


def _types(kind: object, done: str, *, changes: bool) -> tuple[str, ...]:
    if isinstance(kind, Kind):
        return kind.types
    return _CHANGES.get(done, ("pull",)) if changes else ("issue", "pull")


def _people(reader: Reader, slots: Mapping[str, Any], deed: str, types: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """People by filter field: a name after 'by' performed the verb, else is the author."""
    found: dict[str, tuple[str, ...]] = {"assignees": ("",)} if "nobody" in slots else {}
    for slot, role in (("person", deed or "author"), ("by", deed or "author"), ("assignee", "assignee")):
        if name := slots.get(slot):
            field = _ROLES.get(role, "reviewers")
            found[field] = person(reader, name, git="commit" in types, reviews=field == "reviewers")
    return found


def person(reader: Reader, name: str, *, git: bool, reviews: bool) -> tuple[str, ...]:
    """Stored names of the person *name*; *git* adds their git names, *reviews* includes reviewers.

    Raises:
        Unknown: nobody is; certain where it is written as a login or a name is.
    """
    names = people_called(reader, name, reviewers=reviews)
    if not names:
        raise Unknown(certain=_LOGIN.search(name) is not None)
    if not git:
        return tuple(names)
    known = (*names, *(other for one in names for other in git_names(reader, one)))
    if not list_records(reader, Filter(types=("commit",), authors=known), limit=1)[0]:
        raise Unknown(certain=False)  # git may call them something else
    return known


def _states(state: str, deed: str, types: Sequence[str]) -> tuple[str, ...]:
    if types == ("doc",):
        state = "rejected" if state == "declined" else state
        if state and state not in _DECIDED:
            raise Unknown(certain=False)
        return (state,) if state else _DECIDED
    return _STATES.get(state) or ((state,) if state.startswith("closed as ") else _STATES.get(deed, ()))


def _labels(reader: Reader, slots: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Stored labels for each slot in *names*; a label without an introducing word may be something else."""
    found = []
    for slot in names:
        if name := slots.get(slot):
            prefix = ("milestone: ", "milestone:") if slot == "milestone" else ("",)
            spelled = [f"{before}{one}" for before in prefix for one in dict.fromkeys((name, name.removesuffix("s")))]
            labels = labels_called(reader, spelled)
            if not labels:
                raise Unknown(certain=slot in ("label", "milestone"))
            found.append(tuple(labels))
    return found


def _path(reader: Reader, written: str) -> list[str]:
    found = repository_path(reader, written)
    if not found:
        raise Unknown(certain="/" in written)
    return found


def repository_path(reader: Reader, written: str) -> list[str]:
    """Stored paths for a file or folder as *written*; empty if no commit changed it."""
    return paths_called(reader, written.strip("/").removesuffix("/**").removesuffix("/*"))


def _about(reader: Reader, wanted: Filter, topic: str) -> tuple[Filter, bool]:
    """Records with all words of *topic* in the title, else in the text, which may cover more."""
    words = all_of(topic)
    if not words:
        raise Unknown(certain=False)
    titled = wanted._replace(words=words, titled=True)
    if list_records(reader, titled, limit=1)[0]:
        return titled, True
    return wanted._replace(words=words), False


def all_of(topic: str) -> tuple[tuple[str, ...], ...]:
    """What a passage that has all words of *topic* holds.

    >>> all_of("nonce reuse")
    (('nonce',), ('reuse',))
    """
    return tuple((word,) for word in _WORD.findall(topic))
