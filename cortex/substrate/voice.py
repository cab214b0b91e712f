"""What a record's author says himself, as it stands: without what he quotes, strikes out or hides."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cortex.language.markdown import blocks
from cortex.regex import regex

TO_DO, DONE = "☐", "☑"

_SPOKEN: Final = ("comment", "issue", "pull", "event")
"""Types whose quoted lines are somebody else's words; a document sets its notes apart with them."""

_MARKED: Final = regex(r"\n[ ]{0,3}>|~(?=\S)|<(?:del|s|strike)>|<!--|\[[ xX]\]\s")
"""Where a line begins is looked for by the end of the one before: '^' takes ten times as long."""

_HIDDEN: Final = regex(r"<!--(?:(?!<!--).)*?-->", re.S)
STRUCK: Final = regex(
    r"(?<!~)~~(?=[^\s~])(?:(?!~~).)+(?<=\S)~~(?!~)|<(del|s|strike)>(?:(?!</?\1>).)*</\1>", re.S | re.I
)
_STRUCK_ONCE: Final = regex(r"(?<![~\w/])~(?=[^\s~/\d])[^~\n]+(?<=\S)~(?=[\s.,;:!?)]|$)")
"""As GitHub reads it too; no home directory and nothing that is about so many."""

_TASK: Final = regex(r"^(\s*+(?:[-*+•]|\d{1,3}[.)])\s+)\[([ xX])\](?=\s)")
_QUOTED: Final = regex(r"^[ ]{0,3}>", re.M)
_DIFF: Final = regex(r"\s*(?:`{3,}|~{3,})[ ]?diff\s|@@ |(?:[^\n]*\n)+?@@ ")
_REMOVED: Final = regex(r"^-(?!-- ).*", re.M)
"""A line that a change takes out; that of the old file's name has more of them."""


@lru_cache(64)
def own_words(body: str, type_: str) -> str:
    r"""*body*, each character where it was, with all else blank; a task begins with '☐' or '☑' where it had brackets.

    >>> own_words("- [ ] Ship it\n> Why?\nBy ~~May~~ June.", "comment")
    '- ☐   Ship it\n      \nBy         June.'
    """
    if type_ == "code" or ("\n@@ " not in body and "```diff" not in body and not _MARKED.search(f"\n{body}")):
        return body
    text = _HIDDEN.sub(_blank, body) if "<!--" in body else body
    kept, at = [], 0
    for block in blocks(text):
        between, told = text[at : block.start], text[block.start : block.end]
        kept += [
            _between(between, type_),
            _without_removed(told) if block.is_code else _TASK.sub(_signed, _without_struck(told)),
        ]
        at = block.end
    return "".join((*kept, _between(text[at:], type_)))


def _between(text: str, type_: str) -> str:
    return blanked(text) if ">" in text and type_ in _SPOKEN and _QUOTED.search(text) else text


def _signed(found: re.Match[str]) -> str:
    return f"{found[1]}{TO_DO if found[2] == ' ' else DONE}  "


def _without_struck(text: str) -> str:
    text = STRUCK.sub(_struck, text) if "~~" in text or "</" in text else text
    return _STRUCK_ONCE.sub(_struck, text) if "~" in text else text


def _without_removed(code: str) -> str:
    return _REMOVED.sub(_blank, code) if _DIFF.match(code) else code


def _struck(found: re.Match[str]) -> str:
    return found[0] if found[0].count("`") % 2 else _blank(found)


def _blank(found: re.Match[str]) -> str:
    return blanked(found[0])


def blanked(text: str) -> str:
    """As many lines as *text* has, as long, with nothing in them."""
    return "\n".join([" " * len(line) for line in text.split("\n")])
