"""What the first row has to tell for an answer to be sure: by somebody of the project, whom, when or where it asks."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from cortex.composer.answer_types import asks
from cortex.composer.candidates import asks_for_fixed
from cortex.composer.holding import WHO_IS_IT, asked_value
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question
from cortex.composer.retrieve.filter_words import VERBS
from cortex.composer.rows import STANDING, Row, are_of_one_thread
from cortex.composer.saying import statements_in
from cortex.composer.times import MONTHS
from cortex.composer.trust import is_passing
from cortex.language.stems import split

OWN_WORTH: Final = 0.35
"""What somebody of the project says is worth, of what a passer-by says in its thread, to be told before that."""

OF_PROJECT: Final = "of the project"
"""Why a row was put before what a passer-by says."""

FORBIDS: Final = "forbids"
"""Why a rule stands after what is worth less, where a question asks what is used."""

_USED: Final = re.compile(
    r"^\W*(?:and |so )?(?:which|what)"
    r" (?!(?:is|are|was|were|do|does|did|can|may|must|should|has|have|will|would)\b)[\w-]+",
    re.I,
)
_FORBIDS: Final = re.compile(
    r"^\W*(?:\w+ ){0,3}?(?:never|do not|don['’]t|must not|may not|avoid|no)\b"
    r"|^\W*(?:in |for )?(?:(?:unit|host|end-to-end) )?tests?\b",
    re.I,
)
_OF_RULES: Final = frozenset(
    "not never avoid avoided forbidden forbids allowed must may should test tests testing tested rule rules".split()
)

_PERSON: Final = re.compile(
    r"(?<![.!?“] )(?<![“.!?])\b(?<!\ba )(?<!\ban )(?<!\bthe )[A-ZÀ-Þ][a-zà-þ]+ (?:[A-ZÀ-Þ][a-zà-þ]+|[A-ZÀ-Þ]\.)"
    r"|@\w[\w-]+|\bI(?:['’](?:m|ll|d|ve))?\b"
    r"|\b(?:team|board|committee|everyone|everybody|anyone|anybody|nobody|no one|company|foundation|group)\b"
)
_CREDITS: Final = re.compile(
    r"(?i:\b(?:authors?|editors?|deciders?|approvers?|owners?|wrote|(?:written|approved|proposed|accepted) by)\b)"
    r"\W{0,4}@?[A-ZÀ-Þ]|\b[A-ZÀ-Þ][\w-]+ (?:wrote|approved|proposed|accepted)\b"
)
_CREDITED: Final = re.compile(r"\b(?:wrote|written|writes?|authored|approve[ds]?|propose[ds]?|accepted)\b", re.I)
"""What is asked of whoever wrote a document, or agreed to it, which that tells by no other name that it has."""

_NO_ROLE: Final = re.compile(
    r"\bwho(?:m|se)?\s+(?:else\s+)?(?:(?:may|might|can|could|must|should|shall|will|would|does|do|did|gets?|got|pays?|paid"
    r"|owns?|owned|holds?|held|knows?|knew|sees?|uses?|needs?|is|are|was|were)\b|ha(?:s|ve|d)\s+(?:the|an?|no|any|all|our)\b)",
    re.I,
)
"""What asks who does, or is, what the author of a record need not: 'who has the key?', 'who may see it?'."""

_TELLS_TIME: Final = frozenset("said say says told asked answered replied fixed resolved solved noticed found".split())
"""Beside `VERBS`, what is done by a comment, or to an issue, at the time it has."""

_DAY: Final = re.compile(
    rf"\b\d{{4}}-\d\d|\b(?:19|20)\d\d\b|\b(?:{'|'.join(MONTHS)})\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b\d\d?:\d\d\b",
    re.I,
)
_BY: Final = ("pull", "commit", "issue", "comment")
_QUOTED: Final = re.compile(r"“(.*)”", re.S)


def names_nobody(question: Question, first: Row, told: str, people: Collection[str]) -> bool:
    """Whether it asks who, and the first that is told names nobody, nor is by whom that is asked of.

    Args:
        told: what is told of *first*.
        people: what those are called that are known of the rows.
    """
    value = asked_value(question)
    if question.type != "person" or (value and value.name == WHO_IS_IT):
        return False
    if first.type in STANDING and _CREDITED.search(question.text):
        return not _CREDITS.search(told)
    if first.type in _BY and first.author and not _NO_ROLE.search(question.text):
        return False
    own, said = question.text.casefold(), _quoted(told)
    if any(match[0].casefold() not in own for match in _PERSON.finditer(said)):
        return False
    return not any(re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", said, re.I) for one in people)


def tells_no_time(question: Question, first: Row, told: str) -> bool:
    """Whether it asks when, and the first that is told is of a thread that has a day, but tells of no such thing."""
    if question.type != "date" or first.type not in ("issue", "comment"):
        return False
    if any(word in VERBS or word in _TELLS_TIME for word in split(question.text)):
        return False
    return not _DAY.search(_quoted(told))


def _quoted(told: str) -> str:
    """What is quoted of a row, without what is told of the record itself."""
    quoted = _QUOTED.search(told)
    return quoted[1] if quoted else told


def project_first(ordered: Sequence[Ordered]) -> list[Ordered]:
    """*ordered*, a passer-by's comment that is first after the best that somebody of the project says in its thread.

    That is a comment which does not ask, else the issue itself where it is open yet.
    """
    first = ordered[0].fused.row if ordered else None
    if first is None or first.type != "comment" or not is_passing(first):
        return [*ordered]
    own = [
        one
        for one in ordered[1:CITED]
        if are_of_one_thread(one.fused.row, first)
        and not is_passing(one.fused.row)
        and one.worth >= OWN_WORTH * ordered[0].worth
        and (one.fused.row.state == "open" or (one.fused.row.type == "comment" and not asks(one.fused.row.text)))
    ]
    if not own:
        return [*ordered]
    found = min(own, key=lambda one: one.fused.row.type != "comment")
    return [found._replace(moved=OF_PROJECT), *(one for one in ordered if one is not found)]


def forbidding_later(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """*ordered*, a first rule of what is never done, or done in tests, after the next where what is used is asked.

    'Tests never call the bank' does not tell which bank we use.
    """
    row = ordered[0].fused.row if len(ordered) > 1 else None
    if row is None or row.type != "directive" or not _USED.search(question.text):
        return list(ordered)
    asks_of = any(word in _OF_RULES for word in question.words)
    if asks_of or not all(_FORBIDS.search(one) for one in statements_in(row.text)):
        return list(ordered)
    return [ordered[1], ordered[0]._replace(moved=FORBIDS), *ordered[2:]]


def fixes_none(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether it asks which issue a change fixed that it names, and no link says that it fixed one."""
    named = {one.fused.row.type for one in ordered if one.fused.relation == "named"}
    fixes = any(one.fused.relation in ("fixes", "listed") for one in ordered)
    return asks_for_fixed(question) and "issue" not in named and bool(named) and not fixes
