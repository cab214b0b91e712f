"""Sentences turned on purpose: each function keeps the words of a faithful one and makes it say something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

from cortex.composer.claims import FREE, GLUE

NARROWING: Final = (
    " in staging", " on Windows", " on Kim's laptop", " for admins only", " for admins", " by default", " before 2.0",
    " after approval", " until midnight", " unless Kim is away", " except on Fridays", " if it is asked", " when idle",
    " locally", " minus the last", " without a key", " within the lab", " to a point", " %", " + 2", ", in staging",
    ", on Windows and on the two old hosts of the lab", " (in staging)", " (beta)", " — on Windows", " - on Windows",
    ": on Windows", "; on Windows, that is", ", and then, on Windows", ":\n\n- on Windows",
)  # fmt: skip
"""What a sentence may end with that narrows all it says before."""

INTRODUCTIONS: Final = (
    "We decided against these:", "We voted down:", "We ruled out:", "It is a mistake to:", "Refrain from:", "Missing:",
    "It fails to:", "Out:", "Competitors:", "Later:", "Beware of:", "Bert's list:", "In 2019 we did this:", "We lost:",
    "How to break it:", "We talked for an hour. This is what nobody wanted:", "**Ignored:**", "Nice to have",
    "These are not allowed.", "Here is what we decided against.", "The following are out.", "We do not do this!",
    "What was rejected?", "Not allowed.", "We will not…",
)  # fmt: skip
"""Lines that turn the list right below them, whatever their words."""

RETRACTIONS: Final = (
    "Just kidding.", "I'm joking!", "That was wrong.", "This is not true.", "Scratch that.", "Not!", "/s",
    "In your dreams.", "Never mind.", "Correction: it is not so.", "It turned out to be false.",
)  # fmt: skip
"""Sentences that take back the one before them."""

MARKS: Final = ("❌", "✖️", "✗", "✘", "👎", "🚫", "⛔", "🛑")
"""Signs that say that what stands beside them is wrong."""

MARKED: Final[dict[str, Callable[[str, str], str]]] = {
    "before a sentence": lambda mark, text: f"{mark} {text}",
    "before an item": lambda mark, text: f"- As above.\n- {mark} {text}\n- As below.",
    "in a list that one introduces": lambda mark, text: f"{mark}:\n\n- {text}",
    "in a cell before": lambda mark, text: f"| {mark} | {text} |\n",
    "in a cell behind": lambda mark, text: f"| {text} | {mark} |\n",
    "in the head of a table": lambda mark, text: f"| {mark} | who |\n|---|---|\n| {text} | Kim |\n",
    "behind a sentence": lambda mark, text: f"{text.removesuffix('.')} {mark}",
    "in a heading": lambda mark, text: f"## {mark}\n\n{text}",
}

Turn = Callable[[str, random.Random], str | None]
"""Makes of a sentence, which a row says, one that must not stand; None where it cannot."""

_DAY: Final = r"\b\d{4}-\d\d-\d\d\b"
_ACRONYMS: Final = ("AI", "US", "WHO", "IT", "AM", "CAN", "MAY", "WILL", "A IS")
_UNITS: Final = (
    r"(?<=\d )(?:s|ms|seconds|minutes|hours|days|weeks|MB|KB|kB|GB|bytes|%|px|times|requests|packets|hosts)\b"
)
_NAMED: Final = r"(?<=[a-z,] )[A-Z][a-z]{2,}\b"


def _exchanged(pattern: str) -> Turn:
    """Exchanges two different matches."""

    def turn(said: str, chance: random.Random) -> str | None:
        found = [*re.finditer(pattern, said)]
        pairs = [(one, other) for one in found for other in found if one.end() <= other.start() and one[0] != other[0]]
        if not pairs:
            return None
        one, other = chance.choice(pairs)
        return said[: one.start()] + other[0] + said[one.end() : other.start()] + one[0] + said[other.end() :]

    return turn


def _instead(*pairs: tuple[str, str]) -> Turn:
    """Puts a word in place of another, or both in each other's, where both are there."""

    def turn(said: str, chance: random.Random) -> str | None:
        fitting = [pair for pair in pairs if re.search(rf"(?<![\w-]){re.escape(pair[0])}(?![\w-])", said)]
        if not fitting:
            return None
        old, new = chance.choice(fitting)
        words = {old: new, new: old}
        return re.sub(rf"(?<![\w-])(?:{re.escape(old)}|{re.escape(new)})(?![\w-])", lambda found: words[found[0]], said)

    return turn


def _both(*pairs: tuple[str, str]) -> Turn:
    return _instead(*pairs, *((new, old) for old, new in pairs))


def _without(pattern: str) -> Turn:
    """Leaves a match out, and begins with a capital all the same."""

    def turn(said: str, chance: random.Random) -> str | None:
        found = [*re.finditer(pattern, said)]
        if not found:
            return None
        one = chance.choice(found)
        left = said[: one.start()] + said[one.end() :]
        return left[:1].upper() + left[1:] if one.start() == 0 else left

    return turn


def _a_question_asserted(said: str, _: random.Random) -> str | None:
    if not said.endswith("?"):
        return None
    asked = re.sub(
        r"^(?:is|are|was|were|does|do|did|should|can|could|has|have|will|would|why|how)\s", "", said, flags=re.I
    )
    return asked[:1].upper() + asked[1:-1] + "."


def _clauses_exchanged(said: str, _: random.Random) -> str | None:
    found = re.fullmatch(r"(.{6,}?) (before|after|because|than|instead of|until|unless|if|when) (.{6,}?)\.?", said)
    return found and f"{found[3]} {found[2]} {found[1]}"


def _around_the_verb(said: str, _: random.Random) -> str | None:
    verb = (
        r"(?:is|are|was|has|holds|replaces|calls|uses|needs|breaks|fixes|owns|answers|reads|writes|shows|makes|takes)"
    )
    found = re.match(rf"((?:(?:The|A|Each) )?\w+) ({verb}) ((?:(?:the|a|an|each) )?\w+)\b", said)
    return found and f"{found[3]} {found[2]} {found[1]}{said[found.end() :]}"


def _a_name_more(said: str, chance: random.Random) -> str:
    name, bare = chance.choice(_ACRONYMS), said.rstrip(".!?")
    return chance.choice((f"{bare} by {name}.", f"In {name}, {said}", f"{name} {said}", f"{bare} for {name}."))


def _a_word_made_a_name(said: str, chance: random.Random) -> str | None:
    found = [*re.finditer(r"(?<=[a-z] )(?:it|us|who|can|may|will|am|is|in|on|at|by|to|we|do|so|one)\b", said)]
    if not found:
        return None
    one = chance.choice(found)
    return said[: one.start()] + one[0].upper() + said[one.end() :]


def _backwards(said: str, _: random.Random) -> str | None:
    words = said.split()
    return " ".join(reversed(words)) if len(words) > 3 else None


def _shuffled(said: str, chance: random.Random) -> str | None:
    words = said.split()
    if len(words) < 7:
        return None
    told = [word for word in words if word not in FREE]
    chance.shuffle(words)
    return " ".join(words) if told != [word for word in words if word not in FREE] else None


def _every_other_word(said: str, _: random.Random) -> str | None:
    words = [word for word in said.split() if any(map(str.isalnum, word))]
    return " ".join(words[::2]) if len(words) > 6 else None


def _cut_within_a_clause(said: str, chance: random.Random) -> str | None:
    words = said.split()
    ends = [at for at in range(5, len(words)) if words[at - 1][-1].isalnum() and words[at][0].isalnum()]
    within = [at for at in ends if words[at - 1] not in GLUE and words[at] != "because"]
    return f"{' '.join(words[: chance.choice(within)])}{chance.choice((' …', '…', '', '.'))}" if within else None


def _ends_joined(said: str, _: random.Random) -> str | None:
    words = said.split()
    return " ".join((*words[:2], *words[-3:])) if len(words) > 8 else None


TURNS: Final[dict[str, Turn]] = {
    "a name more": _a_name_more,
    "a word made a name": _a_word_made_a_name,
    "dates exchanged": _exchanged(_DAY),
    "people exchanged": _exchanged(r"@[A-Za-z][\w-]+"),
    "names exchanged": _exchanged(_NAMED),
    "identifiers exchanged": _exchanged(r"`[^`]+`|\b\w+(?:[_./]\w+)+\b"),
    "references exchanged": _exchanged(r"#\d+"),
    "units exchanged": _exchanged(_UNITS),
    "a unit for another": _instead(("seconds", "minutes"), ("minutes", "hours"), ("ms", "s"), ("%", "px")),
    "a question asserted": _a_question_asserted,
    "non- or un- left out": _without(r"\b(?:non-|un-?(?=\w{4})|in(?=complete|valid|visible|secure))"),
    "another operator": _both(("==", "!="), ("<", ">"), ("<=", ">="), ("+", "/"), ("=", "!="), ("→", "=")),
    "from and to": _both(("from", "to")),
    "before and after": _both(("before", "after"), ("under", "over"), ("in", "out"), ("with", "without")),
    "and and or": _both(("and", "or")),
    "past and present": _both(("is", "was"), ("are", "were"), ("has", "had"), ("does", "did")),
    "another modal": _both(("must", "may"), ("should", "must"), ("can", "could"), ("will", "would")),
    "another person": _both(("we", "they"), ("We", "They"), ("it", "he"), ("you", "she"), ("I", "We")),
    "a modal left out": _without(r"(?i)\b(?:should|must|may|might|can|could|would|will|shall)\s(?=\w)"),
    "a limit left out": _without(r"(?i)\b(?:only|hardly|rarely|almost|mostly|nearly|barely)\s"),
    "a bound left out": _without(r"(?i)\b(?:at most|at least|more than|less than|fewer than|up to|about)\s(?=\w)"),
    "a failure left out": _without(r"(?i)\b(?:fail(?:s|ed)? to|unable to|avoids?|refuses? to|lacks?|stop(?:s|ped)?)\s"),
    "what undoes it left out": _without(r"(?i)\b(?:deprecated|removed|rejected|reverted|broken|invalid|wrong|false)\s"),
    "a condition left out": _without(r"(?i)\b(?:if|unless|until|except|when|while|once|where)\s"),
    "a number left out": _without(r"(?<![\w.,:#-])\d[\d.,]*\s(?=\w)"),
    "clauses exchanged": _clauses_exchanged,
    "around the verb": _around_the_verb,
    "backwards": _backwards,
    "shuffled": _shuffled,
    "every other word": _every_other_word,
    "ends joined": _ends_joined,
    "cut within a clause": _cut_within_a_clause,
}  # fmt: skip
