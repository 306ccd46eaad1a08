"""A seat that plays: what it says, and matches on one machine."""
