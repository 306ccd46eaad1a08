"""The rules of the game (section 13)."""
