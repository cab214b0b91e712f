"""Lookups of a project's profile: license, versions, dependencies, people, addresses, procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any, Final

from cortex.composer.query.intents import Lookup
from cortex.composer.query.tags import Asked
from cortex.composer.retrieve.stated import MOST, Items
from cortex.composer.values import Listed
from cortex.language.changelogs import is_changelog, place_of
from cortex.language.patterns import read_table
from cortex.language.project import Property, platforms_in, properties
from cortex.language.stems import split
from cortex.regex import regex
from cortex.substrate.facts import plain
from cortex.substrate.lookups import FIRST, Filter, StatedOf, list_records, stated_by_source, stated_of_project
from cortex.substrate.quoting import inert, quoted
from cortex.substrate.reading import Reader

NAMES: Final = ("name", "commands")  # properties that a project is called by
SHOWN: Final = 300  # characters of a value
PLACES: Final = 3  # files named behind a value
COMMANDS: Final = 3  # ways to do something
PARTS: Final = 200  # parts of documents whose headings are looked at
PART: Final = 500  # characters of such a part

_VALUE: Final = r"[\w.@+*/:#<>=~^-]+"
_PLAIN: Final = regex(rf"{_VALUE}(?:(?:, | OR | AND ){_VALUE})*(?: or later(?:, below [\d.]+)?(?: \({_VALUE}\))?)?")
_AT_LEAST: Final = regex(r"(?P<least>\d[\d.]*) or later(?:, below (?P<below>[\d.]+))?")
_LETTERS: Final = regex(r"[^a-z0-9]+")
_PACKAGE: Final = regex(r"[\s<>=!~;\[(^:]")
_ASIDE: Final = regex(r"^(?:\.github|docs?)/")


def tell_profile(reader: Reader, asked: Lookup) -> Listed | None:
    """The stated values of the property asked for; None if no file states it."""
    slots = _slots(asked)
    if not (sources := sources_called(reader, str(slots.get("project", "")))):
        return None
    if "property" not in asked.slots and ("platform" in slots or "tech" in slots):
        return _works_with(reader, asked, slots, sources)
    if package := slots.get("package"):
        return _depends_on(reader, asked, str(package), sources)
    items, held = _items(reader, properties()[slots["property"]], slots, sources), list[tuple[int, str]]()
    while len(held) < MOST and (some := [*islice(items, MOST)]):
        there = reader.first_rows([id_ for id_, _ in some])  # those that were, as of the day
        held += [one for one in some if one[0] in there]
    return Listed(asked.intent, tuple(held[:MOST])) if held else None


def _items(reader: Reader, known: Property, slots: dict[str, Any], sources: Sequence[int]) -> Iterator[tuple[int, str]]:
    parts = cache(partial(_parts, reader, known))
    for some in (sources[:FIRST], sources[FIRST:]):
        stated = stated_by_source(reader, [known.name, *known.also, *known.then], among=some)
        named = stated_by_source(reader, NAMES, among=some) if known.name == "install" else {}
        for source_id in some:
            rows = [one for one in stated.get(source_id, ()) if _fits(one, slots)]
            rows = _of_project(rows, _names(reader, source_id, named)) if known.name == "install" else rows
            lead = f"{inert(reader.sources[source_id])}: " if len(reader.sources) > 1 else ""
            yield from ((id_, lead + text) for id_, text in _told(known, slots, rows, source_id, parts))


def _slots(asked: Lookup) -> dict[str, Any]:
    """The slots, including those of the property's name."""
    called = asked.slots.get("property")
    if isinstance(called, Asked):
        return {**called.slots, **asked.slots, "property": called.property}
    return {"property": "install", **asked.slots}


def project_names(reader: Reader) -> frozenset[str]:
    """Names of the readable projects, lower case, in several spellings."""
    return frozenset().union(*_stated_names(reader).values())


def sources_called(reader: Reader, project: str) -> list[int]:
    """The sources whose project has this name; all sources without a name."""
    names = _stated_names(reader) if project else {}
    return [id_ for id_ in reader.sources if not project or project in (names.get(id_) or _names(reader, id_, {}))]


def _stated_names(reader: Reader) -> dict[int, set[str]]:
    stated = partial(reader.once, "stated names", partial(stated_by_source, reader, NAMES))
    return reader.once("projects", lambda: {id_: _names(reader, id_, stated()) for id_ in stated()})


def _names(reader: Reader, source_id: int, stated: Mapping[int, Sequence[StatedOf]]) -> set[str]:
    best = _best(stated.get(source_id, ()))
    called = [reader.sources[source_id], *(name for one in best for name in one.value.split(", "))]
    names = {part.lower() for name in called for part in (name, name.rpartition("/")[2])}
    return {
        spelled for name in names for spelled in (name, name.replace("-", " "), name.rstrip("0123456789")) if spelled
    }


def _letters(name: str) -> str:
    return _LETTERS.sub("", name.lower())


def _told(
    known: Property, slots: dict[str, Any], rows: Sequence[StatedOf], source_id: int,
    parts_of: Callable[[], Mapping[int, Items]],
) -> Items:  # fmt: skip
    """The statements of one source: its files, document sections, else the substitute property."""
    stated = {name: [one for one in rows if one.what == name] for name in (known.name, *known.also, *known.then)}
    direct = [one for name in (known.name, *known.also) for one in _stated(properties()[name], stated[name])]
    parts = parts_of().get(source_id, ()) if known.prose or not (direct or _narrowed(slots)) else ()
    instead = next((name for name in known.then if stated[name]), "") if not (direct or parts) else ""
    return (*parts, *direct, *(_stated(properties()[instead], stated[instead]) if instead else ()))


def _narrowed(slots: dict[str, Any]) -> bool:
    """Whether one kind alone is asked for, of which a document as a whole need not tell."""
    return not slots.keys().isdisjoint(("tech", "other", "installer", "platform"))


def _fits(one: StatedOf, slots: dict[str, Any]) -> bool:
    """Whether the statement is of the language and installer that the question names."""
    if (tech := slots.get("tech")) and one.what.endswith("versions") and one.of.lower() != tech.lower():
        return False
    if (other := slots.get("other")) and not {*split(str(other))} <= {*split(one.of)}:
        return False
    means = [slots["installer"]] if "installer" in slots else []
    if one.what == "install" and (platform := slots.get("platform")):
        means = read_table("project")["installer_systems"].get(platform, "").split()
    words = one.value.lower().split()
    return not means or one.what != "install" or any(mean in words[:3] for mean in means)


def _of_project(rows: Sequence[StatedOf], names: set[str]) -> list[StatedOf]:
    """The commands that install the project itself, by its name."""
    names = {_letters(name) for name in names}
    return [
        one for one in rows if any(_letters(part) in names for part in regex(r"[\s/@\[\]'\"=,:]+").split(one.value))
    ]


def _rank(one: StatedOf) -> tuple[int, int, int, str, int]:
    sources = read_table("project")["sources"]
    kind = next((place for place, pattern in enumerate(sources) if regex(pattern).fullmatch(one.path)), len(sources))
    return _ASIDE.sub("", one.path).count("/"), kind, one.path.count("/"), one.path, one.line or 0


def _best(rows: Iterable[StatedOf]) -> list[StatedOf]:
    """The statements of the topmost folder, most trusted files first."""
    ranked = sorted(rows, key=_rank)
    return [one for one in ranked if _rank(one)[0] == _rank(ranked[0])[0]]


def _stated(known: Property, rows: Sequence[StatedOf]) -> Items:
    """One sentence per subject: 'License: MIT (pyproject.toml line 4; LICENSE line 1)'."""
    items: list[tuple[int, str]] = []
    best = _best(rows)
    for of in dict.fromkeys(one.of for one in best):
        same = [one for one in best if one.of == of]
        if known.spread:
            values = dict.fromkeys(value for one in same for value in one.value.split(", "))
            items.append((same[0].id, f"{known.headed(of)}: {_shown(', '.join(values))}{_places(same)}"))
        else:
            items += _each(known, of, same)
    return tuple(items)


def _each(known: Property, of: str, rows: Sequence[StatedOf]) -> Items:
    values: dict[str, list[StatedOf]] = {}
    for one in rows:
        values.setdefault(one.value.casefold(), []).append(one)
    most = COMMANDS if "how" in known.forms or known.name in ("purpose", "changelog") else 1
    told = [*values.values()][:most]
    return tuple((same[0].id, f"{known.headed(of)}: {_shown(same[0].value)}{_places(same)}") for same in told)


def _shown(value: str, longest: int = SHOWN) -> str:
    cut = value if len(value) <= longest else f"{value[:longest].rsplit(' ', 1)[0]} …"
    return inert(cut) if _PLAIN.fullmatch(cut) else quoted(cut)


def _places(rows: Sequence[StatedOf]) -> str:
    first = {one.path: one for one in reversed(rows)}
    named = [_place(one.path, one.line) for one in reversed(first.values())]
    return f" ({'; '.join(named[:PLACES])})"


def _place(path: str, line: int | None) -> str:
    return inert(path) + (f" line {line}" if line else "")


def _works_with(reader: Reader, asked: Lookup, slots: dict[str, Any], sources: Sequence[int]) -> Listed | None:
    """Yes or no from the stated platforms and versions; None if they are not stated."""
    names = ["versions", "named versions", "ci versions", "platforms", "ci platforms", "test environments"]
    rows = [one for one in stated_of_project(reader, names) if one.source_id in sources]
    if platform := slots.get("platform"):
        holding = [one for one in sorted(rows, key=_rank) if platform in platforms_in(one.value)]
        holding.sort(key=lambda one: one.what == "platforms")  # which may name them all by one word
        return _yes(asked, holding[:COMMANDS])
    rows = [one for one in rows if one.of == slots.get("tech")]
    number = str(slots.get("number", ""))
    for one in _best(one for one in rows if one.what == "versions" and number):
        bounds = _AT_LEAST.match(one.value)
        if bounds and (
            _is_below(number, bounds["least"]) or (bounds["below"] and not _is_below(number, bounds["below"]))
        ):
            return Listed(asked.intent, ((one.id, f"No: {_sentence(one)}"),))
    if not number:
        return _yes(asked, _best(one for one in rows if one.what == "versions")[:1])
    naming = [one for one in _best(rows) if number in regex(r"[^\w.]+").split(one.value)]
    return _yes(asked, naming[:COMMANDS])


def _depends_on(reader: Reader, asked: Lookup, package: str, sources: Sequence[int]) -> Listed | None:
    """The requirement, where the package is stated as a dependency; None where it is not."""
    name = _letters(package)
    kinds = ("dependencies", "optional dependencies", "development dependencies")
    stated = [one for one in stated_of_project(reader, kinds) if one.source_id in sources]
    holding = [
        one._replace(title=f"{one.title.partition(': ')[0]}: {each}")
        for one in stated
        for each in one.value.split(", ")
        if name in _package_names(each)
    ]
    holding.sort(key=lambda one: (kinds.index(one.what), _rank(one)))
    if asked.intent == "version of":
        return Listed(asked.intent, tuple((one.id, _sentence(one)) for one in holding[:1])) if holding else None
    return _yes(asked, holding[:1])


def _package_names(requirement: str) -> set[str]:
    """What a package is called: whole, and by the last part of its address."""
    named = _PACKAGE.split(requirement)[0]
    return {_letters(named), _letters(named.rpartition("/")[2])}


def _is_below(number: str, bound: str) -> bool:
    """Whether *number* is below *bound*, as far as it is given: '3' is not below '3.10'."""
    parts = number.count(".") + 1
    return place_of(number)[0][:parts] < place_of(bound)[0][:parts]


def _yes(asked: Lookup, rows: Sequence[StatedOf]) -> Listed | None:
    if not rows:
        return None
    first, *rest = rows
    return Listed(asked.intent, ((first.id, f"Yes: {_sentence(first)}"), *((one.id, _sentence(one)) for one in rest)))


def _sentence(one: StatedOf) -> str:
    return f"{properties()[one.what].headed(one.of)}: {_shown(one.value)}{_places([one])}"


def _parts(reader: Reader, known: Property) -> dict[int, Items]:
    """By source, the beginning of the first document section whose heading names the property ('Releasing')."""
    if not known.heads:
        return {}
    ids, _ = list_records(reader, Filter(types=("doc",), words=(tuple(known.seek.split()),), titled=True), limit=PARTS)
    heads = regex(known.heads)
    found: dict[int, Items] = {}
    for one in reader.records(ids).values():
        heading = one["title"].rpartition(" › ")[2]
        if one["source_id"] not in found and not is_changelog(one["path"]) and heads.fullmatch(heading):
            text = plain(one["body"]).removeprefix(heading).lstrip(": ")
            part = one["id"], f"{inert(heading)}: {_shown(text, PART)} ({_place(one['path'], one['line_start'])})"
            found[one["source_id"]] = (part,)
    return found
