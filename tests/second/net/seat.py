"""A seat of a match over its links: what is heard, said, passed on (7.3, 14, 15)."""

import hashlib
from collections.abc import Callable

import trio

from second.match.judging import ParkedError
from second.match.match import FaultError
from second.match.order import record_frames
from second.net.connection import CONNECTION_ERRORS
from second.net.holding import hold, lacking
from second.net.links import Dialler, Link
from second.play.player import Player
from second.record.file import written
from second.refusing import demand
from second.wire.messages import Message, Word, read_message, read_word, write_word
from second.wire.values import MESSAGE, Value, decode, listed, octets

HERE_SECONDS, DONE_SECONDS, PARKED_MOST = 10.0, 10.0, 16
AGREE_SECONDS = 30.0


class Seat:
    """One seat; `run` returns the record when the match has ended, empty if it never began."""

    def __init__(self, player: Player, dialler: Dialler, tell: Callable[[str], None]) -> None:
        self.player = player
        self.dialler = dialler
        self.tell = tell
        self.table = player.state.table
        self.links: dict[int, Link] = {}
        self.parked: dict[int, list[Message]] = {}
        self.words: dict[bytes, Word] = {}
        self.counts: dict[str, int] = {}
        self.evidence: list[Message] = []
        self.gone: set[int] = set()
        self.ended = trio.Event()
        self.alone = trio.Event()

    async def run(self) -> bytes:
        """Play to the end, say that the record is there, and leave."""
        others = [s for s in range(len(self.table.people)) if s != self.player.seat]
        async with trio.open_nursery() as nursery:
            for seat in others:
                nursery.start_soon(self._keep_linked, seat)
            nursery.start_soon(self._say_here)
            nursery.start_soon(self._ask)
            nursery.start_soon(self._begin)
            await self.ended.wait()
            record = self.record() if self.begun else b""
            if record:
                self._say_word("done", [hashlib.sha256(record).digest()])
                with trio.move_on_after(DONE_SECONDS):
                    await self.alone.wait()
            self._say_word("leave", [])
            for link in self.links.values():
                link.leave()
            await trio.sleep(0.2)
            nursery.cancel_scope.cancel()
        return record

    @property
    def begun(self) -> bool:
        """Whether the agreement is complete; before it nothing is dealt, and no record is kept."""
        return self.player.state.step > 1

    async def _begin(self) -> None:
        """Give up the table where somebody does not agree."""
        await trio.sleep(AGREE_SECONDS)
        if not self.begun:
            self.ended.set()

    def record(self) -> bytes:
        """The record of the match so far."""
        frames = record_frames(self.player.state, self.evidence)
        return written(self.table.description, frames)

    async def _keep_linked(self, seat: int) -> None:
        while seat not in self.gone:
            link = await self.dialler.link_to(seat)
            self.links[seat] = link
            self.tell(f"linked to seat {seat}")
            link.say(hold(self.player.state))
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(link.write)
                    await self._listen(link)
                    nursery.cancel_scope.cancel()
            except* CONNECTION_ERRORS as errors:
                self.tell(f"the link to seat {seat} broke: {errors.exceptions}")
            if self.links.get(seat) is link:
                del self.links[seat]
                self._say_word("here", [])
            await trio.aclose_forcefully(link.connection.stream)

    async def _listen(self, link: Link) -> None:
        while True:
            payload = await link.read()
            if payload is None:
                return
            kind, *fields = value = listed(decode(payload, MESSAGE))
            if kind == "message":
                self._hear(link, read_message(self.table, octets(listed(fields, 1)[0])))
            elif kind == "word":
                self._hear_word(link, read_word(self.table, octets(listed(fields, 1)[0])))
            elif kind != "remark":  # lines of who looks on are not read here
                demand(kind == "hold" and value[1] == self.table.id, "no such payload")
                self._answer(link, value)
            self._speak()

    def _answer(self, link: Link, value: list[Value]) -> None:
        """Say what the other lacks, if that has changed; on a new link the words too."""
        if value == link.held:
            return
        for message in (*lacking(self.player.state, value), *self.evidence):
            link.say(["message", message.envelope])
        if not link.held:
            for word in self.words.values():
                link.say(["word", word.data])
        link.held = value

    def _hear(self, link: Link, message: Message) -> None:
        link.known.add(message.id)
        if self._judge(message):
            while any(self._judge(one) for one in self._take_parked()):
                pass

    def _take_parked(self) -> list[Message]:
        waiting = [one for seat in sorted(self.parked) for one in self.parked[seat]]
        self.parked = {}
        return waiting

    def _judge(self, message: Message) -> bool:
        """Take a message if it is for our state; whether it was taken."""
        if self.ended.is_set():
            return False
        demand(message.kind != "vote", "this program does not go on without a seat")
        try:
            taken = self.player.match.accept(message)
        except ParkedError:
            waiting = self.parked.setdefault(message.seat, [])
            if all(one.id != message.id for one in waiting):
                waiting.append(message)
            del waiting[:-PARKED_MOST]
            return False
        except FaultError as fault:
            self._end_by(fault)
            return False
        if taken:
            self._pass_on(message)
        return taken

    def _end_by(self, fault: FaultError) -> None:
        self.tell(f"seat {fault.seat} is at fault: {fault}")
        self.evidence = fault.evidence
        for message in fault.evidence:
            self._pass_on(message)
        self.ended.set()

    def _pass_on(self, message: Message) -> None:
        for link in self.links.values():
            if message.id not in link.known:
                link.known.add(message.id)
                link.say(["message", message.envelope])

    def _speak(self) -> None:
        """Say all that is due, once each linked seat has said what it holds."""
        heard = self.links and all(link.held for link in self.links.values())
        while heard and not self.ended.is_set():
            message = self.player.speak()
            if message is None:
                break
            demand(self._judge(message), "an own message that is not taken")
            while any(self._judge(one) for one in self._take_parked()):
                pass
        if self.player.state.phase in ("closed", "abandoned"):
            self.ended.set()

    def _hear_word(self, link: Link, word: Word) -> None:
        link.known.add(word.id)
        if word.id in self.words or word.seat == self.player.seat:
            return
        self._keep(word)
        if word.kind == "leave":
            self.gone.add(word.seat)
            self.ended.set()  # between two sides it stops; among more this program does not vote
        done = {one.seat for one in self.words.values() if one.kind == "done"} | self.gone
        if len(done - {self.player.seat}) == len(self.table.people) - 1:
            self.alone.set()

    def _keep(self, word: Word) -> None:
        self.words = {
            key: one
            for key, one in self.words.items()
            if (one.seat, one.kind) != (word.seat, word.kind) or word.kind == "chat"
        }
        self.words[word.id] = word
        for link in self.links.values():
            if word.id not in link.known:
                link.known.add(word.id)
                link.say(["word", word.data])

    def _say_word(self, kind: str, body: list[Value]) -> None:
        number = self.counts.get(kind, 0)
        self.counts[kind] = number + 1
        data = write_word(self.table, self.player.private, self.player.seat, number, (kind, body))
        self._keep(read_word(self.table, data))

    async def _ask(self) -> None:
        """Say what is held while something is parked: ever more seldom."""
        pause = 1.0
        while True:
            await trio.sleep(pause)
            waiting = any(self.parked.values()) and not self.ended.is_set()
            pause = min(2 * pause, 30.0) if waiting else 1.0
            for link in self.links.values():
                if waiting:
                    link.say(hold(self.player.state))

    async def _say_here(self) -> None:
        while True:
            await trio.sleep(HERE_SECONDS)
            if len(self.links) < len(self.table.people) - 1:
                self._say_word("here", [])
