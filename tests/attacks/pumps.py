"""Every regular expression of Cortex, pumped: python -m tests.attacks.pumps [TAILS]; prints those that take too long.

Of each repetition in a pattern a text is made that gets there, repeats what is repeated, and then does not match. A
pattern that can read such a text in two ways tries all of them, twice as many a repetition, and never comes to an end.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import signal
import sys
from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any, Final

LENGTH: Final = 200
MANY: Final = 8  # a repetition of fewer is tried out soon enough
LIMIT_S: Final = 0.15
TAILS: Final = ("\x00", " z", "\n!", "x)")
_OF: Final = {op.CATEGORY_DIGIT: "7", op.CATEGORY_SPACE: " ", op.CATEGORY_NOT_WORD: "-"}
_NOT: Final = "a -x7.\t,é("
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_CHANCE: Final = random.Random(1)  # noqa: S311  no secret

Tree = Sequence[tuple[Any, Any]]


def compiled() -> dict[tuple[str, int], re.Pattern[str]]:
    """All that importing Cortex, reading its tables and compiling what waits for its first use compiles."""
    found, compile_ = dict[tuple[str, int], re.Pattern[str]](), re.compile

    def noted(pattern: Any, flags: Any = 0, *, beside: Any = ()) -> Any:  # noqa: ANN401, ARG001  as `re.compile`
        made = compile_(pattern, flags)
        if isinstance(pattern, str) and sys._getframe(1).f_globals["__name__"].startswith("cortex."):
            found[made.pattern, made.flags] = made
        return made

    re.compile = noted
    import cortex  # noqa: PLC0415  what it compiles is to be seen
    from cortex import regex  # noqa: PLC0415

    regex.regex = noted
    for module in pkgutil.walk_packages(cortex.__path__, "cortex."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    from cortex.substrate.secrets import _rules  # noqa: PLC0415

    assert all(rule.pattern for rule in _rules())
    re.compile = compile_
    return found


def pumped(pattern: re.Pattern[str], tails: int) -> Iterator[str]:
    """Texts that repeat what each repetition repeats, and end in each of so many tails."""
    for before, inside in {*_repeated(parser.parse(pattern.pattern, pattern.flags))}:
        yield from (before + (inside * LENGTH)[:LENGTH] + tail for tail in TAILS[:tails])


def _repeated(tree: Tree, before: str = "") -> Iterator[tuple[str, str]]:
    for place, (code, value) in enumerate(tree):
        if code in _REPEATS:
            if value[1] >= MANY:
                unit = value[2]
                yield from ((before, _sample(one)) for one in ([*unit, *tree[place + 1 :]], [*unit] * 3))
            yield from _repeated(value[2], before)
        for inner in _inner(code, value):
            yield from _repeated(inner, before)
        before += _sample([(code, value)])


def _inner(code: Any, value: Any) -> list[Tree]:  # noqa: ANN401  the parser's own
    if code is op.BRANCH:
        return list(value[1])
    if code in (op.SUBPATTERN, op.ASSERT, op.ASSERT_NOT):
        return [value[-1]]
    return [value] if code is op.ATOMIC_GROUP else []


def _sample(tree: Tree) -> str:
    return "".join(_one(code, value) for code, value in tree)


def _one(code: Any, value: Any) -> str:  # noqa: ANN401  the parser's own
    if code in _REPEATS:
        return "".join(_sample(value[2]) for _ in range(max(value[0], min(value[1], _CHANCE.randrange(2)))))
    if code in (op.BRANCH, op.SUBPATTERN, op.ATOMIC_GROUP):
        return _sample(_CHANCE.choice(_inner(code, value)))
    if code is op.IN:
        return _of_class(value)
    return chr(value) if code is op.LITERAL else "a" if code in (op.ANY, op.NOT_LITERAL) else ""


def _of_class(items: Sequence[tuple[Any, Any]]) -> str:
    if items[0][0] is op.NEGATE:
        inside = {chr(value) for code, value in items if code is op.LITERAL}
        return _CHANCE.choice([one for one in _NOT if one not in inside])
    code, value = _CHANCE.choice(items)
    if code is op.RANGE:
        return chr(_CHANCE.randint(value[0], min(value[1], value[0] + 25)))
    return chr(value) if code is op.LITERAL else _OF.get(value, "a")


def seconds(pattern: re.Pattern[str], text: str) -> float:
    """How long *pattern* looks for a match in *text*; no longer than the limit."""
    started = process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        pattern.search(text)
    except TimeoutError:
        return LIMIT_S
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return process_time() - started


def main(tails: int) -> None:
    """Pump them all, and print how many texts that took and which patterns took too long."""

    def late(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, late)
    pumps = 0
    for pattern in compiled().values():
        for text in pumped(pattern, tails):
            pumps += 1
            if seconds(pattern, text) >= LIMIT_S:
                print(f"{pattern.pattern!r} on {text!r}")
                break
    print(pumps)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else len(TAILS))
