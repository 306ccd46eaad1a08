"""Looking on as pure code: one who hears a table and judges all of it, without a seat."""
