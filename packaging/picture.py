"""Draw the README's picture: the example's board at the end of a short run, in a home of its own."""

import os
import sys
import tempfile

from demo import ROOT, draw, start_example, stop

PICTURE = ROOT / "resources" / "docs" / "board-dark.png"


def main() -> int:
    """0 once the picture is there; what the app wrote beside it is not kept."""
    with tempfile.TemporaryDirectory(prefix="helm-picture-") as home:
        os.environ["HELM_RUN_HOME"] = home
        os.environ.setdefault("HELM_EXAMPLE_STEP_SECONDS", "0.04")
        script, run = start_example()
        try:
            faults = draw(run, PICTURE, "--size", "1600x1000", "--theme", "dark", "--page", "board")
        finally:
            stop(script)
    PICTURE.with_suffix(".json").unlink(missing_ok=True)
    print("\n".join(f"picture: {fault}" for fault in faults) or f"picture: {PICTURE}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
