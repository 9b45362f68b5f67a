"""Rules that watch a run, their drafts, and the policy that says who has to approve a change."""
