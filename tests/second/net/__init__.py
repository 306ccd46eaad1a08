"""A joiner on the network: connections, the door, links, a seat (sections 5 to 7)."""
