"""The import walls that import-linter cannot say: parts of other packages, and lists of what is allowed."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Wall:
    """Modules under `inside` may not import `forbidden`, save what `allowed` names."""

    why: str
    inside: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


WALLS = (
    Wall(
        "the app uses the SDK's protocol, client, keys, record and passport, never the training side",
        inside=("helm_desktop",),
        forbidden=("helm_sdk",),
        allowed=(
            "helm_sdk.client",
            "helm_sdk.keys",
            "helm_sdk.passport",
            "helm_sdk.policy",
            "helm_sdk.protocol",
            "helm_sdk.record",
            "helm_sdk.rules",
        ),
    ),
    Wall(
        "models and the link know no widgets",
        inside=("helm_desktop.model", "helm_desktop.link"),
        forbidden=("PySide6.QtWidgets",),
    ),
    Wall(
        "models know QtCore and the undo stack of QtGui only",
        inside=("helm_desktop.model",),
        forbidden=("PySide6",),
        allowed=("PySide6.QtCore", "PySide6.QtGui.QUndoStack", "PySide6.QtGui.QUndoCommand"),
    ),
    Wall(
        "only the command imports the app",
        inside=("helm_desktop", "helm_sdk"),
        forbidden=("helm_desktop.app",),
    ),
)
EXEMPT = {"helm_desktop.launch": ("helm_desktop.app",)}
# Who shows or computes opens no file: it asks a controller, and the controller asks `storage` or `link`.
NO_FILES = ("helm_desktop.model", "helm_desktop.views", "helm_desktop.widgets")
FILE_FUNCTIONS = {
    "open": {"", "io", "gzip", "os"},
    "os": {
        "listdir",
        "makedirs",
        "mkdir",
        "remove",
        "rename",
        "replace",
        "rmdir",
        "scandir",
        "stat",
        "unlink",
    },
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move", "rmtree"},
}
FILE_METHODS = {
    "exists",
    "glob",
    "is_dir",
    "is_file",
    "iterdir",
    "mkdir",
    "read_bytes",
    "read_text",
    "rglob",
    "stat",
    "touch",
    "unlink",
    "write_bytes",
    "write_text",
}
FILE_CLASSES = {"QFile", "QSaveFile", "QSettings", "NamedTemporaryFile", "TemporaryDirectory"}
STDLIB_ALONE = {"helm_sdk.protocol": ("msgpack", "msgspec"), "helm_sdk.passport": ()}


def is_under(name: str, prefixes: tuple[str, ...]) -> bool:
    """Return True when a dotted name is one of the prefixes or lies below one."""
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def module_name(path: Path) -> str:
    """Return the dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of each import in a file, wherever in it."""
    module = module_name(path)
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def file_calls(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of each call in a file that opens, looks at or changes a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        owner, _, name = called.rpartition(".")
        if (
            (name == "open" and owner in FILE_FUNCTIONS["open"])
            or name in FILE_FUNCTIONS.get(owner, ())
            or (owner and name in FILE_METHODS)
            or name in FILE_CLASSES
        ):
            yield node.lineno, called


def faults(path: Path) -> Iterator[str]:
    """Yield one line for each import or call of a file that breaks a wall."""
    module = module_name(path)
    if is_under(module, NO_FILES):
        for line, called in file_calls(path):
            yield f"{path.relative_to(ROOT)}:{line}: calls {called}: storage, link and startup touch files"
    for line, name in imports(path):
        where = f"{path.relative_to(ROOT)}:{line}: imports {name}"
        for wall in WALLS:
            broken = is_under(name, wall.forbidden) and not is_under(name, wall.allowed)
            if is_under(module, wall.inside) and broken and not is_under(name, EXEMPT.get(module, ())):
                yield f"{where}: {wall.why}"
        top = name.split(".")[0]
        for package, extra in STDLIB_ALONE.items():
            known = top in sys.stdlib_module_names or top in extra or is_under(name, (package,))
            if is_under(module, (package,)) and not known:
                yield f"{where}: {package} needs {' and '.join(['the standard library', *extra])} alone"


def main() -> int:
    """Print every broken wall; 1 when there is one."""
    files = [
        path for package in ("helm_sdk", "helm_desktop") for path in sorted((ROOT / package).rglob("*.py"))
    ]
    broken = [fault for path in files for fault in faults(path)]
    print("\n".join(broken) if broken else f"walls: {len(files)} files, none broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
