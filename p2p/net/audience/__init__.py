"""Looking on over the network: the seats' side, the host's door for it, and that of who comes."""
