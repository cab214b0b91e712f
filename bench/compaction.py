"""Near duplicates by several algorithms, side by side: python bench/compaction.py FOLDER.

FOLDER holds issues.jsonl, pulls.jsonl, comments.jsonl as GitHub's API gives them: its sentences are one of the corpora,
repeated with edits; the other is drawn from a Zipf distribution. Recall is against the pairs that parity bitmaps find,
which are first shown to be those of brute force. Each algorithm runs in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import random
import resource
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from time import perf_counter
from typing import Final

from cortex.substrate.identity import normalised

from data import sentences  # isort: skip  scripts beside this one
from joins import JOINS, Pairs, Sets, brute_force, numbered, parity_bitmaps

RESULTS: Final = Path(__file__).parent / "results" / "compaction.md"
EDITED: Final = 0.3


def zipf(count: int, vocabulary: int = 50_000) -> Iterator[list[str]]:
    """*count* texts of 5 to 30 words; three in ten are an earlier one with up to three words changed."""
    chance = random.Random(1)  # noqa: S311  no secret
    words = [str(rank) for rank in range(vocabulary)]
    weights = [*accumulate(1 / (rank + 1) for rank in range(vocabulary))]
    texts: list[list[str]] = []
    for _ in range(count):
        if texts and chance.random() < EDITED:
            text = edited(chance.choice(texts), chance, words, weights)
        else:
            text = chance.choices(words, cum_weights=weights, k=chance.randint(5, 30))
        texts.append(text)
        yield text


def repeated(originals: list[str], count: int) -> Iterator[list[str]]:
    """*count* texts: sentences of a folder, then edits of them in their own words."""
    chance = random.Random(1)  # noqa: S311  no secret
    texts = [normalised(text).split() for text in originals]
    words = [word for text in texts for word in text]
    weights = [*range(1, len(words) + 1)]
    kept = min(len(texts), int(count * (1 - EDITED)))
    yield from chance.sample(texts, kept)
    for _ in range(count - kept):
        yield edited(chance.choice(texts), chance, words, weights)


def edited(text: list[str], chance: random.Random, words: list[str], weights: list[float] | list[int]) -> list[str]:
    changed = list(text)
    for word in chance.choices(words, cum_weights=weights, k=chance.randint(1, 3)):
        changed[chance.randrange(len(changed))] = word
    return changed


def measured(name: str, sets: Sets, answer: multiprocessing.SimpleQueue[tuple[float, float, Pairs]]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = perf_counter()
    found = JOINS[name](sets)
    seconds = perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer.put((seconds, (after - before) / 1000, found))


def apart(name: str, sets: Sets) -> tuple[float, float, Pairs]:
    """Seconds, megabytes it grew by, and pairs of an algorithm in a process of its own."""
    context = multiprocessing.get_context("fork")
    answer = context.SimpleQueue()
    process = context.Process(target=measured, args=(name, sets, answer))
    process.start()
    done: tuple[float, float, Pairs] = answer.get()
    process.join()
    return done


def table(sets: Sets, checked: int = 3000) -> Iterator[str]:
    few = sets[:checked]
    assert parity_bitmaps(few) == brute_force(few)
    truth = apart("parity bitmaps (numpy)", sets)[2]
    yield f"{len(sets):,} sets, {len(truth):,} pairs at .85 or more.\n"
    yield "| algorithm | seconds | MB beside the sets | recall | wrong |"
    yield "|---|---:|---:|---:|---:|"
    for name in JOINS:
        seconds, megabytes, found = apart(name, sets)
        recall = len(found & truth) / max(1, len(truth))
        yield f"| {name} | {seconds:.1f} | {megabytes:.0f} | {recall:.4f} | {len(found - truth)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", type=int, default=100_000)
    arguments = parser.parse_args()
    corpora = {
        "Zipf, 50,000 words": zipf(arguments.sets),
        "Sentences of the folder and edits of them": repeated(sentences(arguments.folder), arguments.sets),
    }
    versions = f"Python {platform.python_version()}, {platform.machine()}"
    lines = ["# Near duplicates", "", f"{versions}. Jaccard of at least .85, one run each.", ""]
    for name, texts in corpora.items():
        lines += [f"## {name}", ""]
        for line in table(numbered(texts)):
            print(line, flush=True)
            lines.append(line)
        lines.append("")
    RESULTS.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
