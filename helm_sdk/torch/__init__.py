"""The trainer: controls, schedules, captures and checkpoints of a PyTorch loop."""
