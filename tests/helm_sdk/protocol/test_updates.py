"""One set of updates for programs, the shell and the app."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

from helm_sdk import client
from helm_sdk.protocol import updates


def test_that_the_client_exports_every_update_under_its_name() -> None:
    for update in get_args(updates.Update):
        assert getattr(client, update.__name__) is update
        assert update.__name__ in client.__all__


def test_that_updates_need_no_sockets() -> None:
    script = "import sys, helm_sdk.protocol.updates; print('zmq' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"
