"""Four solvers on one flag in the wind, and the energies of the cloth.

Run as a script, it writes `four_solvers.png` to the folder in which it is started, or the file that is named; in an
editor that knows cells (`# %%`) it is a notebook.
"""

# %% One flag for all: the scene that comes with Weft.
import sys

import matplotlib.pyplot as plt
import numpy as np

import weft

flag = weft.Scene.load("flag")

# %% Each solver gets a simulation of its own. Rows of energies [J]: kinetic, elastic, potential, total.
ENERGIES = ["kinetic", "elastic", "potential", "total"]
SOLVERS = ["implicit-euler", "fast-mass-spring", "jacobi-implicit", "xpbd"]


def energies(solver: str, seconds: float = 3.0) -> np.ndarray:
    simulation = weft.Simulation(flag, solver)
    rows = []
    while simulation.time < seconds:
        simulation.step()
        rows.append([simulation.energies[name] for name in ENERGIES])
    return np.array(rows)


courses = {solver: energies(solver) for solver in SOLVERS}

# %% A plot per energy, a curve per solver.
figure, plots = plt.subplots(2, 2, figsize=(10, 7), sharex=True, layout="constrained")
for number, (name, plot) in enumerate(zip(ENERGIES, plots.flat)):
    for solver, rows in courses.items():
        plot.plot(flag.time_step * np.arange(1, len(rows) + 1), rows[:, number], label=solver)
    plot.set(title=f"{name} energy", ylabel="J")
for plot in plots[1]:
    plot.set(xlabel="s")
plots[0, 0].legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "four_solvers.png", dpi=120)

# %% A method that damps more leaves less kinetic energy.
for solver, rows in courses.items():
    kinetic, _, potential, _ = rows[len(rows) // 2 :].mean(axis=0)
    print(f"{solver:<20} kinetic {kinetic:.3f} J, potential {potential:.3f} J, means of the second half")
