"""What titles of changes say of a thing: that it was taken out, or brought back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from cortex.composer.retrieve.aside import ASIDE
from cortex.composer.retrieve.merge_titles import AGAIN, BRINGS, GONE, TAKES
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS

SHORTEST: Final = 4
"""Letters of a name that others begin with: of 'shop' is 'shops' and 'shopkeeper', of 'num' no 'number'."""

TAKING: Final = (
    "remove removal drop delete revert back rip take disable get retire unship undo eliminate discontinue abandon purge"
    " phase stop quit longer rename replace substitute combine merge consolidate unify fold switch migrate move change"
    " convert port instead place rather"
)
"""Words of which a title has one that says that a thing was taken out."""

_KINDS: Final = (
    "support module implementation integration bindings? backend dependency dependencies library lib".split()
)
"""Words for what a thing is, which its name may leave out there; not for a part, a use or a switch of it."""

_LEADS: Final = "the a an any all our your its last remaining".split()
_ANYWHERE: Final = STOP_WORDS.union("code codebase project repository repo tree source master main trunk".split())
ANY_CHANGE: Final = frozenset("feat feature fix refactor perf deps breaking cleanup clean up".split())
"""Words before a title's colon that tell no part of the project."""

ENDING_USE: Final = frozenset("us support treat requir ship provid depend reli need".split())
"""Stems of what is done to a thing that is there: who stops doing that does without it."""

_GOES: Final = (
    rf"(?:{TAKES}|(?:delet|retir|eliminat|disabl)ing|dropping|ripping out|getting rid of"
    r"|discontinu(?:es?|ed)|abandon(?:s|ed)?|phas(?:es?|ed) out"
    r"|(?:stop(?:s|ped)?|quit|no longer) (?P<doing>\w+)(?: up?on)?)"
)
_TURNS: Final = (
    r"(?:(?:renam|replac|substitut|combin|consolidat)(?:es?|ed|ing)|(?:merg|unif|fold)(?:e?s|ed?|ing|y|ie[sd])?"
    r"|(?:switch|migrat|mov|chang|convert|port)(?:e?s|ed?|ing)?(?: over)?(?: away)? from)"
)
_BACK: Final = rf"(?:{AGAIN}|{BRINGS}|puts? back|brought back|(?:go|went|switch|switched|return|returned) back to)"
_CLAUSE: Final = r"(?:^|(?<!e\.g)(?<!i\.e)[,;:.&+\]]\s+|\band\s+)"
_TAKEN: Final = re.compile(rf"{_CLAUSE}{_GOES}\s+(?=(?P<what>.+))", re.I)
_TURNED: Final = re.compile(
    rf"{_CLAUSE}{_TURNS}\s+(?=(?P<what>.+?)\s+(?:to|by|with|into|in favou?r of)\s+\S)(?P<doing>)", re.I
)
_INSTEAD: Final = re.compile(
    rf"{_CLAUSE}(?:us(?:es?|ing)|(?:switch|mov|chang)(?:es?|ed?|ing)? to|adopts?)\s+(?:\S+\s+){{1,4}}?"
    r"(?:instead of|in place of|rather than)\s+(?P<what>.+)(?P<doing>)",
    re.I,
)
_IS_GONE: Final = re.compile(
    rf"{_CLAUSE}(?P<what>[^\s,;:.&+][^,;:.&+]{{0,60}}?)\s+(?:(?:is|are|was|were|gets?|got|ha[sv]e? been)\s+)?{GONE}"
    r"(?P<doing>)(?=\s*(?:$|[,;:.&+(\[–—]|and\b))",
    re.I,
)
_BROUGHT: Final = re.compile(rf"{_CLAUSE}{_BACK}\s+(?=(?P<what>.+))(?P<doing>)", re.I)
_TAKEN_BACK: Final = re.compile(rf"\b(?:revert|undo|back(?:s|ed)? out)\W+(?=\w){_GOES}\s+(?P<what>.+)", re.I)
_MOVED: Final = re.compile(
    rf"{_CLAUSE}(?:switch|migrat|mov|chang|convert|port)(?:e?s|ed?|ing)?(?P<doing>)\s+(?:[\w'’/-]+\s+){{1,4}}?from\s+"
    r"(?![^\s]*[./_:(])(?=(?P<what>.+?)\s+(?:on|in)?to\s+\S)",
    re.I,
)
"""Something of what was there is elsewhere now: 'Move mails from Pear to Plum'; no code of a file or a function."""
_MOVED_REST: Final = re.compile(
    rf"{_CLAUSE}(?:switch|migrat|mov|chang|convert|port)(?:e?s|ed?|ing)?(?P<doing>)\s+(?:[\w'’/-]+\s+)?"
    r"(?:all|everything|rest|last|final|remain\w*)\s+(?:[\w'’/-]+\s+){0,4}?from\s+(?=(?P<what>.+?)\s+(?:on|in)?to\s+\S)",
    re.I,
)
"""Nothing is left there: 'Move the remaining mails from Pear to Plum'."""

_TAKES_OUT: Final = (_TAKEN, _TURNED, _INSTEAD, _IS_GONE)
_BRINGS_BACK: Final = (_TAKEN_BACK, _BROUGHT)

_OPTION: Final = re.compile(r"(?<![\w-])--?(?:enable|disable|with|without|no|use)-(?=\w)", re.I)
_MERGE: Final = re.compile(r"^\W*merge (?:pull request )?(?:[\w./-]*#\d+|branch \S+)\W*", re.I)
_PREFIX: Final = re.compile(r"^(?P<of>[\w()/., -]{1,40}?)!?:\s+")
_QUOTED_PREFIX: Final = re.compile(r"^[\"“‘'](?:[\w()/., -]{1,40}?!?:\s+)?")
_TAIL: Final = re.compile(
    r"\s+(?:from|in|as|for|on|of|with|by|to|into|at)\s+(?P<where>.+)|\s*[(\[;:—–].*|\s-\s.*"
    r"|\s+(?:because|since|after|until|when|now|which|that|again|entirely|completely|altogether|instead|so|due)\b.*",
    re.I | re.S,
)
_LED: Final = re.compile(rf"^(?:(?:{'|'.join(_LEADS)})\s+)+", re.I)
_OF: Final = re.compile(rf"^(?:{'|'.join(_KINDS)})\s+(?:of|for)\s+", re.I)
_KIND: Final = re.compile(rf"(?<=[\w`\"'])\s+(?:{'|'.join(_KINDS)})(?=\W*$)", re.I)
_BETWEEN: Final = re.compile(r"\s*(?:,|(?<=\w)/(?=\w+(?:\s|$))|&|\+|\band\b|\bor\b)\s*", re.I)
_IDENTIFIER: Final = re.compile(r"\w_\w|[a-z][A-Z]|\w\.\w|::|\(\)")


_FIRST: Final = re.compile(r"(?:\s*(?:[#<|>][^\n]*)?\n)*\W*(?P<said>(?:[^.!?;\n]|[.](?=\w)){1,300})")
_PLACED: Final = r"(?:in|on|at|for|from|under|within|when|where)"
_OF_PART: Final = re.compile(
    rf"(?<!used )(?<!needed )(?<!called )\b(?:only|just)\s+{_PLACED}\b|\b{_PLACED}\s+(?:[\w./-]+\s+){{1,5}}only\W*$"
    r"|\b(?:except|apart from|other than|excluding|partly|partially|in part)\b|\b(?:but|and|while)\s+(?:keep|leav)\w*"
    rf"|^(?:it\s+)?(?:(?:is|was)\s+)?{GONE}\s+(?:in|on|for)\s+(?![\W\d_]|v\d)",
    re.I,
)
"""What says that a thing was taken out of a place: 'Turned off in the browser', 'Only on Windows'."""


class Thing(NamedTuple):
    """What a question calls a thing: the words of its name, each as of one, and the stems of all that is asked."""

    words: tuple[str, ...]
    asked: frozenset[str]


def name_words(said: str) -> tuple[str, ...]:
    """The words of the name that *said* is, each as of one, without those that only say what it is.

    >>> name_words("the Pear Pay bindings"), name_words("--with-lamps"), name_words("page cache")
    (('pear', 'pay'), ('lamp',), ('page', 'cache'))
    """
    said = _OF.sub("", _LED.sub("", _OPTION.sub("", said.strip())))
    while (less := _KIND.sub("", said)) != said:
        said = less
    return tuple(_single(word) for word in split(said) if word not in STOP_WORDS)


def takes_out(title: str, thing: Thing, stemmer: Stemmer) -> frozenset[str] | None:
    """As what, or from where, *title* says that *thing* was taken out, in stems asked for; None where it does not."""
    return _says(_TAKES_OUT, title, thing, stemmer)


def takes_out_there(title: str, thing: Thing, stemmer: Stemmer) -> bool:
    """Whether *title* says that *thing*, or the last of what was left of it, was taken out, be it of a part.

    'mail: Drop Pear' says so, 'docs: Drop Pear' does not, nor 'ci: Drop Pear' but of a 'Pear CI'.
    """
    own, title = within(title, thing, stemmer), bare_title(title)
    prefix = _PREFIX.match(title)
    if prefix and ASIDE.search(title) and thing.asked.isdisjoint(stemmer.sequence(prefix["of"])):
        return False
    return _says((*_TAKES_OUT, _MOVED_REST), title, own, stemmer, of_part=True) is not None


def fuller(thing: Thing, titles: Iterable[str]) -> Thing:
    """*thing* with the acronym that follows its name in one of *titles*, which it may be asked for without: 'Pear CI'.

    >>> fuller(Thing(("pear",), frozenset(("pear",))), ["Add Pear CI", "Wash pear trees"]).asked == {"pear", "ci"}
    True
    """
    own = r"[\s_-]?".join(map(re.escape, thing.words))
    called = re.compile(rf"(?<![^\W_]){own}s?\s+(?-i:(?P<more>[A-Z]{{2,4}}))\b", re.I)
    more = {found["more"].lower() for title in titles if (found := called.search(title))}
    return thing._replace(asked=thing.asked | more)


def within(title: str, thing: Thing, stemmer: Stemmer) -> Thing:
    """*thing* as it need be called in a title like this: 'ci: Drop Pear' is of a 'Pear CI'."""
    prefix = _PREFIX.match(bare_title(title))
    beside = stemmer.sequence(prefix["of"]) if prefix else ()
    own = tuple(word for word in thing.words if stemmer.sequence(word)[0] not in beside)
    return thing._replace(words=own or thing.words)


def bare_title(title: str) -> str:
    """*title* as it is of what was merged, without what tells that it was.

    >>> bare_title("Merge #12: Drop Pear"), bare_title("Drop Pear (#12)")
    ('Drop Pear', 'Drop Pear')
    """
    return _MERGE.sub("", title).partition(" (#")[0]


def moves_from(title: str, thing: Thing, stemmer: Stemmer) -> bool:
    """Whether *title* says that something was moved from *thing* to another."""
    return _says((_MOVED,), title, thing, stemmer) is not None


def brings_back(title: str, thing: Thing, stemmer: Stemmer) -> bool:
    """Whether *title* says that *thing* was brought."""
    return _says(_BRINGS_BACK, title, thing, stemmer) is not None


def is_of(title: str, thing: Thing) -> bool:
    """Whether *title* is of *thing*, or of what is called after it, and takes nothing of it out."""
    own = r"[\s_-]?".join(map(re.escape, thing.words))
    more = r"[a-z]*" if len(own) >= SHORTEST else r"s?"
    named = re.compile(rf"(?<![^\W_]){own}{more}(?![\w-])", re.I)
    taken = (_TAIL.sub("", found["what"]) for pattern in (_TAKEN, _IS_GONE) for found in pattern.finditer(title))
    return named.search(title) is not None and not any(map(named.search, taken))


def is_of_part(text: str) -> bool:
    """Whether the first sentence of *text* says that what was done was done to a part, or in a place.

    >>> is_of_part("Turned off in the browser."), is_of_part("It was only used in tests.")
    (True, False)
    """
    first = _FIRST.match(text)
    return first is not None and _OF_PART.search(first["said"]) is not None


def _says(
    patterns: Iterable[re.Pattern[str]], title: str, thing: Thing, stemmer: Stemmer, *, of_part: bool = False
) -> frozenset[str] | None:
    """As what or where one of *patterns* is said of the whole *thing*, and of nothing beside it alone.

    Args:
        of_part: or of the thing in a part of the project.
    """
    title = _OPTION.sub("", _MERGE.sub("", title))
    prefix = _PREFIX.match(title)
    beside = frozenset(stemmer.sequence(prefix["of"])) if prefix else frozenset()
    known = thing.asked | beside
    for what in _objects(patterns, title, thing, stemmer):
        part = not of_part and prefix is not None and not _is_of_all(prefix["of"], title, what)
        if part and beside.isdisjoint({*thing.asked, *stemmer.sequence(what)}):
            continue
        whole, tail = _TAIL.sub("", what), _TAIL.search(what)
        words = [word for word in split(tail["where"] or "") if word not in _ANYWHERE] if tail else []
        where = frozenset(stemmer.sequence(" ".join(words))) - beside
        if where <= known and any(_is_same(one, thing, known, stemmer) for one in (whole, *_BETWEEN.split(whole))):
            return where
    return None


def _objects(patterns: Iterable[re.Pattern[str]], title: str, thing: Thing, stemmer: Stemmer) -> Iterator[str]:
    """What *title* does it to."""
    for found in (found for pattern in patterns for found in pattern.finditer(title)):
        doing = {*stemmer.sequence(found["doing"] or "")}
        if doing <= thing.asked | ENDING_USE:
            yield _OF.sub("", _LED.sub("", _QUOTED_PREFIX.sub("", found["what"])))


def _is_of_all(prefix: str, title: str, what: str) -> bool:
    """Whether what stands before a title's colon does not say that the change is but of a part of the project."""
    name = _KIND.sub("", _TAIL.sub("", what)).split()
    is_one = len(name) == 1 and _IDENTIFIER.search(name[0]) is not None
    return (is_one or ANY_CHANGE.issuperset(split(prefix))) and ASIDE.search(title) is None


def _is_same(what: str, thing: Thing, known: Collection[str], stemmer: Stemmer) -> bool:
    """Whether *what* is the name of *thing*, or what it is short for, with no word beside it that is not *known*."""
    own = name_words(what)
    if len(thing.words) == 1 and (own == (f"lib{thing.words[0]}",) or _short(what) == thing.words[0]):
        return True
    if tuple(word for word in own if word in thing.words) != thing.words:
        return False
    return {*stemmer.sequence(" ".join(word for word in own if word not in thing.words))} <= {*known}


def _short(what: str) -> str:
    """The first letters of a name of several words."""
    words = [word for word in split(what) if word not in STOP_WORDS]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _single(word: str) -> str:
    return word[:-1] if len(word) >= SHORTEST and word.endswith("s") and not word.endswith("ss") else word
