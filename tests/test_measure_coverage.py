"""The table that `make coverage` prints."""

import measure_coverage


def file(statements: int, run: int, branches: int = 0, taken: int = 0) -> dict[str, dict[str, int]]:
    """What coverage.py says of a file."""
    counts = {"num_statements": statements, "covered_lines": run, "num_branches": branches}
    return {"summary": {**counts, "covered_branches": taken}}


def test_that_files_are_counted_by_package_and_together() -> None:
    files = {
        "helm_sdk/torch/trainer.py": file(90, 45, 10, 5),
        "helm_sdk/torch/hf.py": file(10, 5),
        "helm_sdk/cli.py": file(100, 100, 2, 1),
    }
    rows = [line.split() for line in measure_coverage.table(files).splitlines()]
    assert rows[1:] == [
        ["helm_sdk", "100", "100.0%", "2", "50.0%"],
        ["helm_sdk/torch", "100", "50.0%", "10", "50.0%"],
        ["all", "200", "75.0%", "12", "50.0%"],
    ]


def test_that_a_package_without_branches_has_no_share_of_them() -> None:
    assert measure_coverage.table({"helm_sdk/__init__.py": file(2, 2)}).splitlines()[-1].split()[-1] == "–"
