"""A chart while it is edited: its specification, and the streams of a run that it matches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from helm_desktop.format import plural
from helm_desktop.model.chart.expression import ExpressionError, names_in, parse
from helm_desktop.model.chart.spec import ChartSpec, DerivedCurve
from helm_desktop.model.series import name_patterns as naming
from helm_desktop.model.series.series_model import Series

SOURCE = "source"


class DraftError(ValueError):
    """An edit that cannot be made; the message is a sentence to be shown."""


@dataclass(frozen=True)
class VariableValue:
    """A value of a variable that was found in the names of streams."""

    text: str
    on: bool  # whether its series are drawn


@dataclass(frozen=True)
class Variable:
    """A variable of the patterns, with the values that were found for it."""

    name: str
    values: tuple[VariableValue, ...]

    @property
    def all_on(self) -> bool:
        """Whether every value is drawn. Values that are found later are drawn then too."""
        return all(value.on for value in self.values)


class ChartDraft:
    """The draft of a chart with undo and redo. Its edits reach the board only when they are applied."""

    def __init__(self, spec: ChartSpec, names: Sequence[str] = (), sources: Iterable[str] = ()) -> None:
        self.spec = spec
        self.names = tuple(names)
        self._sources = frozenset(sources)  # the components of the run's mixtures
        self._past: list[ChartSpec] = []
        self._future: list[ChartSpec] = []

    def push_undo(self, before: ChartSpec) -> None:
        """Add an undo step back to the specification before, unless that is the same."""
        if before != self.spec:
            self._past.append(before)
            self._future.clear()

    def undo(self) -> bool:
        """Undo the last step; return False when there is none."""
        return self._restore(self._past, self._future)

    def redo(self) -> bool:
        """Redo the step that was undone last; return False when there is none."""
        return self._restore(self._future, self._past)

    def _restore(self, source: list[ChartSpec], other: list[ChartSpec]) -> bool:
        if not source:
            return False
        other.append(self.spec)
        self.spec = source.pop()
        return True

    def matches(self) -> list[str]:
        """Return the names of the streams that are drawn, each once, in order."""
        known = dict.fromkeys(self.names)
        found: dict[str, None] = {}
        for text in self.spec.series:
            found |= dict.fromkeys(self._found(text, known))
        return [name for name in found if name not in self.spec.left_out]

    def variables(self) -> list[Variable]:
        """Return the variables of all patterns."""
        values: dict[str, dict[str, bool]] = {}
        for text in self._patterns():
            order = naming.variables(text)
            for match in naming.matches(text, self.names):
                for variable, value in zip(order, match.values, strict=True):
                    on = match.name not in self.spec.left_out
                    seen = values.setdefault(variable, {})
                    seen[value] = seen.get(value, False) or on
            for variable in order:
                values.setdefault(variable, {})
        return [
            Variable(
                name, tuple(VariableValue(text, seen[text]) for text in sorted(seen, key=naming.natural))
            )
            for name, seen in values.items()
        ]

    def set(self, **parts: object) -> None:
        """Change parts of the specification; raise DraftError when they do not fit together."""
        try:
            self.spec = self.spec.with_(**parts)
        except ValueError as error:
            raise DraftError(str(error)) from None

    # Series --------------------------------------------------------------------------------------

    def add_series(self, text: str) -> None:
        """Add a stream by its name, or a pattern with variables."""
        text = text.strip()
        if not text:
            raise DraftError("Type a name, or a pattern such as loss/{source}")
        if text in self.spec.series:
            raise DraftError(f"{text} is in the chart already")
        if not self._found(text, dict.fromkeys(self.names)):
            what = "matches" if naming.variables(text) else "is named"
            raise DraftError(f"No stream of this run {what} {text}")
        self.set(series=(*self.spec.series, text))

    def remove_series(self, at: int) -> None:
        """Remove the name or pattern at an index."""
        self.set(series=(*self.spec.series[:at], *self.spec.series[at + 1 :]))
        self._clean_left_out()

    def replace_series(self, at: int, text: str) -> None:
        """Replace the name or pattern at an index."""
        before = self.spec
        if text.strip() == before.series[at]:
            return
        self.set(series=(*before.series[:at], *before.series[at + 1 :]))
        try:
            self.add_series(text)
        except DraftError:
            self.spec = before
            raise
        *rest, last = self.spec.series
        self.set(series=(*rest[:at], last, *rest[at:]))
        self._clean_left_out()

    # Variables -----------------------------------------------------------------------------------

    def make_variable(self, at: int, start: int, name: str = "") -> str:
        """Make the part that begins at `start` in the name at an index a variable; return its name."""
        text = self.spec.series[at]
        clicked = next((part.text for part in naming.parts(text) if part.start == start), "")
        if not name and clicked in self._sources and SOURCE not in naming.variables(text):
            name = SOURCE
        pattern = naming.make_variable(text, start, name)
        new = [one for one in naming.variables(pattern) if one not in naming.variables(text)]
        if not new:
            raise DraftError("Click a part of the name between its separators, such as the 0 of layer0")
        matched = {match.name for match in naming.matches(pattern, self.names)}
        rest = [one for n, one in enumerate(self.spec.series) if n != at and one not in matched]
        self.set(series=(*rest[: min(at, len(rest))], pattern, *rest[min(at, len(rest)) :]))
        return new[0]

    def rename_variable(self, old: str, new: str) -> None:
        """Rename a variable in every pattern."""
        new = new.strip().strip("{}")
        if new == old:
            return
        if not re.fullmatch(r"[A-Za-z_]\w*", new):
            raise DraftError("A variable's name begins with a letter and has letters, digits and _ only")
        if any(new in naming.variables(text) for text in self.spec.series):
            raise DraftError(f"There is a variable {new} already")
        self.set(series=tuple(naming.rename_variable(text, old, new) for text in self.spec.series))

    def remove_variable(self, name: str) -> None:
        """Replace a variable by its first value that is drawn."""
        found = next((one for one in self.variables() if one.name == name), None)
        drawn = [value.text for value in found.values if value.on] if found is not None else []
        value = (drawn or [value.text for value in found.values] if found is not None else []) or [name]
        made = (naming.remove_variable(text, name, value[0]) for text in self.spec.series)
        self.set(series=tuple(dict.fromkeys(made)))
        self._clean_left_out()

    def switch_value(self, variable: str, value: str, on: bool) -> None:
        """Set whether the series of one value of a variable are drawn."""
        mine = [
            match.name
            for text in self._patterns()
            if variable in naming.variables(text)
            for match in naming.matches(text, self.names)
            if match.values[naming.variables(text).index(variable)] == value
        ]
        kept = [name for name in self.spec.left_out if name not in mine]
        left_out = tuple(kept if on else dict.fromkeys([*kept, *mine]))
        before = self.spec
        self.set(left_out=left_out)
        if not self.matches() and not self.spec.derived:
            self.spec = before
            raise DraftError("At least one value has to stay in the chart")

    def all_values(self) -> None:
        """Draw every value of every variable, also values that are found later."""
        self.set(left_out=())

    # Derived curves ------------------------------------------------------------------------------

    def problem_of(self, expression: str) -> str:
        """Return why an expression cannot be drawn, in one sentence; empty when it can be."""
        try:
            parts = names_in(parse(expression))
        except ExpressionError as error:
            text = str(error)
            return text[:1].upper() + text[1:]
        missing = [name for name in parts if name not in self.names]
        if not missing:
            return ""
        unquoted = next((name for name in self.names if name.startswith(f"{missing[0]}/")), "")
        hint = f'. Put names with / in quotes: "{unquoted}"' if unquoted else ""
        return f"No stream of this run is named {missing[0]}{hint}"

    def set_derived(self, at: int, expression: str, name: str = "") -> None:
        """Set the derived curve at an index, or add one at the end; raise DraftError for a bad expression."""
        problem = self.problem_of(expression)
        if problem:
            raise DraftError(problem)
        made = DerivedCurve(expression.strip(), name.strip())
        derived = list(self.spec.derived)
        derived[at : at + 1] = [made]
        self.set(derived=tuple(derived))

    def remove_derived(self, at: int) -> None:
        """Remove the derived curve at an index."""
        self.set(derived=(*self.spec.derived[:at], *self.spec.derived[at + 1 :]))

    def _patterns(self) -> list[str]:
        return [text for text in self.spec.series if naming.variables(text) and text not in self.names]

    def _found(self, text: str, known: dict[str, None]) -> list[str]:
        return [text] if text in known else [match.name for match in naming.matches(text, self.names)]

    def _clean_left_out(self) -> None:
        """Remove names from `left_out` that no pattern matches any more."""
        known = dict.fromkeys(self.names)
        everything = {name for text in self.spec.series for name in self._found(text, known)}
        kept = tuple(name for name in self.spec.left_out if name in everything or name not in known)
        self.set(left_out=kept if self._patterns() else ())


def matched_text(draft: ChartDraft, known: Mapping[str, Series]) -> str:
    """Return a text with the number of series that a draft matches, and of those with non-finite values."""
    found = draft.matches()
    if not found and any(naming.variables(text) for text in draft.spec.series):
        return "No stream of this run fits the pattern"
    non_finite = [known[name].non_finite for name in found if name in known and known[name].non_finite]
    text = f"{len(found):,} series match" if len(found) != 1 else "1 series matches"
    if non_finite:
        has = "has" if len(non_finite) == 1 else "have"
        points = plural(sum(non_finite), "point")
        text += f", {len(non_finite):,} {has} non-finite values ({points}, marked ×)"
    return text
