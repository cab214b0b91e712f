"""Text that shows as nothing."""

from __future__ import annotations

import unicodedata
from typing import Final

_SHOWN: Final = "LNPS"
_FILLERS: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a symbol that fonts leave empty


def is_blank(text: str) -> bool:
    r"""Whether *text* has no character that shows: blanks, what joins or turns others, and marks on nothing are none.

    >>> is_blank("\u200b \ufe0f\u3164"), is_blank("…")
    (True, False)
    """
    return not any(unicodedata.category(one)[0] in _SHOWN and one not in _FILLERS for one in text)
