"""Tables where somebody goes in the middle: its voice falls silent, and the others vote."""

from collections.abc import Collection

from support.session.tables import Game

from p2p.session.state.state import Phase
from p2p.wire.out import Out
from p2p.wire.talk import Leave


def until(game: Game, phase: Phase, moves: int = 200) -> None:
    """Play on until the match of seat 0 is in that phase, before anybody speaks there."""
    if not game.traffic:
        game.start()
    while game.sessions[0].referee.phase is not phase:
        if game.queue:
            seat, data = game.queue.popleft()
            game.take(seat, game.sessions[seat].receive(data))
        else:
            assert moves, f"no {phase} came"
            moves -= 1
            assert game.move(), f"no {phase} came"


def cut(game: Game, gone: Collection[int]) -> None:
    """Nothing of these seats is on the way any more, and nothing reaches them."""
    kept = [(seat, data) for seat, data in game.queue if seat not in gone]
    game.queue.clear()
    game.queue.extend(kept)


def deliver(game: Game, gone: Collection[int]) -> None:
    """Deliver everything to those who are there."""
    while game.queue:
        seat, data = game.queue.popleft()
        if seat not in gone:
            game.take(seat, game.sessions[seat].receive(data))


def put_out(game: Game, gone: Collection[int], reason: str = "absent") -> None:
    """All others vote to go on without these seats, for a reason and with its proof."""
    deliver(game, gone)
    stay = [seat for seat in range(len(game.sessions)) if seat not in gone]
    if reason == "left":
        for seat in gone:
            word = game.sessions[seat].word(0, Leave())
            for other in stay:
                game.take(other, game.sessions[other].leaves(word))
    for seat in stay:
        outs = tuple(outs_of(game, seat, gone, reason))
        game.take(seat, game.sessions[seat].vote(outs))
    deliver(game, gone)


def outs_of(game: Game, seat: int, gone: Collection[int], reason: str) -> list[Out]:
    """The list of a vote as that seat can prove it."""
    known = game.sessions[seat].course.known
    root = game.sessions[seat].referee.root
    found = []
    for one in sorted(gone):
        proof: tuple[bytes, ...] = ()
        if reason == "left":
            proof = (known.leaves[one].id,)
        elif reason == "fault":
            proof = known.faults(one, root)[0]
        found.append(Out.read([one, reason, list(proof)]))
    return found


def play_on(game: Game, gone: Collection[int], moves: int = 10_000) -> None:
    """Those who are there play on to the end."""
    deliver(game, gone)
    while moves and _move(game, gone):
        moves -= 1
        deliver(game, gone)


def _move(game: Game, gone: Collection[int]) -> bool:
    for seat, session in enumerate(game.sessions):
        if seat in gone:
            continue
        view = session.decision()
        if view is not None:
            game.take(seat, session.act(game.players[seat].choose(view)))
            return True
        if session.claim_due():
            game.take(seat, session.claim(game.players[seat].claim(session.view())))
            return True
    return False
