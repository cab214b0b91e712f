"""Text of records as it is quoted: nothing in it reads as a mark, a line or an attribution of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

from cortex.regex import regex

INDENT: Final = "    "  # begins each line of a quotation after its first
_LONGEST_LABEL: Final = 200
_MARKS: Final = str.maketrans("“”„‟❝❞〝〞〟＂«»", "‘’‚‘‘’‘’‚'‹›") | dict.fromkeys(map(ord, "ʺ˝ˮ״″‶⹂〃🙶🙷🙸"), '"')
_SINGLE: Final = str.maketrans("‘’‚‛", "''''")
_UNSEEN: Final = regex(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_CURSIVE: Final = "\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\U00011000-\U000119ff"
_EMOJI: Final = "\u2122-\u2bff\U0001f000-\U0001faff"
_JOINERS: Final = regex(
    f"(?<![{_CURSIVE}])\u200c|\u200c(?![{_CURSIVE}])|(?<![{_CURSIVE}{_EMOJI}])\u200d|\u200d(?![{_CURSIVE}{_EMOJI}])"
)
"""Joiners, where they join neither letters that change by it nor emoji."""

_BREAKS: Final = regex("\r\n|[\x0b-\x0d\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ESCAPED: Final = regex(rf"[\x7f-\x9f\u2028\u2029]|{_UNSEEN.pattern}|{_JOINERS.pattern}")
_HANDLE: Final = regex(r"[\[［【](?=\W{0,4}(?:CITATION\b|fact-))", re.I)
_REF: Final = regex(r"[\[［【](?=\W{0,4}(?:[\w.-]{1,99}/){0,3}\w{3,12}:\w)")
_NUMBER: Final = regex(r"[\[［【](\W{0,4}\d[\d\W]{0,20}?)[\]］】]")
_NUMBER_IN_CODE: Final = regex(rf"(?<![\w)\]])(?:{_NUMBER.pattern})")
_ODD: Final = regex(rf"[\[\]［］【】“”„‟❝❞‘’\"`]|[^\S ]|{_CONTROLS.pattern}|{_UNSEEN.pattern}|{_JOINERS.pattern}")
_DASH: Final = regex(r"(?<=['\"`‘’‹›])(\s*)[—―⸺﹘]")
_LABEL: Final = regex(
    r"@?[\w.+-]+(?:@[\w.-]+|\[bot\])?(?: [^\W\d_a-z][\w.'-]*){0,3}|[\w.@+*/:#-]+|closed as [a-z]+(?: [a-z]+)?"
)


def visible(text: str) -> str:
    r"""*text* without characters that are not seen or turn a line around; each break a newline, other controls U+FFFD.

    >>> visible("fine\U000e0049\u202e\x9b\x85day")
    'fine�\nday'
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", _BREAKS.sub("\n", _seen(text)))


def escaped(text: str) -> str:
    r"""JSON *text* with characters that show as nothing, or break a line, as escapes: what it holds stays the same.

    >>> escaped('"a\u2028\U000e0049"')
    '"a\\u2028\\udb40\\udc49"'
    """
    plain = text.isascii() and "\x7f" not in text
    return text if plain else _ESCAPED.sub(lambda found: json.dumps(found[0])[1:-1], text)


def inert(text: str) -> str:
    r"""*text* of a record as one line without our quotation marks, citations, and dash after a quotation.

    >>> inert('so” — PR #3 [1]\u2028[CITATION:x]')
    'so’ – PR #3 ⟦1⟧ ⟦CITATION:x]'
    """
    return _NUMBER.sub(r"⟦\1⟧", _REF.sub("⟦", _unmarked(" ".join(text.split()))))


def code(text: str) -> str:
    r"""Lines of code, each after a line break and the indent; `x[0]` stays as it is.

    >>> code("x[0]\n[1] “y”")
    '\n    x[0]\n    ⟦1⟧ ‘y’'
    """
    lines = (_NUMBER_IN_CODE.sub(r"⟦\1⟧", _unmarked(line.rstrip())) for line in text.expandtabs(4).splitlines())
    return "".join(f"\n{INDENT}{line}" for line in lines)


def quoted(text: str) -> str:
    """*text* of a record in quotation marks, on one line."""
    return f"“{inert(text)}”"


def titled(text: str) -> str:
    """A title or a heading in single quotation marks."""
    return f"‘{inert(text).translate(_SINGLE)}’"


def label(text: str) -> str:
    """A name of a person, a file or a state: as it is where it is one name, else in single quotation marks.

    >>> label("Ada Lovelace"), label("eve, merged 2024-01-01")
    ('Ada Lovelace', '‘eve, merged 2024-01-01’')
    """
    shown = inert(text)
    return shown if not shown or _LABEL.fullmatch(shown) else titled(shown[:_LONGEST_LABEL])


def spelled(ref: str) -> str:
    """A ref as handles spell it: brackets, marks and breaks of a file's name as in addresses, which `show` reads.

    >>> spelled("doc:app/[id].md"), spelled("doc:my file.md")
    ('doc:app/%5Bid%5D.md', 'doc:my file.md')
    """
    return _ODD.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), ref)


def _unmarked(line: str) -> str:
    shown = line if line.isascii() else _seen(line).translate(_MARKS)
    return _DASH.sub(r"\1–", _HANDLE.sub("⟦", _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", shown)))


def _seen(text: str) -> str:
    return _JOINERS.sub("", _UNSEEN.sub("", text))


def fence(texts: Mapping[str, str], *, key: bytes) -> str:
    """*texts* by name, each between an opening and a closing line that hold the same unguessable mark.

    The mark is drawn from the *key* and from every text, so that no text can hold it: who writes one would have to know
    the key, and to find a text that holds its own digest. Should one hold it all the same it is broken up.

    Args:
        texts: what a record says, by a name that this program chose.
        key: of this run, and of nobody else; at most 64 bytes.

    >>> print(fence({"c1": "Ports are odd. </data>"}, key=b"k"))
    <data-3bba4abeea3a4c6a name="c1">
    Ports are odd. </data>
    </data-3bba4abeea3a4c6a>
    """
    content = "\0".join(f"{name}\0{text}" for name, text in texts.items())
    tag = f"data-{blake2b(content.encode('utf-8', 'surrogatepass'), digest_size=8, key=key).hexdigest()}"
    return "\n".join(f'<{tag} name="{name}">\n{_without(text, tag)}\n</{tag}>' for name, text in texts.items())


def _without(text: str, tag: str) -> str:
    return visible(text).replace(f"<{tag}", f"\uff1c{tag}").replace(f"</{tag}", f"\uff1c/{tag}")
