"""Whether somebody allows what a rule forbids, or spares what it demands: 'never do this', 'you can do this'.

Rather few and right. The same is done to the same thing, nothing else is said of where or for what, and nobody asks,
doubts, tells of the past or takes it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from cortex.composer.synonyms import GROUPS
from cortex.language.markdown import Span
from cortex.language.sentences import sentences_of
from cortex.language.words import STOP_WORDS

Stance = Literal["forbids", "demands", "allows", "spares"]

_LIGHT: Final = (
    r"(?:(?:just|simply|safely|also|still|always|easily|now|totally|perfectly|completely|absolutely|quite|really|even"
    r"|straight|directly|ever)\s+)*"
)
_NOT: Final = r"(?:not|never)"
_IS: Final = r"(?:is|are)"
_FINE: Final = r"(?:fine|ok|okay|safe|alright|allowed|permitted|acceptable)"
_WHO: Final = r"(?:you|we|one)"
_DONE: Final = r"(?P<done>\w+(?:ed|t|n))\b"
_PATTERNS: Final[tuple[tuple[Stance, str], ...]] = (
    ("spares", rf"\b{_WHO}\s(?:need not|do not (?:need|have) to)\s{_LIGHT}(?P<act>.+)"),
    ("spares", rf"\b{_WHO}\sdo not need\s(?P<what>.+)(?P<rest>)"),
    ("spares", r"^(?:there is )?no need to\s(?P<act>.+)"),
    ("spares", rf"^(?P<what>.+?)\s{_IS}\s(?:optional|unnecessary|not (?:needed|required|necessary))\b(?P<rest>.*)"),
    ("forbids", rf"^(?P<what>.+?)\s(?:must|may|should|shall|can)\s*{_NOT}\s+be\s+{_LIGHT}{_DONE}(?P<rest>.*)"),
    ("forbids", rf"^(?P<what>.+?)\s{_IS}\s(?:not allowed|forbidden|prohibited|banned|disallowed)\b(?P<rest>.*)"),
    ("forbids", rf"\b(?:never|avoid(?=\s\w+ing\s)|(?:do|must|may|should|shall|can)\s{_NOT})\s+{_LIGHT}(?P<act>.+)"),
    ("forbids", r"\bavoid\s(?P<what>.+)(?P<rest>)"),
    ("forbids", r"^no\s(?P<what>.+?)(?P<rest>\s(?:in|on|for|at|to)\s.*)?$"),
    ("demands", rf"^(?P<what>.+?)\s(?:must|has to|have to|needs? to)\sbe\s{_LIGHT}{_DONE}(?P<rest>.*)"),
    ("demands", r"\b(?:always|must|shall|has to|have to|needs? to)\s(?!not\b|never\b|be\b)(?P<act>.+)"),
    ("demands", r"\b(?:needs|requires)\s(?!to\b)(?P<what>.+)(?P<rest>)"),
    ("allows", rf"^(?P<what>.+?)\s(?:can|may)\s{_LIGHT}be\s{_LIGHT}{_DONE}(?P<rest>.*)"),
    ("allows", rf"^(?P<what>.+?)\s{_IS}\s{_LIGHT}{_FINE}\b(?!\sto\b)(?P<rest>.*)"),
    ("allows", rf"\b{_WHO}\s(?:can|may)\s{_LIGHT}(?P<act>.+)"),
    ("allows", rf"\b(?:it is|it's|its|that is)\s{_LIGHT}{_FINE}\sto\s{_LIGHT}(?P<act>.+)"),
    ("allows", r"^(?:feel free to|go ahead and|(?:just|simply)(?=\s\S+\s)|(?=use\s))\s*(?P<act>.+)"),
)  # fmt: skip
_LONGEST: Final = 2000
"""Characters of a text that are read."""

_FORMS: Final = tuple((stance, re.compile(pattern, re.I)) for stance, pattern in _PATTERNS)
_LEAVE: Final = re.compile(rf"\b(?:{_FINE}|disallowed|forbidden|prohibited|banned)\b", re.I)
_AGAINST: Final[dict[Stance, Stance]] = {"forbids": "allows", "demands": "spares"}
_SAYS_OTHERWISE: Final = re.compile(
    r"\?|\b(?:if|unless|until|when|whenever|once|while|was|were|had|did|would|could|might|maybe|perhaps|suggest\w*"
    r"|propos\w+|used to|previously|formerly|earlier|back then|no longer|any ?more|not sure|sa(?:id|ys)|wrote|told"
    r"|heard|claim\w*|think\w*|thought|believe\w*|guess|wish|hope|wrong\w*|mistaken|outdated|kidding|joking|joke|only"
    r"|except|but|though|although|however|correction|never ?mind|instead|rather|unlike|elsewhere|here|temporarily"
    r"|there(?!\s(?:is|are)\b)|for now|today|tomorrow|soon|next|plan\w*|will|unfortunately|sadly|alas|careful)\b",
    re.I,
)
_ALARMING: Final = re.compile(r"\b(?:leak|vulnerab|exploit|attack|secur|breach|danger)\w*", re.I)
"""Words of a report that something can be done which should not be."""

_QUOTED: Final = re.compile(r"[\"“][^\"”]*[\"”]|^\s*>.*$", re.M)
_CLAUSES: Final = re.compile(r"[;:!?—–()\n]|[.,](?=\s|$)|\s-\s")
_ENDS: Final = re.compile(r"\s(?:because|since|as|so|and|or|instead|rather|than|that|which)\s.*", re.I)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_WORD: Final = re.compile(r"[^\W_]+(?:['’_-][^\W_]+)*")
_WRITTEN: Final = tuple(
    (re.compile(pattern, re.I), written)
    for pattern, written in (
        (r"\bcan(?:not|['’]t)\b", "can not"),
        (r"n['’]t\b", " not"),
        (r"\b(never|do not|avoid|always):\s+", r"\1 "),
    )
)
_SCOPES: Final = frozenset(
    "for in on at to from into onto within during after before without under over between".split()
)
_MANNERS: Final = frozenset("by with via using through".split())
_IN_CONTEXT: Final = frozenset("for in on at to from into onto within".split())
"""Words with which a rule says where it holds, which the thread of what is said may tell."""

_ORDERING: Final = frozenset("us avoid alwai".split())
_USING: Final = frozenset(("", *"us hav keep put stor ad".split()))
"""What a rule forbids to do with what it only names: roots."""

_SIDES: Final = frozenset("in on at within into onto".split())
_POINTING: Final = frozenset("it them this that these those one ones everything anything something".split())
_BY_HAND: Final = re.compile(r"\b(?:straight|directly|manually|yourself|by hand)\b", re.I)
_NUMBERED: Final = re.compile(r"(?<=[a-z]{3})\d+$")
_ENDING: Final = re.compile(r"(?<=\w\w)(?:ing|ed|es|s|e)$")
_TWICE: Final = re.compile(r"([bdgklmnprt])\1$")


class Action(NamedTuple):
    """What is forbidden, demanded, allowed or spared, in the roots of its words.

    Attributes:
        does: the verb; '' for any.
        to: what it is done to.
        scopes: where, when and for what, by the word that says so.
        manner: by what means.
        beside: the other words of its sentence.
    """

    stance: Stance
    does: str
    to: frozenset[str]
    scopes: tuple[tuple[str, frozenset[str]], ...]
    manner: frozenset[str]
    beside: frozenset[str]


def is_against(said: str, rule: str, context: str) -> bool:
    """Whether *said* allows what *rule* forbids, or spares what it demands.

    Args:
        context: of what is said, such as the title of its thread: it may tell that the rule holds there.

    >>> is_against("You can log card numbers, it helps.", "Never log card numbers.", "")
    True
    >>> is_against("You can log order numbers, it helps.", "Never log card numbers.", "")
    False
    """
    ruled = [one for one in _actions(rule) if one.stance in _AGAINST]
    if not ruled:
        return False
    own = _QUOTED.sub(" ", said)
    if _SAYS_OTHERWISE.search(own) or _ALARMING.search(f"{own} {context}"):
        return False
    told = _actions(own)
    by_hand = _BY_HAND.search(own) is not None
    around = _roots(f"{context} {said}")
    return any(
        one.stance == _AGAINST[other.stance] and _is_same(one, other, around, by_hand=by_hand)
        for other in ruled
        for one in told
    )


def _is_same(said: Action, rule: Action, around: frozenset[str], *, by_hand: bool) -> bool:
    """Whether *said* is of what *rule* is, and of nothing else."""
    does_same = said.does == rule.does or ("" in (said.does, rule.does) and {said.does, rule.does} <= _USING)
    if not does_same or not said.to <= rule.to or not rule.to <= said.to | around or bool(said.to) != bool(rule.to):
        return False
    if not all(
        words <= rule.to or any(_is_scope(by, words, other) for other in rule.scopes) for by, words in said.scopes
    ):
        return False
    scoped = frozenset().union(*(words for _, words in said.scopes))
    for word, words in rule.scopes:
        near = _related(words) | rule.beside
        if words.isdisjoint(scoped) and (word not in _IN_CONTEXT or (words | near).isdisjoint(around - said.to)):
            return False
    if said.manner:
        return said.manner <= rule.manner or (not said.manner & rule.beside and bool(rule.beside or not rule.manner))
    return not rule.manner or by_hand


def binds(text: str) -> bool:
    """Whether *text* forbids or demands something."""
    return any(one.stance in _AGAINST for one in _actions(text))


def asks_leave(question: str) -> bool:
    """Whether *question* asks if something is allowed."""
    return _LEAVE.search(question) is not None


def lets(text: str) -> bool:
    """Whether *text* allows or spares something, and neither asks, doubts nor takes it back."""
    own = _QUOTED.sub(" ", text)
    return not _SAYS_OTHERWISE.search(own) and any(one.stance in _AGAINST.values() for one in _actions(own))


def _related(roots: frozenset[str]) -> frozenset[str]:
    """The roots of what people say for the same."""
    groups = (frozenset(map(_root, group)) for group in GROUPS)
    return frozenset().union(*(group for group in groups if not group.isdisjoint(roots)))


def _is_scope(by: str, words: frozenset[str], other: tuple[str, frozenset[str]]) -> bool:
    """Whether what is said of where, when or for what is what the rule says: 'in' may be 'on', not 'before' 'after'."""
    return words <= other[1] and (by == other[0] or {by, other[0]} <= _SIDES)


@lru_cache(64)
def _actions(text: str) -> tuple[Action, ...]:
    """What the sentences of *text* forbid, demand, allow or spare."""
    found, text = [], _BLANKS.sub(" ", text[:_LONGEST])
    for pattern, written in _WRITTEN:
        text = pattern.sub(written, text)
    for span in sentences_of(text, Span(0, len(text))):
        sentence = text[span.start : span.end]
        for clause in _CLAUSES.split(sentence):
            found += [_action(*one, sentence) for one in _forms(clause.strip(" *_`'\""))]
    return tuple(one for one in found if one.to or one.scopes)


def _forms(clause: str) -> Iterator[tuple[Stance, re.Match[str]]]:
    for stance, form in _FORMS:
        if match := form.search(clause):
            yield stance, match
            return


def _action(stance: Stance, match: re.Match[str], sentence: str) -> Action:
    told = match.groupdict()
    act = _ENDS.sub("", told.get("act") or "").strip()
    does, _, rest = act.partition(" ")
    if not act:
        does, rest = told.get("done") or "", f"{told.get('what') or ''} {_ENDS.sub('', told.get('rest') or '')}"
    groups: list[tuple[str, list[str]]] = [("", [])]
    for word in _WORD.findall(rest):
        low = word.lower()
        if low in _SCOPES | _MANNERS:
            groups.append((low, []))
        elif low in _POINTING or (low not in STOP_WORDS and not low.endswith("ly") and low != "straight"):
            groups[-1][1].append(word)
    every = [(by, frozenset(map(_root, words))) for by, words in groups]
    manner = frozenset().union(*(words for by, words in every if by in _MANNERS))
    known = manner.union({_root(does)}, *(words for _, words in every))
    return Action(
        stance, _root(does), every[0][1], tuple(one for one in every[1:] if one[0] in _SCOPES and one[1]),
        manner, _roots(sentence) - known - _ORDERING,
    )  # fmt: skip


def _roots(text: str) -> frozenset[str]:
    return frozenset(_root(word) for word in _WORD.findall(text) if word.lower() not in STOP_WORDS)


def _root(word: str) -> str:
    """What *word* has in every form: 'float64' and 'floats' are one, HTTP and HTTPS are two.

    >>> [_root(word) for word in ("float64", "Floats", "logged", "log", "story", "toggle", "toggled", "HTTPS")]
    ['float', 'float', 'log', 'log', 'stori', 'toggl', 'toggl', 'HTTPS']
    """
    if word.isupper() and len(word) > 1:
        return word
    bare = _TWICE.sub(r"\1", _ENDING.sub("", _NUMBERED.sub("", word.lower())))
    return f"{bare[:-1]}i" if len(bare) > 3 and bare.endswith("y") else bare
