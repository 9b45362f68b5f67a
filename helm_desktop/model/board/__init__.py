"""The board: pages, sections and charts, and how they are edited."""
