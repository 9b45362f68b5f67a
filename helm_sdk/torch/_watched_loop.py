"""A watched model: its optimizers, schedules and controls, from `tr.watch` to the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import torch

from helm_sdk._run.run import Run
from helm_sdk._shared.notice import Notices
from helm_sdk._shared.scalars import number
from helm_sdk.protocol.messages import Plan, RateOverride
from helm_sdk.torch import _tensors
from helm_sdk.torch._checkpoints.restore import RestoreTarget
from helm_sdk.torch._checkpoints.saver import CheckpointSaver
from helm_sdk.torch._controls.base import ControlParts, PauseGate, ReadBack, TrainerControl
from helm_sdk.torch._controls.older_states import state_of
from helm_sdk.torch._controls.registry import CONTROLS
from helm_sdk.torch._coordination import Coordination
from helm_sdk.torch._schedules import schedule
from helm_sdk.torch._schedules.override_reports import OverrideReports
from helm_sdk.torch._schedules.plan_publisher import PlanPublisher
from helm_sdk.torch._schedules.rate_overrides import LoopPosition
from helm_sdk.torch._schedules.rates import UsedRates
from helm_sdk.torch._steps.clipping import Clipping
from helm_sdk.torch._steps.nonfinite import NonFiniteReports
from helm_sdk.torch._steps.skipping import StepSkipping
from helm_sdk.torch._wrappers import unwrapped

_MEMORY_EVERY_S = 1.0


class LoopPort(Protocol):
    """What a watched loop needs of its trainer."""

    run: Run
    coordination: Coordination
    on_nonfinite: str

    @property
    def next_step(self) -> int:
        """The step that the loop is in."""
        ...

    @property
    def following_step(self) -> int:
        """The step after the one that the loop is in."""
        ...

    @property
    def tokens(self) -> tuple[float, int]:
        """(tokens seen, steps that said how many)."""
        ...

    def log(self, values: Mapping[str, Any], step: int | None = None) -> None:
        """Record numbers by name."""
        ...

    def outside(self, name: str) -> AbstractContextManager[None]:
        """Return a context manager for a span that is no part of a step's time."""
        ...


class WatchedLoop:
    """Made by `watch`. Until `begin` nothing is hooked: a disabled run leaves the loop alone."""

    def __init__(
        self,
        trainer: LoopPort,
        model: torch.nn.Module,
        optimizers: list[torch.optim.Optimizer],
        schedulers: list[Any],
        scaler: Any,
    ) -> None:
        self._trainer = trainer
        self._run = trainer.run
        self.model = model
        self.scaler = scaler
        self.schedulers = schedulers
        self.scaling = scaler is not None and bool(getattr(scaler, "is_enabled", lambda: True)())
        self.rates = UsedRates(
            optimizers,
            lambda: LoopPosition(trainer.next_step, trainer.tokens[0]),
            lambda: LoopPosition(trainer.following_step, trainer.tokens[0]),
        )
        self.clipping = Clipping()
        # With a scaler the scaler itself looks at the gradients and skips.
        judged = trainer.on_nonfinite != "warn" and not self.scaling
        self.skipping = StepSkipping(model, optimizers) if judged else None
        self.gate = PauseGate()
        self.read_back = ReadBack()
        self._controls: dict[str, TrainerControl] = {}
        self._schedule = schedule.WatchedSchedulers(schedulers)
        keep = (model, *model.modules(), *model.parameters(), *model.buffers())
        self.plan_publisher = PlanPublisher(
            self.rates, self._schedule, keep, lambda: trainer.next_step, self._publish_plan, Notices()
        )
        self._override_reports = OverrideReports(self.rates, schedulers, self._publish_overrides)
        ranks = trainer.coordination
        training = RestoreTarget(model, optimizers, schedulers, scaler, ranks.rank, ranks.world)
        self.saver = CheckpointSaver((self._run.folder or Path()) / "checkpoints", training, self._publish)
        self._seen_steps = [0] * len(optimizers)
        self._names: list[tuple[str, str, int]] = []  # of the streams, and the optimizer's number
        self._cuda = next((p.device for p in model.parameters() if p.device.type == "cuda"), None)
        self._memory_due = 0.0
        self._lists_tensors = False
        self._scaler_states = getattr(scaler, "_per_optimizer_states", None)

    def begin(self, names: list[str], eval_fn: Callable[[], Any] | None, *, tensors: bool) -> None:
        """Hook the optimizers, declare the controls, publish the model's tensors."""
        self.rates.attach(self.schedulers)
        if self.skipping is not None:
            self.skipping.attach()
        if self.scaling or self.skipping is not None:
            for scheduler in self.schedulers:
                self.rates.guards[id(scheduler)] = self._stepped_since(scheduler)
        self.clipping.on_first_call = self._clip_found
        parts = self._control_parts(eval_fn)
        for name in names:
            self._controls[name] = control = CONTROLS[name](parts)
            self._declare(control)
        self._override_reports.publish_changes()
        self._lists_tensors = tensors
        self._publish_tensors()

    @property
    def parameters(self) -> list[torch.nn.Parameter]:
        """The model's parameters as they are now: layers are added, replaced and frozen while it trains."""
        return list(self.model.parameters())

    @property
    def paused(self) -> bool:
        """Whether the loop is held."""
        return self.gate.paused

    def forget(self, command_id: str) -> None:
        """Do not wait for the effect of a change any more: it was undone."""
        self.read_back.forget(command_id)

    @property
    def controls(self) -> Mapping[str, TrainerControl]:
        """The controls that were declared, by name."""
        return self._controls

    def collect(self, values: dict[str, Any], step: int, nonfinite: NonFiniteReports) -> None:
        """Put what the optimizers really used into `values`; nothing where they did not step."""
        norm = self.clipping.pop_norm()
        if norm is not None:
            values["optim/grad_norm"] = read = norm.item() if norm.is_cpu else number(norm)
            nonfinite.check("optim/grad_norm", step, read)
        rates = self.rates
        rates.note_compiled()
        updated = self.scaling and self._scaler_updated()
        if self.skipping is not None and (why := self.skipping.pop_reason()):
            self._publish("warning", step, {"what": "skipped", "message": f"the step was skipped: {why}"})
            if self._trainer.on_nonfinite == "pause":
                self.gate.paused = True
        if rates.steps != self._seen_steps:
            self._collect_rates(values)
        elif updated and rates.optimizers:
            self._publish(
                "warning", step, {"what": "skipped", "message": "the scaler skipped the optimizer's step"}
            )
        if self.scaling:
            scale = getattr(self.scaler, "_scale", None)
            values["loss_scale"] = scale if scale is not None else self.scaler.get_scale()
        if self._cuda is not None:
            self._memory(values)

    def _collect_rates(self, values: dict[str, Any]) -> None:
        rates, seen = self.rates, self._seen_steps
        if len(self._names) != len(rates.groups):
            grown = bool(self._names)
            self._names = [
                (f"optim/lr/{g.label}", f"optim/weight_decay/{g.label}", g.number) for g in rates.groups
            ]
            if grown:
                self._declare_again()
        for (lr, decay, optimizer), rate, used in zip(self._names, rates.used, rates.decay, strict=True):
            if rates.steps[optimizer] == seen[optimizer]:
                continue
            if rate is not None:
                values[lr] = rate
            if used is not None:
                values[decay] = used

    def after_step(self, step: int, tokens: float, token_steps: int) -> None:
        """Confirm what this step showed, and look whether the plan still holds."""
        stepped = self.rates.steps != self._seen_steps
        self.rates.end_step()
        if stepped:
            self._seen_steps = list(self.rates.steps)
            if self.read_back:
                self.read_back.check(step, self._run.trainer_port.confirm)
            self.plan_publisher.after_step(step, tokens, token_steps)
            self._override_reports.publish_changes()

    def prepare_next(self) -> None:
        """Put in what the next step uses, once the step has ended and its command is applied."""
        self.rates.prepare(lambda: self._schedule.due)

    def save(self, name: str, pin: bool, step: int | None, *, wait: bool = False) -> dict[str, Any]:
        """Save a checkpoint; raises what hinders it. Rank 0 writes, the others give their parts."""
        if self._trainer.coordination.rank != 0:
            with self._trainer.outside("checkpoint"), self.rates.own_rates():
                self.saver.send_parts()
            return {"checkpoint": "", "step": step, "bytes": 0, "commit": 0}
        self._find_folder()
        tokens, token_steps = self._trainer.tokens
        more = {
            "run_id": self._run.run_id,
            "attempt": self._run.attempt,
            "process": self._run.process,
            "tokens": tokens if token_steps else None,
            "token_steps": token_steps,
            "pinned": pin,
            "controls": self._control_states(),
            "schedule_due": self._schedule.due,
        }
        with self._trainer.outside("checkpoint"), self.rates.own_rates():
            return self.saver.save(name, step, more, wait=wait)

    def load(self, which: str | Path) -> dict[str, Any]:
        """Load a checkpoint, the changes that people had made to lr and grad_clip included."""
        self._find_folder()
        with self._trainer.outside("checkpoint"), self.rates.own_rates():
            manifest = self.saver.load(which).manifest
            if manifest.get("schedule_due"):
                self._schedule.catch_up()
            self._schedule.restart()
            for name, kept in manifest.get("controls", {}).items():
                control = self._controls.get(name)
                state = state_of(name, kept)
                if control is not None and state is not None and control.in_checkpoints:
                    control.restore(state)
        self._override_reports.publish_changes()
        return manifest

    def close(self) -> None:
        """Let go of everything that was hooked."""
        self.rates.detach()
        if self.skipping is not None:
            self.skipping.detach()
        self.plan_publisher.close()
        self.saver.close()

    # Inside ------------------------------------------------------------------------------------

    def _publish_tensors(self) -> None:
        coordination = self._trainer.coordination
        if self._lists_tensors and coordination.rank == 0:
            self._run.trainer_port.catalogue("tensors", _tensors.catalogue(self.model, coordination.world))

    def _declare_again(self) -> None:
        """A parameter group was added: the forms, the plan and the list of tensors follow."""
        for control in self._controls.values():
            self._declare(control)
        self.plan_publisher.follow_groups()
        self._publish_tensors()

    def _scaler_updated(self) -> bool:
        """Return True when the scaler has judged a step since the last call; micro-batches do not count."""
        # `update` begins with new states for the optimizers: nothing of a device has to be read.
        states = getattr(self.scaler, "_per_optimizer_states", None)
        before, self._scaler_states = self._scaler_states, states
        return states is None or states is not before

    def _control_parts(self, eval_fn: Callable[[], Any] | None) -> ControlParts:
        return ControlParts(
            model=self.model,
            rates=self.rates,
            clipping=self.clipping,
            gate=self.gate,
            read_back=self.read_back,
            next_step=self._next_step,
            next_raws=self.plan_publisher.next_raws,
            save=self._save_on_request,
            check_room=self._check_room,
            eval_fn=eval_fn,
            log=self._log_eval,
            outside=self._trainer.outside,
        )

    def _next_step(self) -> int:
        return self._trainer.next_step

    def _find_folder(self) -> None:
        """A rank that had to wait for its run did not know the folder at `watch`."""
        self._trainer.coordination.know()
        if self._run.folder is not None:
            self.saver.store.folder = self._run.folder / "checkpoints"

    def _check_room(self, step: int | None) -> None:
        if self._trainer.coordination.rank == 0:
            try:
                self.saver.check()
            except Exception as error:
                self.saver.report_failure(step, error)
                raise

    def _save_on_request(self, name: str, pin: bool, step: int | None) -> dict[str, Any]:
        try:
            return self.save(name, pin, step)
        except Exception as error:
            self.saver.report_failure(step, error)
            raise

    def _declare(self, control: TrainerControl) -> None:
        declared = control.declare()
        self._trainer.coordination.declare(declared.capability, control.handle, declared.unavailable)

    def _log_eval(self, values: Mapping[str, float], step: int | None) -> None:
        self._trainer.log(values, step=step)

    def clips_at(self, limit: float | None) -> None:
        """A framework clips to this limit: the card can be used before the first call."""
        self.clipping.limit, self.clipping.called = limit, True
        self._clip_found()

    def _clip_found(self) -> None:
        """The loop does clip: the card can be used, and starts from the limit that the call gave."""
        control = self._controls.get("grad_clip")
        if control is not None:
            self._declare(control)

    def _stepped_since(self, scheduler: Any) -> Callable[[], bool]:
        """Return a check: True when an optimizer of this scheduler has stepped since the last check."""
        rates, own = self.rates, getattr(scheduler, "optimizers", [getattr(scheduler, "optimizer", None)])
        mine = [n for n, one in enumerate(rates.optimizers) if any(one is unwrapped(held) for held in own)]
        asked = 0

        def may_step() -> bool:
            nonlocal asked
            steps = sum(rates.steps[number] for number in mine) if mine else sum(rates.steps)
            before, asked = asked, steps
            return steps != before

        return may_step

    def _control_states(self) -> dict[str, Any]:
        """Each control's state for a checkpoint, with its revision and value where people have changed it."""
        found: dict[str, Any] = {}
        for name, control in self._controls.items():
            declared = self._run.trainer_port.controls.get(name)
            changed = declared is not None and declared.revision
            kept = {"revision": declared.revision, "value": declared.value} if declared and changed else {}
            state = control.state() if control.in_checkpoints else None
            if kept or state is not None:
                found[name] = {"revision": 0, **kept, "state": state}
        return found

    def _memory(self, values: dict[str, Any]) -> None:
        now = time.monotonic()
        if now >= self._memory_due:
            self._memory_due = now + _MEMORY_EVERY_S
            values["cuda/max_memory_allocated_bytes"] = float(torch.cuda.max_memory_allocated(self._cuda))

    def _publish_plan(self, plan: Plan) -> None:
        if self._trainer.coordination.rank == 0:
            self._run.trainer_port.catalogue("plan", plan)

    def _publish_overrides(self, overrides: list[RateOverride]) -> None:
        if self._trainer.coordination.rank == 0:
            self._run.trainer_port.catalogue("rate_overrides", overrides)

    def _publish(self, kind: str, step: int | None, body: dict[str, Any]) -> None:
        self._run.trainer_port.event(kind, step, body)
