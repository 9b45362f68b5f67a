"""Patterns of series names with variables, such as `health/layer{layer}/update_ratio`, and their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_VARIABLE = re.compile(r"\{([A-Za-z_]\w*)\}")
_PART = re.compile(r"\{[A-Za-z_]\w*\}|[/.:\s]+|\d+|(?:(?!\{[A-Za-z_]\w*\})[^/.:\s\d])+")
_SEPARATOR = re.compile(r"[/.:\s]+")


@dataclass(frozen=True, slots=True)
class NamePart:
    """A part of a name or pattern that can be clicked, or the separator between two such parts."""

    text: str
    start: int
    clickable: bool
    variable: str = ""  # the name of the variable, where the part is one


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name that matches a pattern, and the value of each variable in it."""

    name: str
    values: tuple[str, ...]


def variables(pattern: str) -> tuple[str, ...]:
    """Return the variables of a pattern, each once, in order."""
    return tuple(dict.fromkeys(_VARIABLE.findall(pattern)))


def parts(text: str) -> list[NamePart]:
    """Split a name or pattern at separators and where a number begins or ends."""
    found = []
    for match in _PART.finditer(text):
        piece = match.group()
        variable = _VARIABLE.fullmatch(piece)
        clickable = not _SEPARATOR.fullmatch(piece)
        found.append(NamePart(piece, match.start(), clickable, variable.group(1) if variable else ""))
    return found


def make_variable(text: str, start: int, name: str = "") -> str:
    """Return the pattern with the part at the character `start` as a variable; unchanged where that fails."""
    pieces = parts(text)
    at = next((i for i, part in enumerate(pieces) if part.start <= start < part.start + len(part.text)), -1)
    if at < 0 or not pieces[at].clickable or pieces[at].variable:
        return text
    part = pieces[at]
    chosen = name or _unused(_suggest(pieces, at), variables(text))
    return f"{text[: part.start]}{{{chosen}}}{text[part.start + len(part.text) :]}"


def rename_variable(pattern: str, old: str, new: str) -> str:
    """Return the pattern with a variable renamed; unchanged when the new name cannot be used."""
    if not re.fullmatch(r"[A-Za-z_]\w*", new) or (new != old and new in variables(pattern)):
        return pattern
    return pattern.replace(f"{{{old}}}", f"{{{new}}}")


def remove_variable(pattern: str, variable: str, value: str) -> str:
    """Return the pattern with a value in place of a variable."""
    return pattern.replace(f"{{{variable}}}", value)


def fill(pattern: str, values: Mapping[str, str]) -> str:
    """Return the name that results from a pattern with these values of its variables."""
    return _VARIABLE.sub(lambda match: values.get(match.group(1), match.group()), pattern)


def matches(pattern: str, names: Iterable[str]) -> list[NameMatch]:
    """Return the names that match a pattern, in the natural order of their values: 2 before 10."""
    shape, order = _shape(pattern), variables(pattern)
    found = [(name, shape.fullmatch(name)) for name in names]
    made = [NameMatch(name, tuple(match.group(v) for v in order)) for name, match in found if match]
    return sorted(made, key=lambda match: ([natural(value) for value in match.values], match.name))


def values_of(pattern: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the values of each variable that are found in the names, in natural order."""
    found = matches(pattern, names)
    return {
        variable: sorted({match.values[at] for match in found}, key=natural)
        for at, variable in enumerate(variables(pattern))
    }


def value_text(pattern: str, values: Sequence[str]) -> str:
    """Return the values of a pattern's variables as a text: "layer 2 · q_proj"; numbers are named."""
    pairs = zip(variables(pattern), values, strict=False)
    texts = [f"{variable} {value}" if value.isdecimal() else value for variable, value in pairs]
    return " · ".join(texts) or " · ".join(values)


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key to sort texts by that orders the numbers in them as numbers."""
    return tuple(
        (0, int(piece), "") if piece.isdecimal() else (1, 0, piece)
        for piece in re.split(r"(\d+)", text)
        if piece
    )


@cache
def _shape(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern. A variable matches no slash and no adjacent separator."""
    made, seen, at = [], set(), 0
    for match in _VARIABLE.finditer(pattern):
        made.append(re.escape(pattern[at : match.start()]))
        name, before, after = (
            match.group(1),
            pattern[match.start() - 1 : match.start()],
            pattern[match.end() :],
        )
        excluded = "/" + "".join(mark for mark in ".:" if mark in (before, after[:1]))
        if name in seen:
            made.append(f"(?P={name})")
        elif before.isalpha():  # directly after a letter only a number matches: layer0, not layernorm
            made.append(rf"(?P<{name}>\d[^{excluded}]*?)")
        else:
            made.append(f"(?P<{name}>[^{excluded}]+?)")
        seen.add(name)
        at = match.end()
    made.append(re.escape(pattern[at:]))
    return re.compile("".join(made))


def _suggest(pieces: Sequence[NamePart], at: int) -> str:
    """Return a name for a new variable: `layer` for the 0 of layer0 and of layers.0, otherwise `value`."""
    before = pieces[at - 1] if at else None
    if before is not None and not before.clickable and pieces[at].text.isdecimal() and at > 1:
        before = pieces[at - 2]
    if before is not None and before.clickable and not before.variable:
        word = "".join(re.findall(r"[A-Za-z_]+", before.text)).strip("_")
        if word and pieces[at].text.isdecimal():
            return word.removesuffix("s") if len(word) > 2 else word
    return "value"


def _unused(name: str, used: Sequence[str]) -> str:
    if name not in used:
        return name
    return next(f"{name}{at}" for at in range(2, 1000) if f"{name}{at}" not in used)
