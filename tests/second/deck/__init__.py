"""The hidden deck (section 11): group, challenge, and the four proofs."""
