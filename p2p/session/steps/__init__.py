"""The steps of both ladders, a file a step as in section 12 of protocol.md.

`make...` is what a seat says there, from its secrets; `judge...` returns what a message says, or
raises DeckFault, IllegalMove or DecodeError; `finish...` takes what all have said, by seat, and
moves the state on.
"""
