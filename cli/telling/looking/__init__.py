"""A match that was played, looked back at: with all tiles open, as text, with advice."""
