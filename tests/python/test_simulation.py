"""Simulations: steps, arrays, commands, states, errors, and the same bits as the program."""

import gc
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft


def test_steps_move_a_cloth(flag: weft.Simulation) -> None:
    before = flag.positions
    flag.step()
    flag.step(29)
    assert flag.steps == 30 and flag.time == pytest.approx(0.5)
    assert not np.array_equal(flag.positions, before)
    flag.step(0)
    assert flag.steps == 30
    with pytest.raises((OverflowError, TypeError)):
        flag.step(-1)
    with pytest.raises(TypeError):
        flag.step(1.5)  # type: ignore[arg-type]


def test_the_bits_are_those_of_the_program(program: str, tmp_path: Path) -> None:
    for scene, solver, steps in [("flag", None, 40), ("table", "xpbd", 25), ("heap", None, 8), ("letters", None, 5)]:
        snapshot = tmp_path / f"{scene}.json"
        chosen = ["--solver", solver] if solver else []
        command = [program, "run", "--scene", scene, *chosen, "--steps", str(steps), "--snapshot", str(snapshot)]
        subprocess.run(command, check=True, capture_output=True)
        theirs = json.loads(snapshot.read_text(encoding="utf-8"))
        simulation = weft.Simulation(scene, solver)
        simulation.step(steps)
        assert np.array_equal(simulation.positions, np.array(theirs["positions"])), scene
        assert np.array_equal(simulation.velocities, np.array(theirs["velocities"])), scene
        # and onward from their file
        continued = weft.Simulation.load(snapshot)
        assert continued.fingerprint == simulation.fingerprint
        continued.step(3)
        simulation.step(3)
        assert continued.fingerprint == simulation.fingerprint, scene


def test_the_hashes_are_those_of_a_recording(program: str, tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    command = [program, "run", "--scene", "flag", "--steps", "6", "--record", str(recording)]
    subprocess.run(command, check=True, capture_output=True)
    lines = [json.loads(line) for line in recording.read_text(encoding="utf-8").splitlines()]
    simulation = weft.Simulation("flag")
    hashes = []
    for _ in range(6):
        simulation.step()
        hashes.append(f"{simulation.fingerprint:016x}")
    text = json.dumps(lines)
    assert all(number in text for number in hashes)


def test_calls_of_one_step_and_of_many_have_the_same_bits() -> None:
    one, many = weft.Simulation("flag"), weft.Simulation("flag")
    for _ in range(25):
        one.step()
    many.step(25)
    assert one.fingerprint == many.fingerprint


def test_arrays_are_copies_of_float64_that_outlive_the_simulation(flag: weft.Simulation) -> None:
    flag.step(3)
    positions, velocities, triangles = flag.positions, flag.velocities, flag.triangles
    assert positions.shape == velocities.shape == (925, 3)
    assert positions.dtype == velocities.dtype == np.float64
    assert triangles.dtype == np.uint32 and triangles.shape[1] == 3 and triangles.max() == 924
    fingerprint = flag.fingerprint
    kept = positions.copy()
    positions[:] = np.nan
    assert flag.fingerprint == fingerprint and np.array_equal(flag.positions, kept)
    state = flag.state()
    del flag
    gc.collect()
    velocities += 1.0
    assert np.array_equal(state.positions, kept)
    other = weft.Simulation("flag")
    other.restore(state)
    assert other.fingerprint == fingerprint


def test_a_state_continues_with_the_same_bits(flag: weft.Simulation) -> None:
    flag.step(20)
    state = flag.state()
    assert (state.steps, state.time) == (20, flag.time)
    flag.step(20)
    end = flag.fingerprint
    flag.set("gravity", 1.62)
    flag.solver = "xpbd"
    flag.step(5)
    flag.restore(state)
    assert flag.solver == "fast-mass-spring" and flag.get("gravity") == 9.8 and flag.steps == 20
    flag.step(20)
    assert flag.fingerprint == end
    # a state of another cloth as well
    other = weft.Simulation("table", "pbd")
    other.step(2)
    other.restore(state)
    other.step(20)
    assert other.fingerprint == end
    with pytest.raises(TypeError):
        flag.restore(None)  # type: ignore[arg-type]


def test_a_snapshot_on_the_disk_continues_with_the_same_bits(flag: weft.Simulation, tmp_path: Path) -> None:
    flag.step(10)
    flag.save(tmp_path / "flag.json")
    other = weft.Simulation.load(tmp_path / "flag.json")
    flag.step(10)
    other.step(10)
    assert other.fingerprint == flag.fingerprint
    with pytest.raises(OSError):
        flag.save(tmp_path / "no such folder" / "flag.json")
    with pytest.raises(weft.InputError):
        weft.Simulation.load(tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{}", encoding="utf-8")
    with pytest.raises(weft.InputError, match="not a snapshot"):
        weft.Simulation.load(tmp_path / "broken.json")


def test_parameters_and_solvers_change_without_a_restart(flag: weft.Simulation) -> None:
    flag.step(5)
    flag.set("gravity", 0)
    flag.set("thickness", "4 mm")
    flag.set("iterations", 3)
    assert (flag.get("gravity"), flag.get("thickness"), flag.get("iterations")) == (0.0, 0.004, 3)
    assert flag.scene.gravity == 0.0
    flag.solver = "xpbd"
    assert flag.solver == "xpbd" and flag.steps == 5
    flag.step()
    flag.set("columns", 10)
    assert flag.positions.shape == (250, 3) and flag.steps == 0


def test_a_hand_pins_and_handles_move_the_cloth(small: weft.Scene) -> None:
    path = {"Steady": {"velocity": [0.0, 0.0, 0.0]}}
    small.handles = [{"pinned": [30], "path": path}, {"pinned": [35], "path": path}]
    simulation = weft.Simulation(small)
    start = simulation.positions
    simulation.grab(14, start[14] + [0.0, 0.1, 0.0])
    simulation.move_handle(0, (0.0, 0.05, 0.0))
    simulation.move_handle(1, np.array([0.0, 0.06, 0.0], dtype=np.float32))
    simulation.step(3)
    moved = simulation.positions - start
    assert moved[14] == pytest.approx([0.0, 0.1, 0.0], abs=0.02)
    assert moved[30] == pytest.approx([0.0, 0.05, 0.0]) and moved[35] == pytest.approx([0.0, 0.06, 0.0], abs=1e-6)
    simulation.release()
    simulation.pin([14, 15])
    simulation.pin(np.array([16]))
    simulation.pin(17)
    assert {14, 15, 16, 17} <= set(simulation.pinned)
    held = simulation.positions
    simulation.step(5)
    assert np.array_equal(simulation.positions[14:18], held[14:18])
    simulation.unpin(simulation.pinned)
    assert simulation.pinned == []


def test_commands_have_the_form_of_scripts(small: weft.Scene) -> None:
    small.colliders = [{"shape": {"Sphere": {"radius": 0.1}}, "position": [0.0, 0.2, 0.0]}]
    simulation = weft.Simulation(small)
    simulation.command("move_collider", collider=0, position=np.array([0.0, 0.3, 0.0]), rotation=(0, 0, 0))
    simulation.step(10)
    simulation.command("cut", begin=True, hits=[{"triangle": 0, "weights": [0.4, 0.3, 0.3]}, None])
    simulation.command("wind", on=True)
    assert simulation.get("air") == "wind"
    simulation.command("pause", on=True)
    simulation.step(5)
    assert simulation.steps == 10
    simulation.command("step")
    assert simulation.steps == 11
    simulation.command("reset")
    assert simulation.steps == 0
    faults: list[tuple[str, dict[str, Any], str]] = [
        ("dance", {}, "not a command: unknown variant `dance`"),
        ("grab", {"vertex": 3}, "not a command: missing field `target`"),
        ("grab", {"vertex": 3, "target": [0.0, 1e300, 0.0]}, "the hand's target needs finite numbers within 10¹⁵"),
        ("move_collider", {"collider": 4, "position": [0, 0, 0], "rotation": [0, 0, 0]}, "collider 4 does not exist"),
        ("solver", {"id": "xpdb"}, 'there is no solver "xpdb"; did you mean "xpbd"?'),
        ("scene", {"name": "flagg"}, 'there is no scene "flagg"'),
    ]
    for name, fields, sentence in faults:
        with pytest.raises(weft.InputError) as caught:
            simulation.command(name, **fields)
        assert sentence in str(caught.value)
    # a fault of one command is none of the next
    simulation.release()
    simulation.step()


def test_bad_arguments_change_nothing(flag: weft.Simulation) -> None:
    flag.step(2)
    fingerprint, pinned = flag.fingerprint, flag.pinned
    nan = float("nan")
    for vertex, target in [
        (3, [0.0, nan, 0.0]),
        (3, np.array([np.inf, 0.0, 0.0])),
        (925, [0.0, 0.0, 0.0]),
        (-1, [0.0, 0.0, 0.0]),
        (2**40, [0.0, 0.0, 0.0]),
        (3, [0.0, 0.0]),
        (3, np.zeros((3, 3))),
        (3, [1j, 0.0, 0.0]),
        (3, "abc"),
        (3.5, [0.0, 0.0, 0.0]),
        (None, [0.0, 0.0, 0.0]),
    ]:
        with pytest.raises((ValueError, TypeError)):
            flag.grab(vertex, target)  # type: ignore[arg-type]
    for vertices in [[3, 925], [-1], [0.5], np.array([1.0]), "3", None, np.array([[1]])]:
        with pytest.raises((ValueError, TypeError)):
            flag.pin(vertices)  # type: ignore[arg-type]
    for key, value in [
        ("gravity", nan),
        ("gravity", 1e9),
        ("gravity", "much"),
        ("substeps", -1),
        ("substeps", 2.5),
        ("gravty", 3),
        ("gravity", [1.0]),
        ("gravity", None),
        ("gravity", 1j),
    ]:
        with pytest.raises((ValueError, TypeError)):
            flag.set(key, value)  # type: ignore[arg-type]
    with pytest.raises(weft.InputError, match="does not exist"):
        flag.move_handle(0, [0.0, 0.0, 0.0])
    with pytest.raises(weft.InputError, match='did you mean "gravity"'):
        flag.get("gravty")
    with pytest.raises(weft.InputError, match="did you mean"):
        flag.measure("kinetik")
    with pytest.raises(weft.InputError, match='"xpdb"'):
        flag.solver = "xpdb"
    assert flag.fingerprint == fingerprint and flag.pinned == pinned
    for scene in ["flagg", 3, None]:
        with pytest.raises((weft.InputError, TypeError)):
            weft.Simulation(scene)  # type: ignore[arg-type]
    with pytest.raises(weft.InputError, match='there is no solver "eulre"'):
        weft.Simulation("flag", "eulre")


def test_a_failed_step_is_an_exception_and_leaves_the_last_good_state(small: weft.Scene) -> None:
    small.structural_stiffness = 1e5
    small.damping = 0.0
    simulation = weft.Simulation(small, "explicit-euler")
    with pytest.raises(weft.StepError) as caught:
        simulation.step(10_000)
    sentence = str(caught.value)
    assert sentence.startswith("explicit-euler failed at t = ") and "the state before that step was kept" in sentence
    assert isinstance(caught.value, RuntimeError)
    last = simulation.positions
    assert np.isfinite(last).all()
    with pytest.raises(weft.StepError) as again:
        simulation.step()
    assert str(again.value) == sentence and np.array_equal(simulation.positions, last)
    # commands are executed nevertheless
    simulation.set("structural_stiffness", 100)
    simulation.command("mend", set={"substeps": 50}, solver=None)
    simulation.step()
    simulation.set("structural_stiffness", 1e9)
    simulation.set("substeps", 1)
    with pytest.raises(weft.StepError):
        for _ in range(1000):
            simulation.command("step")
    simulation.solver = "implicit-euler"
    simulation.step(10)
    assert np.isfinite(simulation.positions).all()
    begun = weft.Simulation(small, "explicit-euler")
    state = begun.state()
    with pytest.raises(weft.StepError):
        begun.step(10_000)
    begun.restore(state)
    assert begun.steps == 0
    begun.step()


def test_energies_statistics_and_quantities(flag: weft.Simulation) -> None:
    assert flag.stats["iterations"] == 0
    flag.step(10)
    energies = flag.energies
    assert energies["total"] == pytest.approx(energies["kinetic"] + energies["elastic"] + energies["potential"])
    speed = np.linalg.norm(flag.velocities, axis=1).max()
    assert flag.measure("speed") == pytest.approx(speed) and flag.measure("time") == flag.time
    assert flag.measure("lowest") == flag.positions[:, 1].min()
    assert flag.stats["substeps"] == 3 and sum(flag.stats["seconds"].values()) > 0.0
    assert flag.measure("iterations") == flag.stats["iterations"] > 0
    for row in weft.quantities():
        assert flag.measure(row["key"]) is None or isinstance(flag.measure(row["key"]), float)
    unknown = weft.Simulation("flag", "pbd").energies
    assert unknown["elastic"] is None and unknown["total"] is None


def test_intersections_are_counted_exactly(flag: weft.Simulation) -> None:
    pairs = flag.intersections()
    assert pairs.shape == (0, 2) and pairs.dtype == np.uint32
    flag.step(60)
    pairs = flag.intersections()
    assert len(pairs) + len(flag.intersections(colliders=True)) == flag.measure("intersections")
    assert flag.intersections(True).shape[1] == 2


def test_lists_name_what_there_is() -> None:
    assert {row["id"] for row in weft.solvers()} >= {"xpbd", "implicit-euler", "projective-dynamics"}
    assert {row["name"] for row in weft.scenes()} >= {"flag", "table"}
    assert {row["id"] for row in weft.fabrics()} >= {"cotton", "denim"}
    for row in weft.solvers():
        simulation = weft.Simulation("hanging", row["id"])
        assert simulation.solver == row["id"]
    assert repr(weft.Simulation("flag")) == (
        '<weft.Simulation of "flag", 925 vertices, fast-mass-spring, t = 0.0000 s>'
    )


def test_notes_tell_what_starts_inside_something(small: weft.Scene) -> None:
    assert weft.Simulation(small).notes == []
    small.colliders = [{"shape": {"Sphere": {"radius": 0.4}}, "position": [0.0, 1.0, 0.0]}]
    assert any("start" in note for note in weft.Simulation(small).notes)
