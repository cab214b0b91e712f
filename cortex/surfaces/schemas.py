"""JSON Schema as others read it: without what pydantic adds for itself."""

from __future__ import annotations

from typing import Any


def plain(schema: dict[str, Any], *, given: bool = False) -> dict[str, Any]:
    """*schema* without the titles that pydantic makes of names.

    Args:
        given: it is of what callers send: what may be left out is not said to be null, or empty by default.

    >>> asked = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "Asked"}
    >>> plain({"properties": {"title": asked}}, given=True)
    {'properties': {'title': {'type': 'string'}}}
    """
    kept: dict[str, Any] = {}
    for name, value in schema.items():
        if name in ("properties", "$defs"):
            kept[name] = {key: plain(inner, given=given) for key, inner in value.items()}
        elif isinstance(value, dict):
            kept[name] = plain(value, given=given)
        elif isinstance(value, list):
            kept[name] = [plain(one, given=given) if isinstance(one, dict) else one for one in value]
        elif name != "title":
            kept[name] = value
    choices = [one for one in kept.get("anyOf", []) if one.get("type") != "null"]
    if given and len(choices) == 1:
        kept = choices[0] | {name: value for name, value in kept.items() if name != "anyOf"}
    if given and not kept.get("default", ...):
        del kept["default"]
    return kept
