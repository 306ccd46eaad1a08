"""Lines of people without a seat: each is taken once, and never more than people write. Whoever
makes keys can be many, so all together are bounded as one is."""

from collections import OrderedDict

from p2p.bucket import Bucket
from p2p.session.state.table import BadName, Table, check_name
from p2p.wire.chat import Remark
from p2p.wire.codec import DecodeError

# Of one key: a line a second, and some at once.
LINES_A_SECOND = 1
LINES_AT_ONCE = 5
# Of all together.
ALL_A_SECOND = 4
ALL_AT_ONCE = 40
# Keys that are remembered; of one that was forgotten a line may come twice.
KEYS_MOST = 64


class Remarks:
    """Which lines are new, and not too many: of who looks on at `table`, or in a lobby."""

    def __init__(self, table: Table | None = None) -> None:
        self._allowed = table is None or table.terms.watch
        self._seats = frozenset(() if table is None else (one.key for one in table.people))
        self._newest: OrderedDict[bytes, int] = OrderedDict()
        self._paces: dict[bytes, Bucket] = {}
        self._all = Bucket(ALL_A_SECOND, ALL_AT_ONCE)

    def take(self, remark: Remark, now: float) -> bool:
        """Whether a line is new, and shown and passed on. DecodeError for one that nobody without a
        seat can say: of a seat, or of a name that no honest program gives itself."""
        if not self._allowed or remark.key in self._seats:
            raise DecodeError("a remark of somebody with a seat")
        try:
            check_name(remark.name)
        except BadName as error:
            raise DecodeError(str(error)) from None
        if remark.number <= self._newest.get(remark.key, -1):
            return False
        self._newest[remark.key] = remark.number
        self._newest.move_to_end(remark.key)
        pace = self._paces.setdefault(remark.key, Bucket(LINES_A_SECOND, LINES_AT_ONCE))
        if len(self._newest) > KEYS_MOST:
            oldest, _ = self._newest.popitem(last=False)
            del self._paces[oldest]
        return pace.take(1, now) and self._all.take(1, now)
