"""What a project states of itself: the properties, what they are called, and words for languages and platforms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from cortex.language.patterns import patterns, read_table
from cortex.language.words import STOP_WORDS, word_groups
from cortex.regex import regex

FORMS: Final = ("noun", "how", "who")
"""Of what people call a property: what it is, how it is done, who does it."""

_WORD: Final = regex(r"(?<![<{\w])[a-z][a-z.-]*[a-z](?![\w>}])")
_SPEC: Final = regex(
    r"(?P<op>>=|=>|\^|~=|~>|==|>|)\s*v?(?P<from>\d+(?:\.\d+)*)(?:\.[x*])?(?:\s*,?\s*<\s*v?(?P<below>\d+(?:\.\d+)*))?"
)


class Property(NamedTuple):
    """Something that a project states.

    Attributes:
        heading: before the value; '{}' is what it is of.
        forms: templates of what it is called, by `FORMS`.
        joins: what a file states in several places is one list; `spread`: what several files state is.
        also: properties told after it; `then` are told where it is not stated.
        heads: headings of parts of documents that tell it where no file states it, with one of the words to `seek`;
            `prose`: even where one does.
    """

    name: str
    heading: str
    forms: Mapping[str, str]
    joins: bool = False
    spread: bool = False
    also: Sequence[str] = ()
    then: Sequence[str] = ()
    heads: str = ""
    seek: str = ""
    prose: bool = False

    def headed(self, of: str) -> str:
        """The heading of what is stated *of* something."""
        return " ".join(self.heading.format(of).replace("()", "").split())


@cache
def properties() -> Mapping[str, Property]:
    """Every property by its name."""
    found = {}
    for row in read_table("project")["property"]:
        forms = {form: row[form] for form in FORMS if form in row}
        stated = {name: value for name, value in row.items() if name not in forms}
        found[row["name"]] = Property(forms=forms, **{"joins": row.get("spread", False), **stated})
    return found


@cache
def called(name: str) -> str:
    """The words by which people ask for the property *name*, for the search to find it by; everyday words left out."""
    known = properties().get(name)
    if known is None:
        return ""
    phrases = read_table("project")["phrases"]
    texts = [re.sub(r"<([\w-]+)>", lambda found: phrases.get(found[1], ""), text) for text in known.forms.values()]
    everyday = STOP_WORDS.union(*word_groups("common"))
    return " ".join(dict.fromkeys(word for text in texts for word in _WORD.findall(text) if word not in everyday))


def tech_of(text: str) -> str:
    """The language or program that *text* names, as it is shown: 'Python' of 'python-version'; '' for none."""
    named = {spelled: name for name, all_ in read_table("project")["tech"].items() for spelled in all_}
    words = regex(r"[^a-z.+]+").split(text.lower().lstrip("."))
    return next((named[word] for word in words if word in named), "")


def platforms_in(text: str) -> list[str]:
    """The platforms that a list of systems or versions names."""
    return [name for name, sign in patterns("project", "platform_signs").items() if re.search(sign.pattern, text, re.I)]


def spoken_range(spec: str) -> str:
    """A range of versions as people write it; *spec* where it is not a simple one.

    >>> spoken_range(">=3.10"), spoken_range("^3.9"), spoken_range("1.22"), spoken_range("^18 || >=20")
    ('3.10 or later (>=3.10)', '3.9 or later, below 4 (^3.9)', '1.22 or later', '^18 || >=20')
    """
    found = _SPEC.fullmatch(spec.strip())
    if not found or found["op"] in ("==", ">"):
        return spec.strip()
    first = int(found["from"].split(".")[0])
    below = found["below"] or (str(first + 1) if found["op"] == "^" else "")
    as_written = f" ({spec.strip()})" if found["op"] else ""
    return f"{found['from']} or later{f', below {below}' if below else ''}{as_written}"


def property_of_address(label: str) -> str:
    """The property that an address called *label* states; '' where that is unknown.

    >>> property_of_address("Release notes"), property_of_address("Source Code"), property_of_address("Mastodon")
    ('changelog', 'repository', '')
    """
    plain = " ".join(regex(r"[^\w.?' ]+|_").split(label.lower())).strip()
    return next((name for name, one in patterns("project", "addresses").items() if one.fullmatch(plain)), "")


def license_of(text: str) -> str:
    """The SPDX identifier of the license that *text* is, by phrases of its own; '' where none is known."""
    plain = " ".join(text[:40_000].lower().replace("“", '"').split())
    known: Mapping[str, list[str]] = read_table("project")["licenses"]
    return next((name for name, phrases in known.items() if all(one in plain for one in phrases)), "")
