"""The draft of a change of a schedule: keyframes that a user sets on a chart."""
