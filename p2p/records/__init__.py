"""Whole records: checked by several at once, cut down to evidence, compared."""
