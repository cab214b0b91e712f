"""The text of a file's bytes: UTF-8 as a rule, else what its bytes say it is."""

from __future__ import annotations

from typing import Final, NamedTuple

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
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
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return Decoded(data.decode(encoding, "surrogatepass"))
    except UnicodeDecodeError:
        if encoding == "utf-8" and b"\0" in data:
            return None
    text = data.decode(encoding, "replace")
    beyond = [character for character in text if character > "\x7f"]
    if encoding == "utf-8" and beyond.count("\N{REPLACEMENT CHARACTER}") * 2 >= len(beyond):  # not just damaged
        return _legacy(data)
    return Decoded(text, f"holds bytes that are no {encoding.upper().removesuffix('-SIG')}, stored as U+FFFD")


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
