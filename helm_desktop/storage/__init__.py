"""Files that the app keeps: preferences, boards, drafts, keys. All of it on one worker thread."""
