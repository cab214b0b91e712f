"""Which words of a question, or of a sentence, say no more than that it is about releases."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.retrieve.filters import WORD
from cortex.language.words import STOP_WORDS

_SAYS_NOTHING: Final = re.compile(
    r"(?:releas|version|chang|add|remov|fix|deprecat|publish|shipp?|tagg?|ma[dk]|new|lat|old|earli|com|upcom|plann|preced"
    r"|follow|bug|feature|secur|brok|list|month|year|day|dat)(?:e|s|es|d|ed|er|est|ing|ity|en)?"
    r"|current|out|most|recent|first|last|initial|stable|next|unreleased|already|stand|came|many|project|package|library|far"
    r"|till|prior|since|v|number|previous|penultimate|right|directly|immediately"
)
_ASKS_ELSE: Final = frozenset(
    "who whom whose why where can could should may might must will would not no against".split()
)
"""Words that texts are not found by, but which ask for something else than a release: 'Who made the latest?'."""


def names_in(text: str) -> frozenset[str]:
    """The words of *text*, in lower case, that are about more than releases, their days and what is done in them."""
    nothing = STOP_WORDS - _ASKS_ELSE
    return frozenset(
        word for word in WORD.findall(text.lower()) if not (word in nothing or _SAYS_NOTHING.fullmatch(word))
    )
