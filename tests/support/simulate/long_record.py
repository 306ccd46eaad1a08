"""How much memory `verify` takes for records of so many hands, over the stand-in of the group.

    cd tests && python -m support.simulate.long_record 10 100 1000

One match, verified as it stands after so many hands, four to a sum; prints one JSON object: by
hands the kibibytes that were allocated at once at most, and those that the verifier keeps at the
end. A thousand hands take some minutes.
"""

import gc
import io
import json
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


def records(hands: list[int]) -> Iterator[tuple[int, bytes]]:
    """The record after each of these numbers of hands, ascending; tiles are few, for speed."""
    from support.session.tables import Game, rules_for

    rules = rules_for(2, "pagat", target="1000000", hand_size="3", draws="none")
    game = Game.make(rules, "long", level="easy")
    game.play(moves=1)
    for most in hands:
        while game.sessions[0].state.match.hand_number <= most:
            game.play(moves=1)
            for seat in range(len(game.sessions)):
                game.events[seat].clear()
                game.outputs[seat].clear()
        yield most, game.sessions[0].record()


def measured(hands: list[int]) -> dict[int, dict[str, float]]:
    """By number of hands: `most`, allocated at once while the record was verified, and `kept`, what
    is left of it beside the report."""
    from p2p.session import judging as module
    from p2p.session.judging import Judging
    from p2p.session.verify import open_table, report_of

    # Else the sum would fill for the first hands.
    judging: Any = module
    judging.HANDS_A_SUM = 4
    found: dict[int, dict[str, float]] = {}
    for number, data in records(hands):
        file = io.BytesIO(data)
        tracemalloc.start()
        judged = Judging.of(*open_table(file))
        most = tracemalloc.get_traced_memory()[1]
        # Python keeps small tuples for later, up to some megabytes, until it has collected.
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        found[number] = {"most": round(most / 1024, 1), "kept": round(kept / 1024, 1)}
        report = report_of(judged)
        assert report.fault is None
        assert report.problem is None
        assert report.hands > number
    return found


def main() -> None:
    """Measure, and print."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from support.simulate import stand_in

    # Nothing is to be kept of what was read.
    stand_in.install(once=False)
    print(json.dumps(measured([int(each) for each in sys.argv[1:]])))


if __name__ == "__main__":
    main()
