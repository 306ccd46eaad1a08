"""What sessions tell, without what they put around the engine's events."""

from collections.abc import Iterable

from engine.events import HandEvent
from p2p.session.state.events import InHand, SessionEvent


def bare(events: Iterable[SessionEvent]) -> list[SessionEvent | HandEvent]:
    """The events, those of a hand as the engine gave them."""
    return [event.event if isinstance(event, InHand) else event for event in events]
