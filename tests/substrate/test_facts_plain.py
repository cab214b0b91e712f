"""What a text is as prose: marks of emphasis, lists and links are left off, and nothing else is."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from cortex.substrate.facts import plain
from tests.tables import walk

MARKED = {
    "**Bold**: x **bold** (**bold**)": "Bold: x bold (bold)",
    '"**quoted**" and **"quoted"** and **`code`**.': '"quoted" and "quoted" and `code`.',
    "**F**ast **U**p, **PR**s": "Fast Up, PRs",
    "***both*** and **a *b* c**": "*both* and a *b* c",
    "这是**重要**的": "这是重要的",
    "__Note__: __really bold__": "Note: really bold",
    "**10** of 2**10 values": "10 of 2**10 values",
    "**Use 2**32 here**": "Use 2**32 here",
    "see [docs](a.md), foo[bar](baz.md)": "see docs, foobar",
    "- **a**\n- b": "a b",
    "10. Item": "Item",
    "> quoted": "quoted",
    "> 3) item": "3) item",
    "<!-- c -->x ~~gone~~": "x",
}
AS_THEY_ARE = [
    "At most 10**6 ids; the modulus is 2**32.",
    "The order is 2**256 - 2**32 - 977.",
    "2**n-1 and `2**n-1` and 2**n**m",
    "Never edit src/**/generated/** or `src/**/generated/**`",
    "-keep class org.pedalmap.** { *; } and org.foo.** too",
    "unsigned char **argv, int **x, `unsigned char **out`",
    "f(*args, **kwargs) and f(**a, **b)",
    "The entry is `__main__.py`, not __init__.py",
    "Call __builtin_clz(x) and __builtin_ctz(x)",
    "__asm__ volatile, __attribute__((x)) __y, __int128",
    "Run `handlers[i](x)` or handlers[i](x); f[2](3) is 8",
    "x = `~~y~~ + 1` and `<!-- d -->`",
    "a **b, c and ** d",
    r"\*\*no\*\*",
    "> 5 ms is too slow",
    ">= 5 nodes",
    "10. May is the deadline",
    "Let ``a ` **b**`` be `**c**`",
]


@walk("text", MARKED, ids=list(MARKED))
def test_marks_are_left_off(text: str) -> None:
    assert plain(text) == MARKED[text]


@walk("text", AS_THEY_ARE, ids=AS_THEY_ARE)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert plain(text) == text


@walk("fence", ["```", "~~~", "```c", "  ```"])
def test_fenced_code_is_as_it_is(fence: str) -> None:
    code = "x = a **b** c\n# no heading\n- no item\n> 1. no quote\n| no | row |\n[a](b)\n~~c~~"
    end = fence.strip().removesuffix("c")
    assert plain(f"{fence}\n{code}\n{end}\n**bold**") == " ".join(f"{fence} {code} {end} bold".split())
    assert plain(f"{fence}\n{code}") == " ".join(f"{fence} {code}".split())


def test_a_tick_alone_and_ticks_of_two_items_make_no_code() -> None:
    assert plain("text `odd\n\n**bold** `two") == "text `odd bold `two"
    assert plain("- a ` b\n- **c** ` d") == "a ` b c ` d"


@given(st.text("ab1 *_`~[](){}<>#|-+.!/\\\n\U000f002a", max_size=60))
def test_no_letter_and_no_number_is_lost_or_made_but_where_it_is_struck_or_linked(text: str) -> None:
    def told(of: str) -> str:
        return "".join(one for one in of if one in "ab\U000f002a")

    said = plain(text)
    if not any(mark in text for mark in ("~~", "](", "<!--", "</")):
        assert told(said) == told(text)
    assert " ".join(said.split()) == said


@walk("unit", ["**a ", " **a b**c", "字**a", "__a ", "`a ``b ", "```\n", "~~~", "[a](", "a[b](c ", "> 1 "])
def test_what_repeats_marks_is_read_in_time(unit: str) -> None:
    begun = time.process_time()
    plain(unit * (100_000 // len(unit)))
    assert time.process_time() - begun < 2
