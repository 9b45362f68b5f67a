"""The board of a project: its layout, the streams of the open run, and the edits with undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.layout import (
    BoardChart,
    BoardLayout,
    BoardPage,
    arranged,
    default_pages,
    resolve,
)
from helm_desktop.model.board.merge import merged
from helm_desktop.model.board.shown_board import Find, ShownPage, draws, shown
from helm_desktop.model.chart.spec import ChartSpec

UNDO_MOST = 200
ADD_CHART = "add chart"
Edit = Callable[[BoardLayout], BoardLayout]


class BoardModel(QObject):
    """The layout of a board and its undo stack. An edit is a function from one layout to another.

    The commands on Qt's stack are empty, since subclasses of QUndoCommand in Python can be destroyed too
    early. The layouts are in a list beside the stack, with one entry more than the stack has commands.
    """

    changed = Signal()  # the layout or the streams have changed
    edited = Signal()  # the user has changed the layout, by an edit, undo or redo

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.layout = BoardLayout()
        self.project = ""
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(UNDO_MOST)
        self.stack.indexChanged.connect(self._on_index_changed)
        self._layouts = [self.layout]
        self._gesture = 0
        self._busy = False
        self._names: tuple[str, ...] = ()
        self._pages: tuple[BoardPage, ...] | None = None

    # The board -----------------------------------------------------------------------------------

    def open(self, project: str, layout: BoardLayout) -> None:
        """Show the board of another project; its undo stack is empty."""
        self.project, self.layout, self._pages = project, layout, None
        self._layouts, self._gesture = [layout], 0
        self._busy = True
        self.stack.clear()
        self._busy = False
        self.changed.emit()

    def rebase(self, base: BoardLayout, theirs: BoardLayout) -> None:
        """Merge the edits of another window, from `base` to `theirs`, into every layout of the undo stack."""
        self._layouts = [merged(base, one, theirs) for one in self._layouts]
        self._gesture = 0
        layout = self._layouts[self.stack.index()]
        if layout != self.layout:
            self.layout, self._pages = layout, None
            self.changed.emit()

    def set_names(self, names: Sequence[str]) -> None:
        """Set the names of the streams of the open run."""
        self._names, self._pages = tuple(names), None
        self.changed.emit()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the streams of the open run, in the order in which they came."""
        return self._names

    @property
    def pages(self) -> tuple[BoardPage, ...]:
        """All pages, with charts that are hidden and charts without a stream in this run."""
        if self._pages is None:
            self._pages = resolve(self.layout, self._names, self._extra())
        return self._pages

    def shown(self, find: Find | None = None, *, hidden_too: bool = False) -> tuple[ShownPage, ...]:
        """Return the pages with the charts to draw. `find` filters them; `hidden_too` shows hidden ones."""
        return shown(self.pages, self.layout, self._names, find=find, hidden_too=hidden_too)

    def chart(self, chart_id: str) -> BoardChart:
        """Return a chart by its id."""
        return self.layout.chart(chart_id)

    def spec(self, chart_id: str) -> ChartSpec:
        """Return what a chart shows, with the settings of the board for all charts."""
        return self.layout.spec_of(chart_id)

    def place_of(self, chart_id: str) -> edits.ChartPlace | None:
        """Return the section of a chart and its position there; None when it is on no page."""
        return edits.place_of(self.layout.with_(pages=self.pages), chart_id)

    def explicit_layout(self) -> BoardLayout:
        """Return the layout with the position of every chart in it, as it is exported."""
        return arranged(self.layout, self._names, self._extra())

    @property
    def is_default(self) -> bool:
        """Whether the user has changed nothing."""
        return self.layout == BoardLayout()

    def _extra(self) -> list[str]:
        """Return the ids of changed charts that belong to no stream of their own in this run."""
        if self.layout.pages is not None or not self.layout.charts:
            return []
        known = dict.fromkeys(self._names)
        return [
            key for key, chart in self.layout.charts.items() if key not in known and draws(chart.spec, known)
        ]

    # Edits ---------------------------------------------------------------------------------------

    def arrange(self, text: str, edit: Edit, gesture: int = 0) -> bool:
        """Edit the layout with explicit positions; return False when nothing changed."""
        return self._push(text, edit(arranged(self.layout, self._names, self._extra())), gesture)

    def change(self, text: str, edit: Edit, gesture: int = 0) -> bool:
        """Edit the layout, which may have default positions; return False when nothing changed.

        Edits with the same `gesture` number (not 0) are undone together.
        """
        return self._push(text, edit(self.layout), gesture)

    def set_spec(self, chart_id: str, spec: ChartSpec) -> bool:
        """Set what a chart shows; return False when nothing changed."""
        return self.change("edit chart", lambda layout: edits.set_chart(layout, chart_id, spec=spec))

    def add_series(self, chart_id: str, names: Sequence[str]) -> list[str]:
        """Add series to a chart; return those that were not on it yet."""
        spec = self.chart(chart_id).spec
        new = [name for name in dict.fromkeys(names) if name not in spec.series]
        if new:
            kept = tuple(name for name in spec.left_out if name not in new)
            self.set_spec(chart_id, spec.with_(series=(*spec.series, *new), left_out=kept))
        return new

    def add_chart(self, spec: ChartSpec, section: str = "", before: str = "") -> str:
        """Add a chart to a section (default: the first), before a chart or at the end; return its id."""
        made = ""

        def edit(layout: BoardLayout) -> BoardLayout:
            nonlocal made
            made = edits.fresh_id(layout, "chart")
            if not layout.pages:
                layout = edits.add_page(layout, "Overview")
            pages = layout.pages or ()
            target = section or next((one.id for page in pages for one in page.sections), "")
            if not target:
                layout = edits.add_section(layout, pages[0].id, "Charts")
                target = (layout.pages or ())[0].sections[0].id
            return edits.add_chart(layout, spec, target, before)

        self.arrange(ADD_CHART, edit)
        return made

    def reset(self) -> bool:
        """Reset the layout of the board and what its charts show; return False when nothing changed."""
        return self.change("reset board", lambda _: BoardLayout())

    def _push(self, text: str, after: BoardLayout, gesture: int) -> bool:
        if after == self.layout or self._only_explicit(after):
            return False
        at = self.stack.index()
        kept = self._layouts[: at + 1]
        if gesture and gesture == self._gesture and 0 < at == self.stack.count():
            kept[-1] = after
        else:
            kept.append(after)
            self._busy = True
            self.stack.push(QUndoCommand(text))
            self._busy = False
        self._layouts, self._gesture = kept[-self.stack.count() - 1 :], gesture
        self._set_layout(after)
        return True

    def _only_explicit(self, after: BoardLayout) -> bool:
        """Return True when an edit changed nothing except that default positions became explicit."""
        if self.layout.pages is not None or after.pages is None:
            return False
        plain = after.with_(pages=None, placed=self.layout.placed)
        return plain == self.layout and after.pages == default_pages([*self._names, *self._extra()])

    def _on_index_changed(self, index: int) -> None:
        """Show the layout at an index of the undo stack, after undo or redo."""
        if not self._busy:
            self._gesture = 0
            self._set_layout(self._layouts[index])

    def _set_layout(self, layout: BoardLayout) -> None:
        self.layout, self._pages = layout, None
        self.changed.emit()
        self.edited.emit()
