"""12,345 names are opened with the work of those in sight, and little more for the others."""

import struct
import time

import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.views.board.pages.board import BoardView
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helpers.charts import dress
from helpers.updates import batch_update


def opened(qtbot: QtBot, count: int) -> tuple[float, BoardView]:
    """A board of so many names with one point each, and what it took to see its first charts."""
    names = [f"group{at // 100}/layer{at % 100}/value" for at in range(count)]
    streams = tuple(StreamDef(id=at, name=name) for at, name in enumerate(names))
    group = PointGroup(
        streams=tuple(range(count)),
        steps=struct.pack("<q", 1),
        times=struct.pack("<d", 1.0),
        values=struct.pack("<d", 0.5) * count,
    )
    board = BoardView()
    qtbot.addWidget(board)
    board.resize(1_000, 860)
    board.show()
    session = Session("folder", board)
    began = time.thread_time()
    board.set_session(session)
    session.apply([batch_update(Batch(process="rank-0", attempt=1, seq=1, streams=streams, groups=(group,)))])
    qtbot.waitUntil(lambda: board.cells.drawn, timeout=30_000)
    return time.thread_time() - began, board


@pytest.mark.timeout(120)
def test_that_ten_times_the_names_build_no_more_charts(qtbot: QtBot) -> None:
    """D14"""
    dress()
    few, small = opened(qtbot, 1_234)
    many, large = opened(qtbot, 12_345)
    assert len(list(large.charts)) <= len(list(small.charts)) + 2 <= 40
    assert many < 15 * few
