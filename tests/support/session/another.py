"""Another process that helps to check a record, played in this one."""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Done(Future[Any]):
    """What was done elsewhere at once; what went there went as bytes."""

    def __init__(self, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
        super().__init__()
        self.set_result(work(*pickle.loads(pickle.dumps(given))))  # noqa: S301 - our own bytes


class Later(Future[Any]):
    """What is done when its result is asked for."""

    def __init__(self, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
        super().__init__()
        self._work, self._what = work, given

    def result(self, timeout: float | None = None) -> Any:
        """It is done now."""
        return self._work(*self._what)


class Pool(Executor):
    """Who does what is left to it in this way; `given`: how many messages were in each batch."""

    def __init__(self, kind: type[Done] | type[Later] = Done) -> None:
        self.given: list[int] = []
        self._kind = kind

    def submit(self, work: Callable[..., Any], /, *given: Any, **_: Any) -> Future[Any]:
        """Take a batch."""
        self.given.append(len(given[0].signed))
        return self._kind(work, given)
