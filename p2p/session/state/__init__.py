"""The public state of a match, as values: table, ladders, deals, events, errors."""
