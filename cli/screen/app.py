"""The full screen: prompt_toolkit around the control. It draws and hands keys on; no rules here."""

import os
import signal
from collections.abc import Callable, Mapping
from typing import Final, Protocol

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
from prompt_toolkit.styles import Style

from cli.screen.drawing.keys import Act, Key
from cli.screen.drawing.render import fits, render
from cli.screen.drawing.style import style_class, style_rules
from cli.screen.drawing.view import TableView
from cli.screen.line.canvas import Frame, Look, Span

_ANSWER_KEYS: Final = {"y": True, "Y": True, "n": False, "N": False}


class Controlled(Protocol):
    """What a screen shows and hands its keys to: a seat's control, or a replay."""

    keys: tuple[Key, ...]

    def view(self) -> TableView:
        """What to show now."""
        ...

    @property
    def typing(self) -> bool:
        """Whether keys are letters of a text now."""
        ...

    @property
    def questioned(self) -> bool:
        """Whether a question waits for yes or no now."""
        ...

    def act(self, act: Act) -> None:
        """A key that means the same every time."""
        ...

    def press(self, char: str) -> None:
        """A digit or a letter that chooses a tile or an end."""
        ...

    def type(self, text: str) -> None:
        """More of a text."""
        ...

    def erase(self) -> None:
        """The last character away."""
        ...

    def answer_question(self, yes: bool) -> None:
        """The answer to the question."""
        ...

    def click_tile(self, number: int) -> None:
        """A click on a tile of the hand."""
        ...

    def click_end(self, end: str) -> None:
        """A click on an open end."""
        ...


class Surface(UIControl):
    """The whole terminal: the frame of the control's view, and its mouse."""

    def __init__(self, control: Controlled, look: Look) -> None:
        self._control = control
        self._look = look
        self._frame: Frame | None = None

    def create_content(self, width: int, height: int) -> UIContent:
        """Draw the view in exactly that size."""
        self._frame = frame = render(self._control.view(), width, height, self._look)
        return UIContent(
            get_line=lambda at: _formatted(frame.rows[at]), line_count=height, show_cursor=False
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """A click on a tile or an end."""
        if mouse_event.event_type is not MouseEventType.MOUSE_UP or self._frame is None:
            return
        at = mouse_event.position
        for zone in self._frame.zones:
            if zone.x <= at.x < zone.x + zone.w and zone.y <= at.y < zone.y + zone.h:
                if zone.tile is not None:
                    self._control.click_tile(zone.tile)
                elif zone.end is not None:
                    self._control.click_end(zone.end)
                elif isinstance(zone.act, Act) and not self._control.questioned:
                    self._control.act(zone.act)
                return


def _formatted(row: tuple[Span, ...]) -> StyleAndTextTuples:
    return [(f"class:{style_class(style)}" if style else "", text) for style, text in row]


def bindings(control: Controlled, interrupt: Callable[[], None]) -> KeyBindingsBase:
    """The keys of the key table, and those for writing; Ctrl-C alone while nothing is shown."""
    always = KeyBindings()

    @always.add("c-c")
    def _stop(_event: KeyPressEvent) -> None:
        interrupt()

    return merge_key_bindings([ConditionalKeyBindings(_keys(control), Condition(_shows)), always])


def _shows() -> bool:
    """Whether the terminal has room for the table: nobody should play what they do not see."""
    size = get_app().output.get_size()
    return fits(size.columns, size.rows)


def _keys(control: Controlled) -> KeyBindings:
    made = KeyBindings()

    @made.add(Keys.Any)
    def _letter(event: KeyPressEvent) -> None:
        press(control, event.data)

    for key in control.keys:
        for name in key.keys:
            if len(name) > 1 and name != "space":
                made.add(name)(_special(control, key.act))

    @made.add("backspace")
    def _erase(_event: KeyPressEvent) -> None:
        if control.typing:
            control.erase()

    @made.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        if control.typing:
            control.type(event.data)

    return made


def _special(control: Controlled, act: Act) -> Callable[[KeyPressEvent], None]:
    def run(_event: KeyPressEvent) -> None:
        if control.questioned:
            if act is Act.BACK:
                control.answer_question(False)
        elif not control.typing or act in (Act.DO, Act.BACK):
            control.act(act)

    return run


def press(control: Controlled, char: str) -> None:
    """A key that writes a character: a letter of a text, an answer, or a key of the table."""
    if control.questioned:
        if char in _ANSWER_KEYS:
            control.answer_question(_ANSWER_KEYS[char])
    elif control.typing:
        control.type(char)
    else:
        name = "space" if char == " " else char
        for key in control.keys:
            if name in key.keys:
                _run(control, key.act, char)


def _run(control: Controlled, act: Act, char: str) -> None:
    if act in (Act.TILE, Act.END):
        control.press(char)
    else:
        control.act(act)


def make_app(
    control: Controlled,
    look: Look,
    environment: Mapping[str, str],
    terminal_in: Input | None = None,
    terminal_out: Output | None = None,
) -> Application[None]:
    """The application; `terminal_in` and `terminal_out` are the terminal unless given."""
    return Application(
        layout=Layout(Window(Surface(control, look), always_hide_cursor=True)),
        key_bindings=bindings(control, interrupt_self),
        style=Style.from_dict(style_rules(environment)),
        color_depth=ColorDepth.DEPTH_1_BIT if environment.get("NO_COLOR") else None,
        full_screen=True,
        mouse_support=True,
        input=terminal_in,
        output=terminal_out,
    )


def interrupt_self() -> None:
    """Ctrl-C is a key in a raw terminal, and means what it means elsewhere."""
    os.kill(os.getpid(), signal.SIGINT)
