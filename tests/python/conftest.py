"""What the tests of the module share."""

import os
import shutil
from pathlib import Path

import pytest

import weft

ROOT = Path(__file__).parents[2]


@pytest.fixture
def flag() -> weft.Simulation:
    return weft.Simulation("flag")


@pytest.fixture
def small() -> weft.Scene:
    """A cloth of 6 by 6 vertices that hangs at two corners."""
    scene = weft.Scene.new()
    scene.columns = scene.rows = 6
    return scene


@pytest.fixture
def program() -> str:
    """The program `weft`: the one that WEFT_PROGRAM names, which the gate does, or the one on the path."""
    named = os.environ.get("WEFT_PROGRAM") or shutil.which("weft")
    if named is None:
        pytest.skip("there is no program weft to compare with; name one by WEFT_PROGRAM")
    return named
