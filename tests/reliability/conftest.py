"""What the tests of reliability share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def home() -> Path:
    """The test's own home."""
    return Path(os.environ["HELM_RUN_HOME"])
