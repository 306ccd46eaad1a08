"""What looking ahead needs, of whatever kind it is."""
