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


def outline(schema: dict[str, Any]) -> dict[str, Any]:
    """One level of *schema*, an object's: what each property may be, and which are always there.

    Of several objects that it may be, what all of them have. Whatever is valid by *schema* is valid by its outline,
    which a model reads in a tenth of the tokens.

    >>> outline({"properties": {"hits": {"type": "array", "items": {"$ref": "#/$defs/Hit"}}}, "required": ["hits"]})
    {'type': 'object', 'properties': {'hits': {'type': 'array'}}, 'required': ['hits']}
    """
    defined = schema.get("$defs", {})
    objects = _variants(schema, defined)
    shared = [name for name in objects[0]["properties"] if all(name in one["properties"] for one in objects)]
    always = [name for name in shared if all(name in one.get("required", ()) for one in objects)]
    told = {
        name: _told([kind for one in objects for kind in _variants(one["properties"][name], defined)])
        for name in shared
    }
    return {"type": "object", "properties": told, "required": always}


def _variants(schema: dict[str, Any], defined: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas that *schema* is one of, none of them a reference."""
    if "$ref" in schema:
        return _variants(defined[schema["$ref"].rpartition("/")[2]], defined)
    return [one for choice in schema.get("anyOf", ()) for one in _variants(choice, defined)] or [schema]


def _told(kinds: list[dict[str, Any]]) -> dict[str, Any]:
    """The values of *kinds* where each has but few, else their types; nothing where one may be anything."""
    values = [one.get("enum", [one["const"]] if "const" in one else []) for one in kinds]
    if all(values):
        return {"enum": [*dict.fromkeys(value for some in values for value in some)]}
    types = [*dict.fromkeys(one.get("type") for one in kinds)]
    return {} if None in types else {"type": types[0] if len(types) == 1 else types}
