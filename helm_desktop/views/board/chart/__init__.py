"""One chart on the board: card, header, menu, pointer, ranges, export."""
