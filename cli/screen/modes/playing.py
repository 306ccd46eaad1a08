"""The table in a match: waiting for others, one's turn, and claiming points."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from cli.screen.drawing.keys import KEYS, Act, act_of, key_row
from cli.screen.drawing.view import Cursor, Desk, Front, HandTile, chosen, hand_of
from cli.screen.modes.base import Mode, Step
from cli.screen.modes.choosing import (
    ends_of,
    lettered_end,
    numbered_tile,
    on_tile,
    other_end,
    other_tile,
)
from cli.screen.modes.covers import LOG_TOPS, Reading, Text, Writing, log_step
from cli.screen.modes.muting import mute_step
from cli.screen.modes.outing import out_step
from cli.screen.modes.wishes import Answer, Hint
from cli.telling import ask
from cli.telling.doing import held_up
from cli.telling.phrases import plural
from cli.telling.prompts import claimed, told_points
from engine.errors import IllegalMove
from engine.moves import Play
from engine.strategy.advice import Advice
from engine.strategy.view import SeatView
from engine.tiles import Tile
from engine.wording import listed, sentence
from p2p.session.sitting.owner import Pause

_STAND_STILL: Final = "The match is paused by all, and the clocks stand still."
_STANDS: Final = f"{_STAND_STILL} p goes on, q stops for today."
# Where letters are written.
_CLAIM_STANDS: Final = f"{_STAND_STILL} p goes on, Ctrl-C stops for today."
NOTHING_CHOSEN: Final = Cursor()
_NOTHING_FITS: Final = "Nothing you hold fits now."
_NO_TILE: Final = "Choose a tile first, with its number or left and right."
_LEADS: Final = "The first tile of a hand has no end to choose."
_NO_END: Final = "Choose an end first, with up and down or its letter."
_SHARED: Final = (Act.CHAT, Act.PAUSE, Act.FAIRNESS, Act.HELP, Act.LEAVE)
_PAUSED_ROW: Final = key_row(
    KEYS, Act.PAUSE, Act.CHAT, Act.FAIRNESS, Act.HELP, Act.LEAVE, pause="go on", leave="stop"
)
_PAUSED_CLAIM_ROW: Final = key_row(KEYS, Act.PAUSE, Act.BACK, pause="go on")
# What plays or chooses, which nobody does in a pause.
_CHOOSING: Final = frozenset(
    {
        Act.DO,
        Act.TILE,
        Act.NEXT_TILE,
        Act.PREVIOUS_TILE,
        Act.END,
        Act.NEXT_END,
        Act.PREVIOUS_END,
    }
)


def pause(desk: Desk) -> Pause:
    """Ask for a pause or agree; once it is wanted, want it no longer."""
    return Pause(desk.scene.me not in desk.wanting)


def _fits_not(hand: Sequence[HandTile], tile: Tile, char: str) -> str:
    """That a tile does not fit on the ends of that letter, but on these."""
    choices = [choice for one in hand if one.tile == tile for choice in one.choices]
    ends = [choice.end for choice in choices if choice.end]
    if choices and not ends:
        return _LEADS
    on = f" on {char.upper()}, but on {listed(ends)}." if ends else " now."
    return f"{tile} does not fit{on}"


@dataclass(frozen=True)
class InMatch(Reading):
    """The table is in view, with a tile of the hand and an end for it chosen, or none. `clicked` is
    the place of the tile, or the end, that was clicked last: again, it plays."""

    cursor: Cursor = field(default=Cursor(), kw_only=True)
    clicked: int | str | None = field(default=None, kw_only=True)

    @abstractmethod
    def do(self, desk: Desk) -> Step:
        """Enter, where the match is not paused."""

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Choosing, chat, the log, and pauses, in which nothing is chosen or played."""
        if desk.paused and act in _CHOOSING:
            return Step(self, note=ask.PAUSED)
        hand, cursor = self._hand(desk), self.cursor
        ends = ends_of(hand, cursor)
        match act:
            case Act.NEXT_TILE | Act.PREVIOUS_TILE if not any(one.choices for one in hand):
                return Step(self, note=_NOTHING_FITS if hand else "")
            case Act.NEXT_TILE | Act.PREVIOUS_TILE:
                return self.at(other_tile(hand, cursor, 1 if act is Act.NEXT_TILE else -1))
            case Act.NEXT_END | Act.PREVIOUS_END:
                return self.at(other_end(hand, cursor, 1 if act is Act.NEXT_END else -1))
            case Act.TILE:
                place = numbered_tile(hand, cursor, int(char))
                if place is None:
                    return Step(self, note=f"You hold {plural(len(hand), 'tile')}." if hand else "")
                return self._number(place, desk)
            case Act.END if hand and not any(end.endswith(char.upper()) for end in ends):
                tile = cursor.tile
                return Step(self, note=_NO_TILE if tile is None else _fits_not(hand, tile, char))
            case Act.END:
                return self.at(lettered_end(hand, cursor, char))
            case Act.CHAT:
                return Step(Writing(self))
            case Act.MUTE:
                return mute_step(self, desk)
            case Act.OUT:
                return out_step(self, desk)
            case Act.PAUSE:
                return Step(self, pause(desk))
            case act if act in LOG_TOPS:
                return log_step(self, act)
            case Act.DO:
                return self.do(desk)
        return super().act(act, desk, char)

    def click(self, on: int | str, desk: Desk) -> Step:
        """Choose it; the second click plays."""
        if desk.paused:
            return Step(self, note=ask.PAUSED)
        hand, tile = self._hand(desk), self.cursor.tile
        places = [at for at, one in enumerate(hand) if one.tile == tile]
        if self.clicked == on and on in (*places, self.cursor.end):
            return self.act(Act.DO, desk)
        chosen_now = replace(self, clicked=on)
        if isinstance(on, int):
            return chosen_now._number(on, desk)
        fits = on in ends_of(hand, self.cursor)
        return chosen_now.at(Cursor(tile, on)) if fits else Step(self)

    def _hand(self, desk: Desk) -> tuple[HandTile, ...]:
        return hand_of(desk.scene, self.asked) or ()

    def at(self, cursor: Cursor) -> Step:
        """The cursor there."""
        return Step(replace(self, cursor=cursor))

    def _number(self, number: int, desk: Desk) -> Step:
        """The tile at that place of the hand, if it can be played."""
        hand = self._hand(desk)
        if number >= len(hand):
            return self.at(self.cursor)
        if hand[number].choices:
            return self.at(on_tile(hand[number]))
        return Step(self, note=f"{hand[number].tile} does not fit now.")


_LOOKING: Final = key_row(KEYS, Act.CHAT, Act.FAIRNESS, Act.HELP, Act.LEAVE)


@dataclass(frozen=True)
class Waiting(InMatch):
    """Others are to do something; what is chosen meanwhile is chosen when one's turn comes."""

    row = key_row(KEYS, *_SHARED)

    def front(self, desk: Desk) -> Front:
        """What is waited for."""
        sits = desk.scene.me is not None
        row = self.row if sits else _LOOKING
        if desk.paused:
            told, row = (_STANDS, _PAUSED_ROW) if sits else (_STAND_STILL, row)
            return Front(told, row, tells=desk.stands(None))
        names = [one.name for one in desk.scene.players]
        away = {names[seat]: absence.told for seat, absence in desk.away.items()}
        if desk.leaving:
            prompt = f"{desk.leaving} q leaves."
            return Front(prompt, row, tells=desk.stands(*desk.away), cursor=self.cursor)
        needed = [names[seat] for seat in held_up(desk.scene, desk.away)]
        prompt = ask.wait_prompt(desk.scene, self._ahead, away)
        prompt = ask.away_prompt(away, needed) if needed else prompt
        return Front(prompt, row, tells=desk.stands(*desk.away), cursor=self.cursor)

    @property
    def _ahead(self) -> str:
        """What is chosen: "6-4 on R"."""
        end = f" on {self.cursor.end}" if self.cursor.end else ""
        return f"{self.cursor.tile}{end}" if self.cursor.tile else ""

    def do(self, desk: Desk) -> Step:
        """Nothing can be played now."""
        return Step(self)


@dataclass(frozen=True)
class Claiming(Text):
    """To an opponent of the placer."""

    seen: SeatView

    def leaving(self, desk: Desk) -> str:
        """What leaving the match means."""
        return ask.leave_match(desk.parting)

    @property
    def asked(self) -> SeatView | None:
        """What the claim is about."""
        return self.seen

    @property
    def means(self) -> object:
        """Each placement is another question."""
        return type(self), self.seen.hand_number, len(self.seen.moves)

    def front(self, desk: Desk) -> Front:
        """The question, and what has been typed."""
        if desk.paused:
            front = Front(_CLAIM_STANDS, _PAUSED_CLAIM_ROW, urgent=True, typed=self.text)
            return replace(front, tells=desk.stands(None))
        left = "" if desk.clock is None else f" {plural(desk.clock, 'second')} left."
        asked = f"{self.question(desk)}{left}"
        return Front(asked, self.row, urgent=True, typed=self.text)

    def question(self, desk: Desk) -> str:
        """What is asked."""
        return ask.claim_prompt(self.seen, desk.scene)

    def key(self, name: str, desk: Desk) -> Step:
        """A claim has no letters, so the key for a pause is one here too."""
        if act_of(KEYS, name) is Act.PAUSE:
            return Step(self, pause(desk), note=None)
        return super().key(name, desk)

    def sent(self, text: str, desk: Desk) -> Step:
        """The claim, if it is a number that can be claimed."""
        if desk.paused:
            return Step(self, note=ask.PAUSED)
        try:
            return Step(Waiting(), self.answer(claimed(text)))
        except IllegalMove as refusal:
            return Step(replace(self, text=""), note=sentence(refusal))

    def answer(self, points: int) -> Answer:
        """What is sent."""
        return Answer(points)


@dataclass(frozen=True)
class OwnClaiming(Claiming):
    """To the placer: the claim goes with the `play`; `turn` is what Esc goes back to."""

    play: Play
    turn: Mode

    def front(self, desk: Desk) -> Front:
        """The hand stays as it was on one's turn, or in a pause."""
        turn, claim = self.turn.front(desk), super().front(desk)
        return replace(claim, seen=turn.seen, cursor=turn.cursor)

    def question(self, desk: Desk) -> str:
        """What is asked."""
        return ask.own_claim_prompt(self.play.tile)

    def answer(self, points: int) -> Answer:
        """What is sent."""
        return Answer(replace(self.play, claim=points))

    def dropped(self) -> Step:
        """The choice again."""
        return Step(self.turn)


_TURN_ROW: Final = key_row(KEYS, Act.DO, Act.HINT, *_SHARED, Act.TILE, Act.END)
_WITHOUT_ARMS: Final = tuple(
    replace(label, shown="lr") if label.act is Act.END else label for label in _TURN_ROW
)


@dataclass(frozen=True)
class Turn(InMatch):
    """One's own."""

    seen: SeatView
    row = _TURN_ROW

    @classmethod
    def begun(cls, seen: SeatView, ahead: Cursor = NOTHING_CHOSEN) -> Self:
        """With what was chosen `ahead`, if it fits, else with what scores best; where points are
        claimed, nobody is shown what does."""
        plays = [move for move in seen.legal if isinstance(move, Play)]
        for wanted in (ahead.tile, None):
            among = [move for move in plays if wanted in (None, move.tile)]
            for move in among:
                if (move.tile, move.end) == (ahead.tile, ahead.end):
                    return cls(seen, cursor=ahead)
            if among:
                best = max(among, key=lambda move: told_points(seen, move))
                return cls(seen, cursor=Cursor(best.tile, best.end))
        return cls(seen)

    def hinted(self, advice: Advice) -> Self:
        """With what a hint says chosen."""
        move = advice.move
        cursor = Cursor(move.tile, move.end) if isinstance(move, Play) else self.cursor
        return replace(self, cursor=cursor, clicked=None)

    @property
    def asked(self) -> SeatView | None:
        """What there is to choose from."""
        return self.seen

    @property
    def means(self) -> object:
        """A tile that was drawn makes it another turn."""
        return type(self), self.seen.hand_number, len(self.seen.moves)

    def front(self, desk: Desk) -> Front:
        """What Enter would do."""
        if desk.paused:
            front = Front(_STANDS, _PAUSED_ROW, urgent=True, seen=self.seen)
            return replace(front, tells=desk.stands(None))
        prompt = ask.turn_prompt(self.seen, chosen(self.seen, self.cursor))
        if desk.leaving:
            prompt = f"{desk.leaving} {ask.NOT_COUNTED_THEN} {prompt}"
        row = _WITHOUT_ARMS if self.seen.rules.spinner == "none" else self.row
        return Front(prompt, row, urgent=True, seen=self.seen, cursor=self.cursor)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """A hint is for here alone, and for what Enter can play."""
        if act is Act.HINT and desk.paused:
            return Step(self, note=ask.PAUSED)
        if act is Act.HINT:
            return Step(self, Hint(self.seen), note=ask.THINKING)
        return super().act(act, desk, char)

    def do(self, desk: Desk) -> Step:
        """The chosen move, after the question what it scores where points are claimed."""
        move = chosen(self.seen, self.cursor)
        if isinstance(move, Play) and self.seen.rules.claims:
            return Step(OwnClaiming(self.seen, move, self))
        if move is None:
            return Step(self, note=_NO_TILE if self.cursor.tile is None else _NO_END)
        return Step(Waiting(), Answer(move))
