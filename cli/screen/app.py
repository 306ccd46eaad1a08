"""The full screen: prompt_toolkit around the present mode. It draws and hands on; no rules here."""

import os
import signal
from collections.abc import Callable, Mapping
from typing import Final

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import (
    ConditionalKeyBindings,
    KeyBindings,
    KeyBindingsBase,
    KeyPressEvent,
    merge_key_bindings,
)
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import BaseStyle, DynamicStyle, Style

from cli.screen.drawing.keys import ALL_KEYS, Act
from cli.screen.drawing.render import fits, render
from cli.screen.drawing.style import style_class, style_rules
from cli.screen.drawing.view import Scroll
from cli.screen.line.canvas import Frame, Span
from cli.screen.line.look import THEMES
from cli.screen.modes.base import Holder
from cli.screen.painting import draw_anew, has_colours, terminal_output

# The keys of the table that write no character, and the one that takes one away.
_NAMED: Final = {name for key in ALL_KEYS for name in key.keys if len(name) > 1}
_SPECIAL: Final = _NAMED - {"space"} | {"backspace"}
_WHEEL: Final = {
    MouseEventType.SCROLL_UP: Act.WHEEL_UP,
    MouseEventType.SCROLL_DOWN: Act.WHEEL_DOWN,
}
# A terminal sends the bytes of a key at once: what comes later than this after an Esc is no part
# of it.
_ESCAPE_SECONDS: Final = 0.05


class Surface(UIControl):
    """The whole terminal: the frame of the holder's view, and its mouse."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder
        self._frame: Frame | None = None

    def create_content(self, width: int, height: int) -> UIContent:
        """Draw the view in exactly that size."""
        self._frame = frame = render(self._holder.view(), width, height, self._holder.look)
        if frame.page is not None:
            self._holder.scroll = Scroll(*frame.page)
        return UIContent(
            get_line=lambda at: _formatted(frame.rows[at]), line_count=height, show_cursor=False
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """A click on a tile, an end or a key; the wheel."""
        wheel = _WHEEL.get(mouse_event.event_type)
        if wheel is not None:
            self._holder.act(wheel)
        if mouse_event.event_type is not MouseEventType.MOUSE_UP or self._frame is None:
            return
        at = mouse_event.position
        for zone in self._frame.zones:
            if zone.x <= at.x < zone.x + zone.w and zone.y <= at.y < zone.y + zone.h:
                match zone.on:
                    case Act() as act:
                        self._holder.act(act)
                    case int() | str() as on:
                        self._holder.click(on)
                return


def _formatted(row: tuple[Span, ...]) -> StyleAndTextTuples:
    return [(f"class:{style_class(style)}" if style else "", text) for style, text in row]


def bindings(holder: Holder, interrupt: Callable[[], None]) -> KeyBindingsBase:
    """The keys of the key table, and those for writing; those of the terminal alone while nothing
    is shown."""
    always = KeyBindings()

    @always.add("c-c")
    def _stop(_event: KeyPressEvent) -> None:
        if not (_shows() and holder.interrupt()):
            interrupt()

    @always.add("c-l")
    def _anew(event: KeyPressEvent) -> None:
        draw_anew(event.app)

    @always.add("c-z")
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    return merge_key_bindings([ConditionalKeyBindings(_keys(holder), Condition(_shows)), always])


def _shows() -> bool:
    """Whether the terminal has room for the table: nobody should play what they do not see."""
    size = get_app().output.get_size()
    return fits(size.columns, size.rows)


def _keys(holder: Holder) -> KeyBindings:
    made = KeyBindings()

    @made.add(Keys.Any)
    def _character(event: KeyPressEvent) -> None:
        holder.key(event.data)

    @made.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        holder.paste(event.data)

    for name in _SPECIAL:
        made.add(name)(_special(holder, name))
    return made


def _special(holder: Holder, name: str) -> Callable[[KeyPressEvent], None]:
    return lambda _event: holder.key(name)


def make_app(
    holder: Holder,
    environment: Mapping[str, str],
    terminal_in: Input | None = None,
    terminal_out: Output | None = None,
    mouse: bool = True,
) -> Application[None]:
    """The application; `terminal_in` and `terminal_out` are the terminal unless given."""
    coloured = has_colours(environment)
    app: Application[None] = Application(
        layout=Layout(Window(Surface(holder), always_hide_cursor=True)),
        key_bindings=bindings(holder, interrupt_self),
        style=_style(holder, coloured),
        color_depth=None if coloured else ColorDepth.DEPTH_1_BIT,
        full_screen=True,
        mouse_support=mouse,
        input=terminal_in,
        output=terminal_out or terminal_output(environment),
    )
    app.ttimeoutlen = _ESCAPE_SECONDS
    return app


def _style(holder: Holder, coloured: bool) -> BaseStyle:
    """What its look has now."""
    styles = {theme: Style.from_dict(style_rules(theme)) for theme in THEMES}
    return DynamicStyle(lambda: styles[holder.look.theme if coloured else "mono"])


def interrupt_self() -> None:
    """Ctrl-C is a key in a raw terminal, and means what it means elsewhere."""
    os.kill(os.getpid(), signal.SIGINT)
