"""The home to come back to: what bare `allfives` shows on a terminal, at the screen or in lines."""
