"""Train the example and show it: live in a window, or as a picture where there is no display."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import platformdirs

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "resources" / "examples" / "script_to_screen.py"
PICTURE = ROOT / "build" / "demo" / "board.png"
PROJECT = "quickstart"
START_SECONDS = 60.0


def run_folders(home: Path) -> set[Path]:
    """Return the example's runs under a home."""
    return {path.parent for path in (home / "runs" / PROJECT).glob("*/run.json")}


def wait_for_new_run(home: Path, before: set[Path], script: subprocess.Popen[bytes]) -> Path:
    """Return the folder of the run that the script just started; ends the demo when it starts none."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        fresh = run_folders(home) - before
        if fresh:
            return max(fresh, key=lambda folder: folder.stat().st_mtime)
        if script.poll() not in (None, 0):
            raise SystemExit(f"demo: the example ended with status {script.returncode} before its run began")
        time.sleep(0.1)
    raise SystemExit(f"demo: no new run under {home} after {START_SECONDS:.0f} s")


def start_example() -> tuple[subprocess.Popen[bytes], Path]:
    """Start the training script; its process and the folder of its run."""
    home = Path(os.environ.get("HELM_RUN_HOME") or platformdirs.user_data_dir("helm-desktop"))
    before = run_folders(home)
    script = subprocess.Popen([sys.executable, str(EXAMPLE)], start_new_session=True)
    try:
        return script, wait_for_new_run(home, before, script)
    except BaseException:
        stop(script)
        raise


def stop(script: subprocess.Popen[bytes]) -> None:
    """Interrupt the script as Ctrl-C would, and wait for it to close its run."""
    if script.poll() is None:
        script.send_signal(signal.SIGINT)
        try:
            script.wait(40)
        except subprocess.TimeoutExpired:
            script.kill()
            script.wait()


def app(*arguments: str) -> int:
    """Run the app to its end."""
    return subprocess.run([sys.executable, "-m", "helm_desktop", *arguments], check=False).returncode


def draw(run: Path, picture: Path, *more: str) -> list[str]:
    """Picture of a run's board once it has finished; what is missing of it, as sentences."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    wanted = (picture, picture.with_suffix(".json"))
    for path in wanted:
        path.unlink(missing_ok=True)
    status = app(str(run), "--offscreen", "--screenshot", str(picture), "--wait-finished", *more)
    faults = [f"{path} was not written" for path in wanted if not path.is_file()]
    return [f"the app ended with status {status}", *faults] if status else faults


def has_display() -> bool:
    """Return True when a window can open here."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def main() -> int:
    """0 once the run was shown and, where a picture was asked for, has finished."""
    script, run = start_example()
    try:
        if has_display():
            print("demo: the window shows the run; close it to end the demo", flush=True)
            return app(str(run))
        print(f"demo: no display here, so the board goes to {PICTURE} when the run has finished", flush=True)
        faults = draw(run, PICTURE, "--size", "1600x1000")
        if not faults and script.wait(60) != 0:
            faults = [f"the example ended with status {script.returncode}"]
        print("\n".join(f"demo: {fault}" for fault in faults) or f"demo: done, {PICTURE} shows the board")
        return 1 if faults else 0
    except KeyboardInterrupt:
        return 130
    finally:
        stop(script)


if __name__ == "__main__":
    sys.exit(main())
