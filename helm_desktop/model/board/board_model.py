"""The board of a project: its layout, the streams of the open run, and every edit undone and redone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.layout import BoardChart, BoardLayout, BoardPage, arranged, by_rule, resolve
from helm_desktop.model.board.merge import merged
from helm_desktop.model.board.shown_board import Find, ShownPage, draws, shown
from helm_desktop.model.chart.spec import ChartSpec

UNDO_MOST = 200
ADD_CHART = "add chart"
Work = Callable[[BoardLayout], BoardLayout]


class BoardModel(QObject):
    """Edits are functions from layout to layout. Commands on the stack are bare: the layouts stand beside
    it, one more than there are commands, for a command made in Python outlives neither side well."""

    changed = Signal()  # the layout or the streams
    edited = Signal()  # the layout, by a reader's hand, undo or redo

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.layout = BoardLayout()
        self.project = ""
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(UNDO_MOST)
        self.stack.indexChanged.connect(self._turn)
        self._layouts = [self.layout]
        self._gesture = 0
        self._busy = False
        self._names: tuple[str, ...] = ()
        self._pages: tuple[BoardPage, ...] | None = None

    # What there is -------------------------------------------------------------------------------

    def open(self, project: str, layout: BoardLayout) -> None:
        """The board of another project."""
        self.project, self.layout, self._pages = project, layout, None
        self._layouts, self._gesture = [layout], 0
        self._busy = True
        self.stack.clear()
        self._busy = False
        self.changed.emit()

    def rebase(self, base: BoardLayout, theirs: BoardLayout) -> None:
        """Another window made `theirs` of the board that was `base`. Undo takes back what was done here."""
        self._layouts = [merged(base, one, theirs) for one in self._layouts]
        self._gesture = 0
        layout = self._layouts[self.stack.index()]
        if layout != self.layout:
            self.layout, self._pages = layout, None
            self.changed.emit()

    def set_names(self, names: Sequence[str]) -> None:
        """The streams of the open run."""
        self._names, self._pages = tuple(names), None
        self.changed.emit()

    @property
    def names(self) -> tuple[str, ...]:
        """The streams of the open run, in the order they came."""
        return self._names

    @property
    def pages(self) -> tuple[BoardPage, ...]:
        """Every page, with charts that are hidden or that this run has no streams for."""
        if self._pages is None:
            self._pages = resolve(self.layout, self._names, self._extra())
        return self._pages

    def shown(self, find: Find | None = None, *, hidden_too: bool = False) -> tuple[ShownPage, ...]:
        """Return what is drawn of it."""
        return shown(self.pages, self.layout, self._names, find=find, hidden_too=hidden_too)

    def chart(self, chart_id: str) -> BoardChart:
        """Return a chart by its id."""
        return self.layout.chart(chart_id)

    def spec(self, chart_id: str) -> ChartSpec:
        """Return what a chart shows, with what the board says for all."""
        return self.layout.spec_of(chart_id)

    def place_of(self, chart_id: str) -> edits.ChartPlace | None:
        """Return the section that a chart is kept in, and where."""
        return edits.place_of(self.layout.with_(pages=self.pages), chart_id)

    def written_down(self) -> BoardLayout:
        """Return the layout with every place in it, as it is exported."""
        return arranged(self.layout, self._names, self._extra())

    @property
    def by_the_rules(self) -> bool:
        """Whether nobody has changed anything."""
        return self.layout == BoardLayout()

    def _extra(self) -> list[str]:
        """Charts that somebody changed and that stand for a stream this run does not have."""
        if self.layout.pages is not None or not self.layout.charts:
            return []
        known = dict.fromkeys(self._names)
        return [
            key for key, chart in self.layout.charts.items() if key not in known and draws(chart.spec, known)
        ]

    # Edits ---------------------------------------------------------------------------------------

    def arrange(self, text: str, work: Work, gesture: int = 0) -> bool:
        """Edit the layout; return True when anything is different now."""
        return self._do(text, work(arranged(self.layout, self._names, self._extra())), gesture)

    def change(self, text: str, work: Work, gesture: int = 0) -> bool:
        """Edit the layout and leave places to the rules; edits of one gesture are undone together."""
        return self._do(text, work(self.layout), gesture)

    def set_spec(self, chart_id: str, spec: ChartSpec) -> bool:
        """Return what a chart shows from now on."""
        return self.change("edit chart", lambda layout: edits.set_chart(layout, chart_id, spec=spec))

    def add_series(self, chart_id: str, names: Sequence[str]) -> list[str]:
        """More series on a chart; those that were not there yet."""
        spec = self.chart(chart_id).spec
        fresh = [name for name in dict.fromkeys(names) if name not in spec.series]
        if fresh:
            kept = tuple(name for name in spec.left_out if name not in fresh)
            self.set_spec(chart_id, spec.with_(series=(*spec.series, *fresh), left_out=kept))
        return fresh

    def add_chart(self, spec: ChartSpec, section: str = "", before: str = "") -> str:
        """Add a chart to a section, or to the first page; return its id."""
        made = ""

        def work(layout: BoardLayout) -> BoardLayout:
            nonlocal made
            made = edits.fresh_id(layout, "chart")
            if not layout.pages:
                layout = edits.add_page(layout, "Overview")
            pages = layout.pages or ()
            home = section or next((one.id for page in pages for one in page.sections), "")
            if not home:
                layout = edits.add_section(layout, pages[0].id, "Charts")
                home = (layout.pages or ())[0].sections[0].id
            return edits.add_chart(layout, spec, home, before)

        self.arrange(ADD_CHART, work)
        return made

    def reset(self) -> bool:
        """Back to the rules; what charts show goes back too."""
        return self.change("reset board", lambda _: BoardLayout())

    def _do(self, text: str, after: BoardLayout, gesture: int) -> bool:
        if after == self.layout or self._same(after):
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

    def _same(self, after: BoardLayout) -> bool:
        """Return True when an edit did nothing but write down the places that the rules give."""
        if self.layout.pages is not None or after.pages is None:
            return False
        plain = after.with_(pages=None, placed=self.layout.placed)
        return plain == self.layout and after.pages == by_rule([*self._names, *self._extra()])

    def _turn(self, index: int) -> None:
        """Undone or done again up to here."""
        if not self._busy:
            self._gesture = 0
            self._set_layout(self._layouts[index])

    def _set_layout(self, layout: BoardLayout) -> None:
        self.layout, self._pages = layout, None
        self.changed.emit()
        self.edited.emit()
