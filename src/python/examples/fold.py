"""An environment in the style of Gymnasium: two handles fold a cloth on the floor."""

import numpy as np

import weft


class FoldEnv:
    """A square cloth of `size` by `size` vertices lies on the floor, two of its corners in handles.

    An action moves both handles by up to 1 cm along each axis: an array of shape (6,), from -1 to 1. An observation is
    the array of shape (n, 3) of all positions [m]. The reward of a step is how much nearer the edge between the
    handles has come to the opposite edge [m]; an episode ends when they are 2 cm apart, or after 500 steps.
    """

    def __init__(self, size: int = 20) -> None:
        scene = weft.Scene.new()
        scene.columns, scene.rows, scene.width, scene.height = size, size, 0.4, 0.4
        scene.pins, scene.position, scene.solver = "none", [0.0, 0.01, 0.0], "fast-mass-spring"
        scene.iterations = 5
        still = {"Steady": {"velocity": [0.0, 0.0, 0.0]}}
        scene.handles = [{"pinned": [corner], "path": still} for corner in (0, size - 1)]
        self.simulation = weft.Simulation(scene)
        self.near, self.far = slice(0, size), slice(size * (size - 1), size * size)
        self.simulation.step()  # factors the solver's matrix; a reset then keeps the factor
        self.start = self.simulation.state()
        self.reset()

    def reset(self) -> tuple[np.ndarray, dict]:
        self.simulation.restore(self.start)
        self.offsets, self.steps = np.zeros((2, 3)), 0
        positions = self.simulation.positions
        self.distance = self.distance_of(positions)
        return positions, {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict]:
        self.offsets += 0.01 * np.clip(action, -1.0, 1.0).reshape(2, 3)
        self.offsets[:, 1] = self.offsets[:, 1].clip(min=0.0)
        for handle in range(2):
            self.simulation.move_handle(handle, self.offsets[handle])
        self.simulation.step()
        self.steps += 1
        positions = self.simulation.positions
        before, self.distance = self.distance, self.distance_of(positions)
        return positions, before - self.distance, self.distance < 0.02, self.steps == 500, {}

    def distance_of(self, positions: np.ndarray) -> float:
        between = positions[self.near] - positions[self.far]
        return float(np.sqrt((between * between).sum(axis=1)).mean())


if __name__ == "__main__":
    env, (last, _) = FoldEnv(), (None, None)
    for number in range(500):
        # up along a half circle about the middle of the cloth, and down beside the other edge
        angle = np.pi * number / 80
        move = np.array([0.0, np.cos(angle), np.sin(angle)]) if number < 80 else np.zeros(3)
        last, reward, folded, over, _ = env.step(np.tile(0.2 * np.pi / 80 / 0.01 * move, 2))
        if folded or over:
            break
    print(f"folded: {folded}, after {env.steps} steps the edges are {100 * env.distance:.1f} cm apart")
