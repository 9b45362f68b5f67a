"""The pages of the board: sections, the grid of charts, head, menus."""
