"""What changed a file or a folder that the question names, by the files that each commit touches."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, Literal

from cortex.composer.claims import normal
from cortex.composer.dates import DATE, date_of
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.filter_words import CUT, OWN, read
from cortex.composer.retrieve.filters import MOST, WANTED, WORD, known_names, without_sources
from cortex.composer.retrieve.list_wording import FIRST, LAST, OWNED
from cortex.composer.retrieve.listing import listed
from cortex.composer.times import count, with_dates
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_CHANGED: Final = frozenset(
    """change changes changed changing touch touches touched touching modify modifies modified modifying edit edits
    edited editing update updates updated updating alter altered""".split()
)
_MADE: Final = frozenset("add added create created introduce introduced wrote written".split())
_COMMITS: Final = frozenset("commit commits change changes edit edits update updates".split())
_PULLS: Final = re.compile(r"\b(?:pull requests?|pulls?|prs?|merge requests?|mrs?)\b")
_LATELY: Final = re.compile(r"\b(?:recently|lately)\b")
"""What the newest first is the answer to."""

_RECENT: Final = re.compile(r"\bmost recent(?:ly)?\b")
_NOTHING: Final = frozenset(
    """file folder directory package module people person persons author authors developer developers happened happen
    history made make done recent recently lately worked work""".split()
)
_ASKS: Final = re.compile(r"\b(?:who|whom|whose|when|which|what|list|show|how many|history)\b", re.I)
_PLAIN_NAME: Final = re.compile(r"(?<![\w/.-])[\w.-]*\w")
_ENDING: Final = re.compile(r"\.[A-Za-z]\w{0,4}$")


def find_changes(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The commits or pull requests that changed the paths it names, newest first; None where it asks nothing else.

    Returns:
        Empty where nothing that the brain has changed them so.
    """
    if question.numbers or not _ASKS.search(question.text):
        return None
    text = normal(question.text).lower()
    if _CHANGED.isdisjoint(WORD.findall(text)) and _MADE.isdisjoint(WORD.findall(text)):
        return None
    text, within = without_sources(brain, text, sources, {})
    sources = within or sources
    written = [path for path in question.paths if path.lower() in text]
    paths = _paths(brain, written or _PLAIN_NAME.findall(question.text), sources)
    if paths is None:
        return None
    for path in sorted((*written, *paths), key=len, reverse=True):
        text = text.replace(path.lower(), " ")
    asked = _read(brain, question, text, sources)
    if asked is None:
        return None
    if not paths:
        return []
    rows = brain.db.execute(sql("changes_of_paths"), asked | {"paths": json.dumps(paths)}).fetchall()
    counted = bool(question.counted)
    return listed(brain, [(record, fact, total * counted) for record, fact, total in rows], as_of=question.as_of)


def _paths(brain: Brain, written: Sequence[str], sources: Sequence[int]) -> list[str] | None:
    """The files and folders that are *written* so, as the brain has them.

    Returns:
        None where none of them need be a path; empty where the brain has no such file, or several.
    """
    asked = {"names": json.dumps([path.strip("/") for path in written]), "sources": json.dumps([*sources])}
    found = [path for (path,) in brain.db.execute(sql("paths_called"), asked)]
    if found:
        return found
    named = [path for path in written if _ENDING.search(path)]
    if not named:
        return None
    below = [path for path in named if "/" not in path]
    asked["names"] = json.dumps(below)
    found = [path for (path,) in brain.db.execute(sql("paths_ending"), asked)] if below else []
    return found if len(found) == 1 else []


def _read(brain: Brain, question: Question, text: str, sources: Sequence[int]) -> dict[str, object] | None:
    """What is asked of them, as `changes_of_paths.sql` takes it; None where part of it is not understood."""
    type_: Literal["pull", "commit"] = "pull" if _PULLS.search(text) else "commit"
    text = _RECENT.sub("latest", _PULLS.sub(" ", OWNED.sub(f" {OWN} ", text)))
    text, untimely = with_dates(_LATELY.sub(" ", text), question.today)
    days = [date_of(date) for date in DATE.finditer(text)]
    text = DATE.sub(f" {CUT} ", text)
    wanted = WANTED.search(text)
    all_ = WORD.findall(WANTED.sub(r"\1", text))
    ends = {word for word in all_ if word in (*FIRST, *LAST)}
    made = not _MADE.isdisjoint(all_) and _CHANGED.isdisjoint(all_)
    own = _CHANGED | _COMMITS | _MADE | _NOTHING | ends
    words = [word for word in all_ if word not in own]
    if untimely or len(ends) > 1 or {"most", "often", "least"} & {*words}:
        return None
    reading = read(words, known_names(brain, words, sources), days)
    unknown = reading.unexplained or reading.unclear or reading.states or reading.labels or reading.unlabelled
    people = {*reading.people} | {*reading.others}
    if unknown or reading.has or reading.reverted is not None or not people <= {"created"}:
        return None
    one = question.type in ("person", "date") and bool(ends or question.type == "date" or made)
    one = one or (bool(ends) and {*all_}.isdisjoint({"commits", "changes", "edits"}) and not wanted)
    return {
        "type": type_,
        "sources": json.dumps([*sources]),
        "authors": json.dumps(reading.people.get("created", ())),
        "others": json.dumps(reading.others.get("created", ())),
        "since": reading.since,
        "until": reading.until,
        "oldest": made or not ends.isdisjoint(FIRST),
        "limit": min(count(wanted[2]), MOST) if wanted else 1 if one else MOST,
        "as_of": question.as_of,
    }
