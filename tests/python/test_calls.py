"""Long calls, signals, threads and memory."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import weft


def interrupted_after(seconds: float, work) -> None:  # type: ignore[no-untyped-def]
    """Sends Ctrl+C to `work`, which has to end by it."""
    # a shell has programs in the background ignore it
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            work()
        finally:
            timer.join()
            signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize(("size", "solver"), [(6, "fast-mass-spring"), (90, "implicit-newton")])
def test_an_interrupt_ends_steps_and_leaves_a_whole_state(small: weft.Scene, size: int, solver: str) -> None:
    small.columns = small.rows = size
    simulation, other = weft.Simulation(small, solver), weft.Simulation(small, solver)
    interrupted_after(0.3, lambda: simulation.step(10**12))
    steps = simulation.steps
    assert np.isfinite(simulation.positions).all()
    other.step(steps)
    assert other.fingerprint == simulation.fingerprint
    # it goes on as if nothing had happened
    simulation.step(2)
    other.step(2)
    assert other.fingerprint == simulation.fingerprint


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_an_interrupt_ends_studies() -> None:
    scene = weft.Scene.load("flag")
    interrupted_after(0.2, lambda: weft.sweep(scene, {"gravity": "1:20:500"}, steps=10**6))
    interrupted_after(0.2, lambda: weft.advise(scene))
    interrupted_after(0.2, lambda: weft.textile())


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_handler_of_signals_cannot_use_the_simulation_within_its_step(small: weft.Scene) -> None:
    simulation = weft.Simulation(small)
    errors: list[Exception] = []

    def handle(number: int, frame: object) -> None:
        try:
            _ = simulation.positions
        except weft.UnusableError as error:
            errors.append(error)
        raise InterruptedError

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        timer.start()
        with pytest.raises(InterruptedError):
            simulation.step(10**12)
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert "in a call already" in str(errors[0])
    simulation.step()


def test_other_threads_run_during_steps(flag: weft.Simulation) -> None:
    done = threading.Event()
    counted = 0

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    flag.step(60)
    before = counted
    done.set()
    thread.join()
    assert before > 2


def test_threads_share_a_simulation_one_after_the_other() -> None:
    shared, alone = weft.Simulation("flag"), weft.Simulation("flag")
    faults: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(10):
                shared.step()
                assert np.isfinite(shared.positions).all() and shared.energies["kinetic"] >= 0.0
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone.step(40)
    assert not faults and shared.steps == 40 and shared.fingerprint == alone.fingerprint


def test_simulations_in_threads_of_their_own_have_the_same_bits() -> None:
    alone = weft.Simulation("flag")
    alone.step(20)
    others = [weft.Simulation("flag") for _ in range(4)]
    threads = [threading.Thread(target=other.step, args=(20,)) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {other.fingerprint for other in others} == {alone.fingerprint}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell the memory of a process")
def test_resets_do_not_leak(small: weft.Scene) -> None:
    def resident() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    simulations = [weft.Simulation(small) for _ in range(100)]
    states = [simulation.state() for simulation in simulations]

    def resets(count: int) -> None:
        for _ in range(count):
            for simulation, state in zip(simulations, states):
                simulation.restore(state)
                simulation.grab(8, [0.0, 1.1, 0.0])
                simulation.step()
                _ = simulation.positions, simulation.stats

    resets(20)
    before = resident()
    resets(80)
    # 8 000 resets: a kilobyte of each would be 8 MB
    assert resident() - before < 4.0
    for _ in range(200):
        weft.Simulation(small).step()
    before = resident()
    for _ in range(400):
        weft.Simulation(small).step()
    assert resident() - before < 8.0
