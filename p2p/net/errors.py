"""What can go wrong between a person and a table: one or two sentences each, to print as they are.

BadInput is for what a person typed (exit code 2), NotSeated for a table that was not reached or
did not take this person (exit code 1). LinkBroken is the suspicion kind: a link ended, nobody is
blamed, and its text is one clause.
"""


class NetError(Exception):
    """Base of all errors here; str() is what a person reads."""


class BadInput(NetError):
    """Something a person typed cannot be used."""


class BadAddress(BadInput):
    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} is no address. Give a name or an IP address, and :PORT if need be."
        )


class BadCode(BadInput):
    def __init__(self) -> None:
        super().__init__(
            "This table code cannot be used. Take words of letters and digits, 64 characters."
        )


class BadInvite(BadInput):
    def __init__(self) -> None:
        super().__init__("This invite is damaged. Copy the whole line and try again.")


class NoInvite(BadInput):
    def __init__(self) -> None:
        super().__init__(
            "No invite can be made of the addresses of this machine. Name one with --bind."
        )


class PortTaken(BadInput):
    def __init__(self, port: int) -> None:
        super().__init__(f"Port {port} is already taken. Choose another one, or leave out --port.")


class PortForbidden(BadInput):
    def __init__(self, port: int) -> None:
        super().__init__(f"Port {port} may not be used here. Choose one above 1023.")


class NotOurAddress(BadInput):
    def __init__(self, bind: str) -> None:
        super().__init__(f"This machine has no address {bind}. Choose one that it has for --bind.")


class NoFreePort(BadInput):
    def __init__(self, low: int, high: int) -> None:
        super().__init__(f"Ports {low} to {high} are all taken. Choose another one with --port.")


class NotSeated(NetError):
    """The table was not reached, or it did not take this person."""


class NobodyThere(NotSeated):
    def __init__(self, where: str) -> None:
        super().__init__(
            f"Nobody answers at {where}. "
            "Check the address and port, that the table is still open, and that no firewall there "
            "keeps you out."
        )


class NoWayThere(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "The table can only be reached at an IPv6 link-local address, and this machine has "
            "none of its own. Ask the host for another address."
        )


class UnknownHost(NotSeated):
    def __init__(self, host: str) -> None:
        super().__init__(
            f"No machine named {host} can be found. Check the name, or use its address."
        )


class NotAllfives(NotSeated):
    def __init__(self, where: str) -> None:
        super().__init__(
            f"Something answers at {where}, but it is not allfives. Check the address and port."
        )


class OtherVersion(NotSeated):
    def __init__(self, theirs: int, ours: int) -> None:
        older = "This program" if ours < theirs else "The table's program"
        super().__init__(
            f"The table speaks protocol version {theirs}, this program {ours}. "
            f"{older} is the older one and must be updated."
        )


class WrongHost(NotSeated):
    def __init__(self, where: str) -> None:
        super().__init__(
            f"The machine at {where} does not hold the key of the invite. "
            "Ask the host for a new one."
        )


class WrongCode(NotSeated):
    def __init__(self) -> None:
        super().__init__("The table did not accept this code. Ask the host for the right one.")


class WrongInvite(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "The table did not accept this invite, which may be that of an earlier table. "
            "Ask the host for the new one."
        )


class BadHostProof(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "The table could not prove that it knows the code, so it may be somebody else's. "
            "Check the address with the host."
        )


class CodeNeeded(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "This table asks for a code. Ask the host for it, and type it behind the address."
        )


class NoCodeHere(NotSeated):
    def __init__(self) -> None:
        super().__init__("This table is open and has no code. Join it without one.")


class WrongTable(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "Another table than the one asked for is open there. Check the name and the address."
        )


class TableFull(NotSeated):
    def __init__(self) -> None:
        super().__init__("The table is full. Ask the host to open a new one.")


class AlreadyStarted(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "The match at this table has already begun. Ask the host to open a new one."
        )


class Refused(NotSeated):
    def __init__(self) -> None:
        super().__init__("The host did not let you sit at this table.")


class NameRefused(NotSeated):
    def __init__(self) -> None:
        super().__init__("The table did not accept your name. Take 1 to 24 printable characters.")


class SameKey(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "Your key already sits at this table. Two seats need two keys: use another --data-dir."
        )


class TableBusy(NotSeated):
    def __init__(self) -> None:
        super().__init__(
            "Too many people are trying to join this table. Ask the host for the invite, which "
            "needs no turn at the code, or try again in a minute."
        )


class TableClosed(NotSeated):
    def __init__(self) -> None:
        super().__init__("The host closed the table before the match began. Ask for a new one.")


class TableLost(NotSeated):
    def __init__(self, reason: str) -> None:
        super().__init__(f"The link to the table broke ({reason}). Try to join again.")


class BadTable(NotSeated):
    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The host sent a table that does not hold together ({reason}). Do not play there."
        )


class UnplayableRules(NotSeated):
    def __init__(self, reason: str) -> None:
        super().__init__(f"The table's rules cannot be played here: {reason}.")


class LinkBroken(NetError):
    """A link ended; str() is one clause: "nothing was heard for 8 s"."""


class LinkSilent(LinkBroken):
    """It broke because a deadline passed."""


class LinkClosed(LinkBroken):
    """It broke because the other side closed it."""


# What a host may answer instead of going on: the word on the wire, and what the joiner is told.
REFUSALS: dict[str, type[NotSeated]] = {
    "code": WrongCode,
    "need-code": CodeNeeded,
    "no-code": NoCodeHere,
    "table": WrongTable,
    "full": TableFull,
    "started": AlreadyStarted,
    "refused": Refused,
    "name": NameRefused,
    "same-key": SameKey,
    "busy": TableBusy,
}
