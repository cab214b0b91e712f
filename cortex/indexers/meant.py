"""Whether a text says that it takes back or replaces another, or only that somebody might, should or wants to."""

from __future__ import annotations

import re
from typing import Final

_REACH: Final = 240
"""Characters of a sentence before its verb that are looked at."""

_SECTION: Final = 2_000
"""Characters before a sentence among which its heading, or the line that leads it in, is looked for."""

_BORDER = re.compile(r"[.!?;](?=\s)|\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*+•]|\d+[.)])[^\S\n])|\n(?=[^\S\n]*(?:#|[A-Z]))|\A")
_MARKS = re.compile(r"\s*(?:(?:[-*+•#]+|\d+[.)]|\[[ xX]\])\s+)*[*_(\[]*")
# 'fix(net): revert #12' is done; what a 'TODO:' or a 'Rollback:' leads in is not.
_SCOPED = re.compile(r"[a-z][\w/-]*(?:\([^()\n]*\))?!?:\s+")
_ADVERBS: Final = r"(?:(?:also|now|just|simply|then|thus|hereby|\w+ly)\s+)*"
_IS: Final = r"(?:\s+(?:is|am|are|['’](?:s|m|re)))?"
_DOCUMENT: Final = (
    r"(?:this|the|it)\s*(?:pr|mr|pull(?:\s+request)?|merge\s+request|commit|change|patch|branch)?(?:set)?"
)
_SUBJECT: Final = re.compile(
    rf"(?:(?:in|with)\s+{_DOCUMENT},?\s+)?(?:(?:{_DOCUMENT}|we|i|here|so|and){_IS}\s+)*(?:(?:will|had\s+to)\s+)?(?:by\s+)?{_ADVERBS}",
    re.I,
)
_WE_WILL = re.compile(r"\b(?:we|i)\s+will\b", re.I)
_JOINED = re.compile(rf"\b(?:and|by)\s+{_ADVERBS}$", re.I)
_A_NOUN = re.compile(rf"(?:{_DOCUMENT}\s+(?:is|was)\s+)?(?:an?\s+|the\s+)?(?:\w+\s+)?", re.I)
_ANOTHER = re.compile(
    r"\b(?:nothing|nobody|none|no\s+one|neither|some(?:one|body|thing)|any(?:one|body|thing)|every(?:one|body|thing)"
    rf"|who|he|she|they|you|else|others?|users?|people|admins?|ci|bots?|scripts?|jobs?|workflows?|pipelines?)\s+{_ADVERBS}$",
    re.I,
)
_OPEN = re.compile(
    r"^(?:\w+\s+){0,2}(?:plans?|todo|roll-?back|back-?out|fall-?back|recovery|contingency|mitigation|proposal|suggestion"
    r"|ideas?|options?|alternatives?|next(?:\s+steps?)?|later|wip)\s*:"
    r"|^(?:once|when(?:ever)?|if|unless|until|as\s+soon\s+as|in\s+case|should|in\s+(?:19|20)\d\d)\b",
    re.I,
)
_WANTED = re.compile(
    r"^to\s|\b(?:please|let['’]?s|wants?|wanted|needs?|need(?:ed)?\s+to|plans?\s+to|planning|propos\w+|suggest\w*|hop(?:e|es|ing)"
    r"|ask(?:s|ed|ing)?|tomorrow|tonight|someday|eventually|soon|next\s+\w+|if|whether|unless|when(?:ever)?|once|would|could"
    r"|should|may|might|must|can|cannot|not|never|n['’]t|instead|before|after)\b",
    re.I,
)
_STEPS = re.compile(r"\b(?:steps?|instructions?|procedure|usage|to\s+reproduce|how\s+to)\b[^:\n]{0,40}:[^\n]*$", re.I)
"""What begins a line whose items are to be done by somebody: 'Steps: 1. revert #12'."""

_THEN = re.compile(
    r"[\s)\]]*(?:first\s+)?(?:(?:when(?:ever)?|once|if|unless|as\s+soon\s+as|in\s+case|tomorrow|tonight|later|soon|next\s+\w+)\b"
    r"|(?:on|by|before)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    re.I,
)
_ENDS = re.compile(
    r"[\s)\]*_]*(?:$|[.,;:!(+–—\n-]|(?:because|as|since|due|for|until|to|while|and|which|that|it|again|so)\b)", re.M
)
_HEADING = re.compile(r"^[^\S\n]*(?:#{1,6}\s[^\n]*|\*\*[^\n]+\*\*:?|[^\n]{1,120}:)[^\S\n]*$", re.M)
_OF_PLANS = re.compile(
    r"\b(?:plans?|roll(?:ing)?[- ]?back|back(?:ing)?[- ]?out|fall-?back|recovery|contingency|mitigations?|to[- ]?do"
    r"|next|follow-?ups?|later|steps?|instructions?|usage|future|if|when|in case|how to|alternatives?|options?|risks?"
    r"|trouble|not)\b",
    re.I,
)

_BARE = re.compile(r"revert|back\s+out|take\s+(?:back|out)|remove|drop|undo|roll\s+back|re-?apply|re-?land", re.I)
_PAST = re.compile(
    r"reverted|removed|dropped|backed\s+out|took\s+back|undid|rolled\s+back|re-?applied|re-?landed", re.I
)
_GERUND = re.compile(r"(?:revert|remov|dropp|back|undo|tak|roll|re-?apply|re-?land)ing\b.*", re.I)
_NOUN = re.compile(r"(?:revert|roll-?back|back-?out|re-?apply|re-?land)\s+of", re.I)


def is_done(text: str, verb: tuple[int, int], end: int) -> bool:
    """Whether the sentence around a verb like 'reverts' or 'supersedes' says that this text does it.

    'Please revert #12', 'Rollback plan: revert #12' and 'we will revert #12 on Monday' do not.

    Args:
        verb: where it stands in *text*.
        end: where the reference ends that the verb is said of.
    """
    at, until = verb
    border = max((one.end() for one in _BORDER.finditer(text, max(0, at - _REACH), at)), default=max(0, at - _REACH))
    marks = _MARKS.match(text, border, at)
    said = text[marks.end() if marks else border : at]
    if (scope := _SCOPED.match(said)) and not _OPEN.match(said):
        said = said[scope.end() :]
    of_another = _ANOTHER.search(said) or _WE_WILL.search(said) or _STEPS.search(text, max(0, at - _REACH), at)
    if of_another or _OPEN.match(said) or _THEN.match(text, end):
        return False
    form = text[at:until]
    subject = _SUBJECT.fullmatch(said) is not None
    if _PAST.fullmatch(form):
        return subject
    if (_NOUN.fullmatch(form) or _GERUND.fullmatch(form)) and not _ENDS.match(text, end):
        return False  # 'Reverting #12 helps'
    if _NOUN.fullmatch(form):
        return _A_NOUN.fullmatch(said) is not None
    if _BARE.fullmatch(form) or _GERUND.fullmatch(form):
        joined = _JOINED.search(said) is not None and not _WANTED.search(said)
        return (subject or joined) and not _is_planned(text, border)
    return not _WANTED.search(re.split(r"[,:]\s", said)[-1])


def _is_planned(text: str, border: int) -> bool:
    """Whether what begins at *border* stands under a heading, or after a line that leads it in, of plans."""
    headings = _HEADING.findall(text, max(0, border - _SECTION), border)
    return bool(headings) and _OF_PLANS.search(headings[-1]) is not None
