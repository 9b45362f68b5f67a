"""Methods that record media: text, image, audio, table, histogram, figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class MediaSink(Protocol):
    """A function that records a media value."""

    def __call__(self, kind: str, name: Any, value: Any, step: Any, options: dict[str, Any]) -> None: ...


class MediaMethods:
    """Methods of a run and of a trainer that record values other than numbers, by name and step.

    The value is copied during the call, which is all that the loop waits for. A thread writes the copy to
    files under the run's `media/` and records each as an event. Nothing here raises: a value that does not
    fit is left out, with one warning for its name. Up to 128 MB wait for a slow or full disk; beyond that
    new values are lost, and their number is shown.
    """

    _media_sink: MediaSink

    def text(self, name: str, value: str, step: int | None = None, *, format: str = "plain") -> None:
        """Record a text, such as a sample of a language model.

        Args:
            name: Any text up to 512 characters, shown literally.
            value: The text.
            step: The step, an int64; without it the run's current step, else the name's own count.
            format: "plain", shown as it is, or "markdown".
        """
        self._media_sink("text", name, value, step, {"format": format})

    def image(
        self, name: str, value: Any, step: int | None = None, *, caption: str = "", layout: str = "hwc"
    ) -> None:
        """Record an image.

        Args:
            name: Any text up to 512 characters, shown literally.
            value: An array or tensor of shape (H, W), (H, W, 1), (H, W, 3) for RGB or (H, W, 4) for RGBA, as
                uint8 from 0 to 255 or float from 0 to 1 (values outside are clipped and NaN becomes black,
                with one warning); or a PIL image; or the bytes or the path of a PNG or JPEG file.
            step: The step, an int64; without it the run's current step, else the name's own count.
            caption: A line shown below the image.
            layout: "hwc", or "chw" for channels first, as torch has them.
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
        """Record audio, as 16-bit WAV.

        Args:
            name: Any text up to 512 characters, shown literally.
            value: Samples of shape (n,), (n, channels) or (channels, n), up to 8 channels, as float from −1
                to 1 (values outside are clipped) or int16; or the bytes or the path of a WAV file.
            step: The step, an int64; without it the run's current step, else the name's own count.
            sample_rate: Samples per second, in Hz; needed for arrays.
            caption: A line shown below the audio player.
        """
        self._media_sink("audio", name, value, step, {"sample_rate": sample_rate, "caption": caption})

    def table(
        self, name: str, rows: Any, columns: Sequence[str] | None = None, step: int | None = None
    ) -> None:
        """Record a table, up to 200,000 cells; further rows are left out and counted.

        Args:
            name: Any text up to 512 characters, shown literally.
            rows: A list of mappings, a list of lists, a two-dimensional array, or a data frame. A cell that
                JSON cannot represent is kept as its repr.
            columns: The names of the columns; without them those of the mappings or the frame, else 0, 1, 2….
            step: The step, an int64; without it the run's current step, else the name's own count.
        """
        self._media_sink("table", name, rows, step, {"columns": columns})

    def histogram(self, name: str, values: Any, step: int | None = None, *, bins: int = 64) -> None:
        """Record a histogram of values.

        Args:
            name: Any text up to 512 characters, shown literally.
            values: Numbers of any shape (list, array, tensor), counted into bins of equal width from the
                least to the greatest finite value, NaN and infinities apart; or a tuple (counts, edges) of
                your own, with one edge more than counts.
            step: The step, an int64; without it the run's current step, else the name's own count.
            bins: The number of bins, 1 to 4096.
        """
        self._media_sink("histogram", name, values, step, {"bins": bins})

    def figure(self, name: str, figure: Any, step: int | None = None, *, caption: str = "") -> None:
        """Record a figure.

        Args:
            name: Any text up to 512 characters, shown literally.
            figure: A matplotlib figure (stored as PNG and SVG; it cannot be copied and is drawn within the
                call, which takes as long as `savefig`), a plotly figure (stored as its JSON), or the bytes or
                the path of a PNG, JPEG or SVG file.
            step: The step, an int64; without it the run's current step, else the name's own count.
            caption: A line shown below the figure.
        """
        self._media_sink("figure", name, figure, step, {"caption": caption})
