"""A peer's life at a table as pure code: inputs with their time, one value out."""
