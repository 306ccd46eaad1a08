"""Taking a seat at a table: which one is meant, its code, the way in."""
