"""The main window: its regions, its menus and its notifications."""
