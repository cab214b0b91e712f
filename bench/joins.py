"""Set similarity joins to compare: each takes sets and a threshold and gives the pairs at or above it.

Sets are lists of token numbers, rarest first: number 0 is the rarest token of all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import blake2b
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING

from cortex.compactor.crowds import Crowds
from cortex.compactor.signatures import keys_of, similar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Pairs = set[tuple[int, int]]
Sets = Sequence[Sequence[int]]


def numbered(texts: Iterable[Sequence[str]]) -> list[list[int]]:
    """Each text's tokens as numbers, each once, the rarest first."""
    bags = [set(text) for text in texts]
    counts = Counter(token for bag in bags for token in bag)
    rank = {
        token: place for place, (token, _) in enumerate(sorted(counts.items(), key=lambda pair: (pair[1], pair[0])))
    }
    return [sorted(rank[token] for token in bag) for bag in bags]


def alike(one: frozenset[int], other: frozenset[int]) -> bool:
    common = len(one & other)
    return common * 20 >= 17 * (len(one) + len(other) - common)


def brute_force(sets: Sets) -> Pairs:
    """Every pair, one by one."""
    frozen = [frozenset(one) for one in sets]
    return {(a, b) for a, b in combinations(range(len(sets)), 2) if alike(frozen[a], frozen[b])}


def parity_bitmaps(sets: Sets) -> Pairs:
    """Every pair of about the same size, by 128 bits each in numpy: as many bits differ as tokens do, or fewer.

    Source: the parity bound of Sandes, Teodoro and Melo 2020, "Bitmap filter".
    """
    import numpy as np  # noqa: PLC0415

    order = sorted(range(len(sets)), key=lambda place: len(sets[place]))
    sizes = np.array([len(sets[place]) for place in order])
    bits = _bits([sets[place] for place in order])
    frozen = [frozenset(sets[place]) for place in order]
    found: Pairs = set()
    for place in range(len(order)):
        size = int(sizes[place])
        last = int(np.searchsorted(sizes, size * 20 // 17, side="right"))
        others = bits[place + 1 : last]
        apart = np.bitwise_count(others ^ bits[place]).sum(axis=1)
        near = np.nonzero(apart <= 3 * (sizes[place + 1 : last] + size) // 37)[0]
        rivals: list[int] = (near + place + 1).tolist()
        for other in rivals:
            if alike(frozen[place], frozen[other]):
                found.add(_pair(order[place], order[other]))
    return found


def _bits(sets: Sets) -> NDArray[np.uint64]:
    import numpy as np  # noqa: PLC0415

    bits: NDArray[np.uint64] = np.zeros((len(sets), 2), dtype=np.uint64)
    for place, tokens in enumerate(sets):
        word = 0
        for token in tokens:
            word ^= 1 << (token * 2654435761 >> 7) % 128
        bits[place] = word & (1 << 64) - 1, word >> 64
    return bits


def prefix_filter(sets: Sets, *, positional: bool = True) -> Pairs:
    """AllPairs with the length and, when *positional*, the positional filter of PPJoin.

    Source: Xiao, Wang, Lin and Yu 2008, "Efficient similarity joins for near duplicate detection".
    """
    order = sorted(range(len(sets)), key=lambda place: len(sets[place]))
    frozen = [frozenset(one) for one in sets]
    index: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    found: Pairs = set()
    for place in order:
        tokens, size = sets[place], len(sets[place])
        least = ceil(size * 17 / 20)
        met: dict[int, int] = {}
        for at, token in enumerate(tokens[: size - least + 1]):
            for other, other_at, other_size in index[token]:
                if other_size < least or met.get(other, 0) < 0:
                    continue
                common = met.get(other, 0) + 1
                if positional:
                    needed = ceil((size + other_size) * 17 / 37)
                    if common + min(size - at - 1, other_size - other_at - 1) < needed:
                        common = -(1 << 30)
                met[other] = common
        for other, common in met.items():
            if common > 0 and alike(frozen[place], frozen[other]):
                found.add(_pair(place, other))
        for at, token in enumerate(tokens[: size - ceil(size * 34 / 37) + 1]):
            index[token].append((place, at, size))
    return found


def minhash_lsh(sets: Sets, permutations: int = 128) -> Pairs:
    """MinHash LSH of datasketch, its candidates verified exactly."""
    from datasketch import MinHash, MinHashLSH  # noqa: PLC0415

    index = MinHashLSH(threshold=0.85, num_perm=permutations)
    frozen = [frozenset(one) for one in sets]
    sketches = MinHash.bulk([[token.to_bytes(4, "little") for token in one] for one in sets], num_perm=permutations)
    found: Pairs = set()
    for place, sketch in enumerate(sketches):
        found.update(_pair(place, other) for other in index.query(sketch) if alike(frozen[place], frozen[other]))
        index.insert(place, sketch)
    return found


def partition_keys(sets: Sets) -> Pairs:
    """Cortex's: by the pigeonhole principle, `cortex/compactor/signatures.py`."""
    crowds = Crowds()
    frozen = [frozenset(one) for one in sets]
    for place, tokens in enumerate(sets):
        crowds.add(place, keys_of(0, [_hashed(token) for token in tokens], len(tokens)))
    met = {pair for _, crowd in crowds.shared() for pair in combinations(sorted(crowd), 2)}
    return {(a, b) for a, b in met if similar(frozen[a], frozen[b])}


@cache
def _hashed(token: int) -> int:
    return int.from_bytes(blake2b(token.to_bytes(4, "little"), digest_size=8).digest(), "little") & ~1


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


JOINS: dict[str, Callable[[Sets], Pairs]] = {
    "partition keys (Cortex)": partition_keys,
    "prefix, length, positional (PPJoin)": prefix_filter,
    "prefix and length (AllPairs)": lambda sets: prefix_filter(sets, positional=False),
    "MinHash LSH (datasketch, 128), verified": minhash_lsh,
    "parity bitmaps (numpy)": parity_bitmaps,
}
