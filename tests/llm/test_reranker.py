"""The cross-encoder, with a model of a few bytes: the score is how many tokens the pair has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cortex.llm.reranker import find_reranker


def test_no_model_is_no_reranker(tmp_path: Path) -> None:
    assert find_reranker("", tmp_path) is None


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("fastembed", reason="needs the extra rerank")
    onnx = pytest.importorskip("onnx", reason="makes the model")
    folder = tmp_path_factory.mktemp("model")
    (folder / "onnx").mkdir()
    whole, score = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    shape = ["batch", "tokens"]
    inputs = [
        onnx.helper.make_tensor_value_info(name, whole, shape)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    nodes = [
        onnx.helper.make_node("Cast", ["attention_mask"], ["mask"], to=score),
        onnx.helper.make_node("ReduceSum", ["mask", "axis"], ["logits"], keepdims=1),
    ]
    axis = onnx.helper.make_tensor("axis", whole, [1], [1])
    output = onnx.helper.make_tensor_value_info("logits", score, ["batch", 1])
    graph = onnx.helper.make_graph(nodes, "tokens", inputs, [output], [axis])
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, str(folder / "onnx" / "model.onnx"))
    tokenizer = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": {"[PAD]": 0, "[UNK]": 1}, "unk_token": "[UNK]"},
    }
    files = {
        "tokenizer.json": tokenizer,
        "config.json": {"pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 64, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]"},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder


def test_each_text_has_a_score_in_order(model: Path, tmp_path: Path) -> None:
    reranker = find_reranker(str(model), tmp_path)
    assert reranker is not None
    assert reranker.scores("who decides", ["one", "one two three", "one two"]) == [3.0, 5.0, 4.0]
    assert reranker.scores("who decides", []) == []


def test_a_model_that_nobody_knows_is_refused(model: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not supported"):
        find_reranker(f"{model}-nowhere", tmp_path)
