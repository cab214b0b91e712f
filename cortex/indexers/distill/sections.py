"""Sections of documents cut into units: sentences, list items with what introduces them, table rows with their heads.

Markdown is read as CommonMark has it; reStructuredText by its lines, as far as these tell an item from a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.distill import markdown, restructured
from cortex.indexers.distill.prose import TERM_WORDS
from cortex.indexers.distill.questions import is_question, says_only_yes_or_no
from cortex.indexers.distill.unit import Unit
from cortex.substrate.facts import plain

_PRONOUN: Final = re.compile(
    r"^(?:It|This)(?= (?:is|was|must|should|shall|may|can|cannot|will|has|had|does|defaults?|returns|controls|sets"
    r"|takes|holds|contains|requires|allows|means|needs|runs|uses|ensures|prevents|applies|provides|supports|makes"
    r"|only|never"
    r"|always)\b)"
    r"|^It(?= (?!(?:seems|appears|depends|follows|happens|turns|takes|goes|looks|sounds|helps|matters)\b)[a-z]{2,}s\b)"
)
_NOBODY: Final = re.compile(
    r"It (?:(?:is|was|(?:may|can|must|should|shall|will|has) (?:not )?(?:be|been))"
    r" (?:(?:not|also|very|always|often|then|never|still|therefore|thus|both|\w+ly) )*"
    r"(?:\w+ (?:that|whether|how|why)\b"
    r"|(?!(?:used|designed|meant|intended|able|needed|set|bound|limited|equal|identical|similar|related|due|going|about"
    r"|added|connected|attached|mapped|available|valid|responsible|subject|prior|close|next|specific)\b)\w+"
    r" (?:to|for|if|when)\b"
    r"|(?:(?:an?|the) |(?=good|bad|best|common|poor))(?:\w+ ){0,2}(?:error|mistake|idea|practice|responsibility"
    r"|violation|job|task|duty|convention"
    r"|policy|rule"
    r"|requirement|goal|matter) (?:of\b.{0,40} )?(?:to|that|for|if)\b"
    r"|(?:the|our|your) [^.,;]{1,40} (?:who|that)\b|(?:in|on|at|by|with|for|from|through|during|when"
    r"|because) [^.;]* that\b|until )"
    r"|(?:makes|made) (?:\w+ )?sense\b|takes\b)",
    re.IGNORECASE,
)
"""The "it" that stands for nothing, or for what comes after it: "It is forbidden to", "It is the owner who"."""

_GENERIC: Final = re.compile(
    r"(?:(?:general|brief|short|quick|high[- ]level|basic|technical|further|other|current|additional|important|key"
    r"|main) )*"
    r"(?:overviews?|introduction|intro|background|summary|abstract|descriptions?|details?|notes?|remarks?|usage"
    r"|operations?|general"
    r"|basics|motivations?|purpose|rationale|reasons?|goals?|non-goals?|context|status|decisions?|consequences"
    r"|outcomes?|discussion"
    r"|examples?|installation|installing|setup|set-?up|getting started|quick ?start|configuration|requirements?"
    r"|prerequisites?"
    r"|features?|limitations?|history|faqs?|q ?& ?a|questions?|answers?|rules?|conclusions?|terminology"
    r"|definitions?|glossary|about|how it works"
    r"|design|architecture|implementation|behaviou?rs?|semantics|properties|scope|options?|parameters?|arguments?"
    r"|settings?"
    r"|security(?: considerations?)?|privacy considerations?|considerations?|caveats|warnings?|tips|hints?"
    r"|misc(?:ellaneous)?|appendix"
    r"|known (?:issues|bugs|problems|limitations)|next steps|steps|tests?|testing|deployment|maintenance"
    r"|troubleshooting|support|contributing|changes"
    r"|changelog|references?|resources)",
    re.IGNORECASE,
)
"""Headings that name a part of a text, and nothing that "it" could be."""

_NAMED: Final = re.compile(
    r"(?!(?:how|why|what|when|where|who|which|can|do|does|is|are|should|don't|do not|never|always|avoid|please|no|not"
    r"|without|let's|upgrading|migrating|moving)\b"
    r"|(?:use|run|add|remove|set|get|enable|disable|install|upgrade|configure|create|write|choose|check|deploy|fix|build"
    r"|make|keep|start|stop|test|update|publish|release|open|close) (?:an?|the|your|it|this|all|any|each|up"
    r"|out)\b)[^?]+",
    re.IGNORECASE,
)
"""Headings that name a thing, and neither ask nor order."""

_NUMBERING: Final = re.compile(
    r"\A(?:(?:\d+\.)+\d*|\d+\)|§ ?[\d.]+|(?:chapter|section|appendix|part) [\dA-Z]+[.:])\s+", re.IGNORECASE
)
_TAGLINE: Final = re.compile(r"\s+[-–—]+\s+")
_ABOUT_IT: Final = re.compile(
    r"\W*\w+ (?:(?:is|was|are|were|must|shall|should|may|can|cannot|will|has to|never|always|only"
    r"|also)\b(?! (?:return|create"
    r"|produce|yield|open|give|build|emit|allocate)\b)|runs|works|defaults|starts|stops|expires|ends|begins|happens)\b",
    re.IGNORECASE,
)
"""A sentence after which "it" is still what it was: it names nothing else that "it" could be."""

_OPENS: Final = re.compile(
    r"\W*(?:(?:It|They|These|Those|He|She|Both)(?:'s|'re)? (?:(?:also|then|only|often|still|usually|now|always"
    r"|never|all"
    r"|both|just|even) )*(?:is|are|was|were|must|should|shall|may|can|cannot|can't|will|won't|has|have|had|do"
    r"|does|don't"
    r"|doesn't|did|isn't|aren't|include|contain|allow|provide|make|use|need|require|mean|apply)\b"
    r"|(?:It|He|She) (?:also |then |only )?[a-z]{3,}(?<![sy]s)s\b"
    r"|(?:This|That) (?:(?:also|then|only|often|still|usually|now|always|never) )*(?:means|allows|works|will"
    r"|can|was|should"
    r"|must|has|does|returns|makes|lets|enables|ensures|prevents|helps|gives|happens|applies|includes|requires)\b"
    r"|(?:Make sure to |Please |You can (?:\w+ )?|Learn more )(?:\w+ ){0,3}(?:it|them|these)\b)"
)
"""A beginning that nobody understands who has not read what stands above it."""

_OF_A_THING: Final = re.compile(
    r"\b(?:to|and|or) \w+ (?:it|them)\b|\A\W*It (?:must|shall|may|can|will) be (?!noted|said|remembered"
    r"|stressed|emphasi[sz]ed)"
)
"""What is said of a thing after all, though it looks like the "it" of "It is forbidden to"."""


def sections(title: str, body: str, *, path: str) -> Iterator[Unit]:
    """The units of a section, in order.

    Args:
        title: its headings, joined by ' › '.
        path: of the file, whose suffix tells what it is written in.
    """
    units = (restructured if path.endswith(".rst") else markdown).units(body)
    unanswered = is_question(title.rpartition(" › ")[2])
    named = _thing(title)
    until = 0  # up to here each sentence says "it" of the heading
    about = subject = False
    for number, unit in enumerate(units):
        if unanswered and (number == 0 or unit.sentences > 1) and unit.shape in ("sentence", "term"):
            unanswered = says_only_yes_or_no(unit.text)
            yield unit._replace(first=number == 0, shape="answer")
        elif number == 0:
            first = _named(unit._replace(first=True), named)
            until = first.end if first.resolved else 0
            about = first.resolved and _ABOUT_IT.match(plain(body[first.start : first.end])) is not None
            unanswered = False
            subject = first.resolved or _begins_with(first.text, named)
            yield from _readable(first)
        elif unit.start < until:
            last = plain(body[until : unit.end])
            if about and _PRONOUN.match(last):
                until, about = unit.end, _ABOUT_IT.match(last) is not None
            yield from _readable(_named(unit, named))
        elif subject and unit.sentences == 1:
            yield from _readable(_named(unit, named))
        else:
            yield from _readable(unit)


def _thing(title: str) -> str:
    """The last heading that is no mere part of a text, where it names something."""
    headings = (_NUMBERING.sub("", name) for name in reversed(title.split(" › ")))
    heading = _TAGLINE.split(next((name for name in headings if not _GENERIC.fullmatch(name)), ""))[0]
    return heading if len(heading.split()) <= TERM_WORDS and _NAMED.fullmatch(heading) else ""


def _begins_with(text: str, heading: str) -> bool:
    """Whether a sentence is about *heading*: it begins with it, as "The optional `workers` field" does."""
    name = re.sub(r"^\W+", "", heading.partition("(")[0].strip('*_`" '))
    begins = rf"\W*+(?:(?:the|an?)\W++)?(?:(?!and\b|or\b|of\b)\w[\w-]*+\W*)?{re.escape(name)}(?!\w)"
    return bool(name) and re.match(begins, text, re.IGNORECASE) is not None


def _readable(unit: Unit) -> Iterator[Unit]:
    """*unit*, unless it begins with an "it" or "these" that nothing in it tells of."""
    if (
        unit.shape not in ("sentence", "item")
        or unit.resolved
        or unit.context
        or not _OPENS.match(unit.text)
        or (_NOBODY.match(unit.text) and not _OF_A_THING.search(unit.text))
    ):
        yield unit


def _named(unit: Unit, heading: str) -> Unit:
    """*unit* with its heading for the "it" or "this" it begins with, where it does."""
    if not heading or unit.shape in ("item", "term") or not _PRONOUN.match(unit.text) or _NOBODY.match(unit.text):
        return unit
    return unit._replace(text=_PRONOUN.sub(lambda _: heading, unit.text), resolved=True)
