"""How a table is found: announcements, invites, spoken codes."""
