"""Small helper functions that every part of the SDK uses."""
