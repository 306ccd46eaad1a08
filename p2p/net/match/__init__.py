"""A running match over its links."""
