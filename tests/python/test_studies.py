"""Sweeps, advice and the textile laboratory."""

import pytest

import weft


def test_a_sweep_is_a_dictionary_of_columns(small: weft.Scene) -> None:
    table = weft.sweep(small, {"gravity": [1.62, "9.8"], "solver": ["xpbd", "pbd"]}, steps=5, measures=["sag", "energy"])
    assert list(table) == ["gravity", "solver", "sag", "energy", "status"]
    assert table["gravity"] == [1.62, 1.62, 9.8, 9.8] and table["solver"] == ["xpbd", "pbd"] * 2
    assert table["status"] == ["ok"] * 4 and table["energy"][1] is None
    scene = small.copy()
    scene.solver, scene.gravity = "xpbd", 9.8
    simulation = weft.Simulation(scene)
    before = simulation.measure("lowest")
    simulation.step(5)
    after = simulation.measure("lowest")
    assert before is not None and after is not None and table["sag"][2] == before - after
    ranges = weft.sweep(small, {"time_step": "0.001:0.01:log:3"}, seconds=0.02, measures=["time"], threads=1)
    assert ranges["time_step"][0] == 0.001 and len(ranges["time_step"]) == 3
    assert ranges["time"] == pytest.approx([0.02] * 3, abs=0.005)


def test_a_run_that_fails_says_so_in_its_row(small: weft.Scene) -> None:
    small.damping = 0.0
    vary = {"structural_stiffness": [1.0, 1e5]}
    small.solver = "explicit-euler"
    table = weft.sweep(small, vary, steps=2000, measures=["steps"])
    assert "diverged at t = " in table["status"][1] and table["steps"][1] < 2000


def test_a_sweep_that_cannot_be_is_refused_before_it_runs(small: weft.Scene) -> None:
    for vary, options, sentence in [
        ({}, {"steps": 1}, "nothing is varied"),
        ({"gravty": [1]}, {"steps": 1}, 'did you mean "gravity"?'),
        ({"gravity": [1, 99]}, {"steps": 1}, "outside 0 to 30"),
        ({"gravity": [1, 1]}, {"steps": 1}, "comes twice"),
        ({"gravity": [1]}, {}, "needs either steps or seconds"),
        ({"gravity": [1]}, {"seconds": float("nan")}, "a number of seconds above 0"),
        ({"gravity": [1]}, {"steps": 1, "measures": ["energie"]}, 'did you mean "energy"?'),
        ({"gravity": [1]}, {"steps": 1, "threads": 0}, "at least 1"),
    ]:
        with pytest.raises(weft.InputError) as caught:
            weft.sweep(small, vary, **options)  # type: ignore[arg-type]
        assert sentence in str(caught.value)


def test_advice_is_rows_and_sentences(small: weft.Scene) -> None:
    advice = weft.advise(small, budget=4.0, profile="film", weights={"bending": 1.0}, seconds=4.0)
    rows = advice["rows"]
    assert len({len(column) for column in rows.values()}) == 1
    assert "xpbd" in rows["solver"] and advice["sentences"]
    if advice["take"] is not None:
        assert rows["choice"][advice["take"]] == "take"
    for arguments, sentence in [
        ({"budget": 0.0}, "budget: needs a number above 0"),
        ({"profile": "games"}, 'there is no "games"'),
        ({"weights": {"bend": 1.0}}, "there is no such weight"),
    ]:
        with pytest.raises(weft.InputError) as caught:
            weft.advise(small, **arguments)  # type: ignore[arg-type]
        assert sentence in str(caught.value)


def test_the_textile_laboratory_measures_what_a_fabric_was_given() -> None:
    table = weft.textile(["cotton", "denim"], "shear")
    assert table["fabric"] == ["cotton", "denim"] and table["unit"] == ["N/m", "N/m"]
    assert table["value"] == pytest.approx(table["set"], rel=0.02)
    stiffer = weft.textile("cotton", ["shear"], set={"shear_stiffness": 2 * table["set"][0]})
    assert stiffer["value"][0] == pytest.approx(2 * table["value"][0], rel=0.02)
    for arguments, sentence in [
        ({"fabric": "coton"}, 'did you mean "cotton"?'),
        ({"test": "sheer"}, 'did you mean "shear"?'),
        ({"solver": "eulre"}, "there is no solver"),
        ({"cut": "round"}, 'there is no "round"'),
        ({"starts": 0}, "from 1 to 100"),
        ({"cell": 1.0}, "from 2 to 15"),
        ({"set": {"gravty": 1}}, 'did you mean "gravity"?'),
    ]:
        with pytest.raises(weft.InputError) as caught:
            weft.textile(**arguments)  # type: ignore[arg-type]
        assert sentence in str(caught.value)
