"""What the engine refuses: each error is one clear sentence, with the rule and the position."""


class EngineError(ValueError):
    """The engine was asked for something that cannot be; the state has not changed."""


class IllegalMove(EngineError):
    """A move or a claim breaks a rule of the game."""


class RulesError(EngineError):
    """Options that do not exist, are spelled wrongly, or cannot work together."""


class WrongSeats(RulesError):
    """Options that go with `seats` players only."""

    def __init__(self, refusal: str, seats: int) -> None:
        super().__init__(refusal)
        self.seats = seats


class NotationError(EngineError):
    """Text that is no tile or move."""
