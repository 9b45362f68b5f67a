"""Keys: made once, kept secret, told apart by name."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from helm_sdk import keys
from helm_sdk.keys import KeysError, load_keys


def test_that_a_pair_is_made_once_and_is_the_owners_alone(tmp_path: Path) -> None:
    first, second = load_keys(tmp_path / "keys"), load_keys(tmp_path / "keys")
    assert first == second
    secret = tmp_path / "keys" / "helm.key_secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert first.public in (tmp_path / "keys" / "helm.key").read_text()
    assert first.secret not in repr(first)
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == ["helm.key", "helm.key_secret"]


def test_that_processes_that_start_together_agree_on_one_pair(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from helm_sdk.keys import load_keys; sys.stdin.read(1);"
        "print(load_keys(pathlib.Path(sys.argv[1])).public)"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "keys")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    assert len({racer.communicate(timeout=30)[0] for racer in racers}) == 1


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_that_a_secret_that_others_can_read_is_refused_with_a_sentence(tmp_path: Path) -> None:
    load_keys(tmp_path)
    (tmp_path / "helm.key_secret").chmod(0o640)
    with pytest.raises(KeysError, match=r"can be read by others \(mode 0640\): run chmod 600"):
        load_keys(tmp_path)


def test_that_a_folder_that_cannot_be_made_is_a_keys_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeysError, match="cannot be used"):
        load_keys(tmp_path / "file" / "keys")


def test_that_trusted_keys_have_names_and_can_be_revoked(tmp_path: Path) -> None:
    own, other = load_keys(tmp_path / "own"), load_keys(tmp_path / "other")
    keys.trust("ada", (tmp_path / "other" / "helm.key").read_text(), own.folder)
    assert keys.trusted(own.folder) == {"ada": other.public}
    assert keys.name_of(other.public, own.folder) == "ada"
    assert keys.name_of(own.public, own.folder) == keys.own_name()
    with pytest.raises(KeysError, match="another key already"):
        keys.trust("ada", own.public, own.folder)
    keys.revoke("ada", own.folder)
    assert keys.name_of(other.public, own.folder) is None
    with pytest.raises(KeysError, match="not trusted"):
        keys.revoke("ada", own.folder)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x" * 65])
def test_that_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(KeysError, match="no name for a key"):
        keys.trust(name, load_keys(tmp_path).public, tmp_path)


@pytest.mark.parametrize("text", ["", "short", "x" * 41, 'public-key = "nope"'])
def test_that_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(KeysError, match="40 characters"):
        keys.parse_public(text)
