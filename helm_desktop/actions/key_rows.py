"""The rows of the sheet of keys, and of the same sheet in the manual, from the records of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from helm_desktop.actions.spec import ActionSpec

Row = tuple[str, str]  # keys, and what they do
Group = tuple[str, Sequence[Row]]  # the title of a menu or a place, and its rows
_NAMES: Final = {
    "Left": "←",
    "Right": "→",
    "Up": "↑",
    "Down": "↓",
    "Del": "Delete",
    "Ins": "Insert",
    "PgUp": "Page Up",
    "PgDown": "Page Down",
}


def key_name(keys: str) -> str:
    """Return what is printed on the keys that Qt's portable text names: "Shift+←"."""
    last = "+" if keys.endswith("+") else keys.rsplit("+", 1)[-1]
    return keys[: len(keys) - len(last)] + _NAMES.get(last, last)


def table_words(spec: ActionSpec) -> str:
    """Return the keys of an action as the tables have them. Of a place's keys the first one is enough."""
    return key_name(spec.keys[0]) if spec.place and spec.keys else " or ".join(map(key_name, spec.keys))


def key_groups(
    specs: Iterable[ActionSpec], words: Callable[[ActionSpec], str] = table_words
) -> Iterator[Group]:
    """Yield the rows of each menu and place. Keys one after the other that share a text share a row."""
    groups: dict[str, dict[str, list[str]]] = {}
    for spec in specs:
        keys = words(spec)
        if keys and spec.text:
            shared = groups.setdefault(spec.place or spec.menu, {}).setdefault(spec.text.rstrip("…"), [])
            if keys not in shared:
                shared.append(keys)
    for title, rows in groups.items():
        yield title, [(" ".join(keys), text) for text, keys in rows.items()]


def as_markdown(groups: Iterable[Group], level: int = 2) -> str:
    """Return the rows as Markdown: below each title, as a heading of this level, a table."""
    lines: list[str] = []
    for title, rows in groups:
        lines += [f"{'#' * level} {title}", "", "| Keys | What they do |", "|---|---|"]
        lines += [f"| `{_escaped(keys)}` | {_escaped(text)} |" for keys, text in rows]
        lines.append("")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
