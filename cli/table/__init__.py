"""A stay at a table, from opening or joining it to the kept record; bots."""
