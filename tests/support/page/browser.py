"""A real browser without a window, driven over a pipe by its own protocol (Chrome DevTools): no
driver, no port, no network.
"""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

_NAMES: Final = ("chromium", "chromium-browser")
# One that is just being installed is not whole yet.
_FOUND: Final = () if os.environ.get("ALLFIVES_NO_BROWSER") else map(shutil.which, _NAMES)
CHROMIUM: Final = next(filter(None, _FOUND), None)
NO_BROWSER: Final = "there is no chromium here: the page is not tried in a browser"
_FLAGS: Final = (
    "--headless",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_END: Final = b"\0"
_PIECE: Final = 1 << 16


class Browser:
    """One page of a browser."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.seen: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """Call a method of the protocol; what the page tells meanwhile is kept in `seen`."""
        self._number += 1
        call: dict[str, Any] = {"id": self._number, "method": method, "params": given}
        if self._session is not None:
            call["sessionId"] = self._session
        os.write(self._out, json.dumps(call).encode() + _END)
        while True:
            told = self._next()
            if told.get("id") == self._number:
                assert "error" not in told, told["error"]
                return cast(dict[str, Any], told["result"])
            self.seen.append(told)

    def wait_for(self, method: str) -> dict[str, Any]:
        """The next event of that name."""
        while not any(one.get("method") == method for one in self.seen):
            self.seen.append(self._next())
        return next(one for one in self.seen if one.get("method") == method)

    def _next(self) -> dict[str, Any]:
        while _END not in self._rest:
            piece = os.read(self._in, _PIECE)
            assert piece, "the browser has ended"
            self._rest += piece
        one, _, self._rest = self._rest.partition(_END)
        return cast(dict[str, Any], json.loads(one))

    def open(self, path: Path) -> None:
        """Load a file, and wait until its script has run."""
        self.seen.clear()
        self.ask("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """What an expression of the page's own comes to."""
        told = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """A key, as the keyboard sends it."""
        named = {"key": key, "text": text} if text else {"key": key}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **named)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """The window, and what its owner prefers."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **screen)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser that keeps all that is its own in a folder, and ends with the block."""
    assert CHROMIUM is not None, NO_BROWSER
    to_browser, its_in = os.pipe()[::-1]
    from_browser, its_out = os.pipe()
    root = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    # The protocol reads handle 3 and writes handle 4; a plain sh knows no handles above 9.
    moved = f'exec 3<&{its_in} 4>&{its_out}; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", moved, "bash", CHROMIUM, *_FLAGS, *root, f"--user-data-dir={folder}"],
        pass_fds=(its_in, its_out),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
    )
    os.close(its_in)
    os.close(its_out)
    try:
        yield Browser(to_browser, from_browser)
    finally:
        os.close(to_browser)
        process.wait()
        os.close(from_browser)
