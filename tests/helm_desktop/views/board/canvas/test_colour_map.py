"""The colours of heatmaps: read as lightness, seen on both themes."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from numpy.typing import NDArray

from helm_desktop.theme import load_theme
from helm_desktop.views.board.canvas.colour_map import colour_at, colours, table

ROUNDING = 0.1  # of L*: colours have 8 bits a channel
D65 = np.array([0.9505, 1.0, 1.089])
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of sRGB colours between 0 and 1, of daylight (D65)."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = ((linear @ TO_XYZ.T) / D65).T
    fx, fy, fz = (np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116) for t in (x, y, z))
    return np.stack([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)], axis=1)


def rgb_of(packed: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Packed 32 bit colours as red, green and blue between 0 and 1."""
    return np.stack([(packed >> shift & 0xFF) / 255 for shift in (16, 8, 0)], axis=1)


def test_that_each_colour_is_lighter_than_the_one_before() -> None:
    lightness = lab(rgb_of(table()))[:, 0]
    assert np.diff(lightness).min() > -ROUNDING
    assert np.diff(lightness[::5]).min() > 0
    assert lightness[-1] - lightness[0] > 70


def test_that_equal_steps_of_a_value_look_equally_far_apart() -> None:
    steps = np.diff(lab(rgb_of(table()))[::15, 0])
    assert steps.max() < 1.5 * steps.mean()
    assert steps.min() > 0.5 * steps.mean()


@pytest.mark.parametrize("name", ["dark", "light"])
def test_that_every_colour_stands_out_from_the_card(name: str) -> None:
    card = load_theme(name).card
    ground = lab(np.array([[int(card[at : at + 2], 16) / 255 for at in (1, 3, 5)]]))
    apart = np.linalg.norm(lab(rgb_of(table())) - ground, axis=1)
    assert apart.min() > 20


def test_that_a_share_has_its_colour_and_none_has_the_ground() -> None:
    found = colours(np.array([0.0, 1.0, np.nan]), "#123456")
    assert found.tolist() == [table()[0], table()[-1], 0xFF123456]
    assert colour_at(-1.0) == colour_at(0.0) == f"#{int(table()[0]) & 0xFFFFFF:06x}"
    assert colour_at(2.0) == f"#{int(table()[-1]) & 0xFFFFFF:06x}"


def test_that_the_map_is_read_from_disk_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table()
    monkeypatch.setattr(builtins, "open", None)
    assert len(table()) == 256
    assert colour_at(0.5).startswith("#")
