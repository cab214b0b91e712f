"""JSON Schema as others read it: without what pydantic adds for itself."""

from __future__ import annotations

from typing import Any, Final

_BOUNDS: Final = ("maxLength", "minLength", "maxItems", "minItems", "maximum", "minimum", "pattern")


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


def asked_for(schema: dict[str, Any]) -> dict[str, Any]:
    """*schema* of what callers send with what they choose by: names, types, values and what each is.

    That it is closed, how long a text may be and how great a number is said to whoever goes beyond it.

    >>> asked_for({"properties": {"limit": {"maximum": 9, "type": "integer"}}, "additionalProperties": False})
    {'properties': {'limit': {'type': 'integer'}}}
    """
    kept = {name: value for name, value in schema.items() if name != "additionalProperties"}
    return kept | {"properties": {name: _chosen_by(told) for name, told in schema["properties"].items()}}


def _chosen_by(told: dict[str, Any]) -> dict[str, Any]:
    """What is said of one parameter; values tell their own type."""
    if "items" in told:
        told = told | {"items": _chosen_by(told["items"])}
    return {key: value for key, value in told.items() if key not in _BOUNDS and (key != "type" or "enum" not in told)}


def outline(schema: dict[str, Any]) -> dict[str, Any]:
    """What is always there of *schema*, an object's, by name; of several objects that it may be, what all of them have.

    Whatever is valid by *schema* is valid by its outline, which a model reads in a tenth of the tokens: a result says
    everything it has, also what has a default.

    >>> outline({"properties": {"hits": {"type": "array", "items": {"$ref": "#/$defs/Hit"}}}})
    {'type': 'object', 'required': ['hits']}
    """
    first, *others = _variants(schema, schema.get("$defs", {}))
    always = [name for name in first["properties"] if all(name in one["properties"] for one in others)]
    return {"type": "object", "required": always}


def _variants(schema: dict[str, Any], defined: dict[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in schema:
        return _variants(defined[schema["$ref"].rpartition("/")[2]], defined)
    return [one for choice in schema.get("anyOf", ()) for one in _variants(choice, defined)] or [schema]
