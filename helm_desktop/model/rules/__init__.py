"""Rules that watch a run, and who has to approve a change."""
