"""How often a rule may send: so many times in a while, and a pause after each."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable

from helm_sdk.rules.labels import action_words, seconds_words
from helm_sdk.rules.spec import Send


class Budget:
    """Of one Send action on one run. `ago`: seconds since it was used before."""

    def __init__(
        self, action: Send, ago: Iterable[float] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.action = action
        self._clock = clock
        self._used = deque(sorted(clock() - max(0.0, past) for past in ago))

    def use(self) -> str:
        """Use it once; else why it cannot be used now, in one sentence."""
        now, action = self._clock(), self.action
        while self._used and now - self._used[0] >= max(action.per_s, action.cool_down_s):
            self._used.popleft()
        if self._used and now - self._used[-1] < action.cool_down_s:
            ago = seconds_words(now - self._used[-1])
            return f"not sent: it was {ago} ago, and rests {seconds_words(action.cool_down_s)}"
        if sum(now - at < action.per_s for at in self._used) >= action.budget:
            return f"not sent: {action_words(action)}"
        self._used.append(now)
        return ""
