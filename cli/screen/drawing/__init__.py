"""What the screen shows, drawn from frozen values."""
