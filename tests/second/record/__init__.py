"""Records: reading, checking, writing (sections 16 and 17)."""
