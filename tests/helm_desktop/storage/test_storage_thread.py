"""The storage thread: work in order, results on the thread of the window, nothing lost at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from pytestqt.qtbot import QtBot

from helm_desktop.storage.storage_thread import Cancelled, Storage


class Heard(QObject):
    """Notes what it is told, and on which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []
        self.threads: set[threading.Thread] = set()

    def take(self, result: object = None) -> None:
        self.told.append(result)
        self.threads.add(threading.current_thread())


def failing() -> None:
    raise OSError("the disk is gone")


def test_that_work_is_done_in_order_on_one_thread_and_told_on_the_callers(
    storage: Storage, qtbot: QtBot
) -> None:
    heard, threads = Heard(), set()

    def work(number: int) -> int:
        threads.add(threading.current_thread())
        return number

    for number in range(50):
        storage.run(lambda number=number: work(number), heard.take)  # type: ignore[misc]
    qtbot.waitUntil(lambda: len(heard.told) == 50)
    assert heard.told == list(range(50))
    assert heard.threads == {threading.current_thread()}
    assert len(threads) == 1
    assert threads != heard.threads


def test_that_an_error_goes_to_who_asked(storage: Storage) -> None:
    heard = Heard()
    storage.run(failing, heard.take, heard.take)
    assert storage.finish()
    assert [str(error) for error in heard.told] == ["the disk is gone"]


def test_that_an_error_that_nobody_takes_ends_nothing(storage: Storage) -> None:
    heard = Heard()
    storage.run(failing)
    storage.run(lambda: 1, heard.take)
    assert storage.finish()
    assert heard.told == [1]


def test_that_work_asked_for_before_the_end_is_done_and_told(storage: Storage) -> None:
    heard = Heard()
    gate = threading.Event()
    storage.run(lambda: gate.wait(10), lambda _: storage.run(lambda: "after", heard.take))
    storage.run(lambda: "before", heard.take)
    gate.set()
    storage.stop()
    assert heard.told == ["before", "after"], "what an answer asks for is done too"
    storage.run(lambda: "later", heard.take)  # the thread starts again
    storage.stop()
    assert heard.told[-1] == "later"


def test_that_a_disk_that_does_not_answer_is_not_waited_for_for_ever(storage: Storage) -> None:
    gate = threading.Event()
    storage.run(lambda: gate.wait(60))
    assert not storage.finish(0.05)
    storage.stop(0.05)
    gate.set()
    assert storage.finish()


def test_that_a_deleted_object_is_told_nothing(storage: Storage) -> None:
    heard = Heard()
    storage.run(lambda: 1, heard.take)
    heard.deleteLater()
    QCoreApplication.sendPostedEvents(heard, QEvent.Type.DeferredDelete.value)
    assert storage.finish()
    assert heard.told == []


def counting(reached: list[int], closed: list[bool]) -> Iterator[float]:
    """A hundred steps."""
    try:
        for step in range(1, 101):
            reached.append(step)
            yield step / 100
    finally:
        closed.append(True)


def test_that_other_work_goes_between_the_steps_of_long_work(storage: Storage) -> None:
    heard, reached, closed = Heard(), list[int](), list[bool]()
    at: list[int] = []

    def steps() -> Iterator[float]:
        for share in counting(reached, closed):
            if len(reached) == 3:
                storage.run(lambda: at.append(len(reached)))
            yield share

    storage.run_steps(steps(), done=heard.take)
    assert storage.finish()
    assert (at, len(reached), heard.told) == ([3], 100, [None])


def test_that_cancelled_long_work_is_closed_and_the_next_begins(storage: Storage, qtbot: QtBot) -> None:
    heard, reached, closed = Heard(), list[int](), list[bool]()
    gate = threading.Event()

    def held() -> Iterator[float]:
        for share in counting(reached, closed):
            yield share
            gate.wait(10)

    job = storage.run_steps(held(), heard.take, heard.take, heard.take)
    after = Heard()
    storage.run_steps(iter([0.5]), done=after.take)
    qtbot.waitUntil(lambda: bool(reached))
    job.cancel()
    gate.set()
    assert storage.finish()
    assert isinstance(heard.told[-1], Cancelled)
    assert closed == [True]
    assert len(reached) < 100
    assert after.told == [None]


def test_that_the_end_cancels_long_work(storage: Storage, qtbot: QtBot) -> None:
    heard, reached, closed = Heard(), list[int](), list[bool]()

    def endless() -> Iterator[float]:
        try:
            while True:
                reached.append(1)
                yield 0.0
        finally:
            closed.append(True)

    storage.run_steps(endless(), failed=heard.take)
    qtbot.waitUntil(lambda: bool(reached))
    storage.stop()
    assert closed == [True]
    assert isinstance(heard.told[0], Cancelled)


class Asking(QObject):
    """Nobody else holds it once it has asked; notes the thread on which it goes."""

    def __init__(self, gone: list[threading.Thread]) -> None:
        super().__init__()
        self._gone = gone
        self._timer = QTimer(self)

    def ask(self, storage: Storage, *, fails: bool) -> None:
        storage.run(self.fail if fails else self.work, self.take, self.take)
        storage.run_steps(iter([0.5, 1.0]), self.take, self.end, self.take)

    def work(self) -> int:
        return 1

    def fail(self) -> int:
        raise OSError("gone")

    def take(self, result: object) -> None:
        return

    def end(self) -> None:
        return

    def __del__(self) -> None:
        self._gone.append(threading.current_thread())


def test_that_the_storage_thread_never_drops_the_last_reference_to_what_asked(storage: Storage) -> None:
    gone: list[threading.Thread] = []
    for turn in range(300):
        Asking(gone).ask(storage, fails=turn % 2 == 0)
        if turn % 20 == 0:
            assert storage.finish()
    assert storage.finish()
    assert len(gone) == 300
    assert set(gone) == {threading.current_thread()}
