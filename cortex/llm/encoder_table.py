"""The table that `encoder` reads, made once from the weights and the vocabulary in the wheel of WordLlama.

A line of name, dimensions, number of tokens, bytes to come and stamp, tabs between; the tokens, NUL between; then a
vector for each, of `dims` lanes. A lane holds a number of eight bits, made positive by `BIAS`, and has room for many.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

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
    _keep(table, path)
    return table


def _keep(table: bytes, path: Path) -> None:
    """Put *table* at *path*, whole; of several processes that do so at once the last one's stays."""
    from tempfile import NamedTemporaryFile  # noqa: PLC0415  only to make it

    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            beside = Path(file.name)
            try:
                file.write(table)
                file.close()
                beside.replace(path)
            except OSError:
                beside.unlink(missing_ok=True)
                raise
