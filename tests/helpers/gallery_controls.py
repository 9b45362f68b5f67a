"""The controls of the drawing, from catalogues and events as a run sends them."""

from typing import Any

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.messages import Capability, ControlState, Event

States = list[tuple[str, int, dict[str, Any]]]

SOURCES = ("web", "code", "math", "books")
MANY = (*SOURCES, "wiki", "arxiv", "stack", "news", "law", "chat", "bio", "patents", "poems", "maps")
DRAWN = {"web": 0.38, "code": 0.31, "math": 0.21, "books": 0.10}
OLD = {"weights": {"weights": {"web": "0.3", "code": "0.3", "math": "0.3", "books": "0.1"}}}
NEW = {"weights": {"weights": {"web": "0.4", "code": "0.3", "math": "0.2", "books": "0.1"}}}

HISTORIES: dict[str, States] = {
    "set_mixture": [
        ("received", 139, {"input": NEW}),
        ("applied", 140, {"new": NEW, "old": OLD, "safe_point": "after_step"}),
    ],
    "lr": [
        ("received", 1199, {"input": {"lr": "1.5e-3"}}),
        ("waiting", 1199, {"safe_point": "trainer.step"}),
        ("applied", 1200, {"old": {"lr": 3e-3}, "new": {"lr": "1.5e-3"}, "revision": 1}),
        ("confirmed", 1200, {"ran_at": 1.43e-3}),
    ],
    "rollback": [("received", 5, {}), ("awaiting approval", 5, {})],
}


def declared(name: str, *fields: dict[str, Any], one_of: tuple[str, ...] = (), **more: Any) -> ControlState:
    """One entry of the catalogue."""
    unavailable = more.pop("unavailable", "")
    schema = k.record_schema(*fields, one_of=one_of)
    capability = Capability(name=name, input_schema=schema, **more)
    return ControlState(capability=capability, unavailable=unavailable)


def mixtures() -> list[ControlState]:
    """One of four components, one of fourteen."""
    weights = {name: 14 - place for place, name in enumerate(MANY)}
    return [
        declared("set_mixture", k.field("weights", k.mixture(SOURCES, "data/mix/{component}")), starting=OLD),
        declared(
            "set_sources",
            k.field("weights", k.mixture(MANY, "mix/{component}")),
            starting={"weights": {"weights": weights}},
        ),
    ]


def trainers() -> list[ControlState]:
    """What a trainer declares."""
    modes = k.enum_of(["rescale", "hold"], ["follow the schedule", "hold"])
    lr = [
        k.field("lr", k.number(0, exclusive=["min"], scale="log"), optional=True),
        k.field("scale", k.number(0), optional=True),
        k.field("mode", modes, default="rescale"),
    ]
    clip = k.field("max_norm", k.number(0, exclusive=["min"]), default=None)
    return [
        declared("lr", *lr, one_of=("lr", "scale"), starting={"lr": 3e-3}, reads="optim/lr/group0"),
        declared("grad_clip", clip, starting={"max_norm": 1.0}),
        declared("checkpoint", button="Save now"),
        declared("eval", button="Run"),
        declared("pause", button="Pause", unavailable="rank 1 left at step 99"),
        declared("rollback", k.field("checkpoint", k.string()), requires_approval=True),
    ]


def curriculum() -> ControlState:
    """Every kind of field."""
    inner = k.record_of(k.field("depth", k.integer(0, 9)), k.field("kind", k.enum_of(list("abcde"))))
    fields = [
        k.field("enabled", k.boolean()),
        k.field("difficulty", k.number(0, 1)),
        k.field("order", k.enum_of(["random", "easy", "hard"], ["random", "easy first", "hard first"])),
        k.field("max_len", k.integer(1, None, unit="tokens")),
        k.field("warm_up", k.duration()),
        k.field("note", k.string(), optional=True, help="shown in the log"),
        k.field("domains", k.list_of(k.string())),
        k.field("stage", inner),
        k.field("extra", {"kind": "hologram"}, optional=True),
    ]
    starting = {"enabled": True, "difficulty": "0.62", "order": "easy", "max_len": 2048, "warm_up": 900}
    more = {"domains": ["web", "code"], "stage": {"depth": 2, "kind": "b"}}
    return declared("set_curriculum", *fields, starting={**starting, **more})


def tail(name: str, rows: int, since: int | None) -> tuple[list[int], list[float]]:
    """The newest point of a stream."""
    if name == "optim/lr/group0":
        return [1260], [1.21e-3]
    return [1], [DRAWN.get(name.rsplit("/", 1)[-1], 1 / 14)]


def controls_model() -> ControlsModel:
    """All of them in one model."""
    model = ControlsModel(tail=tail)
    model.set_catalogue([*mixtures(), *trainers(), curriculum()], "rank-0")
    number = 0
    for name, states in HISTORIES.items():
        common = {"command_id": name, "capability": name, "sender": "laptop"}
        for state, step, body in states:
            number += 1
            event = {**common, "state": state, **body}
            when = 1_796_000_000.0 + number / 10
            model.apply_event("rank-0", Event(id=number, kind="command", time=when, step=step, body=event))
    model.on_points()
    model.set_note("checkpoint", "step 188, 24 s ago, 21 KB", "checkpoint")
    model.flush()
    return model
