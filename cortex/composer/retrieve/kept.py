"""Lists of what a project keeps beside its issues: decisions in a state, incidents, comments of a thread, its links."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from cortex.composer.claims import normal
from cortex.composer.dates import DATE, date_of
from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.filter_words import CUT, read
from cortex.composer.retrieve.filters import MOST, WORD
from cortex.composer.retrieve.listing import listed
from cortex.composer.rows import day_told
from cortex.composer.times import with_dates
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_LISTS: Final = r"(?:which|what|list|show|how many|(?:are|were) there)\b[^?]{0,60}?"
_DECISIONS: Final = re.compile(rf"\b{_LISTS}\b(?:decisions|decision records|adrs)\b", re.I)
_INCIDENTS: Final = re.compile(rf"\b{_LISTS}\b(?:incidents|outages|post-?mortems)\b", re.I)
_REPORTS: Final = re.compile(r"\bpost-?mortems\b", re.I)
_LISTED: Final = re.compile(r"\b(?:incidents?|outages?|post-?mortems?|\d+)\b", re.I)
SHARED: Final = 2
"""Words of two titles that are of one incident."""

NEAR: Final = 14
"""Days within which an issue tells of an incident that another record does."""

_COMMITS: Final = re.compile(
    r"^\W*(?:which|what|list|show|how many|(?:are|were) there)(?:\s+(?:me|all|any|of|the|our))*\s+"
    r"(?:commits(?:\s+(?:were|was|are|have|been|that|which|got|ever|so|far|did|we|there))*"
    r"\s+(?:reverted|revert|backed\s+out|taken\s+back|rolled\s+back)|reverted\s+commits(?:\s+(?:are|were|there))*)\W*$",
    re.I,
)
_STATES: Final = MappingProxyType(
    {
        "rejected": "rejected", "declined": "rejected", "proposed": "proposed", "pending": "proposed",
        "accepted": "accepted", "superseded": "superseded", "replaced": "superseded", "deprecated": "deprecated",
    }
)  # fmt: skip
_ENDED: Final = ("superseded", "deprecated")
"""States of a decision that it came to later, on a day that its file need not tell."""

_MOST: Final = re.compile(r"\b(?:which|what|who)\b[^?]*\b(?:most|fewest|least)\b(?! recent)", re.I)
_IN_FORCE: Final = re.compile(
    r"\b(?:still |currently |now )?(?:in (?:force|effect)|valid|active|standing|stand|hold|apply|current)"
    r"(?: (?:now|today))?\b"
)
_SAYS_NOTHING: Final = frozenset(
    """which what list show how many are were is was have has had did do does there we our us the a an of in all any me
    been be make made take taken happened happen ever so far project repository repo till until now decisions decision
    records record adrs adr incidents outages postmortems post-mortems""".split()
)
_TAKING_PART: Final = r"commented|replied|responded|participated|discussed|(?:took|taken|taking|takes?) part"
_COMMENTS: Final = re.compile(
    rf"\bwho\b[^?]{{0,20}}?\b(?P<who>{_TAKING_PART})\b"
    r"|\bwho\b[^?]{0,20}?\b(?P<most>most|fewest|least|first|last) (?:comments?|repl(?:y|ies))\b"
    rf"|\bhow many (?:people|persons|users)\b[^?]{{0,20}}?\b(?P<people>{_TAKING_PART})\b"
    r"|\b(?:which|what|list|show|how many)\b[^?]{0,30}?\b(?:comments|replies)\b"
    r"|\b(?P<last>last|latest|newest|first|oldest)\s+(?:comment|reply)\b",
    re.I,
)
_LINKED: Final = re.compile(
    r"\b(?:linked|related|connected) (?:to|with)\b|\b(?:links?|refers?|points?) to\b|\b(?:references?|mentions?)\b",
    re.I,
)
_NEGATED: Final = re.compile(r"\b(?:not|never|nobody|no one|none|without|yet to)\b|n[’']t\b", re.I)
_STANDS: Final = re.compile(r"\b(?:still|valid|in force|up to date|outdated|obsolete|current)\b", re.I)
_OF_STANDING: Final = "valid force date outdated obsolete current true apply applies stand stands hold holds"
_OF_COMMENTS: Final = (
    "comment commented comments reply replies replied responded people persons users last latest first participated "
    "discussed discussion thread conversation took taken taking take part often frequently left wrote posted made "
    "least fewest earliest recently"
)
_PLACE: Final = re.compile(
    r"\b(?:(?P<last>last|latest|most recent(?:ly)?)|(?P<most>most)|(?P<first>first|earliest)|least|fewest)\b", re.I
)
"""Which of those it is that took part: who did most, or was the first."""

_OF_LINKS: Final = "link links linked relate related connect connected refer refers reference references mention point"


class _Document(NamedTuple):
    """A document of a list, or an issue of it: its name is its path and title, its text how it begins."""

    record: int
    fact: int | None
    type: str
    made: str
    name: str
    text: str
    title: str = ""

    @property
    def day(self) -> str:
        """When that was which it tells of, ISO 8601; '' where it does not say."""
        return self.made[:10] or ("" if self.type == "issue" else day_told(self.name, self.text))


def find_kept(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The records of the list that the question asks for, and of no other; None where it asks for no such list."""
    if question.numbers:
        return _of_threads(brain, question, sources)
    if question.as_of:
        return None  # of documents is not known in which state they were
    if _COMMITS.search(question.text):
        return _listed(brain, question, "reverted_commits", {"sources": [*sources]})
    return _of_documents(brain, question, sources)


def compares(question: Question) -> bool:
    """Whether it asks for decisions, incidents or what has most of something: no single text tells all."""
    return not question.numbers and any(one.search(question.text) for one in (_DECISIONS, _INCIDENTS, _MOST))


def _of_documents(brain: Brain, question: Question, sources: Sequence[int]) -> list[Fused] | None:
    """The decisions in a state or the incidents, those of a time where it names one; None where a word is not read."""
    decided = _DECISIONS.search(question.text) is not None
    if not (decided or _INCIDENTS.search(question.text)):
        return None
    text, untimely = with_dates(_IN_FORCE.sub(" accepted ", normal(question.text).lower()), question.today)
    words = WORD.findall(DATE.sub(f" {CUT} ", text))
    states = {_STATES[word] for word in words if decided and word in _STATES}
    rest = [word for word in words if word not in _SAYS_NOTHING and not (decided and word in _STATES)]
    time = read(rest, {}, [date_of(one) for one in DATE.finditer(text)])
    if untimely or len(states) > 1 or time.says or time.unexplained or time.unclear:
        return None
    name = "decisions_in_state" if decided else "incidents"
    stands = _IN_FORCE.search(question.text.lower()) is not None
    asked = {"sources": json.dumps([*sources]), "states": json.dumps([*states]), "standing": stands}
    every = [_Document(*row) for row in brain.db.execute(sql(name), asked)]
    days = {one.day for one in every if one.type == "doc"}
    if "" in days:  # nor is it known which issue tells of which document
        every = [one for one in every if one.type == "doc"]
    if (time.since or time.until) and ("" in days or not states.isdisjoint(_ENDED)):
        return None
    found = [one for one in every if one.type == "doc" or one.day not in days]
    found = _each_once(brain, found)
    if days and _REPORTS.search(question.text):
        found = [one for one in found if one.type == "doc"]
    found = [one for one in found if one.day >= time.since and (not time.until or one.day < time.until)]
    found.sort(key=lambda one: one.day, reverse=True)
    total = len(found) if question.counted else 0
    told = listed(brain, [(one.record, one.fact, total) for one in found[:MOST]], as_of="")
    return told if decided else [one._replace(total_by=_by_what(found)) for one in told]


def _each_once(brain: Brain, found: Sequence[_Document]) -> list[_Document]:
    """*found* without issues of what a document or an older issue tells too: within days, titled by the same words."""
    kept: list[_Document] = []
    titles: list[frozenset[str]] = []
    stop = frozenset(brain.stemmer.sequence(" ".join(STOP_WORDS)))
    for one in sorted(found, key=lambda one: (one.type != "doc", one.day)):
        title = frozenset(brain.stemmer.sequence(_LISTED.sub(" ", one.title))) - stop
        again = one.type == "issue" and any(
            len(title & other) >= SHARED and abs(_days(one) - _days(beside)) <= NEAR
            for beside, other in zip(kept, titles, strict=True)
        )
        kept += [] if again else [one]
        titles += [] if again else [title]
    return kept


def _days(one: _Document) -> int:
    """Its day as a number, about as far from another's as the days are: a text may tell of a 31st of February."""
    year, month, day = map(int, one.day.split("-")) if one.day else (0, 0, 0)
    return 372 * year + 31 * month + day


def _by_what(found: Sequence[_Document]) -> str:
    """What incidents are counted by: 'documents of them and issues labelled or titled so'."""
    types = {one.type for one in found}
    told = ["their documents"] * ("doc" in types) + ["issues labelled or titled so"] * ("issue" in types)
    return " and ".join(told)


def _of_threads(brain: Brain, question: Question, sources: Sequence[int]) -> list[Fused] | None:
    """The comments of the threads that it names, or what is linked with them."""
    within = [*frozenset(sources).intersection(*filter(None, question.places.values()))]
    asked: dict[str, object] = {"refs": question.refs, "sources": within}
    stems = brain.stemmer.sequence
    match = _COMMENTS.search(question.text)
    if match and (match["who"] or match["people"]) and _NEGATED.search(question.text):
        return []  # nobody notes that
    place = _PLACE.search(question.text) if match and (match["who"] or match["most"]) else None
    if match and place and question.rest <= {*stems(_OF_COMMENTS)}:
        return _one_of_those(brain, question, asked, place)
    if match and question.rest <= {*stems(_OF_COMMENTS)}:
        each, end = bool(match["who"] or match["people"]), (match["last"] or "").lower()
        oldest = end in ("first", "oldest") or not end
        return _listed(brain, question, "comments_of", asked, each=each, oldest=oldest, limit=1 if end else MOST)
    if _STANDS.search(question.text) and question.rest <= {*stems(_OF_STANDING)}:
        later = _listed(brain, question, "changed_later", asked)
        return [*later, *_listed(brain, question, "named_with_facts", asked)] if later else None
    if _LINKED.search(question.text) and question.type != "yes/no" and question.rest <= {*stems(_OF_LINKS)}:
        return _listed(brain, question, "linked_with", asked) if question.rest else None
    return None


def _one_of_those(brain: Brain, question: Question, asked: Mapping[str, object], place: re.Match[str]) -> list[Fused]:
    """What whoever commented most, first or last said; none for who did least, whom nothing tells from the silent."""
    if place["most"]:
        said = _listed(brain, question, "most_comments_of", asked, counted=True)
        return [one._replace(total_of="author") for one in said]
    oldest = bool(place["first"])
    known = oldest or place["last"]
    return _listed(brain, question, "comments_of", asked, each=False, oldest=oldest, limit=1) if known else []


def _listed(
    brain: Brain, question: Question, name: str, lists: Mapping[str, object], *, counted: bool = False, **values: object
) -> list[Fused]:
    asked = {key: json.dumps(value) for key, value in lists.items()}
    limits = {"limit": MOST} | ({"as_of": question.as_of} if question.numbers else {})
    rows = brain.db.execute(sql(name), asked | limits | values).fetchall()
    counts = counted or bool(question.counted)
    return listed(brain, [(record, fact, total * counts) for record, fact, total in rows], as_of=question.as_of)
