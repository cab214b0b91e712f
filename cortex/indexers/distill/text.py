"""What a distiller is given of a record."""

from __future__ import annotations

from typing import NamedTuple


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
