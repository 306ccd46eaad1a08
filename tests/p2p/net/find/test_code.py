"""p2p.net.find.code: codes of 33 bits from plain words, compared without regard to case."""

import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import ROOT

from p2p.net.errors import BadCode
from p2p.net.find.code import completed, make_code, normal_code, suggested, tabbed, words


def test_the_words_give_eleven_bits_each_and_can_be_said() -> None:
    assert len(words()) == len(set(words())) == 2048
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words())
    assert all(3 <= len(word) <= 8 for word in words())
    assert {"guitar", "orbit", "lunar"} <= set(words())


def test_the_words_are_in_what_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="builds a wheel")
    python = [sys.executable, "-P", "-c"]
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(tmp_path)!r}))"
    made = subprocess.run([*python, build], cwd=ROOT, capture_output=True, text=True, check=True)
    wheel = tmp_path / made.stdout.split()[-1]
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    use = "import p2p.net.find.code as code; print(code.__file__, len(code.words()))"
    path = {"PYTHONPATH": str(tmp_path / "installed")}
    ran = subprocess.run(
        [*python, use], env=os.environ | path, cwd=tmp_path, capture_output=True, text=True
    )
    where, count = ran.stdout.split()
    assert Path(where).is_relative_to(tmp_path)
    assert count == "2048"


def test_a_made_code_is_three_words_from_the_given_randomness() -> None:
    assert make_code(lambda n: b"\0" * n) == "-".join([words()[0]] * 3)
    assert make_code(lambda n: b"\xff" * n) == "-".join([words()[2047]] * 3)
    codes = {make_code(random.Random(seed).randbytes) for seed in range(300)}
    assert len(codes) == 300
    assert len({word for code in codes for word in code.split("-")}) > 600


@pytest.mark.parametrize(
    "written",
    [
        "Guitar-ORBIT-lunar",
        " guitar orbit lunar ",
        "guitar_orbit--lunar",
        "ＧＵＩＴＡＲ-orbit lunar",
    ],
)
def test_ways_to_write_one_code(written: str) -> None:
    assert normal_code(written) == "guitar-orbit-lunar"


@pytest.mark.parametrize("written", ["", " - ", "a" * 65, "a b!", "a\x1bb", "a\0"])
def test_codes_that_cannot_be_used(written: str) -> None:
    with pytest.raises(BadCode) as caught:
        normal_code(written)
    assert str(caught.value) == (
        "This table code cannot be used. Take words of letters and digits, at most 64 characters."
    )


@given(st.text(st.characters(categories=("L", "Nd")), min_size=1, max_size=15))
def test_normal_form_is_stable(written: str) -> None:
    try:
        once = normal_code(written)
    except BadCode:
        return
    assert normal_code(once) == once == normal_code(f"  {written}_")


@pytest.mark.parametrize(
    ("begun", "code"),
    [
        ("guit", "guitar"),
        ("Guit", "guitar"),
        ("guitar-orb", "guitar-orbit"),
        ("guitar orbit luna", "guitar orbit lunar"),
        ("", ""),
        ("guitar-", "guitar-"),
        ("xyzzy", "xyzzy"),
    ],
)
def test_a_word_that_was_begun_is_completed(begun: str, code: str) -> None:
    assert completed(begun) == code


def test_of_several_words_that_begin_so_what_they_share_is_written() -> None:
    assert completed("a") == "a"
    begun = next(word for word in words() if any(other[:-1] == word for other in words()))
    assert completed(begun[:-1]).startswith(begun[:-1])
    assert begun.startswith(completed(begun[:-1]))


def test_a_tab_in_a_line_completes_the_word_before_it() -> None:
    assert tabbed("guit\torbi\tlunar") == "guitar orbit lunar"
    assert tabbed("guitar orbit") == "guitar orbit"


def test_what_was_misheard_is_suggested() -> None:
    assert suggested("guitr-orbit-lunar") == "guitar-orbit-lunar"
    assert suggested("guitar-orbit-lunar") is None
    assert suggested("guitar-0000-lunar") is None


def test_only_a_code_that_can_be_is_suggested() -> None:
    for said in (
        "cabledollar-spend",
        "cable-dollarspend",
        "cabledollarspend",
        "cab-ledollar-spend",
    ):
        assert suggested(said) == "cable-dollar-spend", "the words were not parted so"
    for said in ("wrongword-foo-bar", "bad-code-here", "guitr-orbit", "gitar"):
        assert suggested(said) is None
