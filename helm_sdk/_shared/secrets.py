"""Find secrets in a command line or a configuration and replace them by *** before anything is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

HIDDEN = "***"
_ANYWHERE = frozenset(
    {"secret", "secrets", "password", "passwd", "pwd", "passphrase", "apikey", "authorization"}
    | {"credential", "credentials"}
)
_LAST = frozenset(["key", "keys", "token", "auth", "bearer", "pass", "pat"])
_PAIRS = frozenset(
    {
        "api key",
        "access key",
        "secret key",
        "private key",
        "auth token",
        "access token",
        "hub token",
        "hf token",
    }
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_URL_LOGIN = re.compile(r"(?P<head>\b[a-zA-Z][a-zA-Z0-9+.-]*://)[^/\s@?#]*@")
_QUERY = re.compile(r"(?P<head>[?&;])(?P<name>[^=&;\s?#]+)=(?P<value>[^&;\s#]+)")
_ASSIGNED = re.compile(r"^(?P<name>[^=\s]+?)(?P<sign>=)(?P<value>.*)$", re.DOTALL)
_KNOWN = re.compile(
    r"\b(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}"
    r"|AKIA[A-Z0-9]{12,}|xox[abprs]-[A-Za-z0-9-]{10,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
)
_HEADER = re.compile(
    r"(?i)\b(?P<head>(?:authorization|x-api-key)\s*:\s*(?:bearer\s+|basic\s+)?)\S+|\bbearer\s+\S{8,}"
)


def _name_parts(name: str) -> list[str]:
    return [part.lower() for part in _WORD.findall(name)]


def is_secret_name(name: str) -> bool:
    """Return True when a flag or variable of this name holds a secret: `--api-key`, `a.key`, `HF_TOKEN`."""
    parts = _name_parts(name)
    return bool(parts) and (parts[-1] in _LAST or not _ANYWHERE.isdisjoint(parts))


def is_secret_setting(name: str) -> bool:
    """Return True when a setting of this name holds a secret; `pad_token` and `sort_key` do not.

    It is stricter than `is_secret_name`: in a configuration a name that ends in "key" or "token" is common.
    """
    parts = _name_parts(name)
    return not _ANYWHERE.isdisjoint(parts) or " ".join(parts[-2:]) in _PAIRS


def hide_in_text(text: str) -> str:
    """Return the text without logins in URLs, secret query parameters, and tokens of a known shape."""
    text = _URL_LOGIN.sub(rf"\g<head>{HIDDEN}@", text)
    text = _QUERY.sub(_hide_parameter, text)
    text = _HEADER.sub(lambda match: (match.group("head") or "bearer ") + HIDDEN, text)
    return _KNOWN.sub(HIDDEN, text)


def hide_secrets(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return a command line with its secrets replaced: `--flag=…`, `--flag …`, `KEY=…`, URL logins."""
    shown: list[str] = []
    next_is_secret = False
    for argument in arguments:
        assigned = _ASSIGNED.match(argument)
        if next_is_secret and not argument.startswith("--"):
            shown.append(HIDDEN)
            next_is_secret = False
            continue
        next_is_secret = False
        if assigned and "://" not in assigned["name"] and is_secret_name(assigned["name"]):
            shown.append(f"{assigned['name']}={HIDDEN}")
            continue
        next_is_secret = argument.startswith("-") and not assigned and is_secret_name(argument)
        shown.append(hide_in_text(argument))
    return tuple(shown)


def _hide_parameter(match: re.Match[str]) -> str:
    value = HIDDEN if is_secret_name(match["name"]) else match["value"]
    return f"{match['head']}{match['name']}={value}"
