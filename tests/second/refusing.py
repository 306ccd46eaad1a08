"""Why something is not accepted."""


class RefusedError(ValueError):
    """Something is not as the page says; who is blamed is the business of the caller."""


def demand(condition: bool, what: str) -> None:
    """Refuse with a word, unless the condition holds."""
    if not condition:
        raise RefusedError(what)
