"""A chart while it is edited: its spec, and what each part of it finds among the streams of a run."""

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
    """Something that cannot be done; the message is a sentence for the reader."""


@dataclass(frozen=True)
class VariableValue:
    """A value found for a variable."""

    text: str
    on: bool  # whether its series are drawn


@dataclass(frozen=True)
class Variable:
    """A variable of the patterns, with the values found."""

    name: str
    values: tuple[VariableValue, ...]

    @property
    def all_on(self) -> bool:
        """Whether every value is drawn, those that come later too."""
        return all(value.on for value in self.values)


class ChartDraft:
    """Changes its spec only; nobody else sees it until it is applied."""

    def __init__(self, spec: ChartSpec, names: Sequence[str] = (), sources: Iterable[str] = ()) -> None:
        self.spec = spec
        self.names = tuple(names)
        self._sources = frozenset(sources)  # the components of the run's mixtures
        self._past: list[ChartSpec] = []
        self._future: list[ChartSpec] = []

    def push_undo(self, before: ChartSpec) -> None:
        """What the draft was can be gone back to."""
        if before != self.spec:
            self._past.append(before)
            self._future.clear()

    def undo(self) -> bool:
        """Back to what was kept last; whether there was anything."""
        return self._turn(self._past, self._future)

    def redo(self) -> bool:
        """On again to what was undone; whether there was anything."""
        return self._turn(self._future, self._past)

    def _turn(self, out: list[ChartSpec], into: list[ChartSpec]) -> bool:
        if not out:
            return False
        into.append(self.spec)
        self.spec = out.pop()
        return True

    def matches(self) -> list[str]:
        """Return the streams that are drawn, each once, in order."""
        known = dict.fromkeys(self.names)
        found: dict[str, None] = {}
        for text in self.spec.series:
            found |= dict.fromkeys(self._found(text, known))
        return [name for name in found if name not in self.spec.left_out]

    def variables(self) -> list[Variable]:
        """Return every variable of the patterns."""
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
        """Other parts of the spec; DraftError when they do not fit."""
        try:
            self.spec = self.spec.with_(**parts)
        except ValueError as error:
            raise DraftError(str(error)) from None

    # Series --------------------------------------------------------------------------------------

    def add_series(self, text: str) -> None:
        """A stream by its name, or a pattern with variables."""
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
        """One of the names or patterns goes."""
        self.set(series=(*self.spec.series[:at], *self.spec.series[at + 1 :]))
        self._tidy()

    def replace_series(self, at: int, text: str) -> None:
        """Another name or pattern in its place."""
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
        self._tidy()

    # Variables -----------------------------------------------------------------------------------

    def make_variable(self, at: int, start: int, name: str = "") -> str:
        """Make the part of a series' name that begins at `start` a variable; return the variable's name."""
        text = self.spec.series[at]
        clicked = next((part.text for part in naming.parts(text) if part.start == start), "")
        if not name and clicked in self._sources and SOURCE not in naming.variables(text):
            name = SOURCE
        pattern = naming.make_variable(text, start, name)
        fresh = [one for one in naming.variables(pattern) if one not in naming.variables(text)]
        if not fresh:
            raise DraftError("Click a part of the name between its separators, such as the 0 of layer0")
        caught = {match.name for match in naming.matches(pattern, self.names)}
        rest = [one for n, one in enumerate(self.spec.series) if n != at and one not in caught]
        self.set(series=(*rest[: min(at, len(rest))], pattern, *rest[min(at, len(rest)) :]))
        return fresh[0]

    def rename_variable(self, old: str, new: str) -> None:
        """Another name for a variable, in every pattern."""
        new = new.strip().strip("{}")
        if new == old:
            return
        if not re.fullmatch(r"[A-Za-z_]\w*", new):
            raise DraftError("A variable's name begins with a letter and has letters, digits and _ only")
        if any(new in naming.variables(text) for text in self.spec.series):
            raise DraftError(f"There is a variable {new} already")
        self.set(series=tuple(naming.rename_variable(text, old, new) for text in self.spec.series))

    def remove_variable(self, name: str) -> None:
        """Its first value stands in the pattern again."""
        found = next((one for one in self.variables() if one.name == name), None)
        drawn = [value.text for value in found.values if value.on] if found is not None else []
        value = (drawn or [value.text for value in found.values] if found is not None else []) or [name]
        made = (naming.remove_variable(text, name, value[0]) for text in self.spec.series)
        self.set(series=tuple(dict.fromkeys(made)))
        self._tidy()

    def switch_value(self, variable: str, value: str, on: bool) -> None:
        """Draw the series of one value of a variable, or not."""
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
            raise DraftError("One value at least stays in the chart")

    def all_values(self) -> None:
        """Draw every value of every variable, and new ones as they come."""
        self.set(left_out=())

    # Derived curves ------------------------------------------------------------------------------

    def problem_of(self, expression: str) -> str:
        """Return why an expression cannot be drawn, in one sentence; empty when it can."""
        try:
            parts = names_in(parse(expression))
        except ExpressionError as error:
            text = str(error)
            return text[:1].upper() + text[1:]
        missing = [name for name in parts if name not in self.names]
        if not missing:
            return ""
        unquoted = next((name for name in self.names if name.startswith(f"{missing[0]}/")), "")
        hint = f'. Names with / stand in quotes, as "{unquoted}"' if unquoted else ""
        return f"No stream of this run is named {missing[0]}{hint}"

    def set_derived(self, at: int, expression: str, name: str = "") -> None:
        """An expression in a place, or one more at the end."""
        problem = self.problem_of(expression)
        if problem:
            raise DraftError(problem)
        made = DerivedCurve(expression.strip(), name.strip())
        derived = list(self.spec.derived)
        derived[at : at + 1] = [made]
        self.set(derived=tuple(derived))

    def remove_derived(self, at: int) -> None:
        """An expression goes."""
        self.set(derived=(*self.spec.derived[:at], *self.spec.derived[at + 1 :]))

    def _patterns(self) -> list[str]:
        return [text for text in self.spec.series if naming.variables(text) and text not in self.names]

    def _found(self, text: str, known: dict[str, None]) -> list[str]:
        return [text] if text in known else [match.name for match in naming.matches(text, self.names)]

    def _tidy(self) -> None:
        """Forget names that are left out and that no pattern would draw anyway."""
        known = dict.fromkeys(self.names)
        everything = {name for text in self.spec.series for name in self._found(text, known)}
        kept = tuple(name for name in self.spec.left_out if name in everything or name not in known)
        self.set(left_out=kept if self._patterns() else ())


def matched_words(draft: ChartDraft, known: Mapping[str, Series]) -> str:
    """Return how many series a draft finds, and how many of them hold what is not finite."""
    found = draft.matches()
    if not found and any(naming.variables(text) for text in draft.spec.series):
        return "No stream of this run fits the pattern"
    odd = [known[name].non_finite for name in found if name in known and known[name].non_finite]
    words = f"{len(found):,} series match" if len(found) != 1 else "1 series matches"
    if odd:
        has = "has" if len(odd) == 1 else "have"
        words += f", {len(odd):,} {has} non-finite values ({plural(sum(odd), 'point')}, marked ×)"
    return words
