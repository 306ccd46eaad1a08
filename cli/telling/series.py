"""Who has won how many of the matches at one table."""

from collections.abc import Collection
from dataclasses import dataclass, field

from cli.telling.phrases import side_name
from cli.telling.scene import Scene
from engine.events import MatchEnded
from engine.wording import listed
from p2p.session.state.events import SessionEvent


@dataclass
class Series:
    """`played` matches had a result; `wins` by identity key of everybody who played them."""

    wins: dict[bytes, int] = field(default_factory=dict)
    played: int = 0

    def going_on(self, keys: Collection[bytes]) -> "Series":
        """The series before a match of these people: a fresh one, if others played before."""
        return self if set(keys) == set(self.wins) else Series(dict.fromkeys(keys, 0))

    def hear(self, event: SessionEvent, scene: Scene) -> list[str]:
        """The line on the score behind an event, if it is the end of a match; one that nobody has
        won does not count."""
        if not isinstance(event, MatchEnded):
            return []
        if event.winners:
            self.played += 1
            for player in scene.players:
                won = self.wins.get(player.key, 0) + (player.seat in event.winners)
                self.wins[player.key] = won
        return [self.told(scene)] if self.told(scene) else []

    def told(self, scene: Scene) -> str:
        """The score in matches, the best first; "" before there are two."""
        if self.played < 2:
            return ""
        score = {side: self.wins[scene.players[side[0]].key] for side in scene.sides()}
        sides = sorted(score, key=lambda side: -score[side])
        said = listed([f"{side_name(scene, side)} {score[side]}" for side in sides])
        return f"{self.played} matches since you came to this table: {said}."
