"""The colours and measures of the app, read from resources/theme."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from helm_desktop._resources import resource

SchemeName = Literal["dark", "light"]
SCHEMES: Final[tuple[SchemeName, ...]] = ("dark", "light")

TEXT_PX: Final = 13
FIGURE_PX: Final = 12
SPACE: Final = (4, 8, 12, 16)
CARD_RADIUS: Final = 8
FIELD_RADIUS: Final = 6


@dataclass(frozen=True)
class Theme:
    """Every colour as "#rrggbb". `faint` is for what need not be read: ticks, arrows, disabled words."""

    name: str
    window: str
    panel: str
    card: str
    raised: str
    line: str
    text: str
    quiet: str
    faint: str
    accent: str
    live: str
    warn: str
    bad: str
    checkpoint: str
    button: str
    on_button: str
    curves: tuple[str, ...]

    @property
    def dark(self) -> bool:
        """Whether light text stands on a dark ground."""
        return luminance(self.window) < luminance(self.text)

    def curve(self, index: int) -> str:
        """The colour of the curve with this number; past the last the row begins again, dimmer or deeper."""
        round_, place = divmod(index, len(self.curves))
        return mix(self.curves[place], self.window, 0.35 * (round_ % 3) if round_ else 0.0)

    def readable(self, colour: str, ground: str) -> str:
        """Return the colour, mixed with the text's as far as it takes to be readable on this ground."""
        shares = (share / 10 for share in range(11))
        return next((c for s in shares if contrast(c := mix(colour, self.text, s), ground) >= 4.5), self.text)

    def ink_on(self, ground: str) -> str:
        """Return the text colour, dark or light, that reads best on this ground."""
        inks = ("#0e1116", "#ffffff")
        return max(inks, key=lambda ink: contrast(ink, ground))


def _channels(colour: str) -> tuple[int, int, int]:
    digits = colour.removeprefix("#")
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def luminance(colour: str) -> float:
    """Relative luminance of a colour, 0 to 1, as WCAG 2 defines it."""
    parts = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21, as WCAG 2 defines it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mix(colour: str, other: str, share: float) -> str:
    """`colour` with this share (0 to 1) of `other` in it."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(own * (1 - share) + far * share):02x}" for own, far in pairs)


@cache
def load_theme(name: SchemeName) -> Theme:
    """Return the theme of this name from the app's resources."""
    raw: dict[str, Any] = json.loads(resource("theme", f"{name}.json").read_text(encoding="utf-8"))
    curves = tuple(f"#{colour}" for colour in raw.pop("curves"))
    title = raw.pop("name")
    return Theme(name=title, curves=curves, **{key: f"#{value}" for key, value in raw.items()})
