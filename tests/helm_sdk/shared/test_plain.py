"""Configurations as JSON, and the secrets on a command line."""

import argparse
import dataclasses
import enum
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from helm_sdk._shared.plain import config_of, to_json
from helm_sdk._shared.secrets import HIDDEN, hide_secrets


class Kind(enum.Enum):
    ADAM = "adam"


@dataclasses.dataclass
class Optim:
    kind: Kind = Kind.ADAM
    betas: tuple[float, float] = (0.9, 0.95)


class Lazy(Mapping[str, Any]):
    """As OmegaConf's: a mapping that is no dict and may fail when it is read."""

    def __init__(self, **values: Any) -> None:
        self._values = values

    def __getitem__(self, key: str) -> Any:
        if self._values[key] is None:
            raise ValueError("missing")
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def test_that_dataclasses_namespaces_and_mappings_become_objects() -> None:
    plain, odd = config_of(
        {
            "optim": Optim(),
            "args": argparse.Namespace(a=1),
            "lazy": Lazy(x=Lazy(y=2)),
            "path": Path("a/b"),
            3: True,
        }
    )
    assert plain == {
        "optim": {"kind": "adam", "betas": [0.9, 0.95]},
        "args": {"a": 1},
        "lazy": {"x": {"y": 2}},
        "path": "a/b",
        "3": True,
    }
    assert odd == []


def test_that_what_json_cannot_say_is_its_repr_and_named() -> None:
    loop: dict[str, Any] = {}
    loop["self"] = loop
    plain, odd = config_of({"f": len, "big": 1 << 80, "broken": Lazy(x=None), "bytes": b"x"})
    assert plain["f"] == "<built-in function len>"
    assert plain["big"] == str(1 << 80)
    assert plain["bytes"] == "b'x'"
    assert odd == ["f", "big", "broken.x", "bytes"]
    assert config_of(loop)[1]
    assert config_of([1, 2])[0] == {"config": [1, 2]}


def test_that_numpy_and_torch_scalars_are_numbers() -> None:
    import numpy
    import torch

    assert to_json({"a": numpy.float32(0.5), "b": numpy.int64(3), "c": torch.tensor(2.0)}) == {
        "a": 0.5,
        "b": 3,
        "c": 2.0,
    }
    assert math.isnan(to_json(float("nan")))
    assert isinstance(to_json(numpy.ones(3)), str)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("train.py --api-key=abc --lr=0.1", f"train.py --api-key={HIDDEN} --lr=0.1"),
        ("train.py --api_key abc --lr 0.1", f"train.py --api_key {HIDDEN} --lr 0.1"),
        ("HF_TOKEN=hf_x train.py", f"HF_TOKEN={HIDDEN} train.py"),
        ("logger.key=abc model.layers=3", f"logger.key={HIDDEN} model.layers=3"),
        ("+wandb.apiKey=abc", f"+wandb.apiKey={HIDDEN}"),
        ("--db-password= --x", f"--db-password={HIDDEN} --x"),
        ("--secret-name abc", f"--secret-name {HIDDEN}"),
        ("--token --verbose", "--token --verbose"),
        ("--data=s3://me:pw@host/x", f"--data=s3://{HIDDEN}@host/x"),
        ("https://user:pw@host/p?token=abc&x=1", f"https://{HIDDEN}@host/p?token={HIDDEN}&x=1"),
        ("https://ghp_0123456789abcdefghij@github.com/x", f"https://{HIDDEN}@github.com/x"),
        ("--note hf_0123456789abcdefghij", f"--note {HIDDEN}"),
        ("--max-tokens=1000 --tokenizer=gpt2 --monkey=3", "--max-tokens=1000 --tokenizer=gpt2 --monkey=3"),
        ("--email=me@host --at=a@b", "--email=me@host --at=a@b"),
    ],
)
def test_that_secrets_on_the_command_line_are_replaced(given: str, shown: str) -> None:
    assert " ".join(hide_secrets(given.split())) == shown


def test_that_a_header_on_the_command_line_is_replaced() -> None:
    assert hide_secrets(["-H", "Authorization: Bearer abcdefgh1234"]) == (
        "-H",
        f"Authorization: Bearer {HIDDEN}",
    )


def test_that_secrets_in_a_configuration_are_replaced_and_settings_are_not() -> None:
    plain, _ = config_of(
        {
            "wandb": {"api_key": "abc", "url": "https://u:p@host"},
            "pad_token": "<pad>",
            "sort_key": "length",
            "password": "x",
            "max_tokens": 5,
        }
    )
    assert plain == {
        "wandb": {"api_key": HIDDEN, "url": f"https://{HIDDEN}@host"},
        "pad_token": "<pad>",
        "sort_key": "length",
        "password": HIDDEN,
        "max_tokens": 5,
    }


def test_that_a_part_that_contains_what_is_around_it_is_said_so() -> None:
    root: dict[str, Any] = {"name": "net", "blocks": []}
    root["blocks"] = [{"name": f"block {number}", "parent": root} for number in range(8)]
    plain, odd = config_of(root)
    assert plain["blocks"][7] == {"name": "block 7", "parent": "<the dict around this>"}
    assert len(odd) == 8


def test_that_parts_that_are_shared_over_and_over_end_at_a_bound() -> None:
    value: Any = [1]
    for _ in range(23):
        value = [value, value]  # 8 million lists, where each is written out
    text = repr(to_json(value))
    assert "there are too many values" in text
    assert len(text) < 20_000_000


def test_that_parts_without_a_value_cost_no_other() -> None:
    plain, odd = config_of(Lazy(lr=0.1, data=Lazy(root=None, workers=4), epochs=3))
    assert plain["lr"] == 0.1
    assert plain["epochs"] == 3
    assert plain["data"] == {"root": "<no value: ValueError: missing>", "workers": 4}
    assert odd == ["data.root"]
