"""Who may talk to a run: the user's own CURVE key pair, and the public keys that the user trusts."""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from helm_sdk.record import private

_NAME = "helm"
_SECRET_FILE = f"{_NAME}.key_secret"
_PUBLIC_FILE = f"{_NAME}.key"
_Z85_KEY = re.compile(r"[0-9A-Za-z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}")
_TRUSTED_NAME = re.compile(r"[^\s/\\.][^/\\\s]{0,63}")


class KeysError(Exception):
    """Keys that cannot be used; the text is one sentence for people."""


@dataclass(frozen=True)
class Keys:
    """A CURVE key pair.

    Attributes:
        public: The public key, 40 characters of Z85 text.
        secret: The secret key, 40 characters of Z85 text.
        folder: The folder that the pair was read from.
    """

    public: str
    secret: str
    folder: Path

    def __repr__(self) -> str:
        """Return the public key and the folder, never the secret key."""
        return f"Keys(public={self.public!r}, folder={str(self.folder)!r})"


def keys_folder() -> Path:
    """Return the folder of the user's keys: `keys` in the configuration folder."""
    from helm_sdk.record.layout import config_home

    return config_home() / "keys"


def load_keys(folder: Path | None = None) -> Keys:
    """Return the user's key pair, which is made on first use.

    Args:
        folder: The folder of the keys; without it the user's own.

    Raises:
        KeysError: If it cannot be made or read, or if others may read the secret key.
    """
    import zmq.auth

    folder = keys_folder() if folder is None else folder
    secret_file = folder / _SECRET_FILE
    try:
        if not secret_file.exists():
            _make(folder)
        _refuse_open(secret_file)
        public, secret = zmq.auth.load_certificate(str(secret_file))
    except (OSError, ValueError) as error:
        raise KeysError(f"the keys in {folder} cannot be used: {error}") from None
    if secret is None:
        raise KeysError(f"{secret_file} holds no secret key: move it away and a new one is made")
    return Keys(public.decode(), secret.decode(), folder)


def export_public(folder: Path | None = None) -> str:
    """Return the user's public key, as another user's `trust` takes it.

    Args:
        folder: The folder of the keys; without it the user's own.

    Raises:
        KeysError: As in `load_keys`.
    """
    return load_keys(folder).public


def trusted(folder: Path | None = None) -> dict[str, str]:
    """Return the public keys of the allow-list, by name; a file that holds no key is left out.

    Args:
        folder: The folder of the keys; without it the user's own.
    """
    import zmq.auth

    found: dict[str, str] = {}
    for path in sorted(((keys_folder() if folder is None else folder) / "trusted").glob("*.key")):
        with contextlib.suppress(OSError, ValueError):
            found[path.stem] = zmq.auth.load_certificate(str(path))[0].decode()
    return found


def trust(name: str, public: str, folder: Path | None = None) -> Path:
    """Let the holder of a public key watch and steer this user's runs.

    Args:
        name: What to call the key: one word without slashes.
        public: The public key, or the text of a certificate file.
        folder: The folder of the keys; without it the user's own.

    Returns:
        The file that was written.

    Raises:
        KeysError: If it is no key or no name, or if the name is trusted with another key already.
    """
    name, key = _checked_name(name), parse_public(public)
    place = (keys_folder() if folder is None else folder) / "trusted"
    private.make_folder(place)
    path = place / f"{name}.key"
    known = trusted(folder)
    if known.get(name, key) != key:
        raise KeysError(f"{name} is trusted with another key already: revoke it first")
    _write(path, f'metadata\n    name = "{name}"\ncurve\n    public-key = "{key}"\n', 0o644)
    return path


def revoke(name: str, folder: Path | None = None) -> None:
    """Take a name off the allow-list; running processes notice within a second.

    Args:
        name: The name.
        folder: The folder of the keys; without it the user's own.

    Raises:
        KeysError: If the name is not trusted.
    """
    path = (keys_folder() if folder is None else folder) / "trusted" / f"{_checked_name(name)}.key"
    try:
        path.unlink()
    except FileNotFoundError:
        raise KeysError(f"{name} is not trusted") from None


def parse_public(text: str) -> str:
    """Return the public key in a text.

    Args:
        text: 40 characters of Z85 text, or a whole certificate file.

    Raises:
        KeysError: If there is none.
    """
    quoted = re.search(r'public-key\s*=\s*"([^"]+)"', text)
    key = (quoted[1] if quoted else text).strip()
    if not _Z85_KEY.fullmatch(key):
        raise KeysError("a public key is 40 characters of Z85 text, this is not")
    return key


def own_name() -> str:
    """Return what the user's own key is called: the user's login name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "me"


def name_of(public: str, folder: Path | None = None) -> str | None:
    """Return the name that the allow-list gives a public key; None for a key that is not on it.

    Args:
        public: The public key, 40 characters of Z85 text.
        folder: The folder of the keys; without it the user's own.

    Raises:
        KeysError: As in `load_keys`.
    """
    return AllowList(load_keys(folder)).name_of(public)


class AllowList:
    """The names of the keys that are let in, read again when the folder of trusted keys changes.

    Args:
        keys: The user's own keys, which are always let in.
    """

    def __init__(self, keys: Keys) -> None:
        """Read the allow-list that lies in the folder of these keys."""
        self._own = keys.public
        self._folder = keys.folder
        self._stamp: tuple[tuple[str, int], ...] | None = None
        self._names: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> bool:
        """Read the folder where its files have changed.

        Returns:
            Whether a key that was let in before no longer is.
        """
        stamp = tuple(sorted(self._files()))
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        known = self._names
        self._names = {key: name for name, key in trusted(self._folder).items()}
        self._names[self._own] = own_name()
        return not known.keys() <= self._names.keys()

    def name_of(self, public: str) -> str | None:
        """Return the name of a key that is let in; None for another.

        Args:
            public: The public key, 40 characters of Z85 text.
        """
        return self._names.get(public)

    def _files(self) -> list[tuple[str, int]]:
        found = []
        with contextlib.suppress(OSError), os.scandir(self._folder / "trusted") as entries:
            found = [(entry.name, entry.stat().st_mtime_ns) for entry in entries]
        return found


def _make(folder: Path) -> None:
    """Make the pair in a folder beside and move it in whole: of several processes one wins."""
    import zmq.auth

    private.make_folder(folder)
    beside = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    try:
        public, secret = zmq.auth.create_certificates(str(beside), _NAME)
        for file in (public, secret):
            os.chmod(file, 0o600)
        try:
            os.link(secret, folder / _SECRET_FILE)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            os.replace(secret, folder / _SECRET_FILE)
        os.replace(public, folder / _PUBLIC_FILE)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _refuse_open(secret_file: Path) -> None:
    if os.name != "posix":
        return
    mode = stat.S_IMODE(secret_file.stat().st_mode)
    if mode & 0o077:
        raise KeysError(
            f"the secret key {secret_file} can be read by others (mode {mode:04o}): run chmod 600 on it, "
            "or delete it and a new one is made"
        )


def _checked_name(name: str) -> str:
    if not _TRUSTED_NAME.fullmatch(name):
        raise KeysError(f"{name!r} is no name for a key: use a word without slashes or spaces")
    return name


def _write(path: Path, text: str, mode: int) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(mode)
    os.replace(beside, path)
