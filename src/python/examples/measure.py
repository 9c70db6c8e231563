"""Measures what the module costs, for `src/measurements.md`: a call beside the step, an environment, resets, memory,
an interrupt. Takes some minutes.
"""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
from fold import FoldEnv

import weft


def resident() -> float:
    """Memory of the process [MB]; NaN where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return float("nan")
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def least(measure, repeats: int = 15) -> float:
    """The least of some times, which other programs disturb least."""
    return min(measure() for _ in range(repeats))


def timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def overhead() -> None:
    scene = weft.Scene.new()
    scene.columns = scene.rows = 4
    simulation = weft.Simulation(scene)
    simulation.step(100)
    calls = 2000

    def singly() -> None:
        for _ in range(calls):
            simulation.step()

    print(f"step of 16 vertices: {1e6 * least(lambda: timed(lambda: simulation.step(calls))) / calls:.2f} us")
    # while time is stopped a call takes no step, so that only the call is left
    simulation.command("pause", on=True)
    singly()
    print(f"  the call alone: {1e6 * least(lambda: timed(singly)) / calls:.2f} us")
    for name in ["time", "positions", "energies", "stats"]:
        call = least(lambda: timed(lambda: [getattr(simulation, name) for _ in range(calls)]))
        print(f"  {name}: {1e6 * call / calls:.2f} us")
    target = [0.0, 1.0, 0.0]
    call = least(lambda: timed(lambda: [simulation.grab(0, target) for _ in range(calls)]))
    print(f"  grab: {1e6 * call / calls:.2f} us")


def environment() -> None:
    env, actions = FoldEnv(), np.random.default_rng(1).uniform(-1, 1, (1000, 6))

    def episode() -> None:
        for action in actions:
            *_, folded, over, _ = env.step(action)
            if folded or over:
                env.reset()

    print(f"FoldEnv, 20 x 20: {1000 / least(lambda: timed(episode), 5):.0f} steps per second")


def many() -> None:
    environments = [FoldEnv() for _ in range(1000)]
    action = np.full(6, 0.5)

    def round_of_resets() -> None:
        for env in environments:
            env.reset()
            env.step(action)

    for _ in range(10):
        round_of_resets()
    begun, resets = resident(), 0
    print(f"1000 environments: {begun:.0f} MB")
    # time of the processor: other programs do not count
    busy = time.process_time()
    for _ in range(10):
        for _ in range(10):
            round_of_resets()
        resets += 10 * len(environments)
        print(f"  after {resets:6} resets, each with a step: {resident():.1f} MB")
    busy = time.process_time() - busy
    print(f"  {resets / busy:.0f} resets with a step per second of the processor, {resident() - begun:+.1f} MB")


def interrupt() -> None:
    # a shell has programs in the background ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for size in (20, 200):
        scene = weft.Scene.new()
        scene.columns = scene.rows = size
        simulation = weft.Simulation(scene, "implicit-newton")
        latest = 0.0
        for _ in range(5):
            sent: list[float] = []

            def send() -> None:
                sent.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            threading.Timer(0.5, send).start()
            try:
                simulation.step(10**9)
            except KeyboardInterrupt:
                latest = max(latest, time.perf_counter() - sent[0])
        print(f"Ctrl+C in steps of {size} x {size} vertices: an exception after at most {1e3 * latest:.0f} ms of 5 times")


if __name__ == "__main__":
    overhead()
    environment()
    many()
    interrupt()
