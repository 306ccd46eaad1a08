"""Values, signatures, the table, messages and words (sections 2 to 9)."""
