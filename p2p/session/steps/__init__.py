"""The steps of a match: what may be said at each, and what it does."""
