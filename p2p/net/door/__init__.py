"""How people come in: the host's door, the joiner, the proof of the code."""
