"""The commands about what is one's own: name and key, settings, past matches, this machine."""
