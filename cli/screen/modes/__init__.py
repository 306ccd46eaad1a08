"""What the screen is about, and what keys do there."""
