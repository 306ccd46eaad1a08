"""Who is put out of a match, by whom, and when it stands: votes, sets of them, voices, wishes.

Pure: what one has in, what follows from it out. It knows no game; what a step is about comes in as
a `Ground`.
"""
