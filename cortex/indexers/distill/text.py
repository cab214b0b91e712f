"""What a distiller is given of a record, and what frames a fact of it: headings, or who said it, when and where."""

from __future__ import annotations

from typing import Final, NamedTuple

from cortex.language.patterns import patterns


class Text(NamedTuple):
    """A record on its way to a distiller: its body and what frames what is said in it.

    Attributes:
        state: of a review, such as 'approved'; of a decision record, such as 'accepted'.
        association: GitHub's author_association, such as 'MEMBER'.
        path: the file it stands in, or speaks of.
        closes: said by one of the project when its thread was closed without a merge.
        blocks: of a document, as they are stored with it; '' where its body is to be parsed.
    """

    record_id: int
    type: str
    ref: str
    title: str
    body: str
    author: str
    state: str
    created_at: str | None
    association: str = ""
    path: str = ""
    closes: bool = False
    blocks: str = ""


MACHINES: Final = patterns("distill", "machines")
_REVIEWS: Final = {"approved": ", approving,", "changes_requested": ", asking for changes,"}


def is_machine(author: str) -> bool:
    """Whether *author* is the account of a program.

    >>> [is_machine(name) for name in ("stale[bot]", "codecov-commenter", "abbott", "")]
    [True, True, False, False]
    """
    return MACHINES["machine"].search(author) is not None


def frame(text: Text) -> str:
    """What a fact stands under: headings, or 'ada (member), approving, on 2024-05-01 about src/a.c in #7 “Title”'."""
    if text.type == "doc":
        return text.title or text.ref.partition(":")[2]
    thread = text.ref.partition(":")[2].partition("#")[0]
    known = "" if text.association in {"", "NONE"} else f" ({text.association.lower().replace('_', ' ')})"
    review = _REVIEWS.get(text.state, "") or (", closing it," if text.closes else "")
    day = f" on {text.created_at[:10]}" if text.created_at else ""
    about = f" about {text.path}" if text.path else ""
    return f"{text.author or 'someone'}{known}{review}{day}{about} in #{thread} “{text.title}”"
