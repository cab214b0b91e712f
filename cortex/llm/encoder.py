"""Semantic vectors of texts, where the extra `semantic` is installed: what means the same in other words lies near.

The encoder is static: a text's vector is the mean of its tokens' vectors. The weights come in the wheel of WordLlama;
neither it, its tokenizer nor NumPy is imported to encode, which would take .4 s. Instead `encoder_table` makes a table
once that is mapped into memory, and the tokens of a text are added up as one large integer each.
"""

from __future__ import annotations

import json
import mmap
import re
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import pairwise
from math import sqrt
from operator import mul
from pathlib import Path
from typing import Any, Final, NamedTuple

from cortex.errors import NotKept
from cortex.substrate.atomic_files import write_file
from cortex.substrate.encoder import Encoder, Vector
from cortex.substrate.vectors import SCALE

BIAS: Final = 128
LANE: Final = 2  # bytes of a lane
LARGEST: Final = 6.0  # of a token's numbers: hardly any is larger, and is cut to it


class Weights(NamedTuple):
    """The files of the wheel that hold the vectors (safetensors, one tensor of float16) and the vocabulary."""

    vectors: Path
    tokenizer: Path


def find_weights() -> Weights | None:
    """The files of the extra `semantic`, found without importing it; None where it is not installed.

    The release that is pinned looks for its tokenizer in another folder than its wheel has it in.
    """
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0])
    found = Weights(
        folder / "weights" / "l2_supercat_256.safetensors", folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
    )
    return found if all(path.is_file() for path in found) else None


def stamp_of(weights: Weights) -> str:
    """What changes when other weights are installed."""
    stat = weights.vectors.stat()
    return f"{stat.st_size}.{stat.st_mtime_ns}"


def make_table(weights: Weights, dims: int, path: Path) -> bytes:
    """The table of the first *dims* dimensions, also put at *path* where that can be written, all or nothing."""
    import numpy  # noqa: ICN001, PLC0415  only to make it

    content = weights.vectors.read_bytes()
    size = int.from_bytes(content[:8], "little")
    (tensor,) = (one for name, one in json.loads(content[8 : 8 + size]).items() if name != "__metadata__")
    every: Any = numpy.frombuffer(content, numpy.float16, offset=8 + size).reshape(tensor["shape"])
    rounded = (every[:, :dims].astype(numpy.float32) * (127 / LARGEST)).round().clip(-127, 127)
    lanes: bytes = (rounded + BIAS).astype("<u2").tobytes()
    numbers: dict[str, int] = json.loads(weights.tokenizer.read_text("utf-8"))["model"]["vocab"]
    tokens = "\0".join(sorted(numbers, key=numbers.__getitem__))
    name = f"{weights.vectors.stem}/{dims}:{blake2b(lanes, digest_size=4).hexdigest()}"
    content = tokens.encode() + lanes
    head = "\t".join((name, str(dims), str(len(numbers)), str(len(content)), stamp_of(weights)))
    table = f"{head}\n".encode() + content
    with suppress(NotKept):
        write_file(path, table)
    return table


DIMS: Final = 256
"""All the model has: half of them find a tenth less (bench/results/encoding.md), and save two milliseconds a scan."""

LONGEST_WORD: Final = 32  # characters of a word that count: what is longer is a hash, a key or an address
MOST_TOKENS: Final = 2 ** (8 * LANE) // (2 * BIAS)
"""Tokens of a text that count: as many as a lane of the sum has room for."""

KEPT_WORDS: Final = 50_000

_SPACE: Final = "▁"
_RUNS: Final = re.compile(rf"{_SPACE}?(?:[^\W\d_]+|\d|(?:[^\w{_SPACE}]|_)+)|{_SPACE}")
"""Letters, one digit or other signs: no piece goes over the border between two such runs."""

_BYTE: Final = "<0x00>"


def pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    """The tokens of *word* by byte-pair encoding: of neighbours that make a known piece the first known is joined.

    Source: sentencepiece, bpe_model.cc; pieces are numbered in the order of their merges. What no piece covers is
    spelled in bytes.
    """
    if (whole := vocabulary.get(word)) is not None:
        return [whole]
    parts, rank, unknown = list(word), vocabulary.get, len(vocabulary)
    ranks = [rank(left + right, unknown) for left, right in pairwise(parts)]
    while ranks and (best := min(ranks)) < unknown:
        i = ranks.index(best)
        parts[i] += parts.pop(i + 1)
        del ranks[i]
        if i:
            ranks[i - 1] = rank(parts[i - 1] + parts[i], unknown)
        if i < len(ranks):
            ranks[i] = rank(parts[i] + parts[i + 1], unknown)
    first_byte = vocabulary[_BYTE]
    tokens = []
    for part in parts:
        known = vocabulary.get(part)
        tokens += [known] if known is not None else [first_byte + byte for byte in part.encode("utf-8", "replace")]
    return tokens


def tokens_of(text: str, vocabulary: Mapping[str, int]) -> list[int]:
    """The tokens of *text*, as the model's own tokenizer has them where its words are a space apart."""
    runs = _RUNS.findall(_SPACE + _SPACE.join(words)) if (words := text.split()) else []
    return [token for run in runs for token in pieces(run, vocabulary)]


class StaticEncoder:
    """The mean of token vectors, from a table of `encoder_table`.

    A token's vector is an integer of `dims` lanes; adding two adds all lanes at once, at the speed of C.
    """

    def __init__(self, table: bytes | mmap.mmap) -> None:
        end = table.find(b"\n")
        self.name, dims, count, *_ = table[:end].decode().split("\t")
        self.dims = int(dims)
        self._table, self._row = table, LANE * self.dims
        self._vectors = len(table) - int(count) * self._row
        tokens = table[end + 1 : self._vectors].decode().split("\0")
        self.vocabulary = dict(zip(tokens, range(len(tokens)), strict=True))
        self._sums: dict[str, tuple[int, int]] = {}

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in order; zeros for a text without a word."""
        return [self._encode(text) for text in texts]

    def likenesses(self, vector: Vector, texts: Sequence[str]) -> list[float]:
        """The cosine of *vector* and each of *texts*, without making their vectors, which takes half the time."""
        ours = memoryview(vector).cast("b").tolist()
        weight = sum(ours)
        found = []
        for text in texts:
            lanes, bias = self._lanes(text)
            length = sum(map(mul, lanes, lanes)) - 2 * bias * sum(lanes) + len(ours) * bias * bias
            product = sum(map(mul, ours, lanes)) - bias * weight
            found.append(product / SCALE / sqrt(length) if length > 0 else 0.0)
        return found

    def _encode(self, text: str) -> Vector:
        lanes, bias = self._lanes(text)
        sums = [*map((-bias).__add__, lanes)]
        scale = SCALE / (sqrt(sum(map(mul, sums, sums))) or 1.0)
        most = int(127 / scale)
        if max(sums) > most or min(sums) < -most:
            sums = [max(-most, min(most, one)) for one in sums]
        return array("b", map(round, map(scale.__mul__, sums))).tobytes()

    def _lanes(self, text: str) -> tuple[list[int], int]:
        total = count = 0
        known = self._sums.get
        for word in text.split():
            lanes, tokens = known(word) or self._sum(word)
            if count + tokens > MOST_TOKENS:
                break
            total += lanes
            count += tokens
        return memoryview(total.to_bytes(self._row, "little")).cast("H").tolist(), BIAS * count

    def _sum(self, word: str) -> tuple[int, int]:
        if len(self._sums) >= KEPT_WORDS:
            self._sums.clear()
        tokens = tokens_of(word[:LONGEST_WORD], self.vocabulary)
        starts = [self._vectors + self._row * token for token in tokens]
        lanes = sum(int.from_bytes(self._table[at : at + self._row], "little") for at in starts)
        self._sums[word] = lanes, len(tokens)
        return self._sums[word]


@lru_cache(maxsize=4)
def find_encoder(cache: Path, dims: int = DIMS) -> Encoder | None:
    """The encoder of the extra `semantic`; None where that is not installed.

    Args:
        cache: the folder that keeps the table; where it cannot be written the table is made each time, in .3 s.
        dims: numbers of a vector: 64, 128 or 256.
    """
    weights = find_weights()
    if weights is None:
        return None
    path = cache / f"{weights.vectors.stem}-{dims}.table"
    return StaticEncoder(_mapped(path, weights) or make_table(weights, dims, path))


def _mapped(path: Path, weights: Weights) -> mmap.mmap | None:
    with suppress(OSError, ValueError), path.open("rb") as file:  # ValueError: it is empty, or no table
        table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        end = table.find(b"\n")
        *_, size, stamp = table[:end].decode("utf-8", "replace").rsplit("\t", 2)
        if stamp == stamp_of(weights) and int(size) == len(table) - end - 1:
            return table
    return None
