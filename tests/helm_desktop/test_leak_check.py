import threading

from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from helpers.qt_leaks import Alive, settle


def test_that_a_window_left_open_is_seen(qapp: QApplication) -> None:
    before = Alive.now()
    window = QWidget()
    window.show()
    assert any("widgets" in line for line in Alive.now().beyond(before))
    window.close()
    window.deleteLater()
    del window
    settle()
    assert not Alive.now().beyond(before)


def test_that_threads_and_timers_left_running_are_seen(qapp: QApplication) -> None:
    before = Alive.now()
    over = threading.Event()
    plain = threading.Thread(target=over.wait)
    plain.start()
    thread, timer = QThread(), QTimer()
    thread.start()
    timer.start(60_000)
    words = " ".join(Alive.now().beyond(before))
    assert all(kind in words for kind in ("threads", "qt_threads", "timers"))
    over.set()
    plain.join()
    timer.stop()
    thread.quit()
    thread.wait()
    settle()
    assert not Alive.now().beyond(before)
