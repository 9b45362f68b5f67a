"""Every editor in six states as sheets for eyes: python tests/helpers/gallery_states.py FOLDER [EDITOR …]."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.theme import Choice, ThemeManager, set_look
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.views.controls.collection_editors import CollectionEditor
from helm_desktop.views.controls.editor import ValueEditor
from helm_desktop.views.controls.fields import DurationEditor, NumberEditor, TextEditor
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.views.controls.raw import RawEditor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, ControlState, Event
from helpers.gallery import grab
from helpers.gallery_controls import SOURCES
from helpers.hands import click, drag, write, write_json

STATES = ("empty", "filled", "invalid", "waiting", "applied", "failed")
WIDTH = 306
NAMES_12 = tuple(f"source{number:02}" for number in range(12))
NAMES_40 = tuple(f"shard-{number:02}" for number in range(40))


def _mixture(names: tuple[str, ...]) -> tuple[list[dict[str, Any]], Any]:
    weights = {name: str(len(names) - place) for place, name in enumerate(names)}
    return [k.field("weights", k.mixture(names, "data/mix/{component}"))], {"weights": {"weights": weights}}


INNER = k.record_of(
    k.field("depth", k.integer(0, 9)),
    k.field("kind", k.enum_of(list("abcde"))),
    k.field("decay", k.record_of(k.field("rate", k.number(0, 1)), k.field("on", k.boolean(), optional=True))),
)
POINTS = [{"at": 0, "value": "0.1"}, {"at": 400, "value": 0.5}, {"at": 900, "value": 0.2}]
EDITORS: dict[str, tuple[list[dict[str, Any]], Any]] = {
    "number": (
        [k.field("value", k.number(0, unit="GB/s", scale="log"), help="per device")],
        {"value": "1.5e-3"},
    ),
    "slider": (
        [k.field("share", k.number("1e-4", 1, scale="log")), k.field("top_k", k.integer(1, 64, unit="rows"))],
        {"share": "0.02", "top_k": 8},
    ),
    "integer": (
        [k.field("max_len", k.integer(1, 8192, unit="tokens")), k.field("clip", k.number(0), default=None)],
        {"max_len": 2048, "clip": 1.0},
    ),
    "boolean": (
        [k.field("enabled", k.boolean()), k.field("shuffle", k.boolean(), optional=True)],
        {"enabled": True},
    ),
    "string": (
        [k.field("note", k.string(), help="shown in the log"), k.field("tag", k.string(), optional=True)],
        {"note": "short documents first"},
    ),
    "enum": (
        [
            k.field("order", k.enum_of(["r", "e", "h"], ["random", "easy first", "hard first"])),
            k.field("bucket", k.enum_of([f"bucket {n}" for n in range(9)]), optional=True),
        ],
        {"order": "e"},
    ),
    "list": ([k.field("domains", k.list_of(k.string(), min_length=1))], {"domains": ["web", "code"]}),
    "map": (
        [k.field("limits", k.map_of(k.number(0, 1), "[a-z]+"))],
        {"limits": {"web": 0.5, "code": "0.25"}},
    ),
    "record": ([k.field("stage", INNER)], {"stage": {"depth": 2, "kind": "b", "decay": {"rate": 0.5}}}),
    "schedule": ([k.field("plan", k.schedule(0, 1, axis="step"))], {"plan": {"points": POINTS}}),
    "mixture4": _mixture(SOURCES),
    "mixture12": _mixture(NAMES_12),
    "mixture40": _mixture(NAMES_40),
    "duration": ([k.field("warm_up", k.duration(60, 86_400))], {"warm_up": 5400}),
    "tensors": (
        [k.field("what", k.tensors(["after_step", "forward"], ["mean", "norm"]))],
        {"what": {"tensors": ["*.weight"], "stage": "after_step", "take": ["mean"]}},
    ),
    "opaque": ([k.field("extra", {"kind": "opaque"})], {"extra": {"a": [1, "x"]}}),
    "unknown": ([k.field("extra", {"kind": "hologram"})], {"extra": {"phase": 0.5}}),
    "choice": (
        [
            k.field("lr", k.number(0, exclusive=["min"], scale="log"), optional=True),
            k.field("scale", k.number(0), optional=True),
            k.field("mode", k.enum_of(["r", "h"], ["follow the schedule", "hold"]), default="r"),
        ],
        {"lr": 3e-3},
    ),
}
ONE_OF = {"choice": ("lr", "scale")}
FAILED = "RuntimeError: the loader holds no shard of that name: train-00017-of-00512"


def card_of(name: str, state: str) -> ControlCard:
    """The card of one editor in one state."""
    fields, value = EDITORS[name]
    schema = k.record_schema(*fields, one_of=ONE_OF.get(name, ()))
    control = "lr" if name == "choice" else f"set_{name}"
    capability = Capability(
        name=control,
        input_schema=schema,
        safe_points=("trainer.step",),
        starting=None if state in ("empty", "invalid") and "mixture" not in name else value,
        help="What this control is for",
        reads="optim/lr/group0" if name == "choice" else "",
    )
    drawn = random.Random(3)
    model = ControlsModel(tail=lambda stream, rows, since: ([1200], [drawn.uniform(0.02, 0.4)]))
    model.set_catalogue([ControlState(capability=capability)], "data-loader")
    for number, (word, body) in enumerate(_life(state, value)):
        event = {"command_id": "c", "capability": control, "sender": "laptop", "state": word, **body}
        model.apply_event(
            "data-loader",
            Event(
                id=number,
                kind="command",
                time=1_796_000_000.0 + number / 9,
                step=1199 + number // 3,
                body=event,
            ),
        )
    if "mixture" in name:
        model.on_points()
    model.flush()
    card = ControlCard(model, control)
    model.setParent(card)
    card.set_open(True)
    card.resize(WIDTH, 900)
    return card


def _life(state: str, value: Any) -> list[tuple[str, dict[str, Any]]]:
    asked = ("received", {"input": value, "reason": "loss plateau on math"})
    waits = ("waiting", {"safe_point": "trainer.step"})
    if state == "waiting":
        return [asked, waits]
    if state == "applied":
        return [asked, waits, ("applied", {"old": value, "new": value, "revision": 1})]
    return [asked, waits, ("failed", {"message": FAILED})] if state == "failed" else []


def spoil(editor: ValueEditor | None) -> None:
    """Does something wrong to an editor, as a hand may."""
    match editor:
        case NumberEditor():
            write(editor.field, "-0.5")
        case DurationEditor():
            write(editor.field, "soon")
        case RawEditor():
            write_json(editor, '{"a": [1, ')
        case TextEditor():
            write(editor.field, "x")
        case MixtureEditor():
            write(editor.rows.rows[0].draft, "120")
            QTest.keyClick(editor.rows.rows[0].draft, Qt.Key.Key_Return)
        case CollectionEditor():
            click(editor.add)
        case RecordForm():
            for row in editor.rows.values():
                spoil(row.editor)


def sheet(name: str) -> QWidget:
    """One editor: its states side by side, each under its word."""
    page = QWidget()
    set_look(page, "panel")
    row = QHBoxLayout(page)
    row.setSpacing(12)
    for state in STATES:
        column = QVBoxLayout()
        column.addWidget(QLabel(f"{name}, {state}"))
        card = card_of(name, state)
        card.setFixedWidth(WIDTH)
        column.addWidget(card)
        column.addStretch(1)
        row.addLayout(column)
        page.show()
        if state == "filled" and isinstance(card.editor, MixtureEditor):
            QApplication.processEvents()
            drag(card.editor.draft_bar, card.editor.draft_bar.shares[0], 0.62)
            click(card.editor.rows.rows[2].lock)
        if state == "invalid":
            spoil(card.editor)
    QApplication.processEvents()
    width = len(STATES) * (WIDTH + 12) + 10
    page.resize(width, page.heightForWidth(width))
    return page


def main() -> int:
    """Draws each sheet in both themes."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication([])
    manager = ThemeManager(app, "dark")
    choices: tuple[Choice, ...] = ("dark", "light")
    for choice in choices:
        manager.choose(choice)
        for name in sys.argv[2:] or EDITORS:
            page = sheet(name)
            grab(page, folder / f"{name}-{choice}.png", 1)
            page.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
