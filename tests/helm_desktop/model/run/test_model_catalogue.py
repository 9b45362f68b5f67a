"""Facts and tensors that a run tells of."""

from __future__ import annotations

import msgspec
import pytest

from helm_desktop.model.run.model_catalogue import ModelCatalogue

TENSOR = {
    "path": "wte.weight",
    "module": "Embedding",
    "shape": [8, 4],
    "dtype": "float32",
    "device": "cpu",
    "bytes": 128,
}


def test_that_facts_add_up() -> None:
    catalogue = ModelCatalogue()
    catalogue.add_facts({"parameters": 10})
    catalogue.add_facts({"flops": 3})
    assert catalogue.facts == {"parameters": 10, "flops": 3}


@pytest.mark.parametrize("body", [[TENSOR], {"tensors": [TENSOR]}])
def test_that_a_run_that_lists_tensors_offers_captures(body: object) -> None:
    catalogue = ModelCatalogue()
    assert not catalogue.offers_captures
    catalogue.read_tensors(body)
    assert catalogue.offers_captures
    assert [tensor.path for tensor in catalogue.tensors] == ["wte.weight"]


def test_that_a_list_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        ModelCatalogue().read_tensors([{"path": 3}])
