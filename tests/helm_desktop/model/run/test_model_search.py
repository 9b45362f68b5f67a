"""Finding a layer of the model by a chart's row."""

from __future__ import annotations

from helm_desktop.model.run.details import Detail, model_tree
from helm_desktop.model.run.model_search import found_in_model
from helm_sdk.protocol.messages import TensorInfo


def found(text: str, *paths: str) -> list[str]:
    """Names of the rows found in a model with these tensors."""
    tensors = [
        TensorInfo(path=path, shape=(1,), dtype="float32", bytes=4, module="", device="cpu") for path in paths
    ]
    details = (Detail("Config", "", (Detail("2"),)), Detail("Model", "", model_tree(tensors)))
    ids = found_in_model(details, text)
    names, waiting = [], [(row.name, row) for row in details[1].children]
    while waiting:
        path, row = waiting.pop(0)
        if id(row) in ids and not row.children:
            names.append(path)
        waiting += [(f"{path}.{child.name}", child) for child in row.children]
    return names


def test_that_a_layer_by_its_index_is_found_in_a_sequence() -> None:
    paths = ("0.weight", "0.bias", "2.weight", "2.bias", "12.weight")
    assert found("layer 2", *paths) == ["2.weight", "2.bias"]
    assert found("2", *paths) == ["2.weight", "2.bias"]


def test_that_a_layer_is_found_under_its_own_word() -> None:
    paths = ("layers.1.mlp.2.weight", "layers.2.mlp.1.weight", "head.2.weight", "block_2.bias")
    assert found("layer 2", *paths) == ["layers.1.mlp.2.weight", "layers.2.mlp.1.weight"]
    assert found("block 2", *paths) == ["block_2.bias"]


def test_that_plain_words_are_left_to_the_search_by_text() -> None:
    assert found("weight", "0.weight") == []
    assert found("layer 2 nonsense", "2.weight") == []
