"""The drawing of the line of play."""
