"""Values that are more than a number: text, image, audio, table, histogram, figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class MediaSink(Protocol):
    """Takes a value to be kept."""

    def __call__(self, kind: str, name: Any, value: Any, step: Any, options: dict[str, Any]) -> None: ...


class MediaMethods:
    """What a run and a trainer keep besides numbers, by name and step.

    What is handed in is copied at the call, which is all that the loop waits for; a thread turns the copy
    into files under the run's `media/` and records each as an event. name: any text up to 512 characters,
    shown literally. step: int64; without it the run's current step, else the name's own count. Nothing here
    raises: what does not fit is told once for its name and left out. Up to 128 MB wait for a slow or full
    disk; past that new values are counted as lost, and shown.
    """

    _media_sink: MediaSink

    def text(self, name: str, value: str, step: int | None = None, *, format: str = "plain") -> None:
        """Keep a text, such as a sample of a language model.

        format: "plain", shown as it is, or "markdown".
        """
        self._media_sink("text", name, value, step, {"format": format})

    def image(
        self, name: str, value: Any, step: int | None = None, *, caption: str = "", layout: str = "hwc"
    ) -> None:
        """Keep a picture.

        value: an array or tensor of H×W, H×W×1, H×W×3 (RGB) or H×W×4 (RGBA), as uint8 0 to 255 or float 0
        to 1 (what lies outside is cut, NaN becomes black, both told once); a PIL image; PNG or JPEG bytes; or
        the path of such a file. layout: "chw" for channels first, as torch has them. caption: shown below.
        """
        self._media_sink("image", name, value, step, {"caption": caption, "layout": layout})

    def audio(
        self,
        name: str,
        value: Any,
        step: int | None = None,
        *,
        sample_rate: int | None = None,
        caption: str = "",
    ) -> None:
        """Keep a sound, as 16-bit WAV.

        value: samples of shape (n,), (n, channels) or (channels, n), up to 8 channels, as float −1 to 1 (what
        lies outside is cut) or int16; or the bytes or path of a WAV file. sample_rate: samples per second, in
        Hz; needed for arrays.
        """
        self._media_sink("audio", name, value, step, {"sample_rate": sample_rate, "caption": caption})

    def table(
        self, name: str, rows: Any, columns: Sequence[str] | None = None, step: int | None = None
    ) -> None:
        """Keep a table.

        rows: a list of mappings, a list of lists, a two-dimensional array, or a data frame. columns: names;
        without them those of the mappings or the frame, else 0, 1, 2…. Cells are kept as JSON; what JSON
        cannot say becomes its repr. Up to 200,000 cells are kept; further rows are left out, told once and
        shown.
        """
        self._media_sink("table", name, rows, step, {"columns": columns})

    def histogram(self, name: str, values: Any, step: int | None = None, *, bins: int = 64) -> None:
        """Keep how values are spread.

        values: numbers of any shape (list, array, tensor), counted into `bins` bins of equal width (1 to
        4096) from the least to the largest finite value, NaN and infinities apart; or a ready pair (counts,
        edges), a tuple, with one edge more than counts.
        """
        self._media_sink("histogram", name, values, step, {"bins": bins})

    def figure(self, name: str, figure: Any, step: int | None = None, *, caption: str = "") -> None:
        """Keep a drawing.

        figure: a matplotlib figure (kept as PNG and SVG; drawn within the call, since a figure cannot be
        copied, so the call takes as long as `savefig`), a plotly figure (kept as its JSON), PNG, JPEG or SVG
        bytes, or the path of such a file.
        """
        self._media_sink("figure", name, figure, step, {"caption": caption})
