"""A second implementation of the protocol, written from protocol.md and its vectors alone.

It imports nothing of the product: what both say of a record, and the match they play, show that
the page says enough. Numbers in remarks are sections of protocol.md.

`python -m second.check FILE...` (in `tests/`) judges records, `python -m second.join INVITE` and
`python -m second.join ADDRESS CODE` play a match, `python -m second.compare` makes altered records
by the thousand, compares the verdicts with those of `allfives verify`, and both with the truth.
"""
