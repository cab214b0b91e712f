"""What was said later of the same thing: 'Update: back to 500 hours', a newer section of a changelog."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from cortex.composer.question import Question, asks
from cortex.composer.rows import Row
from cortex.composer.times import MONTHS
from cortex.substrate.stems import split

LATER: Final = "told later"

LONGEST: Final = 4_000
"""Characters of a comment in which it is looked for whether it speaks of what was told."""

AMONG: Final = 10
"""Rows among which what was said later is looked for."""

SECTION_WORTH: Final = 0.8
"""What a later section says of the question, beside what the first says of it, for it to be of the same thing."""

_TYPES: Final = ("number", "name", "text", "yes/no")
_THEN: Final = re.compile(
    r"\b(?:was|were|did|had|used to|original(?:ly)?|initial(?:ly)?|first|former(?:ly)?|previous(?:ly)?|before|until"
    r"|ever|old|history|since when)\b|\b(?:19|20)\d\d\b|\bv?\d+\.\d+",
    re.I,
)
_CHANGED: Final = "lowered|raised|changed|reduced|increased|decreased|shortened|extended|doubled|halved|cut|set|back"
_UPDATES: Final = re.compile(
    r"^\W*(?:(?:update|correction|erratum|edit)d?\b[^.\n:]{0,30}?[:,—–-]"
    r"|(?=(?:(?:(?:it|(?:\w+\s+){1,5}?\w+)\s+(?:is|was|has\s+been)|(?:we|i)(?:['’]ve|\s+have)?)\s+)?(?:now\s+|since\s+|finally\s+)?"
    rf"(?:{_CHANGED})\b)|(?=(?:\w+\s+){{1,5}}?(?:is|are)\s+now\b))",
    re.I,
)
_SENTENCE: Final = re.compile(r"(?:[^.;!?\n]|[.](?=\d))*")
_SINCE: Final = re.compile(
    r"^\W*(?:after|since|following|because of|due to|given|as)\b[^,]{1,40}?(?:,|(?=\s(?:we|it|i)\b))", re.I
)
_SAYS_NOTHING: Final = frozenset(
    """we i it this that the a an of is are was were has have had been be ve re s now since finally again back at to
    from on so just also then went go settled moved lowered raised changed reduced increased decreased shortened
    extended doubled halved cut set new current default value limit agreed decided decision today use using""".split()
)
"""Words beside which a new number is of nothing else than what its thread is about."""

_GOES_ON: Final = re.compile(
    rf"\s*(?:$|[,)(—–:-]|(?:now|again|since|as|because|due|after|per|instead|today|yesterday|everywhere|with|then)\b"
    r"|(?:in|on|from|this|last)\s+(?:early\s+|late\s+)?"
    rf"(?:{'|'.join(MONTHS)}|spring|summer|autumn|winter|\w+day\b|(?:19|20)\d\d)"
    r"|this\s+(?:week|month|year)|for\s+(?:now|all|everyone|everybody|good)\b)",
    re.I,
)
"""What may stand after it: 'on plates' and 'in the old one' tell of which it is."""

_APART: Final = re.compile(
    r"\b(?:my|mine|own|only|test(?:ing)?|trial|experiment\w*|locally|temporar\w+|demo|staging|except|unless)\b"
    r"|,\s*(?:on|for|in|at|when|if|during|while)\b(?!\s+(?:\w+day|\d))",
    re.I,
)
"""What makes it somebody's own, or but of some."""

_TAKES_BACK: Final = re.compile(
    r"\b(?:revert(?:ed|ing)?|undid|undone|(?:roll|back)(?:ed|ing) (?:it |that |this )?(?:back|out)"
    r"|(?:took|put|changed|set) (?:it|that|this) back|never ?mind|scratch that|no longer|not any ?more|as before"
    r"|as it was|(?:that|this|it|i) was (?:wrong|(?:a|my) mistake)|restored|did(?:n['’]t| not) (?:work|help|last))\b",
    re.I,
)
_THANKS: Final = re.compile(
    r"^\W*(?:(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much)\b)?"
    r"(?:[ ,]+(?:that|this|it) (?:helps|works)[^.!?\n]{0,40})?"
    r"|great|nice|cool|perfect|lgtm)\b",
    re.I,
)
_AGAIN: Final = re.compile(
    r"\b(?:ignore|disregard|comments?|chang(?:e|es|ed|ing)|not yet|nothing|no|not|wrong|mistake|back|again|instead"
    r"|still|actually|really|but|however|open a (?:pr|pull)|that|this|it|too|enough|only|sorry|until|hold|revert\w*"
    r"|undo|done)\b|n['’]t\b|\?",
    re.I,
)
"""What is said of what was said before."""

_AMOUNT: Final = re.compile(r"(?<![\w.,#])(\d{1,12}(?:[.,]\d{1,12}){0,8})\s?(%|[A-Za-zµ°]{1,40}+)(?![\w(])")
_DAY: Final = re.compile(r"(?<![\d-])(?:19|20)\d\d-\d\d-\d\d(?![\d-])")


def updated(
    question: Question, rows: Sequence[tuple[Row, float]], since: Callable[[Row], Sequence[str]] = lambda _: ()
) -> tuple[int, bool]:
    """Which of *rows* says later how the thing of the first is now, where a question asks how it is; 0 where none does.

    And whether nobody spoke of that since.

    Args:
        rows: best first, each with how much it says of the question.
        since: what was said in the thread of a comment after that.
    """
    if not rows or not asks_how_it_is(question):
        return 0, True
    first, said = rows[0]
    thread = [row for row, _ in rows if row.source_id == first.source_id and row.about == first.about]
    days = {}
    for at, (row, also) in enumerate(rows[1:AMONG], 1):
        if row not in thread:
            continue
        if row.type == first.type == "doc":
            if 0 < SECTION_WORTH * said <= also and _section_day(row) > _section_day(first) > "":
                days[at] = _section_day(row)
        elif first.type in ("issue", "comment") and row.day > first.day and _updates(question, row, thread):
            days[at] = row.day
    last = max(days, key=days.__getitem__, default=0)
    later = rows[last][0]
    return last, later.type != "comment" or not any(_speaks_of_it(text, later.text) for text in since(later))


def asks_how_it_is(question: Question) -> bool:
    """Whether it asks how things are, not how they were, nor of a thread that it names."""
    return question.type in _TYPES and not (question.told or question.numbers or _THEN.search(question.text))


def _updates(question: Question, row: Row, thread: Sequence[Row]) -> bool:
    """Whether a comment says that it changed, to another number of what its thread counted, and none took that back."""
    if row.type != "comment" or row.unverified or asks(row.text):
        return False
    before = sorted((one for one in thread if one.day < row.day), key=lambda one: one.day)
    if row.authority < min((one.authority for one in before if one.type == "comment"), default=0.0):
        return False
    unit, amount = _told_anew(row.text, f"{question.text} {row.title}")
    then = next((found[unit] for one in reversed(before) if unit in (found := _amounts(one.text))), {amount})
    after = [one for one in thread if one.type == "comment" and one.day > row.day and not one.unverified]
    return amount not in then and not any(_takes_back(one.text, unit, then) for one in after)


def _told_anew(text: str, about: str) -> tuple[str, str]:
    """The unit and the number to which *text* says that what it is *about* changed; '' for another thing's."""
    begun = _UPDATES.match(text)
    said = _SENTENCE.match(text, begun.end()) if begun else None
    found = [*_AMOUNT.finditer(said[0])] if said else []
    if not said or not found or _APART.search(said[0]) or not _GOES_ON.match(said[0], found[-1].end()):
        return "", ""
    amount, unit = found[-1].groups()
    two = len(found) > 1 and (len(found) > 2 or not re.search(r"\bfrom\b", said[0], re.I))
    known = {word.rstrip("s") for word in split(about)} | {word.rstrip("s") for word in _SAYS_NOTHING}
    words = split(_SINCE.sub("", _AMOUNT.sub(" ", said[0][: found[-1].end()])))
    return (unit.casefold(), amount) if not two and all(word.rstrip("s") in known for word in words) else ("", "")


def _takes_back(text: str, unit: str, then: AbstractSet[str]) -> bool:
    """Whether *text* says that what was told anew is as it was *then*."""
    return not asks(text) and (bool(_TAKES_BACK.search(text)) or not then.isdisjoint(_amounts(text).get(unit, ())))


def _speaks_of_it(text: str, told: str) -> bool:
    """Whether what somebody says later is of what was *told* anew: thanks and other matters are not."""
    text = _THANKS.sub("", text[:LONGEST])
    amounts, known = _amounts(text), _amounts(told)
    return _AGAIN.search(text) is not None or any(unit in known and amounts[unit] - known[unit] for unit in amounts)


def _amounts(text: str) -> dict[str, set[str]]:
    """The numbers in *text*, by what they count."""
    found: dict[str, set[str]] = {}
    for amount, unit in _AMOUNT.findall(text):
        found.setdefault(unit.casefold(), set()).add(amount)
    return found


def _section_day(row: Row) -> str:
    """The one day in the heading of a document's section; '' where there is none."""
    days = _DAY.findall(row.title) if row.type == "doc" else []
    return days[0] if len(days) == 1 else ""
