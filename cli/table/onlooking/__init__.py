"""Looking on at somebody's table, from the way there to the kept record."""
