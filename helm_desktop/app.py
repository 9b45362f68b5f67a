"""The composition root: builds the window, the models and the threads, and connects them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from helm_desktop.controllers.chart_editor import ChartEditorController
from helm_desktop.controllers.copy_command import CopyCommandController
from helm_desktop.controllers.media import MediaController
from helm_desktop.controllers.menu_commands import MenuCommands
from helm_desktop.controllers.notes import NotesController
from helm_desktop.controllers.palette import PaletteController
from helm_desktop.controllers.rules import RulesController
from helm_desktop.controllers.schedule_draft import ScheduleDraftController
from helm_desktop.controllers.settings import SettingsController
from helm_desktop.controllers.sources import SourcesController
from helm_desktop.model.run.runs_model import NoSuchRun, RunsModel, find_run
from helm_desktop.model.run.status_words import StripWords, checkpoint_words, strip_words
from helm_desktop.model.run.updates import FollowUpdate, OpenedUpdate, RunRow, RunUpdate
from helm_desktop.startup import display, relaunch
from helm_desktop.startup.arguments import AppOptions
from helm_desktop.startup.demo import Demo
from helm_desktop.startup.empty_window import EmptyWindow
from helm_desktop.window.notifier import Notifier
from helm_desktop.window.regions import Regions
from helm_sdk.protocol.messages import Command
from helm_sdk.protocol.peer import RunState
from helm_sdk.record.layout import config_home

if TYPE_CHECKING:
    from helm_desktop.link.link_thread import LinkThread
    from helm_desktop.link.reader_thread import ReaderThread
    from helm_desktop.model.run.session import Session

STRIP_MS = 500


class Desktop(QObject):
    """One window on the runs of a home folder."""

    session_changed = Signal()
    run_not_found = Signal(str)  # one sentence

    def __init__(self, app: QApplication, options: AppOptions, frame: EmptyWindow | None = None) -> None:
        super().__init__(app)
        frame = frame or EmptyWindow(app, options)
        self.options = options
        self.settings, self.theme = frame.settings, frame.theme
        self.runs = RunsModel(self)
        self.session: Session | None = None
        self.screen = Regions(frame.window, self.runs)
        self.window = self.screen.window
        self.demo = Demo(options.home, self)
        self.notifier = Notifier(self.window, self.settings, self)
        self.commands = MenuCommands(self.screen, self.settings, self.theme, self)
        self.boards = self.commands.board.keep_in(None if options.offscreen else config_home())
        self.editor = ChartEditorController(self.screen, self)
        self.media = MediaController(self.screen, self)
        self.notes = NotesController(self.screen, self)
        self.shell = CopyCommandController(self.screen, self)
        self.sources = SourcesController(self.screen, self)
        self.plan = ScheduleDraftController(self.screen, None if options.offscreen else config_home(), self)
        self.rules = RulesController(self.screen, self.settings, self.notifier, not options.offscreen, self)
        self.preferences = SettingsController(
            self.screen, self.settings, self.theme, self.notifier, options.home, display.scale_now(), self
        )
        self.demo.set_home(self.preferences.home)
        self.palette = PaletteController(
            self.screen, self.commands, self.runs, self.preferences.shortcuts, self
        )
        self._link: LinkThread | None = None
        self._reader: ReaderThread | None = None
        self._wanted = options.run
        self._opening = self._heard = 0  # what was left on the way from an earlier opening is not taken
        self._seen: set[str] | None = None  # folders listed so far; None before the first list
        self._tick = QTimer(self)
        self._tick.setInterval(STRIP_MS)
        self._tick.timeout.connect(self._show_strip)
        self._connect()
        self.theme.dress()
        app.aboutToQuit.connect(self.shutdown)

    def _connect(self) -> None:
        screen = self.screen
        screen.runs.run_requested.connect(self.open_run)
        screen.strip.controls_requested.connect(self.commands.show_controls)
        screen.strip.warning_chosen.connect(self.commands.show_warning)
        screen.first.demo_requested.connect(self.demo.start)
        screen.first.folder_requested.connect(self.commands.open_folder)
        screen.controls.send_requested.connect(self._send)
        screen.controls.cancel_requested.connect(self._cancel)
        screen.controls.approval_requested.connect(self._approve)
        screen.board.inspect_requested.connect(self.commands.show_in_model)
        self.editor.inspect_requested.connect(self.commands.show_in_model)
        screen.activity.step_requested.connect(screen.board.charts.window.show_step)
        screen.activity.said.connect(self.commands.say)
        self.commands.run_chosen.connect(self.open_run)
        self.commands.demo_requested.connect(self.demo.start)
        self.demo.said.connect(screen.first.say)
        self.demo.said.connect(self.commands.say)
        self.media.said.connect(self.commands.say)
        self.notes.said.connect(self.commands.say)
        self.notes.written.connect(self._look_again)
        self.shell.said.connect(self.commands.say)
        self.plan.said.connect(self.commands.say)
        self.plan.send_requested.connect(self._send)
        self.rules.said.connect(self.commands.say)
        self.preferences.said.connect(self.commands.say)
        self.preferences.window_requested.connect(self.reopen)
        self.preferences.home_changed.connect(self._change_home)
        self.commands.settings_requested.connect(self.preferences.open)
        self.palette.settings_requested.connect(self.preferences.open)
        self.commands.sources_requested.connect(self.sources.open)
        self.palette.run_chosen.connect(self.open_run)
        self.preferences.keys_changed.connect(self.palette.say_keys)
        self.settings.changed.connect(self._apply)
        self.rules.send_requested.connect(self._send)
        screen.watch.approval_decided.connect(self._approve)
        screen.watch.step_requested.connect(screen.board.charts.window.show_step)
        screen.watch.waiting_changed.connect(self._show_waiting)
        self.window.closing.connect(self.shutdown)
        self.window.shown.connect(self._on_shown)

    def show(self) -> None:
        """Shows the window at once; threads and plotting start behind it."""
        self.window.show_first_minute(False)
        self.window.show()
        self.screen.runs.list.setFocus()
        if self.settings.complaint:
            self.commands.say(self.settings.complaint)
        QTimer.singleShot(0, self.start)

    def start(self) -> None:
        """Starts the threads."""
        if self._link is not None:
            return
        from helm_desktop.link.link_thread import LinkThread
        from helm_desktop.link.reader_thread import ReaderThread
        from helm_sdk.keys import load_keys

        self._link = LinkThread(load_keys, self)
        self._link.arrived.connect(self._on_updates)
        self._link.failed.connect(self._on_failed)
        self._link.fetched.connect(self.media.take_fetched)
        self.media.fetch_requested.connect(self._link.fetch)
        self._link.set_pace(self.settings.pace)
        self._reader = ReaderThread(self.preferences.home, self)
        self._reader.listed.connect(self._on_listed)
        self._reader.found_so_far.connect(self._on_found)
        self._link.begin()
        self._reader.begin()
        self._tick.start()

    def shutdown(self) -> None:
        """Stops the threads and waits for them. Safe to call more than once."""
        self._tick.stop()
        self.boards.stop()
        self.plan.flush()
        for worker in (self.notes, self._link, self._reader, self.media, self.rules):
            if worker is not None:
                worker.stop()

    # Runs --------------------------------------------------------------------------------------

    def open_run(self, folder: str) -> None:
        """Shows another run."""
        if self.session is not None and self.session.key == folder:
            return
        from helm_desktop.model.run.session import Session

        before, self.session = self.session, Session(folder, self)
        self._show_session(self.session)
        if before is not None:
            before.deleteLater()
        self.settings.last_run = folder
        self.screen.runs.choose(folder)
        self.screen.runs.list.setFocus()
        self.window.show_first_minute(False)
        if self._link is not None:
            self._opening = self._link.open(folder)
        self.session_changed.emit()

    def _show_session(self, session: Session) -> None:
        screen = self.screen
        screen.board.set_session(session)
        screen.controls.set_model(session.controls)
        screen.activity.set_model(session.activity)
        screen.metrics.set_session(session)
        self.media.set_session(session)
        self.notes.set_session(session)
        self.shell.set_session(session)
        self.sources.set_session(session)
        self.plan.set_session(session)
        self.rules.set_session(session)
        self.preferences.policy.set_session(session)
        self.palette.set_session(session)
        session.about_changed.connect(self._open_board)
        session.about_changed.connect(self._show_details)
        session.catalogue_changed.connect(self._show_details)
        session.controls.controls_changed.connect(self._show_details)
        session.status_changed.connect(self._standing)
        self._show_details()
        self._show_strip()

    def _on_found(self, rows: list[RunRow]) -> None:
        """The newest runs, while others are still looked at: enough to open one that lives."""
        self.runs.set_runs(rows)
        if self.session is None and not self._wanted:
            self._open_first([row for row in rows if not row.state.ended])

    def _on_listed(self, rows: list[RunRow]) -> None:
        self.runs.set_runs(rows)
        folders = {row.folder for row in rows}
        fresh = folders - self._seen if self._seen is not None else set()
        self._seen = folders
        started = next((row.folder for row in rows if row.folder in fresh and not row.state.ended), "")
        if self.session is None:
            self._open_first(rows)
        elif started and self.demo.running:
            self.open_run(started)
        self.window.show_first_minute(self.session is None)

    def _open_first(self, rows: Sequence[RunRow]) -> None:
        """The run that was asked for, the one open last, a live one, or the newest."""
        if self._wanted:
            wanted, self._wanted = self._wanted, ""
            self._open_named(wanted, rows)
            return
        last = [row for row in rows if row.folder == self.settings.last_run]
        live = [row for row in rows if not row.state.ended]
        for row in (live or last or list(rows))[:1]:
            self.open_run(row.folder)

    def _open_named(self, text: str, rows: Sequence[RunRow]) -> None:
        path = Path(text).expanduser()
        if (path / "run.json").is_file():
            self.open_run(str(path.resolve()))
            return
        try:
            self.open_run(find_run(rows, text).folder)
        except NoSuchRun as error:
            self.commands.say(str(error))
            self.run_not_found.emit(str(error))

    # Updates -----------------------------------------------------------------------------------

    def _on_updates(self, folder: str, updates: list[RunUpdate]) -> None:
        try:
            if updates and isinstance(updates[0], OpenedUpdate):
                self._heard = updates[0].number
            if self.session is not None and self.session.key == folder and self._heard == self._opening:
                self.session.take(updates)
        finally:
            if self._link is not None:
                self._link.taken()

    def _on_failed(self, folder: str, sentence: str) -> None:
        if self.session is not None and self.session.key == folder:
            self.session.take([FollowUpdate(sentence)])
            self.run_not_found.emit(sentence)

    def _send(self, command: Command, via: str = "") -> None:
        if self.session is not None and self._link is not None:
            self._link.send(self.session.key, command, via)

    def _cancel(self, process: str, command_id: str) -> None:
        if self.session is not None and self._link is not None:
            self._link.cancel(self.session.key, process, command_id)

    def _approve(self, process: str, command_id: str, yes: bool, reason: str = "") -> None:
        if self.session is not None and self._link is not None:
            self._link.approve(self.session.key, process, command_id, yes, reason)

    def _look_again(self, folder: str) -> None:
        if self._link is not None and self.session is not None and self.session.key == folder:
            self._link.look_again()

    def _apply(self, name: str) -> None:
        if name == "pace" and self._link is not None:
            self._link.set_pace(self.settings.pace)

    def _change_home(self) -> None:
        self.demo.set_home(self.preferences.home)
        if self._reader is not None:
            self._reader.set_home(self.preferences.home)

    def reopen(self) -> None:
        """A new window on the same run, at the scale that was chosen, in place of this one."""
        run = self.session.folder if self.session is not None else ""
        said = relaunch.start(self.options, run, self.settings.scale)
        if said:
            self.commands.say(said)
        else:
            self.window.close()

    def _show_waiting(self, count: int) -> None:
        self.screen.dock.set_note("Watch", str(count) if count else "")

    def _standing(self) -> None:
        self._show_strip()
        session = self.session
        if session is not None and session.status.state.ended:
            self._tick.stop()
        elif self.window.isVisible() and not self._tick.isActive():
            self._tick.start()
        listed = self._listed()
        behind = session is not None and listed is not None and listed != session.status.state
        if behind and self._reader is not None:
            self._reader.wake()

    def _show_strip(self) -> None:
        session = self.session
        self.screen.strip.show_words(
            strip_words(session, self._listed()) if session is not None else StripWords()
        )
        if session is not None:
            words = checkpoint_words(session)
            session.controls.set_note("checkpoint", words, "checkpoint" if words else "")

    def _listed(self) -> RunState | None:
        """How the list of runs says that the open one stands."""
        row = self.runs.run_at(self.runs.row_of(self.session.key)) if self.session is not None else None
        return row.state if row is not None else None

    def _open_board(self) -> None:
        if self.session is not None and self.session.project:
            self.boards.open(self.session.project)

    def _show_details(self) -> None:
        from helm_desktop.model.run.details import details_of

        session = self.session
        if session is not None:
            self.editor.set_inspects(session.catalogue.offers_captures)
        if session is not None and session.record is not None:
            self.screen.details.set_details(
                details_of(
                    session.record, session.processes.all, session.catalogue.facts, session.catalogue.tensors
                )
            )
            self.window.setWindowTitle(f"{session.name} — Helm")

    def _on_shown(self, shown: bool) -> None:
        if self._reader is not None:
            self._reader.set_slow(not shown)
            self.boards.set_watching(shown)
            (self._tick.start if shown else self._tick.stop)()
