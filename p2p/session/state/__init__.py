"""The state of a match, as values: table, ladders, deals, events, errors; and a seat's secrets."""
