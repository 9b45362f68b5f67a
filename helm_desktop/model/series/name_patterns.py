"""Variables in the names of series: `health/layer{layer}/update_ratio` and the values found for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_VARIABLE = re.compile(r"\{([A-Za-z_]\w*)\}")
_PART = re.compile(r"\{[A-Za-z_]\w*\}|[/.:\s]+|\d+|(?:(?!\{[A-Za-z_]\w*\})[^/.:\s\d])+")
_BETWEEN = re.compile(r"[/.:\s]+")


@dataclass(frozen=True, slots=True)
class NamePart:
    """A piece of a name or pattern that can be clicked, or what stands between two of them."""

    text: str
    start: int
    clickable: bool
    variable: str = ""  # its name, where the piece is a variable already


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name that a pattern fits, and the value of each variable in it."""

    name: str
    values: tuple[str, ...]


def variables(pattern: str) -> tuple[str, ...]:
    """Return the variables of a pattern, each once, in order."""
    return tuple(dict.fromkeys(_VARIABLE.findall(pattern)))


def parts(text: str) -> list[NamePart]:
    """Return a name cut where it can be clicked: at separators, and where a number begins or ends."""
    found = []
    for match in _PART.finditer(text):
        piece = match.group()
        variable = _VARIABLE.fullmatch(piece)
        clickable = not _BETWEEN.fullmatch(piece)
        found.append(NamePart(piece, match.start(), clickable, variable.group(1) if variable else ""))
    return found


def make_variable(text: str, start: int, name: str = "") -> str:
    """Return the pattern in which the part that begins at `start` is a variable."""
    pieces = parts(text)
    at = next((i for i, part in enumerate(pieces) if part.start <= start < part.start + len(part.text)), -1)
    if at < 0 or not pieces[at].clickable or pieces[at].variable:
        return text
    part = pieces[at]
    chosen = name or _unused(_suggest(pieces, at), variables(text))
    return f"{text[: part.start]}{{{chosen}}}{text[part.start + len(part.text) :]}"


def rename_variable(pattern: str, old: str, new: str) -> str:
    """Return the pattern with a variable under another name; as it was when that name cannot be used."""
    if not re.fullmatch(r"[A-Za-z_]\w*", new) or (new != old and new in variables(pattern)):
        return pattern
    return pattern.replace(f"{{{old}}}", f"{{{new}}}")


def remove_variable(pattern: str, variable: str, value: str) -> str:
    """Return the pattern with a value in place of a variable."""
    return pattern.replace(f"{{{variable}}}", value)


def fill(pattern: str, values: Mapping[str, str]) -> str:
    """Return the name that a pattern stands for with these values."""
    return _VARIABLE.sub(lambda match: values.get(match.group(1), match.group()), pattern)


def matches(pattern: str, names: Iterable[str]) -> list[NameMatch]:
    """Return the names that a pattern fits, in the natural order of their values: 2 before 10."""
    shape, order = _shape(pattern), variables(pattern)
    found = [(name, shape.fullmatch(name)) for name in names]
    made = [NameMatch(name, tuple(match.group(v) for v in order)) for name, match in found if match]
    return sorted(made, key=lambda match: ([natural(value) for value in match.values], match.name))


def values_of(pattern: str, names: Iterable[str]) -> dict[str, list[str]]:
    """For each variable the values found in the names, in natural order."""
    found = matches(pattern, names)
    return {
        variable: sorted({match.values[at] for match in found}, key=natural)
        for at, variable in enumerate(variables(pattern))
    }


def value_words(pattern: str, values: Sequence[str]) -> str:
    """The values of a pattern's variables as they are told: "layer 2 · q_proj"; a number says of what."""
    pairs = zip(variables(pattern), values, strict=False)
    reported = [f"{variable} {value}" if value.isdecimal() else value for variable, value in pairs]
    return " · ".join(reported) or " · ".join(values)


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key by which numbers inside of texts are ordered as numbers."""
    return tuple(
        (0, int(piece), "") if piece.isdecimal() else (1, 0, piece)
        for piece in re.split(r"(\d+)", text)
        if piece
    )


@cache
def _shape(pattern: str) -> re.Pattern[str]:
    """What a name has to look like. A variable ends at a slash, and at whatever separator adjoins it."""
    made, seen, at = [], set(), 0
    for match in _VARIABLE.finditer(pattern):
        made.append(re.escape(pattern[at : match.start()]))
        name, before, after = (
            match.group(1),
            pattern[match.start() - 1 : match.start()],
            pattern[match.end() :],
        )
        banned = "/" + "".join(mark for mark in ".:" if mark in (before, after[:1]))
        if name in seen:
            made.append(f"(?P={name})")
        elif before.isalpha():  # right after a letter it stands for a number: layer0, not layernorm
            made.append(rf"(?P<{name}>\d[^{banned}]*?)")
        else:
            made.append(f"(?P<{name}>[^{banned}]+?)")
        seen.add(name)
        at = match.end()
    made.append(re.escape(pattern[at:]))
    return re.compile("".join(made))


def _suggest(pieces: Sequence[NamePart], at: int) -> str:
    """`layer` for the 0 of layer0 and of layers.0; otherwise a plain word."""
    before = pieces[at - 1] if at else None
    if before is not None and not before.clickable and pieces[at].text.isdecimal() and at > 1:
        before = pieces[at - 2]
    if before is not None and before.clickable and not before.variable:
        word = "".join(re.findall(r"[A-Za-z_]+", before.text)).strip("_")
        if word and pieces[at].text.isdecimal():
            return word.removesuffix("s") if len(word) > 2 else word
    return "value"


def _unused(name: str, taken: Sequence[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name}{at}" for at in range(2, 1000) if f"{name}{at}" not in taken)
