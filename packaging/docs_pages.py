"""Pages of the documentation site that lie elsewhere in the repository: an mkdocs hook."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "changelog.md": ROOT / "CHANGELOG.md",
    "contributing.md": ROOT / "CONTRIBUTING.md",
    "developers/protocol.md": ROOT / "helm_sdk" / "protocol" / "PROTOCOL.md",
}
DECISIONS = "developers/decisions"
_LOADED = re.compile(
    r"<(?:script|img|iframe)[^>]*src=\"https?:|<link[^>]*rel=\"stylesheet\"[^>]*href=\"https?:"
)
_DOCS = re.compile(r"\]\(resources/docs/")
_ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?![a-z]+:|#)[^)]*\)")


def page(path: Path) -> str:
    """Return a page with its links as they are on the site; a link to no page of it becomes plain text."""
    parts = []
    for line in path.read_text(encoding="utf-8").splitlines():
        moved = _DOCS.sub("](:", line)
        parts.append(_ELSEWHERE.sub(_link, moved))
    return "\n".join(parts) + "\n"


def _link(found: re.Match[str]) -> str:
    target = found[0].rsplit("(", 1)[1][:-1]
    return f"[{found[1]}]({target[1:]})" if target.startswith(":") else found[1]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List every decision record among the developers' pages."""
    folder = Path(config.docs_dir) / DECISIONS
    records = [f"{DECISIONS}/{record.name}" for record in sorted(folder.glob("*.md"))]
    section = next(entry["Developers"] for entry in config.nav or [] if "Developers" in entry)
    section.append({"Decisions": records})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add these pages to those of resources/docs."""
    for name, path in PAGES.items():
        files.append(File.generated(config, name, content=page(path)))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Refuse a page that loads something from the network."""
    found = _LOADED.search(output)
    if found is not None:
        raise PluginError(f"{page.file.src_uri} loads from the network: {found[0]}")
    return output
