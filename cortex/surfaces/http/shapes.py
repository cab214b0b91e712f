"""What the request log says of what was sent: names the contract knows, lengths and counts, never a content."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def shapes(given: Mapping[str, object], known: Collection[str]) -> dict[str, object]:
    """The shape of each parameter; those nobody knows are counted, for their names are contents too.

    >>> shapes({"question": "who owns it?", "limit": 5, "sources": ["a", "b"], "my secret": 1}, ["question", "limit",
    ... "sources"])
    {'question': 'text 12', 'limit': 'number', 'sources': 'list 2', 'unknown': 1}
    """
    told: dict[str, object] = {name: _shape(value) for name, value in given.items() if name in known}
    unknown = sum(name not in known for name in given)
    return told | ({"unknown": unknown} if unknown else {})


def _shape(value: object) -> str:
    match value:
        case bool() | None:
            return str(value).lower()
        case str():
            return f"text {len(value)}"
        case int() | float():
            return "number"
        case list() | tuple():
            return f"list {len(value)}"
        case _:
            return type(value).__name__
