"""All Fives as pure code: tiles, line, rules, hand, match and players; no I/O, clock or crypto."""
