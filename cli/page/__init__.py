"""A match as one page for a browser."""
