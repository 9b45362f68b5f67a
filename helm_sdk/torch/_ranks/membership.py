"""Who is there: which ranks have shown themselves, left, fallen behind or gone silent."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[int, int]  # (how often the steps went back, step): what grows as a loop goes on

NOWHERE: Place = (0, -(1 << 63))


@dataclass
class _Rank:
    here: bool = False
    left: bool = False
    beat: int = -1
    heard: float = 0.0
    place: Place = NOWHERE
    behind: float | None = None  # since when it has stayed while another went on
    owes: Place | None = None  # where it did not come in time


class Membership:
    """The ranks as rank 0 knows them. `reason` is why no change can be made now; empty when one can."""

    def __init__(self, world: int, timeout: float) -> None:
        self.world = world
        self._timeout = timeout
        self._ranks = [_Rank() for _ in range(world)]

    def here(self, rank: int, now: float) -> None:
        """A rank has shown itself, for the first time or again."""
        self._ranks[rank] = _Rank(here=True, heard=now)

    def left(self, rank: int, place: Place) -> None:
        """A rank has said that it ends."""
        one = self._ranks[rank]
        one.left, one.place = True, place

    def late(self, rank: int, place: Place) -> None:
        """A rank did not come to a place where the others waited for it."""
        self._ranks[rank].owes = place

    def present(self) -> list[int]:
        """Return the ranks whose heartbeat has to be read."""
        return [rank for rank, one in enumerate(self._ranks) if one.here and not one.left]

    def gone(self) -> list[int]:
        """Return the ranks that have left."""
        return [rank for rank, one in enumerate(self._ranks) if one.left]

    def absent(self) -> list[int]:
        """Return the ranks that have not been heard yet."""
        return [rank for rank, one in enumerate(self._ranks) if not one.here]

    def silent(self, now: float) -> list[int]:
        """Return the ranks that should be there and are not heard."""
        return [
            rank
            for rank, one in enumerate(self._ranks)
            if one.here and not one.left and now - one.heard > self._timeout
        ]

    def on_beat(self, rank: int, beat: int, place: Place, now: float) -> None:
        """What a rank's last beat says."""
        one = self._ranks[rank]
        if beat != one.beat:
            one.beat, one.heard = beat, now
        self.reached(rank, place)

    def reached(self, rank: int, place: Place) -> None:
        """Where a rank is."""
        one = self._ranks[rank]
        if place > one.place:  # what was sent earlier may be read later
            one.place, one.behind = place, None
        if one.owes is not None and place >= one.owes:
            one.owes = None

    def reason(self, now: float) -> str:
        """Return the first refusal, with every rank that gave it."""
        furthest = max(one.place for one in self._ranks)
        missing: list[int] = []
        others: list[str] = []
        for rank, one in enumerate(self._ranks):
            if not one.here:
                missing.append(rank)
            elif one.left:
                others.append(f"rank {rank} left{_at(one.place)}")
            elif now - one.heard > self._timeout:
                others.append(f"rank {rank} is silent{_at(one.place, 'since') or ' since it joined'}")
            elif one.owes is not None or self._stays(one, furthest, now):
                others.append(f"rank {rank} stays{_at(one.place) or ' before its first step'}")
        if missing:
            some = ", ".join(map(str, missing[:8])) + (" and others" if len(missing) > 8 else "")
            return f"rank{f's {some} have' if len(missing) > 1 else f' {some} has'} not joined yet"
        return ", ".join(others[:8])

    def _stays(self, one: _Rank, furthest: Place, now: float) -> bool:
        if one.place >= furthest:
            one.behind = None
            return False
        if one.behind is None:
            one.behind = now
        return now - one.behind > self._timeout


def _at(place: Place, word: str = "at") -> str:
    return "" if place == NOWHERE else f" {word} step {place[1]}"
