"""Numbers, sizes and times in the words of the screen."""

import math
from decimal import Decimal, InvalidOperation

_UNITS = ("B", "KB", "MB", "GB", "TB", "PB")


def number(value: float | int | str | Decimal | None, digits: int = 3) -> str:
    """A number tersely: 3.00e-3, 0.412, 1.0, 212, 6.1k, 4.2M. Text that is no number stays as it is."""
    if value is None:
        return ""
    try:
        exact = float(value)
    except (ValueError, InvalidOperation, OverflowError):
        return str(value)
    if not math.isfinite(exact):
        return "nan" if math.isnan(exact) else "inf" if exact > 0 else "-inf"
    size = abs(exact)
    if size == 0:
        return "0" if isinstance(value, int) else "0.0"
    if size < 0.01 or size >= 1e15:
        return _scientific(exact, digits)
    if isinstance(value, int) and size < 10_000:
        return str(value)
    if size >= 999.5:
        return _large(exact)
    return _trimmed(exact, digits)


def _large(value: float) -> str:
    for bound, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= bound * 0.99995 or suffix == "k":
            return f"{value / bound:.1f}".removesuffix(".0") + suffix
    raise AssertionError


def _scientific(value: float, digits: int) -> str:
    mantissa, _, exponent = f"{value:.{max(0, digits - 1)}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def _trimmed(value: float, digits: int) -> str:
    """`digits` figures, no zeros at the end but one after the point."""
    whole = len(str(int(abs(value))))
    places = max(1, digits - whole) if abs(value) >= 1 else digits
    text = f"{value:.{places}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def step(value: int | None) -> str:
    """1,260."""
    return "" if value is None else f"{value:,}"


def percent(share: float, places: int = 0) -> str:
    """Return a share of 0 to 1 as 70%, or 70.0% with one place."""
    return f"{share * 100:.{places}f}%"


def duration(seconds: float) -> str:
    """38 s, 1 min 10 s, 2 h 5 min, 3 d 4 h: two parts at most."""
    if seconds < 0 or not math.isfinite(seconds):
        return "–"
    if 0 < seconds < 1:
        return f"{max(1, round(seconds * 1000))} ms"
    rest = round(seconds)
    parts = []
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        count, rest = divmod(rest, size)
        parts.append((count, unit))
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(
        f"{count} {unit}" for count, unit in parts[first : first + 2] if count or first == len(parts) - 1
    )


def clock(seconds: float) -> str:
    """0:38, 12:05, 1:02:03."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def size(count: float) -> str:
    """812 B, 21 KB, 1.4 GB: thousands, as disks are sold."""
    value = float(count)
    for unit in _UNITS:
        if abs(value) < 999.5 or unit == _UNITS[-1]:
            break
        value /= 1000
    short = abs(value) < 9.95 and unit not in ("B", "KB")
    return f"{value:.1f} {unit}" if short else f"{value:.0f} {unit}"


def figure(value: float, unit: str) -> str:
    """Return a number with its unit: 0.412, 0.104 s, 38%, 1.1 GB, 21 KB/s."""
    if unit in ("B", "B/s") and math.isfinite(value):
        return size(value) + unit[1:]
    return f"{number(value)}{'' if unit == '%' else ' '}{unit}".strip()


def ago(seconds: float) -> str:
    """24 s ago, or "just now"."""
    return "just now" if seconds < 1 else f"{duration(seconds)} ago"


def plural(count: int, noun: str, many: str = "") -> str:
    """1 chart, 4 charts, 3 losses, 2 entries."""
    return f"{count:,} {noun if count == 1 else many or _several(noun)}"


def _several(noun: str) -> str:
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
