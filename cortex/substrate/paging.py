"""A part of what is shown: so many characters of its text, and as many of the rows that hang on it."""

from __future__ import annotations

from typing import Final

from cortex.substrate.lookup import Said, Shown, ShownPassage, ShownRecord, ShownThread
from cortex.substrate.model import Value

LISTS: Final = ("facts", "links", "linked_from", "comments")
"""What hangs on a record: each is given an equal share of the room, and what one does not need is the next one's."""

BEFORE: Final = 4  # the share of a passage's text that stands before it: one in so many


def part(shown: Shown, start: int, limit: int) -> Shown:
    """*shown* from character *start* of its text on, at most *limit* of them; a fact is short, and given whole.

    A record's text is its body, and what hangs on it is given where that begins, as far as it takes no more than as
    much again; a passage's is the passage, with the body around it; a thread's is all that was said, one after the
    other.
    """
    match shown:
        case ShownRecord():
            return _of_record(shown, start, limit)
        case ShownPassage():
            return _of_passage(shown, start, limit)
        case ShownThread():
            return _of_thread(shown, start, limit)
        case _:
            return shown


def _of_record(shown: ShownRecord, start: int, limit: int) -> ShownRecord:
    kept: dict[str, tuple[Value, ...]] = {}
    left_out: dict[str, int] = {}
    room = 0 if start else limit
    for after, name in enumerate(LISTS):
        rows: tuple[Value, ...] = getattr(shown, name)
        fitting, left = 0, room // (len(LISTS) - after)
        for row in rows:
            takes = len(row.model_dump_json())
            if takes > left:
                break
            left -= takes
            room -= takes
            fitting += 1
        kept[name] = rows[:fitting]
        if fitting < len(rows):
            left_out[name] = len(rows) - fitting
    body = shown.body[start : start + limit]
    told = {"body": body, "start": start, "next": _next(start, limit, len(shown.body)), "left_out": left_out}
    return shown.model_copy(update=told | kept)


def _of_passage(shown: ShownPassage, start: int, limit: int) -> ShownPassage:
    first = shown.start + start
    excerpt = shown.body[first : min(shown.end, first + limit)]
    begun = max(0, first - max(0, limit - len(excerpt)) // BEFORE)
    told = {"excerpt": excerpt, "start": first, "end": first + len(excerpt), "next": _next(start, limit, shown.length)}
    return shown.model_copy(update=told | {"body": shown.body[begun : begun + limit], "body_start": begun})


def _of_thread(shown: ShownThread, start: int, limit: int) -> ShownThread:
    end, at = start + limit, len(shown.body)
    said: list[Said] = []
    for one in shown.comments:
        body = one.body[max(0, start - at) : max(0, end - at)]
        if body or start <= at < end:
            said.append(one.model_copy(update={"body": body}))
        at += len(one.body)
    told = {"body": shown.body[start:end], "comments": tuple(said), "next": _next(start, limit, at)}
    return shown.model_copy(update=told | {"length": at})


def _next(start: int, limit: int, length: int) -> int | None:
    return start + limit if start + limit < length else None
