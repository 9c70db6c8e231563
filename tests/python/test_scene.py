"""Scenes: loading, attributes from the declarations, errors."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import weft
from conftest import ROOT


def test_a_scene_is_loaded_by_name_and_by_path(tmp_path: Path) -> None:
    flag = weft.Scene.load("flag")
    assert (flag.name, flag.title, flag.columns, flag.solver) == ("flag", "Flag", 37, "fast-mass-spring")
    file = tmp_path / "mine.ron"
    file.write_text(flag.ron(), encoding="utf-8")
    mine = weft.Scene.load(file)
    assert mine.name == str(file) and mine.ron() == flag.ron()
    assert weft.Scene.parse(flag.ron(), "flag") == flag
    assert weft.Scene.new() == weft.Scene()


def test_every_scene_that_comes_with_weft_makes_a_simulation() -> None:
    for row in weft.scenes():
        scene = weft.Scene.load(row["name"])
        assert scene.title == row["title"]
        assert weft.Scene.parse(scene.ron(), scene.name) == scene


def test_parameters_are_attributes_with_unit_range_and_help() -> None:
    scene = weft.Scene.load("flag")
    help_of_gravity = type(scene).gravity.__doc__
    assert help_of_gravity is not None
    assert "[m/s²]" in help_of_gravity and "0 to 30" in help_of_gravity and "default 9.8" in help_of_gravity
    scene.gravity = 1.62
    scene.thickness = "2 mm"
    setattr(scene, "substeps", np.int64(2))
    scene.drag = np.float64(1e-3)
    scene.self_contact = True
    scene.pins = "top_edge"
    assert (scene.gravity, scene.thickness, scene.substeps, scene.drag) == (1.62, 0.002, 2, 1e-3)
    assert scene.self_contact is True and scene.pins == "top_edge"
    assert "gravity: 1.62" in scene.ron()


def test_every_attribute_has_a_docstring_and_gives_its_value_back() -> None:
    names = {name for name, value in vars(weft.Scene).items() if isinstance(value, property)}
    met = set()
    for row in weft.solvers():
        scene = weft.Scene.new()
        scene.solver = row["id"]
        for name in names:
            try:
                value = getattr(scene, name)
            except weft.InputError as error:
                assert "has no setting" in str(error)
                continue
            met.add(name)
            setattr(scene, name, value)
            assert getattr(scene, name) == value, name
    assert met == names
    assert all(vars(weft.Scene)[name].__doc__ for name in names)


def test_fields_of_scene_files_are_attributes() -> None:
    scene = weft.Scene.new()
    scene.colliders = [{"shape": {"Sphere": {"radius": 0.2}}, "position": np.array([0.0, 0.5, 0.0])}]
    assert scene.colliders[0]["position"] == [0.0, 0.5, 0.0]
    scene.fabric = "denim"
    assert scene.area_density == next(row for row in weft.fabrics() if row["id"] == "denim")["area_density"]
    scene.mesh = str(ROOT / "assets" / "meshes" / "poncho.obj")
    assert scene.mesh["file"].endswith("poncho.obj")
    scene.mesh = None
    scene.set("dummy", False)
    assert weft.Simulation(scene).positions.shape == (900, 3)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("gravity", 31, "--set gravity=31: gravity = 31 is outside 0 to 30 m/s²"),
        ("gravity", float("nan"), "gravity = NaN is outside 0 to 30 m/s²"),
        ("gravity", "heavy", 'gravity takes 0 to 30 m/s², not "heavy"'),
        ("columns", 2.5, "columns takes the whole numbers 2 to 8192"),
        ("pins", "nail", "pins takes none, one"),
        ("gravty", 1, 'unknown key; did you mean "gravity"?'),
        ("solver", "xpdb", 'there is no solver "xpdb"; did you mean "xpbd"?'),
    ],
)
def test_errors_have_the_sentences_of_the_program(key: str, value: float | str, sentence: str) -> None:
    scene = weft.Scene.new()
    before = scene.copy()
    with pytest.raises(weft.InputError) as caught:
        scene.set(key, value)
    assert sentence in str(caught.value)
    assert isinstance(caught.value, ValueError) and scene == before


def test_values_that_no_attribute_takes_are_refused() -> None:
    scene = weft.Scene.new()
    before = scene.copy()
    endless: list[object] = []
    endless.append(endless)
    for name, value in [
        ("colliders", [{"shape": {"Sphere": {"radius": -1.0}}}]),
        ("colliders", [{"shape": "Cone"}]),
        ("colliders", 3),
        ("colliders", endless),
        ("position", [0.0, float("nan"), 0.0]),
        ("position", [0.0, 1.0]),
        ("pieces", {"one": 1}),
        ("lanes", ["iterations"]),
        ("gravity", [9.8]),
        ("gravity", None),
    ]:
        with pytest.raises(weft.InputError):
            setattr(scene, name, value)
        assert scene == before, name
    with pytest.raises(TypeError):
        scene.position = object()
    with pytest.raises(AttributeError):
        scene.gravty = 1.62  # type: ignore[attr-defined]
    with pytest.raises(weft.InputError, match="has no setting"):
        _ = weft.Scene.new().contact_weight
    for name in ["no such scene", "no/such/file.ron"]:
        with pytest.raises(weft.InputError):
            weft.Scene.load(name)
    with pytest.raises(weft.InputError, match="mine, line 2"):
        weft.Scene.parse("(\n    gravty: 3,\n)", "mine")


def test_scenes_are_copied_compared_and_pickled() -> None:
    scene = weft.Scene.load("flag")
    for other in [scene.copy(), copy.copy(scene), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))]:
        assert other == scene and other.name == "flag"
        other.gravity = 1.0
        assert other != scene
    assert repr(scene) == '<weft.Scene "flag", solver fast-mass-spring>'
