"""What a thing is: whether that is asked, and whether a text says it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_TERM: Final = r"(?:an? |the )?(?P<{}>[\w`./+-]+(?: [\w`./+-]+){{0,2}}?)"
_ASKED: Final = re.compile(
    rf"^\W*(?:(?:what|who|when)(?:'s|’s| is| are| was| were) {_TERM.format('is')}"
    rf"|what (?:does|do|did) {_TERM.format('means')} (?:mean|stand for)|define {_TERM.format('defined')})"
    r"(?: (?:for|of|in|on) (?:issue |pr )?#\d+)?\W*$",
    re.I,
)
_ALSO: Final = r"(?:e?s)?(?:[`*_\"'”’]|\s*\([^()\n]{1,60}\))*"
_DONE: Final = re.compile(
    r"(?:(?<=\bis)|(?<=\bare))\s+(?:(?:\w+ly|always|never|often|not|now|then)\s+)?\w{2,}ed\s*"
    r"(?:[.,;]|$|\b(?:to|by|in|on|at|for|from|with|without|into|as|when|before|after|until|if|only|and|that|once|twice|every"
    r"|each|\w+ly)\b)",
    re.I,
)
"""What is done to a thing is not what it is: 'are intended to be used once'."""

_SAYS: Final = r"\s*(?::|—|–|\s-\s|\b(?:is|are|means?|stands? for|refers? to|denotes?|describes?)\b)"
_BEGINS: Final = r"(?:^|\n|[.!?:]\s|\s-\s)[\s>|*+-]*[`*_\"'“‘]*(?:(?:an?|the) )?[`*_\"'“‘]*"


def term(text: str) -> str:
    """What is asked for the meaning of, lower case; '' where something else is asked.

    >>> term("What is a lease?"), term("What does PNR stand for?"), term("What is left to do before we ship?")
    ('lease', 'pnr', '')
    """
    found = _ASKED.search(text)
    return next(filter(None, found.groups()), "").strip("`").lower() if found else ""


def defines(term_: str, text: str, *, is_sentence: bool = False) -> bool:
    r"""Whether a sentence of *text* begins by saying what *term_* is.

    Args:
        is_sentence: the text is to be that one; what is done with the term does not define it then.

    >>> defines("pnr", "- **Sailing**: one departure. - **PNR**: six characters"), defines("pnr", "We lost the PNR.")
    (True, False)
    >>> defines("pnr", "| term | meaning |\n| PNR | six characters |")
    True
    """
    found = _defining(term_).search(text) if term_ and term_ in text.lower() else None
    return found is not None and not (is_sentence and _DONE.match(text, found.end()))


@lru_cache(64)
def _defining(term_: str) -> re.Pattern[str]:
    written = rf"{re.escape(term_.removesuffix('s'))}{_ALSO}"
    return re.compile(rf"{_BEGINS}{written}{_SAYS}|(?:^|\n)\|\s*[`*_]*{written}\s*\|\s*\w", re.I)
