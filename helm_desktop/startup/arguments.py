"""What `helm-desktop` takes on its command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

EXAMPLE = """examples:
  helm-desktop                                     every run of this machine
  helm-desktop latest                              the newest run
  helm-desktop latest --offscreen --screenshot board.png --size 1600x1000 --wait-finished
"""
PAGES = ("board",)


@dataclass(frozen=True)
class AppOptions:
    """The command line, checked."""

    run: str = ""
    home: Path | None = None
    offscreen: bool = False
    screenshot: Path | None = None
    size: tuple[int, int] | None = None
    scale: float | None = None  # None: as the settings say
    theme: str = ""
    page: str = "board"
    after: float | None = None
    wait_finished: bool = False
    timeout: float = 900.0


def parse(arguments: Sequence[str]) -> AppOptions:
    """Options, or exit status 2 with one clear line."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.screenshot is None and (given.wait_finished or given.after is not None):
        parser.error("--wait-finished and --after say when to take a picture: give --screenshot FILE as well")
    return AppOptions(
        run=given.run or "",
        home=given.home,
        offscreen=given.offscreen,
        screenshot=given.screenshot,
        size=given.size,
        scale=given.scale,
        theme=given.theme or "",
        page=given.page,
        after=given.after,
        wait_finished=given.wait_finished,
        timeout=given.timeout,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="helm-desktop",
        description="Watch and steer training runs.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "run", nargs="?", metavar="RUN or FOLDER", help="id, unique prefix, name, path, or latest"
    )
    parser.add_argument(
        "--home", type=Path, help="the folder of all runs (default: HELM_RUN_HOME or the user's data folder)"
    )
    parser.add_argument("--offscreen", action="store_true", help="draw without a display")
    parser.add_argument(
        "--screenshot",
        type=Path,
        metavar="FILE",
        help="write a picture, and beside it a .json of what it shows",
    )
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the window, such as 1600x1000")
    parser.add_argument(
        "--scale", type=_scale, help="pixels to a point, 0.5 to 4, instead of the one that was chosen"
    )
    parser.add_argument(
        "--theme", choices=("dark", "light", "system"), help="instead of the one that was chosen"
    )
    parser.add_argument("--page", choices=PAGES, default="board", help="what to show")
    parser.add_argument(
        "--after", type=float, metavar="SECONDS", help="take the picture so long after the run was shown"
    )
    parser.add_argument(
        "--wait-finished",
        action="store_true",
        help="take the picture once the run has ended and all is drawn",
    )
    parser.add_argument(
        "--timeout", type=float, default=900.0, metavar="SECONDS", help="give the picture up after this (900)"
    )
    return parser


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{3,5})[x×](\d{3,5})", text.strip().lower())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text} is no size: write width and height, such as 1600x1000")
    return int(match[1]), int(match[2])


def _scale(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.5 <= value <= 4:
        raise argparse.ArgumentTypeError(f"{text} is no scale: write a number from 0.5 to 4")
    return value
