"""What can go wrong between a person and a table: one or two sentences each, to print as they are.

BadInput is for what a person typed (exit code 2), NotSeated for a table that was not reached or
did not take this person (exit code 1). LinkBroken is the suspicion kind: a link ended, nobody is
blamed, and its text is one clause.
"""

from typing import ClassVar


class NetError(Exception):
    """Base of all errors here; str() is what a person reads: `sentence`, filled with the values
    that the error was made with."""

    sentence: ClassVar[str] = "{}"

    def __init__(self, *values: object) -> None:
        super().__init__(self.sentence.format(*values))


class BadInput(NetError):
    """Something a person typed cannot be used."""


class BadAddress(BadInput):
    sentence = "{!r} is no address. Give a name or an IP address, and :PORT if need be."


class BadCode(BadInput):
    sentence = (
        "This table code cannot be used. Take words of letters and digits, at most 64 characters."
    )


class BadInvite(BadInput):
    sentence = "This invite is damaged. Copy the whole line and try again."


class NoInvite(BadInput):
    sentence = "No invite can be made of the addresses of this machine. Name one with --bind."


class BadProxy(BadInput):
    sentence = "This is no address of a proxy. Give it as socks5h://HOST:PORT."


class PortTaken(BadInput):
    sentence = "Port {} is already taken. Choose another one, or leave out --port."


class PortForbidden(BadInput):
    sentence = "Port {} may not be used here. Choose one above 1023."


class NotOurAddress(BadInput):
    sentence = "This machine has no address {}. Choose one that it has for --bind."


class NoFreePort(BadInput):
    sentence = "Ports {} to {} are all taken. Choose another one with --port."


class NotSeated(NetError):
    """The table was not reached, or it did not take this person."""


class NobodyThere(NotSeated):
    sentence = (
        "Nobody answers at {}. Check the address and port, that the table is still open, "
        "and that no firewall there keeps you out."
    )


class NoWayThere(NotSeated):
    sentence = (
        "The table can only be reached at an IPv6 link-local address, and this machine has "
        "none of its own. Ask the host for another address."
    )


class UnknownHost(NotSeated):
    sentence = "No machine named {} can be found. Check the name, or use its address."


class NoProxy(NotSeated):
    sentence = "The proxy at {} does not answer. Check --proxy, and that the proxy runs."


class ProxyRefused(NotSeated):
    sentence = "The proxy at {} does not reach {}: {}. Check the address, and that table is open."


class NotAllfives(NotSeated):
    sentence = "Something answers at {}, but it is not allfives. Check the address and port."


class OtherVersion(NotSeated):
    sentence = (
        "The table speaks protocol version {}, this program {}. "
        "{} is the older one and must be updated."
    )

    def __init__(self, theirs: int, ours: int) -> None:
        super().__init__(theirs, ours, "This program" if ours < theirs else "The table's program")


class WrongHost(NotSeated):
    sentence = "The machine at {} does not hold the key of the invite. Ask the host for a new one."


class WrongCode(NotSeated):
    sentence = "The table did not accept this code. Ask the host for the right one."


class WrongInvite(NotSeated):
    sentence = (
        "The table did not accept this invite, which may be that of an earlier table. "
        "Ask the host for the new one."
    )


class BadHostProof(NotSeated):
    sentence = (
        "The table could not prove that it knows the code, so it may be somebody else's. "
        "Check the address with the host."
    )


class CodeNeeded(NotSeated):
    sentence = "This table asks for a code. Ask its host for it, and try again with it."


class NoCodeHere(NotSeated):
    sentence = "This table is open and has no code. Join it without one."


class WrongTable(NotSeated):
    sentence = "Another table than the one asked for is open there. Check the name and the address."


class TableFull(NotSeated):
    sentence = "The table is full. Ask the host to open a new one."


class AlreadyStarted(NotSeated):
    sentence = "The match at this table has already begun. Ask the host to open a new one."


class SentAway(NotSeated):
    sentence = "The host did not let you sit at this table. Ask the host, or look for another one."


class NameRefused(NotSeated):
    sentence = "The table did not accept your name. Take 1 to 24 printable characters."


class SameKey(NotSeated):
    sentence = (
        "Your key already sits at this table. Two seats need two keys: use another --data-dir."
    )


class TableBusy(NotSeated):
    sentence = (
        "Too many people are trying to join this table. Ask the host for the invite, which "
        "needs no turn at the code, or try again in a minute."
    )


class TableClosed(NotSeated):
    sentence = "The host closed the table before the match began. Ask for a new one."


class TableLost(NotSeated):
    sentence = "The link to the table broke ({}). Try to join again."


class NoWatching(NotSeated):
    sentence = "Nobody may look on at this table: its host opened it so."


class NotBegun(NotSeated):
    sentence = "The match at this table has not begun yet. Try again when all seats are taken."


class NotTheHost(NotSeated):
    sentence = (
        "Only the host of a table lets people in to look on. Take the code and the address, or "
        "the invite, of the host. Once the host has left the match, nobody new can look on."
    )


class TooManyOnlookers(NotSeated):
    sentence = "As many people look on at this table as can. Try again later."


class BadTable(NotSeated):
    sentence = "The host sent a table that does not hold together ({}). Do not play there."


class UnplayableRules(NotSeated):
    sentence = "The table's rules cannot be played here: {}."


class LinkBroken(NetError):
    """A link ended; str() is one clause: "nothing was heard for 8 s"."""


class LinkSilent(LinkBroken):
    """It broke because a deadline passed."""


class LinkClosed(LinkBroken):
    """It broke because the other side closed it."""


class LinkFlooded(LinkBroken):
    """It broke because more came over it than any table needs."""


# What a host may answer instead of going on: the word on the wire, and what the joiner is told.
REFUSALS: dict[str, type[NotSeated]] = {
    "code": WrongCode,
    "need-code": CodeNeeded,
    "no-code": NoCodeHere,
    "table": WrongTable,
    "full": TableFull,
    "started": AlreadyStarted,
    "refused": SentAway,
    "name": NameRefused,
    "same-key": SameKey,
    "busy": TableBusy,
    "no-watch": NoWatching,
    "not-begun": NotBegun,
    "not-host": NotTheHost,
    "crowded": TooManyOnlookers,
}
