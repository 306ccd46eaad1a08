"""People on machines of their own: the program in plain lines, and somebody who types."""

import re
import signal
import threading
import time
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from itertools import takewhile
from pathlib import Path

from support.limits import HANG_SECONDS
from support.namespaces.switch import Switch
from support.process.tables import CODE, Running, run_here

NAMES = ("Ana", "Ben", "Cem", "Dot")
PORT = 5525
_OFFER = "Another match with the same people"
_MOVE = re.compile(r"^Your turn.*?(?:You can play: ([^,(.]+?)(?: \((?:\+|count )\d+\))?[,.]|Enter)")
# Who is said to have gone, or to have done wrong.
_BLAME = re.compile(
    r"\b(You|you|Ana|Ben|Cem|Dot)(?: and (You|you|Ana|Ben|Cem|Dot))? "
    r"(?:(?:has|have) left|(?:is|are|was|were) (?:out|absent|idle|put out|gone)|broke)\b"
)
_AWAY = re.compile(r"\b(You|Ana|Ben|Cem|Dot) (?:is|are) away\b")


class Person:
    """Somebody at a machine, from the start of the program to its end, and of later ones."""

    def __init__(self, number: int, switch: Switch, folder: Path) -> None:
        self.name, self.number = NAMES[number], number
        self.home = folder / self.name
        self.record = folder / f"{self.name}.fives"
        self.lines: list[str] = []
        self.pace = 0.0
        self._switch = switch
        self._news = threading.Condition()
        self._running: Running | None = None
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> Running:
        """The program as it runs now."""
        assert self._running is not None, "it was not started"
        return self._running

    def start(self, *arguments: str) -> None:
        """Start the program; what it asks is answered as it comes."""
        before = self._switch.inside(self.number)
        self._running = Running(*arguments, home=self.home, typed=True, before=before)
        self._thread = threading.Thread(target=self._type, args=(self._running,), daemon=True)
        self._thread.start()

    def _type(self, running: Running) -> None:
        for line in running.lines():
            with self._news:
                self.lines.append(line)
                self._news.notify_all()
            answer = _answer(line)
            if answer is not None:
                # As people do, so that a match lasts.
                seconds(self.pace)
                running.type_if_there(answer)

    def wait(self, pattern: str, since: int = 0) -> str:
        """The first line behind that place in which `pattern` is found."""

        def found() -> str | None:
            return next((one for one in self.lines[since:] if re.search(pattern, one)), None)

        with self._news:
            there = self._news.wait_for(lambda: found() is not None, HANG_SECONDS)
            line = found()
        assert there, f"{self.name} reads no {pattern!r}:\n" + "\n".join(self.lines)
        assert line is not None
        return line

    def moves(self, count: int = 3) -> None:
        """Wait until so many more tiles were placed, as this person reads it."""
        for _ in range(count):
            line = self.wait(r"\bplays? \d-\d\b[^(]*$|" + _OFFER, len(self.lines))
            assert _OFFER not in line, "the match was over too soon"

    def kill(self) -> None:
        """SIGKILL."""
        self.running.end(signal.SIGKILL)
        self.running.stop()

    def end(self) -> int:
        """Wait until the match is over here and the program has ended; its exit code."""
        code = self.running.end()
        if self._thread is not None:
            self._thread.join(HANG_SECONDS)
        return code

    def stop(self) -> None:
        """End what a failed test has left behind."""
        if self._running is not None:
            self._running.stop()


def _answer(line: str) -> str | None:
    if _OFFER in line:
        return "quit"
    asked = _MOVE.search(line)
    return None if asked is None else asked.group(1) or ""


class Table:
    """A table of people on machines of their own; the first one opens it."""

    def __init__(self, switch: Switch, folder: Path, players: int) -> None:
        self.switch = switch
        self.people = [Person(number, switch, folder) for number in range(players)]
        self._stack = ExitStack()
        for one in self.people:
            self._stack.callback(one.stop)

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def sit(self, *flags: str, pace: float = 0.0) -> list[Person]:
        """Open the table and have everybody join it; those who sit there now. Each thinks for
        `pace` seconds about a move, until the match is to come to its end."""
        for one in self.people:
            one.pace = pace
            run_here("id", "--name", one.name, home=one.home)
        host, *joiners = self.people
        where = ["--port", str(PORT), "--no-lan", "--code", CODE, "--players"]
        seats = [*where, str(len(self.people)), "--plain", "--record", str(host.record)]
        host.start("host", *seats, *flags)
        host.wait("Others join")
        for one in joiners:
            address = f"{self.switch.address(host.number)}:{PORT}"
            one.start("join", address, CODE, "--plain", "--record", str(one.record))
            host.wait(rf"\b{one.name}\b")
        return self.people

    def resume(self, one: Person) -> None:
        """Somebody whose program was killed starts it again."""
        one.start("resume", "--plain", "--record", str(one.record))

    def finish(
        self,
        *,
        gone: Collection[str] = (),
        away: Collection[str] = (),
        codes: Iterable[int] = (0,),
    ) -> None:
        """Wait for the end. One record at all who are there, `verify` ends with 0. In all that was
        read before the match was over nobody but `gone` is said to have left, to be out or to have
        done wrong, nobody but them and `away` to be away."""
        there = [one for one in self.people if one.name not in gone]
        for one in there:
            one.pace = 0.0
        ends = {one.name: one.end() for one in there}
        assert set(ends.values()) <= set(codes), ends
        records = {one.record.read_bytes() for one in there}
        assert len(records) == 1, "they have different records"
        checked = run_here("verify", str(there[0].record), home=there[0].home)
        assert checked.returncode == 0, checked.stdout
        for one in self.people:
            for line in takewhile(lambda line: _OFFER not in line, one.lines):
                named = {_who(name, one) for name in _named(line)}
                assert named <= set(gone), f"{one.name} reads: {line}"
                lost = {_who(name, one) for name in _AWAY.findall(line)}
                assert lost <= {*gone, *away}, f"{one.name} reads: {line}"
                assert "Traceback" not in line, "\n".join(one.lines)


def _named(line: str) -> list[str]:
    """Who is said to have gone, or to have done wrong, in a line of the program."""
    return [name for names in _BLAME.findall(line) for name in names if name]


def _who(name: str, reader: Person) -> str:
    return reader.name if name in ("You", "you") else name


def seconds(duration: float) -> None:
    """Let real time pass: what is shown here is how programs wait."""
    until = time.monotonic() + duration
    while (left := until - time.monotonic()) > 0:
        threading.Event().wait(left)
