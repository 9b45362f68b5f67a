"""The Qt application beside a training run."""
