"""Trio with signals: cancelled, cleaned up, then told; one failure out of a group."""

import os
import signal

import pytest
import trio

from cli.process.errors import Stop
from cli.process.running import plain, run
from cli.process.signals import SIGNALS, Interrupted, install
from p2p.net.errors import BadCode, NobodyThere
from p2p.store import StoreError


@pytest.mark.parametrize(
    ("signum", "code", "sentence"),
    [
        (signal.SIGINT, 130, "Stopped by Ctrl-C."),
        (signal.SIGTERM, 143, "Stopped by SIGTERM."),
        (signal.SIGHUP, 129, "Stopped by SIGHUP."),
    ],
)
def test_a_signal_cancels_cleans_up_and_is_told(signum: int, code: int, sentence: str) -> None:
    before = {one: signal.getsignal(one) for one in SIGNALS}
    cleaned = []

    async def main() -> int:
        try:
            os.kill(os.getpid(), signum)
            await trio.sleep_forever()
        finally:
            cleaned.append(True)
        return 0

    with pytest.raises(Interrupted) as caught:
        run(main)
    assert (caught.value.code, caught.value.sentence) == (code, sentence)
    assert cleaned == [True]
    assert {one: signal.getsignal(one) for one in SIGNALS} == before


def test_a_signal_in_the_last_moment_is_not_lost() -> None:
    async def main() -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    with pytest.raises(Interrupted):
        run(main)


def test_the_outcome_is_part_of_the_sentence() -> None:
    told = Interrupted(signal.SIGINT, ". Its record: a.fives").sentence
    assert told == "Stopped by Ctrl-C. Its record: a.fives"


def test_outside_trio_a_signal_raises() -> None:
    before = {one: signal.getsignal(one) for one in SIGNALS}
    try:
        install()
        for signum in SIGNALS:
            with pytest.raises(Interrupted):
                signal.raise_signal(signum)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def test_the_code_comes_back() -> None:
    async def main() -> int:
        return 7

    assert run(main) == 7


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Stop("It stops.", 1), 1),
        (NobodyThere("den:5525"), 1),
        (BadCode(), 2),
        (StoreError("The disk is full."), 2),
    ],
)
def test_what_is_for_people_comes_out_with_its_code(error: Exception, code: int) -> None:
    async def main() -> int:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            raise error

    with pytest.raises(Stop) as caught:
        run(main)
    assert (caught.value.sentence, caught.value.code) == (str(error), code)


def test_a_failure_for_people_is_told_before_any_other() -> None:
    told = Stop("This.", 1)
    group = BaseExceptionGroup("", [ValueError(), BaseExceptionGroup("", [told])])
    assert plain(group) is told
    only = ValueError("x")
    assert plain(BaseExceptionGroup("", [only])) is only
