"""Examples, the chapter of the guide, type stubs."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import weft
from conftest import ROOT

PACKAGE = ROOT / "src" / "python"


def loaded(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_handles_fold_a_cloth() -> None:
    fold = loaded(PACKAGE / "examples" / "fold.py")
    text = (PACKAGE / "examples" / "fold.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60 or len(text.split("if __name__")[0].splitlines()) <= 60
    ran = subprocess.run([sys.executable, PACKAGE / "examples" / "fold.py"], check=True, capture_output=True, text=True)
    assert ran.stdout.startswith("folded: True")
    env = fold.FoldEnv()
    first, _ = env.reset()
    rewards = [env.step(np.array([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])) for _ in range(20)]
    end = env.simulation.fingerprint
    again, _ = env.reset()
    assert np.array_equal(first, again) and env.steps == 0
    for _ in range(20):
        env.step(np.array([0.0, 1.0, 0.0, 0.0, 1.0, 0.0]))
    assert env.simulation.fingerprint == end and len(rewards[0]) == 5


def test_four_solvers_are_plotted(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "four.png"
    command = [sys.executable, str(PACKAGE / "examples" / "four_solvers.py"), str(file)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "Agg"})
    assert file.stat().st_size > 10_000 and len(ran.stdout.splitlines()) == 4


def test_the_example_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (ROOT / "src" / "guide.md").read_text(encoding="utf-8")
    chapter = guide.split("\n## In Python\n")[1].split("\n## ")[0]
    example = re.search(r"```python\n(.*?)```", chapter, re.DOTALL)
    assert example and len(example[1].splitlines()) <= 12
    monkeypatch.chdir(tmp_path)
    exec(compile(example[1], "guide.md", "exec"), {})


def test_types_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    # the library within the package that maturin makes
    (tmp_path / "allowed").write_text("weft.weft\n", encoding="utf-8")
    files = [str(ROOT / "tests" / "python"), str(PACKAGE / "stubs.py"), str(PACKAGE / "examples" / "fold.py")]
    for command in [["mypy", *files], ["mypy.stubtest", "weft", "--allowlist", str(tmp_path / "allowed")]]:
        ran = subprocess.run([sys.executable, "-m", *command], cwd=PACKAGE, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_stubs_are_those_of_the_library() -> None:
    source = os.environ.get("WEFT_STUBS")
    if source is None:
        pytest.skip("maturin generate-stubs has not run; the gate names its file by WEFT_STUBS")
    stubs = loaded(PACKAGE / "stubs.py").stubs(Path(source).read_text(encoding="utf-8"))
    kept = (PACKAGE / "weft.pyi").read_text(encoding="utf-8")
    assert kept == stubs, "make weft.pyi anew, as stubs.py says"


def test_all_public_names_have_docstrings() -> None:
    for name in (name for name in dir(weft) if not name.startswith("_") and name != "weft"):
        value = getattr(weft, name)
        assert value.__doc__, name
        for member, method in vars(value).items() if isinstance(value, type) else []:
            assert member.startswith("_") or method.__doc__, f"{name}.{member}"
