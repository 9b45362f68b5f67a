"""One run and one line to it for each file of tests: what differs is made anew by each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import helm_sdk
from helm_sdk.torch import Trainer
from helpers.steering import Line


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    home: Path = tmp_path_factory.mktemp("steered")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_CONFIG_HOME", str(home / "config"))
        patch.setenv("HELM_RUN_HOME", str(home / "home"))
        patch.delenv("HELM_RUN_MODE", raising=False)
        with helm_sdk.init("tests", name="steered") as run, Line(run) as line:
            yield line


@pytest.fixture
def trainer(line: Line) -> Iterator[Trainer]:
    line.settle()  # what an earlier test logged
    line.points.clear()
    line.events.clear()
    made = Trainer(line.run)
    yield made
    made.release()
