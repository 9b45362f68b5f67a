"""The board: pages, sections and charts."""
