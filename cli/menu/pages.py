"""The pages of the menu: what each offers, and the command line that comes of a choice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cli.commands.own.config import USUAL, settings_rows, take, usual
from cli.commands.own.past import match_words, results, series
from cli.files.history import PastMatch, past_matches
from cli.files.home import Home
from cli.files.settings import Settings, load_defaults, shown
from cli.menu.tables import TablePlan
from cli.menu.walk import Ask, Back, Entry, Go, Open, Page, Run, Stay
from cli.process.answers import yes_or_no
from engine.wording import quoted_name

if TYPE_CHECKING:
    from p2p.net.find.found import Found

_RECORDS_SHOWN: Final = 9
NOTHING_FOUND: Final = (
    "No table is to be seen on this network now. Its host can tell you an invite."
)
_HELP: Final = (
    "A table is a game of All Fives (Muggins, Five-Up) for 2 to 4, each at a machine of their own.",
    "play is you against bots on this machine. To play with others one person hosts a table and "
    "tells the others its code; they join it. Every match leaves a record that anybody can check.",
    "Here: a number or the word beside it chooses, back goes a page back, quit leaves. At a table "
    "? tells what can be done. `allfives --help` lists the commands for the shell.",
)


@dataclass
class House:
    """What the pages are about: the home, the commands there are, and the tables found last;
    `look` finds them anew, before the first look they are None. `plain`: the menu is shown in
    lines, and so is what it runs."""

    home: Home
    group: click.Group
    look: Callable[[], None]
    plain: bool = False
    found: "Sequence[Found] | None" = None

    def run(self, command: str, *arguments: str) -> Run:
        """The command line of a command, in lines if the menu is."""
        shown = (one for one in self.group.commands[command].params if not vars(one).get("hidden"))
        asks = {one for param in shown for one in param.opts}
        plain = ["--plain"] if self.plain and "--plain" in asks else []
        silent = command == "learn" or (command == "replay" and "--html" not in arguments)
        return Run(("--data-dir", str(self.home.folder), command, *plain, *arguments), silent)

    def has(self, command: str) -> bool:
        """Whether there is such a command."""
        return command in self.group.commands

    # The first page

    def front(self) -> Page:
        """Where everything begins, and where a person comes back to."""
        entries = [
            *self._unfinished(),
            Entry("play", "against bots on this machine", self._plan("play")),
            Entry("host", "open a table for others", self._plan("host")),
            Entry("join", "sit down at somebody's table", self._look_round(Open(self.join))),
            Entry("records", "matches that were played: look at, check, results", self._records),
            self._command("learn", "the game and the keys in five short scenes"),
            Entry("rules", "of each variant, in words", lambda: Open(self.rules)),
            Entry("settings", "your name, bots, the look", lambda: Open(self.settings)),
            Entry("help", "what all this is", lambda: Open(self.help)),
            Entry("quit", "", Back),
        ]
        return Page("Welcome", tuple(entries), self._who())

    @property
    def is_named(self) -> bool:
        """Whether the person has taken a name."""
        return self.home.identity_path.exists() and self.home.identity().chosen

    def _who(self) -> tuple[str, ...]:
        return (f"You are {self.home.identity().name}.",) if self.is_named else ()

    def _unfinished(self) -> list[Entry]:
        """The last match that is not over, where one can go on with it."""
        if not self.has("resume"):
            return []
        waiting = [one for one in past_matches(self.home) if one.state == "unfinished"]
        if not waiting or not self.home.is_free():
            # What another window plays cannot be gone on with here.
            return []
        last = waiting[-1]
        return [Entry("go on", match_words(last), lambda: self.run("resume", last.table))]

    def _command(self, name: str, text: str) -> Entry:
        return Entry(name, text, lambda: self.run(name))

    def help(self) -> Page:
        """What the menu is, and how to move in it."""
        return Page("Help", (*self._more_help(), Entry("back", "", Back)), _HELP)

    def _more_help(self) -> tuple[Entry, ...]:
        doctor = self._command("doctor", "what works on this machine, and what to do")
        return (doctor, Entry("commands", "all of them, for the shell", lambda: Run(("--help",))))

    def rules(self) -> Page:
        """The presets."""
        from engine.rules import PRESETS, Rules, describe

        def told(preset: str) -> Callable[[], Go]:
            lines = describe(Rules.make(preset, 2))
            back = (Entry("back", "", Back),)
            return lambda: Open(lambda: Page(f"Rules: {preset}", back, lines))

        names = [Entry(name, _base(name), told(name)) for name in PRESETS]
        return Page("Rules", (*names, Entry("back", "", Back)))

    # Tables

    def _plan(self, command: str) -> Callable[[], Go]:
        """A page on which a table is planned, begun with what the settings say."""
        of = self.group.commands[command]
        usual: dict[str, object] = {str(one.name): one.default for one in of.params}
        usual |= load_defaults(self.home.config, of, self.group)
        plan = TablePlan.of(command, usual, self.run)
        return lambda: Open(plan.page)

    def _look_round(self, go: Go) -> Callable[[], Go]:
        def look() -> Go:
            self.look()
            return go

        return look

    def join(self) -> Page:
        """The tables on the network, and other ways to one."""
        from cli.table.lan import LOOKING_ROUND, is_full

        # Where one can sit down stands first, and so does the cursor.
        found = sorted(self.found or (), key=is_full)
        tables = [Entry(one.advert.name, self._told(one), self._sit_down(one)) for one in found]
        watch = [Entry("watch", "look on at a table", self._ask_where("watch"))]
        entries = (
            *tables,
            Entry("look", "round on this network again", self._look_round(Stay())),
            Entry("invite", "or an address, or a code that you were told", self._ask_where("join")),
            *(watch if self.has("watch") else []),
            Entry("back", "", Back),
        )
        none = LOOKING_ROUND if self.found is None else NOTHING_FOUND
        lines = ("Tables on this network:",) if found else (none,)
        return Page("Join", entries, lines, live=True)

    def _told(self, one: "Found") -> str:
        from cli.table.lan import is_full

        return f"{'look on: ' if is_full(one) and self.has('watch') else ''}{_without_name(one)}"

    def _sit_down(self, one: "Found") -> Callable[[], Go]:
        """To a table: to sit there, or to look on where all seats are taken."""
        from cli.table.lan import is_full
        from p2p.crypto.identity import fingerprint
        from p2p.net.find.code import tabbed

        named = one.advert.name if one.key is None else fingerprint(one.key)
        # Where they play already one can look on.
        command = "watch" if is_full(one) and self.has("watch") else "join"
        if one.advert.open:
            return lambda: self.run(command, "--table", named)
        ask = Ask(
            f"The code of {quoted_name(one.advert.name)}, as its host tells it (Enter: not now)?",
            lambda code: (
                self.run(command, "--table", named, "--", tabbed(code)) if code else Stay()
            ),
            code=True,
        )
        return lambda: ask

    def _ask_where(self, command: str) -> Callable[[], Go]:
        from p2p.net.find.code import tabbed

        ask = Ask(
            "The invite, the code, or an address and a code (Enter: not now)?",
            lambda line: self.run(command, "--", *tabbed(line).split()) if line else Stay(),
            code=True,
        )
        return lambda: ask

    # Records

    def _records(self) -> Go:
        return Open(self.records)

    def records(self) -> Page:
        """The latest matches, the last one first, and what came of all."""
        matches = list(reversed(past_matches(self.home)))
        shown_ones = matches[:_RECORDS_SHOWN]
        entries = [
            Entry(one.table[:8], _without_id(one), self._open_record(one)) for one in shown_ones
        ]
        further = f"The last {len(shown_ones)} of {len(matches)}. " if len(matches) > 9 else ""
        lie = f"{further}They lie here: {self.home.folder / 'records'}"
        lines = (lie,) if matches else ("No match has been played here yet.",)
        results_entry = [Entry("results", "by opponent, and of series", lambda: Open(self.results))]
        fair = Entry("fair", "what came to whom, against chance", lambda: self.run("fair"))
        last = (*([*results_entry, fair] if matches else []), Entry("back", "", Back))
        return Page("Records", (*entries, *last), lines)

    def _open_record(self, match: PastMatch) -> Callable[[], Go]:
        return lambda: Open(lambda: self.record(match))

    def results(self) -> Page:
        """What came of all matches."""
        matches = past_matches(self.home)
        against = [one.words() for one in results(matches)] or ["No match has been finished yet."]
        runs = series(matches)
        lines = (*against, *(["In a row with the same people:", *runs] if runs else []))
        return Page("Results", (Entry("back", "", Back),), lines)

    def record(self, match: PastMatch) -> Page:
        """What can be done with one match."""
        path = str(match.record)
        looks = [
            Entry("look", "at it, step by step", lambda: self.run("replay", path)),
            Entry("advice", "at each move", lambda: self.run("replay", path, "--advice")),
            Entry("check", "it from its record alone", lambda: self.run("verify", path)),
        ]
        page = Ask(
            "Write the page to which file, as match.html (Enter: not now)?", self._page(path)
        )
        ask = Ask("Copy the record to which file (Enter: not now)?", self._copy(match))
        files = [
            Entry("page", "for a browser, to be sent to others", lambda: page),
            Entry("copy", "the record to a file", lambda: ask),
        ]
        kept = [*looks, *files] if match.record is not None and match.record.exists() else []
        delete = Entry("delete", "the match and its record", lambda: self._delete(match))
        entries = (*kept, delete, Entry("back", "", Back))
        return Page("A match", entries, (match_words(match),))

    def _page(self, record: str) -> Callable[[str], Go]:
        return lambda to: self.run("replay", record, "--html", to.strip()) if to else Stay()

    def _copy(self, match: PastMatch) -> Callable[[str], Go]:
        return lambda to: self.run("history", "export", match.table, to.strip()) if to else Stay()

    def _delete(self, match: PastMatch) -> Go:
        return Ask(
            "Delete it for good? Type yes, or Enter to keep it.",
            lambda said: (
                self.run("history", "delete", match.table, "--yes")
                if yes_or_no(said)
                else Stay("It is kept.")
            ),
        )

    # Settings

    def settings(self) -> Page:
        """Name and settings, each to be changed."""
        kept = Settings(self.home.config, self.group)
        name = self.home.identity().name
        rows = [
            Entry(key, f"{value:12}", self._change(kept, key), text)
            for key, value, text in settings_rows(kept)
        ]
        entries = (
            Entry("name", f"{name:12}", self.ask_name, "What others see of you."),
            *rows,
            Entry("back", "", Back),
        )
        return Page("Settings", entries, (f"Kept in {self.home.config}.",))

    def _change(self, kept: Settings, key: str) -> Callable[[], Go]:
        setting = kept.find(key)

        def keep(text: str) -> Go:
            if not text:
                return Stay()
            self.home.make()
            value = take(kept, key, text)
            if value is None:
                return Stay(f"{key} is as usual again: {usual(key, setting)}.")
            return Stay(f"{key} is {shown(value)} from now on.")

        def ask() -> Ask:
            now, common = kept.value(key), usual(key, setting)
            is_now = f"It is {common if now is None else shown(now)}. Enter: it stays so"
            again = "" if now is None else f"; {USUAL}: {common} again"
            return Ask(f"{key}{_choices(setting.option)}? {is_now}{again}.", keep)

        return ask

    def ask_name(self) -> Ask:
        """The question at the first start, and from the settings."""
        from cli.files.identity import name_of_user

        usual = "" if self.is_named else name_of_user()
        enter = f"Enter: {usual}" if usual else "Enter: as it is"
        return Ask(f"Your name, as others shall see it? ({enter}; q leaves)", self._taken, usual)

    def _taken(self, name: str) -> Go:
        """A single letter may be meant as a key, as is a word that a page knows."""
        from cli.files.identity import checked_person

        if not name:
            return Stay()
        checked = checked_person(name)
        words = {one.word for one in self.front().entries} | {"?"}
        if len(checked) > 1 and checked.lower() not in words:
            return self._take_name(checked)
        return Ask(
            f"Shall {checked} be your name? Type it once more; Enter: another one.",
            lambda again: self._take_name(checked) if again == name else self.ask_name(),
        )

    def _take_name(self, checked: str) -> Go:
        from cli.files.identity import Identity, write_identity

        own = self.home.identity()
        write_identity(self.home.identity_path, Identity(checked, own.key))
        return Stay(f"{checked} is your name from now on.")


def _choices(option: click.Option) -> str:
    if option.is_flag:
        return " (yes or no)"
    kind = option.type
    return f" ({', '.join(kind.choices)})" if isinstance(kind, click.Choice) else ""


def _without_id(match: PastMatch) -> str:
    when, _, rest = match_words(match).split("  ", 2)
    return f"{when}  {rest}"


def _without_name(table: "Found") -> str:
    from cli.table.lan import table_words

    return table_words(table).removeprefix(f"{table.advert.name}, ")


def _base(preset: str) -> str:
    from engine.rules import PRESETS

    base = PRESETS[preset].base
    return f"as {base}, with some options otherwise" if base else ""
