"""Write the manual's page of keys from the records of the actions: run by `make docs`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from helm_desktop.actions.places import PLACES
from helm_desktop.actions.tables import ALL, MENUS

PAGE = Path(__file__).resolve().parent.parent / "resources" / "docs" / "manual" / "keys.md"
HEAD = """\
# Keys

**F1** shows the same list in the window. Every key of the menus can be changed in **File → Settings…**, at
**Shortcuts**.
This page is made from the records of the actions (`helm_desktop/actions/`).
"""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_menus(), *_places()])


def _menus() -> Iterator[str]:
    for menu in MENUS:
        rows = [(action.shortcut, action.text) for action in ALL if action.menu == menu and action.shortcut]
        if rows:
            yield from _table(f"Menu {menu}", rows)


def _places() -> Iterator[str]:
    for title, rows in PLACES:
        yield from _table(title, rows)


def _table(title: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (f"## {title}", "", "| key | what it does |", "|---|---|")
    for keys, text in rows:
        yield f"| {_keys(keys)} | {_cell(text.rstrip('…'))} |"
    yield ""


def _keys(text: str) -> str:
    return " or ".join(f"`{_cell(key)}`" for key in text.split("; "))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: list[str]) -> int:
    """Write the page; with --check only tell whether it is as it would be written."""
    if "--check" in arguments:
        return int(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
