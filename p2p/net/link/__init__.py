"""Links between two peers, from the socket to a mesh of all seats."""
