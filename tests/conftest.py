"""What every test gets: an offscreen Qt and a home of its own."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs and keys of the user are neither read nor written."""
    for name in ("HELM_RUN_MODE", "HELM_RUN_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    home: Path = tmp_path_factory.mktemp("helm")
    monkeypatch.setenv("HELM_RUN_HOME", str(home / "home"))
    monkeypatch.setenv("HELM_CONFIG_HOME", str(home / "config"))
