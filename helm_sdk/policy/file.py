"""The policy file, read again whenever it has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from helm_sdk.policy.parse import PolicyError, parse_policy
from helm_sdk.policy.spec import Policy
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import read_plain, stamp_of

POLICY_FILE: Final = "policy.json"


def read_policy(path: Path) -> Policy | None:
    """Return the policy in a file; None when there is no such file. Raises PolicyError."""
    try:
        plain = read_plain(path)
    except RecordError as error:
        raise PolicyError(str(error)) from None
    if plain is None:
        return None
    try:
        return parse_policy(plain)
    except PolicyError as error:
        raise PolicyError(f"{path} is no policy: {error}") from None


class PolicyFile:
    """The newest policy that could be read. `problem` says what is wrong with the file as it is now."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._policy: Policy | None = None
        self._stamp: tuple[int, int, int] | str | None = "never"

    def current(self) -> Policy | None:
        """The policy now; None where there is none. Raises PolicyError when there never was one to go by."""
        stamp = stamp_of(self.path)
        if stamp != self._stamp:
            try:
                self._policy, self.problem = read_policy(self.path), ""
            except PolicyError as error:
                self.problem = str(error)
            self._stamp = stamp
        if self.problem and self._policy is None:
            raise PolicyError(self.problem)
        return self._policy
