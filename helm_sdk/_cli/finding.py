"""One thing that helmctl doctor looked at."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

OK: Final = "ok"
NOTE: Final = "note"
BROKEN: Final = "broken"


@dataclass(frozen=True)
class Finding:
    """How it is, and in one sentence what that means."""

    name: str
    state: str
    text: str


def package_version(name: str) -> str:
    """Return the installed version of a distribution; empty when it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
