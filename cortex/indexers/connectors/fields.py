"""Reading an object that others wrote, field by field: a wrong type is noted and never raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from cortex.substrate.model import Skipped

BODY_LIMIT: Final = 2_000_000  # characters of a body; a record with a longer one is skipped
BODY_TOO_LONG = "body longer than 2 million characters"


def moment(text: str) -> datetime | None:
    """The time an ISO 8601 text names, in UTC, which is also taken where it names no zone; None when it is none."""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


class Fields:
    """The fields of one object; `notes` gathers what was wrong with those that were read."""

    def __init__(self, row: Mapping[str, Any], *, where: str = "") -> None:
        self.row, self.where, self.notes = row, where, list[str]()

    def noted(self) -> Iterator[Skipped]:
        """What was wrong with them, of a record that is kept all the same."""
        return (Skipped(input=self.where, reason=note, kept=True) for note in self.notes)

    def expect(self, *names: str) -> None:
        """Note which of *names* are not there at all; null is an answer."""
        if missing := [name for name in names if name not in self.row]:
            self.notes.append(f"no {', '.join(missing)}")

    def text(self, name: str) -> str:
        """The text as it stands; a number is written out."""
        value = self.row.get(name)
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        self.notes.append(f"{name} is not text")
        return str(value) if isinstance(value, int | float) else ""

    def line(self, name: str) -> str:
        """The text on one line."""
        text = self.text(name)
        return text if text.isprintable() else " ".join(text.split())

    def number(self, name: str) -> int | None:
        """A whole number from 1, also where it is written as text."""
        value = self.row.get(name)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
            value = int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 63 else None

    def time(self, name: str, *, within: str | None = None) -> datetime | None:
        """A time in UTC, of this object or of the one under *within*."""
        value = (self.row[within] if within else self.row).get(name)
        if value is None:
            return None
        found = moment(value) if isinstance(value, str) else None
        if found is None:
            self.notes.append(f"{name} is no date")
        return found

    def person(self, name: str) -> str:
        """A login or name, given as text or in an object."""
        value = self.row.get(name)
        if isinstance(value, Mapping):
            value = value.get("login") or value.get("name")
        if isinstance(value, str):
            return value
        if value is not None:
            self.notes.append(f"{name} is nobody")
        return ""

    def names(self, name: str, key: str) -> tuple[str, ...]:
        """The names in a list of texts or of objects that hold them under *key*, in their order."""
        value = self.row.get(name, ())
        if not isinstance(value, list | tuple):
            self.notes.append(f"{name} is not a list")
            return ()
        found = [item.get(key) if isinstance(item, Mapping) else item for item in value]
        kept = tuple(item for item in found if isinstance(item, str) and item)
        if len(kept) < len(found):
            self.notes.append(f"{name} holds what has no name")
        return kept

    def web(self, name: str) -> str:
        """An http address, '' for anything else."""
        value = self.row.get(name)
        return value if isinstance(value, str) and value.startswith(("https://", "http://")) else ""
