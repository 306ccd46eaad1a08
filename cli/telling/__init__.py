"""The match in words, lines and JSON: pure functions of what happened."""
