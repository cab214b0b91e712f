"""Whether a text says that it takes back or replaces another, or only that somebody might, should or wants to."""

from __future__ import annotations

import re
from typing import Final

from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("references", "meant")

_REACH: Final = 240
"""Characters of a sentence before its verb that are looked at."""

_SECTION: Final = 2_000
"""Characters before a sentence among which its heading, or the line that leads it in, is looked for."""

_BORDER = re.compile(r"[.!?;](?=\s)|\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*+•]|\d+[.)])[^\S\n])|\n(?=[^\S\n]*(?:#|[A-Z]))|\A")
_MARKS = re.compile(r"\s*(?:(?:[-*+•#]+|\d+[.)]|\[[ xX]\])\s+)*[*_(\[]*")
# 'fix(net): revert #12' is done; what a 'TODO:' or a 'Rollback:' leads in is not.
_SCOPED = re.compile(r"[a-z][\w/-]*(?:\([^()\n]*\))?!?:\s+")
_ADVERBS: Final = r"(?:(?:also|now|just|simply|then|thus|hereby|\w+ly)\s+)*"
_WE_WILL = re.compile(r"\b(?:we|i)\s+will\b", re.I)
_JOINED = re.compile(rf"\b(?:and|by)\s+{_ADVERBS}$", re.I)
_ANOTHER: Final = _ENGLISH["another"]
_OPEN: Final = _ENGLISH["open"]
_WANTED: Final = _ENGLISH["wanted"]
_STEPS: Final = _ENGLISH["steps"]
"""What begins a line whose items are to be done by somebody: 'Steps: 1. revert #12'."""

_HEADING = re.compile(r"^[^\S\n]*(?:#{1,6}\s[^\n]*|\*\*[^\n]+\*\*:?|[^\n]{1,120}:)[^\S\n]*$", re.M)

_GERUND: Final = _ENGLISH["gerund"]
_NOUN: Final = _ENGLISH["noun"]


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
    if of_another or _OPEN.match(said) or _ENGLISH["then"].match(text, end):
        return False
    form = text[at:until]
    subject = _ENGLISH["subject"].fullmatch(said) is not None
    if _ENGLISH["past"].fullmatch(form):
        return subject
    if (_NOUN.fullmatch(form) or _GERUND.fullmatch(form)) and not _ENGLISH["ends"].match(text, end):
        return False  # 'Reverting #12 helps'
    if _NOUN.fullmatch(form):
        return _ENGLISH["a_noun"].fullmatch(said) is not None
    if _ENGLISH["bare"].fullmatch(form) or _GERUND.fullmatch(form):
        joined = _JOINED.search(said) is not None and not _WANTED.search(said)
        return (subject or joined) and not _is_planned(text, border)
    return not _WANTED.search(re.split(r"[,:]\s", said)[-1])


def _is_planned(text: str, border: int) -> bool:
    """Whether what begins at *border* stands under a heading, or after a line that leads it in, of plans."""
    headings = _HEADING.findall(text, max(0, border - _SECTION), border)
    return bool(headings) and _ENGLISH["of_plans"].search(headings[-1]) is not None
