"""Learning: five scenes that teach the game and the keys, each answered by a real move."""
