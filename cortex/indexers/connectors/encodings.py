"""The text of a file's bytes: UTF-8 as a rule, else what its bytes say it is."""

from __future__ import annotations

from typing import Final, NamedTuple

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LEGACY: Final = ("cp1252", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp1251", "koi8_r", "cp1250")
"""What documents were written in before UTF-8; of all that Python knows, too many fit a short text."""

_LOOKED_AT: Final = 65_536  # bytes by which an encoding is told, from the first line that is not ASCII


class Decoded(NamedTuple):
    """A text, and what it cost to read it."""

    text: str
    note: str = ""


def decoded(data: bytes) -> Decoded | None:
    r"""The text of *data*, with a note where it is a guess or lacks characters; None for what is no text.

    >>> decoded("Café".encode()), decoded("Café fermé".encode("cp1252"))
    (Decoded(text='Café', note=''), Decoded(text='Café fermé', note='not UTF-8, read as cp1252'))
    """
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    if encoding and encoding != "utf-8":
        return _replacing(data, encoding)
    try:
        return Decoded(data.decode("utf-8-sig", "surrogatepass"))
    except UnicodeDecodeError:
        pass
    if b"\0" in data:
        return _without_mark(data)
    if encoding or _is_mostly_utf8(data):
        return _replacing(data, "utf-8-sig")
    return _legacy(data)


def _replacing(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    lost = text.count("\N{REPLACEMENT CHARACTER}")
    name = encoding.upper().removesuffix("-SIG")
    return Decoded(text, f"holds bytes that are no {name}, stored as U+FFFD" if lost else "")


def _is_mostly_utf8(data: bytes) -> bool:
    """Whether most of what is not ASCII is UTF-8: a damaged file, or one into which another was pasted."""
    beyond = [character for character in data.decode("utf-8", "replace") if character > "\x7f"]
    return beyond.count("\N{REPLACEMENT CHARACTER}") * 2 < len(beyond)


def _without_mark(data: bytes) -> Decoded | None:
    """UTF-16 without its mark: of text in a Latin script every other byte is NUL."""
    for encoding, high, low in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        if data[high::2].count(0) * 2 > len(data[high::2]) and not data[low::2].count(0):
            return _replacing(data, encoding)
    return None


def _legacy(data: bytes) -> Decoded:
    from charset_normalizer import from_bytes  # noqa: PLC0415  few projects need it

    first = next(place for place, byte in enumerate(data) if byte > 0x7F)
    start = data.rfind(b"\n", 0, first) + 1
    sample = data[start : start + _LOOKED_AT]
    found = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample, cp_isolation=list(_LEGACY)).best()
    encoding = "cp1252" if found is None or "cp1252" in found.could_be_from_charset else found.encoding
    text = data.decode(encoding, "replace")
    lost = ", what is not as U+FFFD" if "\N{REPLACEMENT CHARACTER}" in text else ""
    return Decoded(text, f"not UTF-8, read as {encoding}{lost}")
