"""The controls of a process: registry, safe points, the life of a command."""
