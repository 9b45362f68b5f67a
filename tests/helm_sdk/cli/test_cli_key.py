"""helmctl key and doctor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import zmq

from helm_sdk import cli
from helm_sdk._cli import checks, devices, finding
from helm_sdk.keys import load_keys, trusted


def test_that_a_key_is_shown_exported_trusted_and_revoked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own = load_keys().public
    assert cli.main(["key", "export"]) == 0
    assert capsys.readouterr().out.strip() == own
    file = tmp_path / "ada.key"
    public = zmq.curve_keypair()[0].decode()
    file.write_text(public)

    assert cli.main(["key", "trust", "ada", str(file)]) == 0
    assert trusted() == {"ada": public}
    assert cli.main(["key", "show"]) == 0
    assert public in capsys.readouterr().out
    assert cli.main(["key", "revoke", "ada"]) == 0
    assert trusted() == {}


@pytest.mark.parametrize(
    "words", [["trust"], ["trust", "ada"], ["trust", "ada", "xyz"], ["revoke"], ["revoke", "x"]]
)
def test_that_a_half_said_key_is_a_mistake(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["key", *words]) == cli.MISTAKE
    assert capsys.readouterr().err.startswith("helmctl: ")


def test_that_the_secret_key_is_never_written(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["show"], ["export"], ["show", "--json"]):
        assert cli.main(["key", *words]) == 0
        assert load_keys().secret not in capsys.readouterr().out


def test_that_doctor_finds_this_machine_healthy(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "--json"]) == 0
    findings = {found["name"]: found for found in json.loads(capsys.readouterr().out)["findings"]}

    for name in ("python", "helm_sdk", "sockets", "keys", "folder", "sqlite", "disk"):
        assert findings[name]["state"] in ("ok", "note"), findings[name]
    assert "imported from" in findings["helm_sdk"]["text"]
    assert {"qt", "gpu", "torch"} <= set(findings)


def test_that_doctor_names_another_projects_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "version", lambda name: "9.9")

    found = {one.name: one for one in checks.examine(None)}["helm_sdk"]
    assert found.state == finding.BROKEN
    assert "pip uninstall helm-sdk" in found.text


def test_that_doctor_leaves_with_one_when_something_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(zmq, "has", lambda capability: False)

    assert cli.main(["doctor"]) == 1
    assert "broken  sockets" in capsys.readouterr().out


def test_that_a_check_that_raises_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def explode() -> list[finding.Finding]:
        raise RuntimeError("odd machine")

    monkeypatch.setattr(devices, "gpu_findings", explode)

    assert any("odd machine" in one.text for one in checks.examine(None))


def test_that_doctor_says_which_qt_aborts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "package_version", lambda name: "6.12.0")
    monkeypatch.setattr("sys.version_info", (3, 11, 7))

    assert [one.state for one in devices.qt_findings()] == [finding.BROKEN]
