"""Write the manual's page of keys from the records of the actions: run by `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from helm_desktop.actions.key_rows import as_markdown, key_groups
from helm_desktop.actions.places import PLACES
from helm_desktop.actions.tables import ALL

PAGE = Path(__file__).resolve().parent.parent / "resources" / "docs" / "manual" / "keys.md"
HEAD = """\
# Keys

**F1** shows the same list in the window. Every key of the menus can be changed in **File → Settings…**, at
**Shortcuts**.
This page is made from the records of the actions (`helm_desktop/actions/`).
"""


def page() -> str:
    """Return the page."""
    return f"{HEAD}\n{as_markdown(key_groups([*ALL, *PLACES]))}"


def main(arguments: list[str]) -> int:
    """Write the page; with --check only tell whether it is as it would be written."""
    if "--check" in arguments:
        return int(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
