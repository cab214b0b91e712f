"""How far somebody of the project stands behind each record: stored on its row, for whoever shows it or goes by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from cortex.indexers.connectors.merges import merged as tells
from cortex.indexers.distill.machines import is_machine
from cortex.indexers.kinds import is_declined
from cortex.indexers.taking_back import takes_back
from cortex.indexers.wording import WORDING
from cortex.substrate.brain import Brain
from cortex.substrate.facts import title_end
from cortex.substrate.links import vouch_links, vouch_records
from cortex.substrate.records import promote_anew

_PARAGRAPH: Final = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_NUMBERED: Final = re.compile(r"\s*\(#\d+\)$", re.MULTILINE)
_LISTED: Final = re.compile(r"^[0-9a-f]{7,40} (.+?)(?: \([^()\n]+\))?$", re.MULTILINE)
"""A commit that came with a merge, as its message lists it."""

_CONTINUED: Final = re.compile(r"…\s+…")
"""Where GitHub cut a long title in two, the rest of which it puts into the message."""


def vouch(brain: Brain, *, source_id: int) -> int:
    """Store of how much of each record of a source somebody of the project stands behind; of how many that is news.

    Those are promoted again, and what they say something of. What nobody stands behind does not say any more what it
    takes back, replaces or was fixed by.
    """
    brain.define(**WORDING, **CLAIMING)
    with brain.transaction():
        changed = vouch_records(brain, source_id=source_id)
        promote_anew(brain, source_id, vouch_links(brain, source_id=source_id))
    return changed


def vouched_in(title: str, body: str, merged: str | None, edited: int) -> int | None:
    r"""How many characters of an outsider's merged pull request those who merged it stand behind; None is all of them.

    They are its title and paragraphs as far as *merged* has them, the message of its merge commit; of an unknown one
    they had the title before them, unless anything about it may have been *edited* since.

    >>> vouched_in("Mend it", "Mend it\n\nIt leaked.", "Mend it (#7)", 0)
    7
    >>> vouched_in("Mend it", "Mend it", "Mend (#7)", 0)
    0
    >>> vouched_in("Mend it", "Mend it\n\nIt leaked.", "Mend it (#7)\n\nIt leaked.\n\nSigned-off-by: ada", 0) is None
    True
    """
    if merged is None:
        until = 0 if edited else title_end(title, body)
    else:
        told = tells(merged)
        lines = _LISTED.sub(r"\1", _CONTINUED.sub("", _NUMBERED.sub("", merged)))
        until, known = 0, _lines("\n".join([told.title if told else "", lines]))
        for found in _PARAGRAPH.finditer(body):
            if _lines(_NUMBERED.sub("", found[0])) not in known:
                break
            until = found.end()
    return None if until >= len(body.rstrip()) > 0 else until


def _lines(text: str) -> str:
    return "\n".join(["", *(" ".join(line.split()) for line in text.splitlines() if line.strip()), ""])


CLAIMING: Final[dict[str, Callable[..., Any]]] = {
    "vouched_in": vouched_in, "takes_back": takes_back, "is_declined": is_declined, "is_machine": is_machine,
}  # fmt: skip
"""The functions that `vouch_records` calls, beside those of promotion."""
