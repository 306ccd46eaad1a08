"""A hidden deck of 28 tiles for any number of seats, as pure steps.

Every step takes its state, its input and its randomness and returns values; bytes on the wire are
bytes here. It knows no rules of the game and no network. The order of one deal: commitments, key
openings, shuffles in turn, shares, proofs during play, final openings.
"""
