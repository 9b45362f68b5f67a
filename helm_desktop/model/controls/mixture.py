"""The arithmetic of the draft of a mixture, in whole tenths of a percent that always sum to 100.0%."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction

WHOLE = 1000  # tenths of a percent


def apportion(weights: Sequence[Fraction | int], total: int) -> list[int]:
    """Split `total` by the weights with the largest remainder method; evenly when all weights are 0."""
    if not weights:
        return []
    summed = sum(weights, Fraction(0))
    if summed <= 0:
        weights, summed = [1] * len(weights), Fraction(len(weights))
    exact = [Fraction(weight) * total / summed for weight in weights]
    shares = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: (shares[place] - exact[place], place))
    for place in by_remainder[: total - sum(shares)]:
        shares[place] += 1
    return shares


def fraction_of(weight: object) -> Fraction:
    """Return the exact value of a weight, a number or a decimal string; 0 for anything else."""
    try:
        number = Decimal(str(weight))
    except InvalidOperation:
        return Fraction(0)
    return Fraction(number) if number.is_finite() and number > 0 else Fraction(0)


def shares_of(names: Sequence[str], weights: Mapping[str, object]) -> list[float]:
    """Return the share of each component, 0 to 1, without rounding to tenths of a percent."""
    exact = [fraction_of(weights.get(name, 0)) for name in names]
    total = sum(exact, Fraction(0))
    return [float(weight / total) if total else 0.0 for weight in exact]


class MixtureDraft:
    """The draft of a mixture in tenths of a percent. A locked component keeps its share."""

    def __init__(self, names: Sequence[str], weights: Mapping[str, object] | None = None) -> None:
        self.names = tuple(names)
        self._base = apportion([fraction_of((weights or {}).get(name, 0)) for name in self.names], WHOLE)
        self._tenths = list(self._base)
        self._locked: set[int] = set()

    @property
    def tenths(self) -> tuple[int, ...]:
        """The share of each component in tenths of a percent; they sum to 1000."""
        return tuple(self._tenths)

    @property
    def changed(self) -> bool:
        """Whether the draft differs from the weights that it began with."""
        return self._tenths != self._base

    def is_locked(self, index: int) -> bool:
        """Return True when a component is locked."""
        return index in self._locked

    def lock(self, index: int, on: bool) -> None:
        """Lock or unlock a component."""
        (self._locked.add if on else self._locked.discard)(index)

    def rebase(self, weights: Mapping[str, object]) -> None:
        """Discard the draft and its locks, and begin with other weights."""
        self._base = apportion([fraction_of(weights.get(name, 0)) for name in self.names], WHOLE)
        self._tenths = list(self._base)
        self._locked.clear()

    def set_base(self, weights: Mapping[str, object]) -> None:
        """Set the weights that the run uses now; a draft without changes and locks is replaced by them."""
        if not self.changed and not self._locked:
            self.rebase(weights)
        else:
            self._base = apportion([fraction_of(weights.get(name, 0)) for name in self.names], WHOLE)

    def fill(self, weights: Mapping[str, object]) -> None:
        """Set the draft to these weights, and remove all locks."""
        self._locked.clear()
        self._tenths = apportion([fraction_of(weights.get(name, 0)) for name in self.names], WHOLE)

    def drag(self, divider: int, share: float) -> None:
        """Set the share (0 to 1) of the component left of a divider; the right one gets the difference."""
        if divider in self._locked or divider + 1 in self._locked:
            return
        both = self._tenths[divider] + self._tenths[divider + 1]
        left = min(max(round(share * WHOLE), 0), both)
        self._tenths[divider : divider + 2] = [left, both - left]

    def set_tenths(self, index: int, tenths: int) -> None:
        """Set the share of a component; the others that are not locked are scaled in proportion.

        The share is limited by the locked ones. Nothing changes when all other components are locked.
        """
        others = [place for place in self._free() if place != index]
        if index in self._locked or not others:
            return
        available = self._tenths[index] + sum(self._tenths[place] for place in others)
        own = min(max(tenths, 0), available)
        self._tenths[index] = own
        self._spread(others, [self._tenths[place] for place in others], available - own)

    def even(self) -> None:
        """Set equal shares for all components that are not locked."""
        free = self._free()
        self._spread(free, [1] * len(free), sum(self._tenths[place] for place in free))

    def reset(self) -> None:
        """Reset components that are not locked to the proportions that the draft began with."""
        free = self._free()
        available = sum(self._tenths[place] for place in free)
        self._spread(free, [self._base[place] for place in free], available)

    def percent(self, index: int) -> str:
        """Return the share of a component in percent as "70.0"."""
        return f"{self._tenths[index] // 10}.{self._tenths[index] % 10}"

    def to_weights(self) -> dict[str, str]:
        """Return the weights as decimal strings that sum to exactly 1, such as "0.7"."""
        return {name: _decimal(tenths) for name, tenths in zip(self.names, self._tenths, strict=True)}

    def _free(self) -> list[int]:
        return [place for place in range(len(self.names)) if place not in self._locked]

    def _spread(self, places: list[int], weights: list[int], total: int) -> None:
        for place, share in zip(places, apportion(weights, total), strict=True):
            self._tenths[place] = share


def tenths_of(text: str) -> int | None:
    """Return the tenths of a percent in "12.5" or "12.5%"; None for other texts and above 100."""
    try:
        number = Decimal(text.strip().removesuffix("%").strip())
    except InvalidOperation:
        return None
    return round(number * 10) if number.is_finite() and 0 <= number <= 100 else None


def percent_text(tenths: int) -> str:
    """Return a text such as "70%" or "12.5%"."""
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}%" if rest else f"{whole}%"


def _decimal(tenths: int) -> str:
    return "1" if tenths == WHOLE else f"0.{tenths:03d}".rstrip("0").rstrip(".") or "0"
