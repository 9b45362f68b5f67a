"""WSD: warm-up, a stable stretch and a decay, for every group of every optimizer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.optim.lr_scheduler import LRScheduler

from helm_sdk.torch._schedules.groups import plain, set_value

DECAYS: dict[str, Callable[[float, float], float]] = {  # (r, p) -> factor; p goes from 0 to 1
    "linear": lambda r, p: 1.0 - (1.0 - r) * p,
    "cosine": lambda r, p: r + (1.0 - r) * 0.5 * (1.0 + math.cos(math.pi * p)),
    "sqrt": lambda r, p: r + (1.0 - r) * (1.0 - math.sqrt(p)),
}
_SETTINGS = ("total_steps", "warmup_frac", "stable_frac", "min_lr_ratio", "decay")


class WSDScheduler(LRScheduler):
    """A learning-rate schedule of warm-up, a stable stretch and a decay (WSD).

    It scales each group from its own base rate, and steps once a training step, however many optimizers there
    are. With T steps in all, W = int(warmup_frac · T) and S = int(stable_frac · T), the factor at step t is

    - t / W for t < W,
    - 1 for W ≤ t < W + S,
    - r for t ≥ T, with r = `min_lr_ratio`,
    - between W + S and T, with p = (t − W − S) / (T − W − S) and by `decay`: "linear" 1 − (1 − r) p, "cosine"
      r + (1 − r) (1 + cos πp) / 2, "sqrt" 1 − (1 − r) √p.

    Args:
        optimizer: One optimizer, or a sequence of them.
        total_steps: T, the number of steps, 1 or more.
        warmup_frac: The part of T that warms up, 0 to 1.
        stable_frac: The part of T at the base rate, 0 to 1.
        min_lr_ratio: r, the last factor, 0 to 1.
        decay: "linear", "cosine" or "sqrt".
        last_epoch: The step that ran last; −1 for a fresh start.

    Raises:
        ValueError: If a part is outside 0 to 1, the two parts are more than 1 together, `total_steps` is
            below 1, or `decay` is unknown; the sentence names the argument.
        TypeError: If `optimizer` holds something that is no torch optimizer.

    Source:
        Warmup-stable-decay: Hu et al., MiniCPM, 2024, arXiv:2404.06395. The decay "sqrt": Hägele et al.,
        2024, arXiv:2405.18392.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer | Sequence[torch.optim.Optimizer],
        total_steps: int,
        warmup_frac: float = 0.01,
        stable_frac: float = 0.84,
        min_lr_ratio: float = 0.1,
        decay: str = "linear",
        last_epoch: int = -1,
    ) -> None:
        optimizers = [optimizer] if isinstance(optimizer, torch.optim.Optimizer) else list(optimizer)
        _check_optimizers(optimizers)
        _check(total_steps, warmup_frac, stable_frac, min_lr_ratio, decay)
        self.optimizers = optimizers
        self.total_steps = total_steps
        self.warmup_frac = warmup_frac
        self.stable_frac = stable_frac
        self.min_lr_ratio = min_lr_ratio
        self.decay = decay
        self.base_lrs = [_base(group, last_epoch) for group in self._groups]  # one a group, flat order
        super().__init__(optimizers[0], last_epoch)

    @property
    def _groups(self) -> list[dict[str, Any]]:
        return [group for optimizer in self.optimizers for group in optimizer.param_groups]

    def factor(self, step: int) -> float:
        """Return the factor on the base rate that every group has at a step.

        Args:
            step: The step, counted from 0.
        """
        total = self.total_steps
        warmup, stable = int(self.warmup_frac * total), int(self.stable_frac * total)
        if step >= total:
            return self.min_lr_ratio
        if step < warmup:
            return step / warmup
        if step < warmup + stable:
            return 1.0
        part = (step - warmup - stable) / (total - warmup - stable)
        return DECAYS[self.decay](self.min_lr_ratio, part)

    def get_lr(self) -> list[float | torch.Tensor]:
        """Return the rate of every group at the current step, the first optimizer's groups first."""
        factor = self.factor(self.last_epoch)
        return [base * factor for base in self.base_lrs]

    def step(self, epoch: int | None = None) -> None:
        """Go on by one step.

        Args:
            epoch: The step to go to, in place of the next one.
        """
        self._step_count += 1
        self._update_lr(epoch)

    def state_dict(self) -> dict[str, Any]:
        """Return plain JSON: the settings, every base rate and the current step."""
        return {
            **{name: getattr(self, name) for name in _SETTINGS},
            "base_lrs": [plain(rate) for rate in self.base_lrs],
            "last_epoch": self.last_epoch,
            "step_count": self._step_count,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go to the step of a state, and set every group's rate from its base rate there.

        What the optimizers held before does not count, so that nothing decays twice. The settings become the
        state's.

        Args:
            state_dict: What `state_dict` returned.

        Raises:
            ValueError: If the state is of another number of groups.
        """
        bases, groups = state_dict["base_lrs"], self._groups
        if len(bases) != len(groups):
            raise ValueError(
                f"base_lrs: the state is of {len(bases)} groups, the optimizers have {len(groups)}"
            )
        _check(*(state_dict[name] for name in _SETTINGS))
        for name in _SETTINGS:
            setattr(self, name, state_dict[name])
        self.base_lrs = [float(rate) for rate in bases]
        for group, rate in zip(groups, self.base_lrs, strict=True):
            group["initial_lr"] = rate
        self._step_count = state_dict["step_count"]
        self._update_lr(state_dict["last_epoch"])

    def _initial_step(self) -> None:  # LRScheduler's constructor ends with it
        self.base_lrs = [_base(group, self.last_epoch) for group in self._groups]
        self._step_count = 0
        self.step()

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        for group, rate in zip(self._groups, self.get_lr(), strict=True):
            set_value(group, "lr", plain(rate))
        self._last_lr = [
            lr.clone() if isinstance(lr := group["lr"], torch.Tensor) else lr for group in self._groups
        ]


def _base(group: dict[str, Any], last_epoch: int) -> float:
    """Return a group's own base rate, which it keeps under "initial_lr" as with torch's schedulers."""
    if last_epoch >= 0 and "initial_lr" not in group:
        raise KeyError("a group has no 'initial_lr', which a scheduler with last_epoch >= 0 goes on from")
    return plain(group.setdefault("initial_lr", plain(group["lr"])))


def _check_optimizers(optimizers: Sequence[Any]) -> None:
    if not optimizers:
        raise ValueError("optimizer is an empty sequence")
    for one in optimizers:
        if not isinstance(one, torch.optim.Optimizer):
            raise TypeError(f"optimizer holds a {type(one).__name__}, which is no torch optimizer")


def _check(total: Any, warmup: Any, stable: Any, ratio: Any, decay: Any) -> None:
    if not isinstance(total, int) or isinstance(total, bool) or total < 1:
        raise ValueError(f"total_steps is {total!r}, it must be a whole number, 1 or more")
    for name, value in (("warmup_frac", warmup), ("stable_frac", stable), ("min_lr_ratio", ratio)):
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            raise ValueError(f"{name} is {value!r}, it must be from 0 to 1")
    if warmup + stable > 1 + 1e-12:
        raise ValueError(f"warmup_frac and stable_frac are {warmup + stable:g} together, more than 1")
    if decay not in DECAYS:
        raise ValueError(f"decay is {decay!r}, it must be one of {', '.join(DECAYS)}")
