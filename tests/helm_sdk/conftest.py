"""What tests of the SDK share: a run that is finished whatever happens."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import helm_sdk


@pytest.fixture
def start() -> Iterator[Callable[..., helm_sdk.Run]]:
    """`init` whose runs end with the test."""
    runs: list[helm_sdk.Run] = []

    def begin(project: str = "tests", **more: Any) -> helm_sdk.Run:
        run = helm_sdk.init(project, **more)
        runs.append(run)
        return run

    yield begin
    for run in runs:
        run.finish()
