"""Actions as data: menus, shortcuts and the palette are made from these."""
