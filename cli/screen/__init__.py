"""The full screen: the line of play laid out, tiles as text art, and the panels around them."""
