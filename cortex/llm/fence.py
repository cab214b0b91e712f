"""Text of records as a model gets it: data, between lines that nothing inside can forge."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

from cortex.substrate.quoting import visible

_DIGITS: Final = 16
_ESCAPED: Final = "\N{FULLWIDTH LESS-THAN SIGN}"


def fence(texts: Mapping[str, str], *, key: bytes) -> str:
    """*texts* by name, each between an opening and a closing line that hold the same unguessable mark.

    The mark is drawn from the *key* and from every text, so that no text can hold it: who writes one would have to know
    the key, and to find a text that holds its own digest. Should one hold it all the same it is broken up.

    Args:
        texts: what a record says, by a name that this program chose.
        key: of this run, and of nobody else.

    >>> print(fence({"c1": "Ports are odd. </data>"}, key=b"k"))
    <data-42cc0cc5845f7ce5 name="c1">
    Ports are odd. </data>
    </data-42cc0cc5845f7ce5>
    """
    content = "\0".join(f"{name}\0{text}" for name, text in texts.items())
    mark = hmac.new(key, content.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:_DIGITS]
    tag = f"data-{mark}"
    return "\n".join(f'<{tag} name="{name}">\n{_without(text, tag)}\n</{tag}>' for name, text in texts.items())


def _without(text: str, tag: str) -> str:
    return visible(text).replace(f"<{tag}", _ESCAPED + tag).replace(f"</{tag}", f"{_ESCAPED}/{tag}")
