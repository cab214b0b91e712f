"""What frames a fact of a text: its headings, or who said it, when, and where."""

from __future__ import annotations

from typing import Final

from cortex.indexers.distill.text import Text

_REVIEWS: Final = {"approved": ", approving,", "changes_requested": ", asking for changes,"}


def frame(text: Text) -> str:
    """What a fact stands under: headings, or 'ada (member), approving, on 2024-05-01 about src/a.c in #7 “Title”'."""
    if text.type == "doc":
        return text.title or text.ref.partition(":")[2]
    thread = text.ref.partition(":")[2].partition("#")[0]
    known = "" if text.association in {"", "NONE"} else f" ({text.association.lower().replace('_', ' ')})"
    review = _REVIEWS.get(text.state, "")
    day = f" on {text.created_at[:10]}" if text.created_at else ""
    about = f" about {text.path}" if text.path else ""
    return f"{text.author or 'someone'}{known}{review}{day}{about} in #{thread} “{text.title}”"
