"""Words and kinds that narrow the activity, and its Markdown."""

from __future__ import annotations

import pytest

from helm_desktop.model.run.activity import ActivityEntry, ActivityModel
from helm_desktop.model.run.activity_filter import ActivityFilter, as_markdown

ROWS = [
    ActivityEntry("a", 10, 1.0, "checkpoint", "checkpoint saved, 21 KB"),
    ActivityEntry("b", 1200, 2.0, "change", "lr applied: 1.5e-3"),
    ActivityEntry("c", 1250, 3.0, "change", "set_mixture rejected: weights.math is -0.1", True),
    ActivityEntry("d", None, 4.0, "process", "rank-1 joined as trainer"),
    ActivityEntry("e", 1300, 5.0, "rule", "Loss | spike: a\\b"),
]


@pytest.mark.parametrize(
    ("text", "kind", "keys"),
    [
        ("", "everything", "edcba"),
        ("", "changes", "cb"),
        ("", "errors", "c"),
        ("LR appl", "everything", "b"),
        ("1,200", "everything", "b"),
        ("lr", "checkpoints", ""),
        ("", "joins", "d"),
    ],
)
def test_that_words_and_kinds_narrow_it(text: str, kind: str, keys: str) -> None:
    model, shown = ActivityModel(), ActivityFilter()
    shown.setSourceModel(model)
    for row in ROWS[:3]:
        model.add(row)
    shown.narrow(text, kind)
    for row in ROWS[3:]:  # what comes later is narrowed too
        model.add(row)
    assert "".join(row.key for row in shown.entries()) == keys


def test_that_markdown_keeps_bars_and_order() -> None:
    assert as_markdown(ROWS[1::-1]).splitlines()[2:] == [
        "| 10 | ▮ | checkpoint saved, 21 KB |",
        "| 1,200 | ◆ | lr applied: 1.5e-3 |",
    ]
    assert as_markdown(ROWS[4:]).splitlines()[2] == "| 1,300 | ▲ | Loss \\| spike: a\\\\b |"
