"""What tests on real scripts share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.scripts import Script


@pytest.fixture
def scripts() -> Iterator[list[Script]]:
    """Nothing is left running."""
    started: list[Script] = []
    yield started
    for script in started:
        script.kill()
