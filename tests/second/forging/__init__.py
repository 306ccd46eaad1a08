"""Records that differ from right ones: altered, or made with right keys and wrong words."""
