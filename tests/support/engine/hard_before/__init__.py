"""The hard player as it was before it searched, kept to be played against."""
