"""One wording for what asks for a list: 'what did ada merge?' and 'what is assigned to ada?' are of records too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from cortex.composer.claims import normal
from cortex.composer.dates import DATE, date_of
from cortex.composer.retrieve.filter_words import CUT, FIXED, MANY, NAMED, NOUNS, ONE, OWN, VERBS, VERDICTS, Known

FIRST: Final = ("oldest", "earliest", "first")
LAST: Final = ("newest", "latest", "last")
ENDS: Final = "|".join((*FIRST, *LAST))
LISTED: Final = re.compile(
    rf"\b(?:which|what|list|show|any|how many|(?:are|were) there)\b[^?]{{0,80}}?\b(?P<many>{MANY})\b"
    rf"|\b(?:is|was) there (?:an?|any)\b[^?]{{0,30}}?\b(?P<any>{ONE})\b"
    rf"|\bwho\b[^?]{{0,40}}?\bmost\b[^?]{{0,20}}?\b(?P<by>{MANY})\b"
    r"|\bwho\s+(?:(?:has|have|had|ever|all)\s+)*(?P<did>reported|opened|filed|created|submitted|wrote|written|authored"
    rf"|merged|closed)\b[^?]{{0,30}}?\b(?P<each>{MANY})\b"
    rf"|\b(?:{ENDS})\b[^?]{{0,40}}?\b(?P<end>{MANY}|{ONE})\b"
    rf"|\b(?:which|what)\s+(?P<one>{ONE})\b[^?]{{0,40}}?\b(?:{ENDS})\b"
)
_PEOPLE: Final = re.compile(r"\b(?:which|what|how many) (?:people|persons|users|contributors|developers)\b")
_FOR: Final = re.compile(
    r"^\W*what(?:['’]s| is| are) (?:still |currently |now )?(?:open|pending|left|to do) for (?P<whom>@?[\w-]+)\W*$"
    r"|^\W*what(?:['’]s| is| are) (?:still |currently |now )?assigned to (?P<to>@?[\w-]+)\W*$"
    r"|^\W*what(?:['’]s| is) (?P<who>@?[\w-]+) (?:currently |now )?working on\W*$"
)
"""What asks for issues without a word for them."""

_DID: Final = re.compile(
    r"^\W*what (?P<has>did|has|have) (?!(?:we|you|they|i|it)\b)(?P<who>@?[\w-]+) "
    r"(?P<verb>merged?|approved?|review(?:ed)?|report(?:ed)?)\b"
)
_UNCOUNTED: Final = re.compile(
    r"^\W*(?:how many|which|what|list|show)(?:\s+(?:me|all|the|of|our|open|closed|merged|different))*\s+"
    r"(?:commits|drafts|draft (?:prs|pull requests)|comments|reviews|approvals)"
    r"(?:\s+(?:are|were|was|have|has|had|do|does|we|there|in|on|the|this|our|whole|project|repository|repo|been|open|closed"
    r"|in total|so far|ma[dk]e|give|gave|given|written|wrote|write|exist|(?:by|did|from)\s+@?[\w-]+))*\W*$"
)
"""Lists of what is kept, but of which no list is made, and no text tells what there is."""

_REVERTS: Final = re.compile(
    r"^(?P<lists>\W*(?:how many|which|what|list|show|(?:are|were|have|has) there(?: been)?)"
    r"(?: (?:me|all|any|of|the|our))*) reverts"
    r"(?P<rest>(?: (?:are|were|have|has|had|did|do|there|been|we|happened|made|make|ever|so far|in total))*\W*)$"
)
"""What asks for reverts, and for nothing else of them."""

_UN: Final = re.compile(r"\bun(?=(?:assigned|labell?ed|merged|reverted|approved|reviewed)\b)")
_PULL: Final = r"(?:an?\s+|the\s+|any\s+)?(?:prs?|pull requests?|pulls?)\b"
_BY_PULL: Final = re.compile(rf"\b(?:closed|fixed|resolved|solved) by {_PULL}|(?<=\bwithout ){_PULL}")
_CHANGES: Final = re.compile(r"\brequest(?:ed|s)? changes\b|\bchanges (?:(?:were|are|was|have been|been) )?requested\b")
OWNED: Final = re.compile(r"['’]s\b|(?<=s)['’](?=\s)")
_OPEN_AT: Final = re.compile(
    rf"\b(?:still )?open (?:on|as of|at) (?:the )?(?:(?P<part>end|start|beginning) of )?(?={DATE.pattern})", re.I
)
_OPEN_IN: Final = re.compile(r"\b(?:were|was) (?:still )?open (?:in|during|between|before|after|since|until|by)\b")
_TOKEN: Final = re.compile(r"[^\s?,;\"“”]+")
_MOST_TOKENS: Final = 30
_LONGEST: Final = 5
"""Words that the name of a label or a milestone has at most."""

_MILESTONE: Final = "milestone"
_BUG: Final = ("bug", "type: bug", "type:bug", "type/bug", "kind/bug", "kind: bug", "kind:bug", "c-bug", "t-bug")
"""How projects call the label of bugs."""

_TICKETS: Final[Mapping[str, str]] = MappingProxyType({"bug": "issue", "bugs": "issues"})


class Listing(NamedTuple):
    """A text that asks for a list.

    Attributes:
        text: in lower case, with 'issues' where it asks for 'bugs'.
        noun: the word for what is listed, as it was.
        kind: which part of `LISTED` it is.
        did: what everybody did who is asked for, as it says it.
        whose: it has no word for what is listed, but for what somebody did.
    """

    text: str
    noun: str
    kind: str
    did: str
    whose: bool


@lru_cache(8)  # a question is read by the query, and by what tells whether it is nothing but a list
def listing(text: str) -> Listing | None:
    """*text* as it asks for a list of issues or pull requests; None where it asks for none."""
    text = _FOR.sub(_assigned, normal(re.sub(f"[{CUT}{OWN}{NAMED}]", " ", text)).lower())
    text = _REVERTS.sub(r"\g<lists> reverted pull requests\g<rest>", text)
    whose = _DID.search(text) is not None
    text = _BY_PULL.sub(FIXED, _CHANGES.sub("changes-requested", _DID.sub(_done, text)))
    text = OWNED.sub(f" {OWN} ", re.sub(r"\bmost recent(?:ly)?\b", "latest", text))
    counts = _PEOPLE.search(text) is not None
    text = _UN.sub("not ", _PEOPLE.sub("who", text))
    match = LISTED.search(text)
    if match is None or match.lastgroup is None or (counts and not match["each"]):
        return None
    kind = match.lastgroup
    noun, (start, end) = match[kind], match.span(kind)
    return Listing(f"{text[:start]}{_TICKETS.get(noun, noun)}{text[end:]}", noun, kind, match["did"] or "", whose)


def asks_uncounted(text: str) -> bool:
    """Whether it asks for commits, drafts, comments or reviews by nothing but what is known of them."""
    return _UNCOUNTED.search(DATE.sub(" ", normal(text).lower())) is not None


def _assigned(match: re.Match[str]) -> str:
    whom = match["whom"] or match["to"] or match["who"]
    return f"which {'' if match['to'] else 'open '}issues are assigned to {whom}"


def _done(match: re.Match[str]) -> str:
    noun = "issues" if match["verb"].startswith("rep") else "pull requests"
    return f"which {noun} {match['has']} {match['who']} {match['verb']}"


def at_a_time(text: str) -> tuple[str, str, tuple[str, ...]]:
    """*text* without when something was open, that time, and what of it is not clear: 'open in 2023' was it when?"""
    at = ""
    while match := _OPEN_AT.search(text):
        date = DATE.match(text, match.end())
        if date is None or (match["part"] is None and len(date_of(date)) < len("2024-07-05")):
            return text, at, (match[0],)
        at = date_of(date) + ("" if match["part"] in ("start", "beginning") else "~")
        text = f"{text[: match.start()]}open{text[date.end() :]}"
    return text, at, tuple(_OPEN_IN.findall(text))


def names_in(text: str) -> dict[str, str]:
    """What in *text* may name a label or a milestone, the longest first, each with how a label would be called."""
    tokens = [*_TOKEN.finditer(text)][:_MOST_TOKENS]
    names: dict[str, str] = {}
    for words in range(_LONGEST, 0, -1):
        for first, last in zip(tokens, tokens[words - 1 :], strict=False):
            said = text[first.start() : last.end()]
            if first[0] == _MILESTONE and words > 1:
                names[said] = f"{_MILESTONE}: {said.removeprefix(_MILESTONE).strip()}"
            elif last[0] == _MILESTONE and words > 1:
                names[said] = f"{_MILESTONE}: {said.removesuffix(_MILESTONE).strip()}"
            elif words > 1:
                names[said] = said
            elif said.endswith("s") and said not in (*NOUNS, *VERBS, *VERDICTS):
                names[said] = said[:-1]
    return names | {"bugs": "bug"} | dict(zip(_BUG, _BUG, strict=True))


def with_names(text: str, names: Mapping[str, str], known: Known) -> tuple[str, Known]:
    """*text* with one character for each of *names* that is a label, and *known* with these as labels."""
    called = {(kind, word): list(labels) for (kind, word), labels in known.items()}
    bugs = [label for one in _BUG for label in known.get(("label", one), ())]
    called |= {("label", "bug"): bugs} if bugs else {}
    given = {}
    characters = map(chr, range(ord(NAMED[0]), ord(NAMED[-1]) + 1))
    for said, label in names.items():
        apart = " " in said or ("label", said) not in called
        if apart and ("label", label) in called and (character := next(characters, "")):
            text = re.sub(rf"(?<![\w-]){re.escape(said)}(?![\w-])", f" {character} ", text)
            given["label", character] = called["label", label]
    return text, called | given
