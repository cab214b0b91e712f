"""The static encoder: what fewer dimensions and eight bits cost in ranking, and how long vectors take.

    python bench/encoding.py DATA_FOLDER [DATA_FOLDER …] [--rows 100000]

A DATA_FOLDER holds a GitHub export and, where it has them, `questions.jsonl` (else bench/questions/dev has some of its
name). The reference is the mean of the model's own weights, 256 dimensions as they are, by NumPy. Needs the extra
`semantic`. Writes `bench/results/encoding.md`.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from folders import asked, indexed
from tokenizers import Tokenizer
from vectors import likeness, vectors_of

from cortex.indexers.run import encode_passages
from cortex.llm.encoder import DIMS as CHOSEN
from cortex.llm.encoder import StaticEncoder, find_encoder, find_weights, tokens_of
from cortex.substrate.blocks import ROWS
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.vectors import nearest, put_vectors, texts_of

RESULTS: Final = Path(__file__).parent / "results" / "encoding.md"
EVERY: Final = (64, 128, 256)
WINDOWS: Final = 60
OURS: Final = """
from pathlib import Path; from cortex.llm.encoder import find_encoder
find_encoder(Path({!r}), {}).encode(['a b'])
"""
THEIRS: Final = """
import numpy, wordllama.inference as w; from tokenizers import Tokenizer; from safetensors.numpy import load_file
e = load_file({!r})['embedding.weight']
w.WordLlamaInference(e, Tokenizer.from_file({!r})).embed('a b')
"""


def main() -> None:
    """Measure, print, and write the tables."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folders", type=Path, nargs="+")
    options.add_argument("--rows", type=int, default=100_000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as at:
        lines = [*report(given.folders, Path(at), given.rows)]
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    RESULTS.write_text(text, "utf-8")


def report(folders: Sequence[Path], at: Path, rows: int) -> Iterator[str]:
    """The lines of the results."""
    encoders = {dims: found for dims in EVERY if (found := find_encoder(at / "cache", dims))}
    yield "# The static encoder: dimensions, and time\n"
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"Python {platform.python_version()}, {platform.machine()}, {load}. Questions rank all passages of their"
    yield "project by likeness; 'as full' is the share of the ten best that the weights as they are have, too.\n"
    yield "| project | passages | questions | vectors | gold in 30 | in 100 | MRR | as full |"
    yield "|---|---:|---:|---|---:|---:|---:|---:|"
    timings = []
    for folder in folders:
        path = at / f"{folder.name}.db"
        started = time.perf_counter()
        with indexed(folder, path) as brain:
            indexing = time.perf_counter() - started
            yield from ranked(brain, folder, encoders)
            started = time.perf_counter()
            count = encode_passages(brain, encoders[CHOSEN])
            took = time.perf_counter() - started
            said = f"- {folder.name}: indexing takes {indexing:.1f} s, the vectors of {count:,} passages"
            timings.append(f"{said} {took:.1f} s more ({took / indexing:.0%}), parity of tokens {parity(brain):.2%}.")
            if folder == folders[-1]:
                timings += [*scanned(brain, encoders[CHOSEN], rows)]
    yield "\n## Time\n"
    yield from timings
    yield from started_in(at, encoders)


def ranked(brain: Brain, folder: Path, encoders: dict[int, Encoder]) -> Iterator[str]:
    """How well each kind of vector ranks the passages for the questions of a folder."""
    texts = dict(texts_of(brain, range(newest(brain) + 1)))
    told = "select p.id, r.ref from passages p join records r on r.id = p.record_id"
    refs = dict(brain.db.execute(told).fetchall())
    questions, gold = [], []
    for row in asked(folder):
        found = {at for at, passage in enumerate(texts) if any(is_of(refs[passage], one) for one in row["gold"])}
        if found:
            questions.append(row["question"])
            gold.append(found)
    every = [*questions, *texts.values()]
    full = scores(reference(every), len(questions))
    kinds: dict[str, Any] = {"256 as they are": full}
    for dims, encoder in encoders.items():
        vectors = np.frombuffer(b"".join(encoder.encode(every)), np.int8).reshape(len(every), dims)
        kinds[f"{dims}, eight bits"] = scores(vectors, len(questions))
    for kind, found in kinds.items():
        ranks = [min(int((row > row[at]).sum()) for at in golden) for row, golden in zip(found, gold, strict=True)]
        within = " | ".join(str(sum(rank < most for rank in ranks)) for most in (30, 100))
        mean = statistics.mean(1 / (rank + 1) for rank in ranks)
        same = statistics.mean(len({*best(a)} & {*best(b)}) / 10 for a, b in zip(found, full, strict=True))
        project = f"{folder.name} | {len(texts):,} | {len(questions)}"
        yield f"| {project} | {kind} | {within} | {mean:.3f} | {same:.2f} |"


def is_of(ref: str, gold: str) -> bool:
    """Whether a record is the one that a question's gold names: a document by its file, a comment by its number."""
    gold = gold.replace("pr:", "pull:")
    return ref == gold or ref.startswith(f"{gold}#") or (ref.startswith("comment:") and ref.endswith(f"#{gold[8:]}"))


def best(row: Any) -> list[int]:  # noqa: ANN401  an array
    """The ten passages that are most alike."""
    return [int(at) for at in np.argsort(-row)[:10]]


def scores(vectors: Any, questions: int) -> Any:  # noqa: ANN401  arrays
    """The cosines of the first vectors with the others."""
    unit = vectors / np.maximum(np.linalg.norm(vectors.astype(np.float32), axis=1, keepdims=True), 1e-9)
    return unit[:questions] @ unit[questions:].T


def own_tokenizer() -> Any:  # noqa: ANN401  of a library without types
    """The model's own tokenizer."""
    weights = find_weights()
    assert weights
    return Tokenizer.from_file(str(weights.tokenizer))


def reference(texts: Sequence[str]) -> Any:  # noqa: ANN401  an array
    """The mean of the model's weights over the tokens of each text."""
    weights = find_weights()
    assert weights
    content = weights.vectors.read_bytes()
    size = int.from_bytes(content[:8], "little")
    table = np.frombuffer(content, np.float16, offset=8 + size).reshape(-1, 256).astype(np.float32)
    collapsed = [" ".join(text.split()) for text in texts]
    found = own_tokenizer().encode_batch(collapsed, add_special_tokens=False)
    return np.array([table[one.ids].mean(0) if one.ids else np.zeros(256) for one in found], np.float32)


def newest(brain: Brain) -> int:
    """The number of the last passage."""
    return int(brain.db.execute("select max(id) from passages").fetchone()[0])


def parity(brain: Brain) -> float:
    """The share of passages whose tokens are those of the model's own tokenizer."""
    texts = [" ".join(text.split()) for _, text in texts_of(brain, range(newest(brain) + 1))]
    encoder = find_encoder(Path(tempfile.gettempdir()) / "cortex-encoding")
    assert isinstance(encoder, StaticEncoder)
    theirs = own_tokenizer().encode_batch(texts, add_special_tokens=False)
    same: list[bool] = [tokens_of(a, encoder.vocabulary) == b.ids for a, b in zip(texts, theirs, strict=True)]
    return sum(same) / len(same)


def timed(run: Callable[[], object], repeats: int = 9) -> float:
    """Milliseconds, the median."""
    took = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        took.append(1000 * (time.perf_counter() - started))
    return float(statistics.median(took))


def scanned(brain: Brain, encoder: Encoder, rows: int) -> Iterator[str]:
    """How long the nearest of *rows* passages take, and windows of text."""
    texts = [text for _, text in texts_of(brain, range(newest(brain) + 1))]
    windows = [" ".join(text.split()[:45]) for text in texts if len(text.split()) > 45][:WINDOWS]
    fresh = StaticEncoder(encoder._table)  # type: ignore[attr-defined]
    first = timed(lambda: fresh.encode(windows), 1)
    vectors = encoder.encode(windows)
    size = statistics.mean(map(len, windows))
    again, alike = timed(lambda: fresh.encode(windows)), timed(lambda: [likeness(vectors[0], one) for one in vectors])
    yield f"- {WINDOWS} windows of {size:.0f} characters: {first:.1f} ms with words seen for the first time,"
    yield f"  {again:.1f} ms after; their likeness to a question in plain Python {alike:.2f} ms."
    filled(brain, encoder, rows)
    with brain.reader() as reader:
        (vector,) = encoder.encode(["Who decides when a release is made?"])

        def near() -> object:
            return nearest(reader, vector, encoder=encoder.name, sources=None, limit=30)

        cold, warm = timed(near, 1), timed(near, 25)
        found = [passage for passage, _ in nearest(reader, vector, encoder=encoder.name, sources=None, limit=30)]
        stored = timed(lambda: vectors_of(reader, found, encoder=encoder.name))
    blocks = rows // ROWS
    yield f"- The 30 nearest of {rows:,} passages in {blocks} blocks: {cold:.1f} ms the first time in a process,"
    yield f"  {warm:.1f} ms after; 30 stored vectors {stored:.1f} ms."


def filled(brain: Brain, encoder: Encoder, rows: int) -> None:
    """Make the brain hold *rows* passages, with the vectors it has over and over."""
    with brain.transaction() as db:
        source, record, last = db.execute("select source_id, record_id, id from passages order by id desc").fetchone()
        more = [(number, source, record) for number in range(last + 1, rows + 1)]
        db.executemany("insert into passages values (?, ?, ?, 0, 0, '', '', '')", more)
        held = [*vectors_of(brain, range(last + 1), encoder=encoder.name).values()]
        put_vectors(brain, {one: held[one % len(held)] for one, *_ in more}, encoder=encoder.name)


def started_in(at: Path, encoders: dict[int, Encoder]) -> Iterator[str]:
    """How long it takes from the start of a process to its first vector."""
    weights = find_weights()
    assert weights
    programs = {"Python that does nothing": "pass", "Cortex's store imported": "import cortex.substrate.vectors"}
    programs |= {f"{dims} dimensions, from the table": OURS.format(str(at / "cache"), dims) for dims in encoders}
    programs |= {"NumPy imported": "import numpy", "WordLlama": THEIRS.format(*map(str, weights))}
    yield "\n| from the start of a process to the first vector | ms |\n|---|---:|"
    for name, program in programs.items():
        took = timed(lambda program=program: subprocess.run([sys.executable, "-c", program], check=True), 7)  # type: ignore[misc]
        yield f"| {name} | {took:.0f} |"


if __name__ == "__main__":
    main()
