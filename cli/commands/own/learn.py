"""`allfives learn`: five short scenes that teach the game and the keys."""

from typing import Any

import click

from cli.commands.options import chosen_look, everywhere, onlooker_options
from cli.files.home import Home
from cli.process.kinds import Whole


@click.command("learn")
@everywhere
@click.argument("scene", required=False, type=Whole(1, 5), metavar="[SCENE]")
@onlooker_options
@click.pass_obj
def learn(home: Home, /, scene: int | None, plain: bool, mouse: bool, **flags: Any) -> int:
    """Learn the game and the keys in five short scenes, from the first or from SCENE on.

    Each asks a question that you answer by a move. Nothing is kept, and no network is used.
    """
    from cli.files.identity import name_of_user, read_identity
    from cli.learning.lesson import Lesson
    from cli.learning.plain import learn_in_lines
    from cli.screen.terminal import is_screen

    known = home.identity_path.exists()
    name = read_identity(home.identity_path).name if known else name_of_user()
    lesson = Lesson(name, (scene or 1) - 1)
    if plain or not is_screen():
        return learn_in_lines(lesson)
    from cli.learning.screen import learn_at_screen

    return learn_at_screen(lesson, chosen_look(flags), mouse)
