"""Lines of chat: each is shown once whatever way it comes, and nobody fills our memory."""

from p2p.session.session import Session
from p2p.wire.talk import Chat

# Of one seat; more lines than this are not shown, so that chat cannot fill our memory.
MAX_CHATS_A_SEAT = 10_000


class Chats:
    """The lines of a match that one seat said and heard."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._numbers: dict[int, set[int]] = {seat: set() for seat in session.table.seats}

    def say(self, words: str) -> Chat:
        """The own next line. ValueError (one sentence) for words that cannot be sent."""
        own = self._numbers[self._session.seat]
        chat = self._session.chat(len(own), words)
        own.add(chat.number)
        return chat

    def hear(self, chat: Chat) -> bool:
        """Note a line of anybody; False if it is not to be shown."""
        heard = self._numbers[chat.seat]
        if chat.number in heard or len(heard) >= MAX_CHATS_A_SEAT:
            return False
        heard.add(chat.number)
        return True
