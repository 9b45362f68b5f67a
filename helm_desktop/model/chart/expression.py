"""Expressions over series: parsed into a tree, and computed on rows that are joined by step.

The text is never executed as Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from helm_desktop.model.series.moving_mean import moving_mean
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.series_rows import NO_ROWS, SeriesRows, shared_steps

_TOKEN = re.compile(
    r"\s*(?:(?P<quoted>\"[^\"]*\"|'[^']*')|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/(),]))"
)
_DEEPEST = 60
HELP = "Series in quotes, + - * /, ratio(a, b), difference(a, b), product(a, b), mean(a, 100), derivative(a)"


class ExpressionError(ValueError):
    """An expression that cannot be used; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class NumberNode:
    """A constant."""

    value: float


@dataclass(frozen=True, slots=True)
class SeriesNode:
    """A series by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class OperationNode:
    """An operation on one or two parts."""

    what: str
    parts: tuple[Node, ...]


Node = NumberNode | SeriesNode | OperationNode
_BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "difference": np.subtract,
    "sum": np.add,
    "product": np.multiply,
    "ratio": np.divide,
}
_SIGNS = {"-": "difference", "+": "sum", "*": "product", "/": "ratio"}
_FUNCTIONS = {**dict.fromkeys(_BINARY, 2), "mean": 2, "derivative": 1, "abs": 1}


def parse(text: str) -> Node:
    """Return the tree of an expression. Raises ExpressionError."""
    if not text.strip():
        raise ExpressionError("the expression is empty; " + HELP)
    parser = _Parser(_tokens(text))
    node = parser.sum()
    if parser.peek():
        raise ExpressionError(f"{parser.peek()} is not expected after a whole expression")
    if not names_in(node):
        raise ExpressionError("the expression has no series in it; put a name in quotes")
    return node


def names_in(node: Node) -> tuple[str, ...]:
    """Return the names of the series in an expression, each once."""
    match node:
        case SeriesNode(name):
            return (name,)
        case OperationNode(_, parts):
            return tuple(dict.fromkeys(name for part in parts for name in names_in(part)))
    return ()


def lookback(node: Node) -> int:
    """Return the number of rows before a row that its value depends on."""
    if not isinstance(node, OperationNode):
        return 0
    own = 1 if node.what == "derivative" else 0
    if node.what == "mean":
        own = int(_constant(node.parts[1])) - 1
    return own + max(lookback(part) for part in node.parts)


def compute(node: Node, rows: Mapping[str, SeriesRows]) -> SeriesRows:
    """Return the values of an expression at the steps that all of its series have."""
    with np.errstate(all="ignore"):
        result = _compute(node, rows)
    return result if isinstance(result, SeriesRows) else NO_ROWS


def _compute(node: Node, rows: Mapping[str, SeriesRows]) -> SeriesRows | float:
    match node:
        case NumberNode(value):
            return value
        case SeriesNode(name):
            return rows.get(name, NO_ROWS)
        case OperationNode(what, parts):
            inputs = [_compute(part, rows) for part in parts]
            if what in _BINARY:
                return _join(_BINARY[what], inputs[0], inputs[1])
            operand = inputs[0]
            if not isinstance(operand, SeriesRows):
                return abs(operand) if what == "abs" else 0.0 if what == "derivative" else operand
            if what == "mean":
                return operand.valued(moving_mean(operand.values, int(_constant(parts[1]))))
            return operand.valued(np.abs(operand.values)) if what == "abs" else _slope(operand)
    raise AssertionError(node)


def _join(
    operation: Callable[[Array, Array], Array], a: SeriesRows | float, b: SeriesRows | float
) -> SeriesRows | float:
    if isinstance(a, SeriesRows) and isinstance(b, SeriesRows):
        left, right = shared_steps(a, b)
        a = a.select(left)
        return a.valued(operation(a.values, b.values[right]))
    if isinstance(a, SeriesRows):
        return a.valued(operation(a.values, np.float64(b)))  # type: ignore[arg-type]
    if isinstance(b, SeriesRows):
        return b.valued(operation(np.float64(a), b.values))  # type: ignore[arg-type]
    return float(operation(np.float64(a), np.float64(b)))  # type: ignore[arg-type]


def _slope(rows: SeriesRows) -> SeriesRows:
    """Return the change per step since the point before; the first point has none and is left out."""
    later = rows.select(slice(1, None))
    return later.valued(np.diff(rows.values) / np.diff(rows.steps))


def _constant(node: Node) -> float:
    if not isinstance(node, NumberNode) or node.value != int(node.value) or not 1 <= node.value <= 1_000_000:
        raise ExpressionError("mean needs a whole number of points from 1 on, as in mean(a, 100)")
    return node.value


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            rest = text[at:].strip()
            if rest[0] in "\"'":
                raise ExpressionError(f"the quote before {rest[1:20]} is not closed")
            raise ExpressionError(f"{rest[0]} means nothing here; put names of series in quotes")
        found.append(match.group().strip())
        at = match.end()
    return found


class _Parser:
    """A parser by recursive descent: a sum of products of parts."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next_token(self) -> str:
        token = self.peek()
        self._at += 1
        return token

    def sum(self) -> Node:
        node = self._product()
        while self.peek() in ("+", "-") and self.peek():
            node = OperationNode(_SIGNS[self._next_token()], (node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._part()
        while self.peek() in ("*", "/") and self.peek():
            node = OperationNode(_SIGNS[self._next_token()], (node, self._part()))
        return node

    def _part(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ExpressionError("the expression is nested too deeply")
        try:
            return self._one()
        finally:
            self._depth -= 1

    def _one(self) -> Node:
        token = self._next_token()
        if token == "-":
            return OperationNode("difference", (NumberNode(0.0), self._part()))
        if token == "(":
            node = self.sum()
            self._close("(")
            return node
        if token[:1] in ("'", '"') and token:
            if len(token) == 2:
                raise ExpressionError("a name in quotes is empty")
            return SeriesNode(token[1:-1])
        if token[:1].isdigit() or (token[:1] == "." and token):
            return NumberNode(float(token))
        if token[:1].isalpha() or token[:1] == "_":
            return self._call(token) if self.peek() == "(" else SeriesNode(token)
        where = f"before {token}" if token else "at the end"
        raise ExpressionError(f"a series or a number is missing {where}")

    def _call(self, name: str) -> Node:
        if name not in _FUNCTIONS:
            raise ExpressionError(f"{name} is not known; there are {', '.join(sorted(_FUNCTIONS))}")
        self._next_token()
        parts = [self.sum()]
        while self.peek() == ",":
            self._next_token()
            parts.append(self.sum())
        self._close(f"{name}(")
        if len(parts) != _FUNCTIONS[name]:
            wanted = "one part" if _FUNCTIONS[name] == 1 else "two parts"
            raise ExpressionError(f"{name} takes {wanted}, not {len(parts)}")
        if name == "mean":
            _constant(parts[1])
        return OperationNode(name, tuple(parts))

    def _close(self, opened: str) -> None:
        if self._next_token() != ")":
            raise ExpressionError(f"the bracket of {opened} is not closed")
