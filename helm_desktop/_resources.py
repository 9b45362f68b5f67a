"""Where the app's own files are: icons, themes, examples, the manual."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Return the path of a file under `resources/`, in a checkout, an installed wheel or a bundle."""
    return _root().joinpath(*parts)


@cache
def _root() -> Path:
    installed = _PACKAGE / "resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"
