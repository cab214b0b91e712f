"""The static encoder: what means the same is near, tokens are those of the model, and loading imports nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from vectors import likeness

from cortex.llm.encoder import StaticEncoder, find_encoder, find_weights, make_table, pieces, tokens_of

pytest.importorskip("wordllama", reason="needs the extra semantic")

TEXTS = (
    "The server keeps every upload for thirty days, then deletes it.",
    "secp256k1_ecdsa_sign(ctx, &sig, msg32, key, NULL, NULL) returned 0xdeadbeef; see #1234 (v0.4.1-rc2).",
    "Größe: 3½ µs – naïve Übergröße, 日本語 и русский text, emoji 🎉 and a ² square.",
    "- [x] `foo_bar.c:12`:\n\n\tif (x != y) { return -1; }  // __attribute__((noinline))",
    "",
    "   \n\t ",
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def encoder(cache: Path) -> StaticEncoder:
    found = find_encoder(cache)
    assert isinstance(found, StaticEncoder)
    return found


def test_other_words_for_the_same_are_nearer_than_another_subject(encoder: StaticEncoder) -> None:
    asked, same, other = encoder.encode(
        ["How long are uploads kept?", TEXTS[0], "The icons of the menu are drawn in blue."]
    )
    assert likeness(asked, same) > likeness(asked, other) + 0.2


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_are_those_of_the_models_own_tokenizer(encoder: StaticEncoder, text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    weights = find_weights()
    assert weights
    theirs = tokenizers.Tokenizer.from_file(str(weights.tokenizer))
    collapsed = " ".join(text.split())
    expected = theirs.encode(collapsed, add_special_tokens=False).ids if collapsed else []
    assert tokens_of(collapsed, encoder.vocabulary) == expected


def test_a_vector_is_the_models_own_but_for_rounding(encoder: StaticEncoder) -> None:
    numpy = pytest.importorskip("numpy")
    weights = find_weights()
    assert weights
    content = weights.vectors.read_bytes()
    size = int.from_bytes(content[:8], "little")
    every = numpy.frombuffer(content, numpy.float16, offset=8 + size).reshape(-1, 256)[:, : encoder.dims]
    mean = every[tokens_of(TEXTS[0], encoder.vocabulary)].astype(numpy.float32).mean(0)
    (ours,) = encoder.encode(TEXTS[:1])
    vector = numpy.frombuffer(ours, numpy.int8).astype(numpy.float32)
    cosine = vector @ mean / numpy.linalg.norm(vector) / numpy.linalg.norm(mean)
    assert cosine > 0.999


def test_a_text_is_like_itself_and_one_without_words_like_nothing(encoder: StaticEncoder) -> None:
    first, *others = encoder.encode(TEXTS)
    same, *_, empty, blank = (likeness(first, one) for one in [first, *others])
    assert same == pytest.approx(1, abs=0.02)
    assert (empty, blank) == (0, 0)


def test_what_stands_in_white_space_and_long_words_do_not_count(encoder: StaticEncoder) -> None:
    plain, spaced = encoder.encode(["one two three", " one\n\n\ttwo   three "])
    assert plain == spaced
    long, longer = encoder.encode([f"one {'ab' * 40}", f"one {'ab' * 4000}"])
    assert long == longer


def test_a_text_of_any_length_has_a_vector(encoder: StaticEncoder) -> None:
    long, first = encoder.encode(["the word " * 5_000, "the word " * 100])
    assert likeness(long, first) > 0.95


def test_letters_without_a_piece_are_spelled_in_bytes() -> None:
    vocabulary = {f"<0x{byte:02X}>": byte for byte in range(256)} | {"a": 256, "b": 257, "ab": 258}
    assert pieces("ab", vocabulary) == [258]
    assert pieces("abé", vocabulary) == [258, *"é".encode()]
    assert pieces("\ud800", vocabulary) == [ord("?")]


def test_the_table_is_made_once_and_anew_where_it_is_no_table(encoder: StaticEncoder, tmp_path: Path) -> None:
    weights = find_weights()
    assert weights
    path = tmp_path / f"{weights.vectors.stem}-{encoder.dims}.table"
    path.write_bytes(b"")
    again = find_encoder(tmp_path)
    assert again is not None
    assert again.encode(TEXTS) == encoder.encode(TEXTS)
    assert path.read_bytes() == make_table(weights, encoder.dims, tmp_path / "another.table")
    assert [one.name for one in sorted(tmp_path.iterdir())] == ["another.table", path.name]


def test_a_table_cut_short_is_made_anew(encoder: StaticEncoder, cache: Path, tmp_path: Path) -> None:
    (made,) = cache.iterdir()
    (tmp_path / made.name).write_bytes(made.read_bytes()[:-1000])
    again = find_encoder(tmp_path)
    assert again is not None
    assert again.encode(TEXTS) == encoder.encode(TEXTS)


def test_where_nothing_can_be_written_vectors_are_the_same(encoder: StaticEncoder, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    again = find_encoder(tmp_path / "file" / "cache")
    assert again is not None
    assert again.encode(TEXTS) == encoder.encode(TEXTS)


def test_dimensions_are_part_of_the_name(encoder: StaticEncoder, cache: Path) -> None:
    fewer = find_encoder(cache, 64)
    assert fewer is not None
    assert fewer.dims == len(fewer.encode(["one"])[0]) == 64
    assert fewer.name != encoder.name


def test_a_question_imports_neither_the_model_nor_numpy(encoder: StaticEncoder, cache: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from cortex.llm.encoder import find_encoder; "
        "assert find_encoder(Path(sys.argv[1])).encode(['one']); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program, cache], capture_output=True, text=True, check=True)
    assert not {"numpy", "wordllama", "tokenizers", "safetensors"} & {*done.stdout.split()}
    assert encoder.dims
