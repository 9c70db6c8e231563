"""
Weft, the cloth laboratory: classic and modern cloth solvers on the same cloth.

Units are SI: metres, kilograms, seconds, newtons, radians; y points up.
"""

import os
import typing
import numpy
from _typeshed import SupportsLenAndGetItem
from numpy import float64, uint32
from numpy.typing import NDArray
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["fabrics", "quantities", "scenes", "solvers", "Scene", "Simulation", "State", "advise", "sweep", "textile", "InputError", "StepError", "UnusableError"]

@final
class Scene:
    """
    Everything that a simulation starts from: cloth, colliders, solver and parameters.

    Every parameter of scene and solver, as `weft scenes --scene NAME` lists them, and every field
    of scene files is an attribute; `help(weft.Scene)` has units, ranges and effects. A value is set
    as by `--set key=value`: a number, or a text with a unit, as "2 mm". Attributes of lists and
    groups, such as `colliders`, are copies in the form of JSON: assign them to change the scene.

    `Scene()` is the default scene, as is `Scene.new()`.
    """
    def __copy__(self, /) -> Scene: ...
    def __deepcopy__(self, /, _memo: dict[int, typing.Any]) -> Scene: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /) -> Scene: ...
    def __reduce__(self, /) -> tuple[typing.Any, tuple[str, str]]: ...
    def __repr__(self, /) -> str: ...
    def copy(self, /) -> Scene:
        """
        A copy of its own.
        """
    @staticmethod
    def load(name: str | os.PathLike[str]) -> Scene:
        """
        A scene that comes with Weft, by its name, or one of a file: a scene (.ron) or a mesh (.obj).

        Raises InputError if there is no such scene, or its file cannot be used.
        """
    @property
    def name(self, /) -> str:
        """
        Name of the scene, by which it was loaded.
        """
    @staticmethod
    def new() -> Scene:
        """
        The default scene: a cloth of 30 by 30 vertices, held at two corners.
        """
    @staticmethod
    def parse(text: str, name: str = "scene") -> Scene:
        """
        The scene of the text of a scene file; `name` is for messages.

        Raises InputError with the line of the fault.
        """
    def ron(self, /) -> str:
        """
        The text of a scene file that describes this scene to the same bits.
        """
    def set(self, /, key: str, value: float | str | bool) -> None:
        """
        Sets a parameter or field by its name, as `--set key=value` does; `dummy` (true or false) as
        well.

        Raises InputError for an unknown name, or a value that it does not take.
        """
    @property
    def acceleration(self) -> str:
        """
        Acceleration: none, chebyshev, anderson, quasi_newton; default none.

        Acceleration of the iterations. All converge to the same motion with fewer iterations; none raises the energy from one iteration to the next.
        "none": Plain local/global iterations, as in the papers.
        "chebyshev": Extrapolation by a fixed recurrence for a given spectral radius (Wang 2015). Costs next to nothing per iteration.
        "anderson": Extrapolation from the last iterates to the least residual (Peng et al. 2018).
        "quasi_newton": Correction of the constant matrix by the curvature of the last iterates (L-BFGS, Liu et al. 2017), with a line search.

        A setting of fast-mass-spring, projective-dynamics.
        """
    @acceleration.setter
    def acceleration(self, value: str) -> None: ...
    @property
    def adaptive(self) -> bool:
        """
        Adaptive: true or false; default false.

        Number of substeps chosen by the motion: shorter substeps for fast or stiff motion, longer ones for slow motion. Explicit solvers then stay stable at stiffnesses too high for a fixed step, at a higher cost.
        """
    @adaptive.setter
    def adaptive(self, value: bool | str) -> None: ...
    @property
    def air(self) -> str:
        """
        Air: vacuum, still, wind; default vacuum.

        Air: none, still, or wind.
        "vacuum": No air: only the damping of the springs slows the cloth.
        "still": Still air: drag and lift act on the cloth's own motion.
        "wind": Wind: drag and lift act on the motion relative to the moving air.
        """
    @air.setter
    def air(self, value: str) -> None: ...
    @property
    def air_density(self) -> float:
        """
        Density [kg/m³]: 0 to 2000 kg/m³; default 1.2.

        Density of the fluid around the cloth: air 1.2, water 1000.
        """
    @air_density.setter
    def air_density(self, value: float | str) -> None: ...
    @property
    def air_model(self) -> str:
        """
        Air model: per_vertex, per_triangle; default per_vertex.

        Elements that drag and lift act on: vertices, as in the paper, or triangles by their area, independent of the mesh.
        "per_vertex": Every vertex, with coefficients per vertex, as in the paper: the force grows with the number of vertices.
        "per_triangle": Every triangle, by its area, the density of the air and dimensionless coefficients: independent of the mesh.
        """
    @air_model.setter
    def air_model(self, value: str) -> None: ...
    @property
    def anisotropic(self) -> bool:
        """
        Anisotropic: true or false; default false. Needs triangle_strain.

        Separate limits for warp, weft and shear, as in woven cloth. The warp runs up, or away from the viewer in cloth that lies, or as texture and grain say.

        A setting of projective-dynamics.
        """
    @anisotropic.setter
    def anisotropic(self, value: bool | str) -> None: ...
    @property
    def area(self) -> bool:
        """
        Area: true or false; default false.

        Limits of the area of triangles; their shape may change.

        A setting of projective-dynamics.
        """
    @area.setter
    def area(self, value: bool | str) -> None: ...
    @property
    def area_density(self) -> float:
        """
        Area density [kg/m²]: 0.001 to 10 kg/m²; default 0.15.

        Mass of a square metre: silk 0.05, cotton 0.15, denim 0.4.
        """
    @area_density.setter
    def area_density(self, value: float | str) -> None: ...
    @property
    def area_max(self) -> float:
        """
        Largest area: 1 to 3; default 1. Needs area.

        Largest area relative to that at rest.

        A setting of projective-dynamics.
        """
    @area_max.setter
    def area_max(self, value: float | str) -> None: ...
    @property
    def area_min(self) -> float:
        """
        Least area: 0 to 1; default 1. Needs area.

        Least area relative to that at rest.

        A setting of projective-dynamics.
        """
    @area_min.setter
    def area_min(self, value: float | str) -> None: ...
    @property
    def area_weight(self) -> float:
        """
        Area weight [J/m²]: 0 to 10000000 J/m²; default 300. Needs area.

        Stiffness beyond the area limits, per area.

        A setting of projective-dynamics.
        """
    @area_weight.setter
    def area_weight(self, value: float | str) -> None: ...
    @property
    def bend_share(self) -> float:
        """
        Bend: 0 to 1; default 0.02.

        Share of a bend spring's compression that a step removes; 0 leaves the bend springs out.

        A setting of pbd.
        """
    @bend_share.setter
    def bend_share(self, value: float | str) -> None: ...
    @property
    def bend_stiffness(self) -> float:
        """
        Bend [N/m]: 0 to 1e9 N/m; default 1.

        Resistance to bending, by springs that skip a vertex. Higher makes broad folds instead of fine wrinkles. No bending rigidity: a flat cloth has none of it, a curved one has more the coarser the mesh is.
        """
    @bend_stiffness.setter
    def bend_stiffness(self, value: float | str) -> None: ...
    @property
    def bending(self) -> bool:
        """
        Bending: true or false; default false.

        Bending by the mean curvature relative to that at rest (cotangent Laplacian), independent of the mesh.

        A setting of projective-dynamics.
        """
    @bending.setter
    def bending(self, value: bool | str) -> None: ...
    @property
    def bending_examples(self) -> bool:
        """
        Examples, bending: true or false; default false.

        Bending of cloth prefers the curvatures of the scene's examples, and mixtures of them and the rest shape.

        A setting of projective-dynamics.
        """
    @bending_examples.setter
    def bending_examples(self, value: bool | str) -> None: ...
    @property
    def bending_examples_global(self) -> bool:
        """
        As a whole: true or false; default false. Needs bending_examples.

        One mixture of examples for a whole cloth instead of one for each vertex.

        A setting of projective-dynamics.
        """
    @bending_examples_global.setter
    def bending_examples_global(self, value: bool | str) -> None: ...
    @property
    def bending_examples_weight(self) -> float:
        """
        Examples weight [N·m]: 0 to 1000 N·m; default 0.001. Needs bending_examples.

        Bending stiffness towards the examples.

        A setting of projective-dynamics.
        """
    @bending_examples_weight.setter
    def bending_examples_weight(self, value: float | str) -> None: ...
    @property
    def bending_less(self) -> float:
        """
        Free, flatter [1/m]: 0 to 1000 1/m; default 0. Needs bending.

        How far the curvature may fall below that at rest without a force. A cylinder of radius r has 1/r.

        A setting of projective-dynamics.
        """
    @bending_less.setter
    def bending_less(self, value: float | str) -> None: ...
    @property
    def bending_model(self) -> str:
        """
        Bending model: springs, isometric; default springs.

        Bending model: springs that skip a vertex, or the curvature of the surface.
        "springs": Springs that skip a vertex, as in the papers. Their stiffness depends on the mesh; a spring that has snapped through keeps its fold.
        "isometric": Curvature of the surface: independent of the mesh, and only the flat state is at rest. Solvers without it use the springs.
        """
    @bending_model.setter
    def bending_model(self, value: str) -> None: ...
    @property
    def bending_more(self) -> float:
        """
        Free, rounder [1/m]: 0 to 1000 1/m; default 0. Needs bending.

        How far the curvature may rise above that at rest without a force: flat cloth bends freely to a radius of 1/this, and is stiff beyond.

        A setting of projective-dynamics.
        """
    @bending_more.setter
    def bending_more(self, value: float | str) -> None: ...
    @property
    def bending_stiffness(self) -> float:
        """
        Bending [N·m]: 0 to 1 N·m; default 0.00005.

        Bending stiffness of the surface along the warp, independent of the mesh, as a cantilever measures it: silk 1 µN·m, cotton 5 to 10 µN·m, denim 40 µN·m. Higher makes broad folds instead of fine wrinkles.
        """
    @bending_stiffness.setter
    def bending_stiffness(self, value: float | str) -> None: ...
    @property
    def bending_weft(self) -> float:
        """
        Bending weft / warp: 0.1 to 10; default 1.

        Bending stiffness along the weft relative to that along the warp; most woven cloths have 0.6 to 0.9. The warp runs upward, or as the grain of the piece says.
        """
    @bending_weft.setter
    def bending_weft(self, value: float | str) -> None: ...
    @property
    def bending_weight(self) -> float:
        """
        Stiffness [N·m]: 0 to 1000 N·m; default 0.0001. Needs bending.

        Bending stiffness. Cloth has 1 µN·m to 1 mN·m, a plastic sheet about 0.1 N·m.

        A setting of projective-dynamics.
        """
    @bending_weight.setter
    def bending_weight(self, value: float | str) -> None: ...
    @property
    def blocks(self) -> str:
        """
        Blocks: clamped, raw; default clamped.

        Jacobian of compressed springs: in full and indefinite (raw, as in the paper), or without the destabilising part (clamped).
        "clamped": Without the negative part: the matrix stays positive definite.
        "raw": In full, as in the papers: exact, but fails at high stiffness.

        A setting of implicit-euler, jacobi-implicit, hybrid.
        """
    @blocks.setter
    def blocks(self, value: str) -> None: ...
    @property
    def body(self) -> typing.Any:
        """
        A body of tetrahedra that there is instead of a cloth, see assets/scenes/README.md. Default: none.
        """
    @body.setter
    def body(self, value: typing.Any) -> None: ...
    @property
    def body_examples(self) -> bool:
        """
        Examples, bodies: true or false; default false.

        Tetrahedra of bodies prefer the deformations of the scene's examples, and mixtures of them and the rest shape.

        A setting of projective-dynamics.
        """
    @body_examples.setter
    def body_examples(self, value: bool | str) -> None: ...
    @property
    def body_examples_global(self) -> bool:
        """
        As a whole: true or false; default false. Needs body_examples.

        One mixture of examples for a whole body instead of one for each tetrahedron.

        A setting of projective-dynamics.
        """
    @body_examples_global.setter
    def body_examples_global(self, value: bool | str) -> None: ...
    @property
    def body_examples_weight(self) -> float:
        """
        Examples weight [J/m³]: 0 to 1e9 J/m³; default 100000. Needs body_examples.

        Stiffness towards the examples, per volume.

        A setting of projective-dynamics.
        """
    @body_examples_weight.setter
    def body_examples_weight(self, value: float | str) -> None: ...
    @property
    def camera(self) -> typing.Any:
        """
        `(from: (1, 2, 3), at: (0, 1, 0))`: where the camera is when the scene opens, and what it looks at [m]. Default: the whole cloth.
        """
    @camera.setter
    def camera(self, value: typing.Any) -> None: ...
    @property
    def cloth_examples(self) -> bool:
        """
        Examples, cloth: true or false; default false.

        Triangles of cloth prefer the deformations of the scene's examples, and mixtures of them and the rest shape.

        A setting of projective-dynamics.
        """
    @cloth_examples.setter
    def cloth_examples(self, value: bool | str) -> None: ...
    @property
    def cloth_examples_global(self) -> bool:
        """
        As a whole: true or false; default false. Needs cloth_examples.

        One mixture of examples for a whole cloth instead of one for each triangle.

        A setting of projective-dynamics.
        """
    @cloth_examples_global.setter
    def cloth_examples_global(self, value: bool | str) -> None: ...
    @property
    def cloth_examples_weight(self) -> float:
        """
        Examples weight [J/m²]: 0 to 10000000 J/m²; default 300. Needs cloth_examples.

        Stiffness towards the examples, per area.

        A setting of projective-dynamics.
        """
    @cloth_examples_weight.setter
    def cloth_examples_weight(self, value: float | str) -> None: ...
    @property
    def colliders(self) -> typing.Any:
        """
        Solid shapes, see assets/scenes/README.md. Default: `[]`.
        """
    @colliders.setter
    def colliders(self, value: typing.Any) -> None: ...
    @property
    def colour(self) -> typing.Any:
        """
        Of its front: red, green, blue from 0 to 1. Default: red.
        """
    @colour.setter
    def colour(self, value: typing.Any) -> None: ...
    @property
    def columns(self) -> int:
        """
        Columns: the whole numbers 2 to 8192; default 30.

        Vertices along the width. More show finer folds; the work grows with their number, for implicit solvers faster than in proportion.
        """
    @columns.setter
    def columns(self, value: int | str) -> None: ...
    @property
    def contact_weight(self) -> float:
        """
        Contact weight: 0.01 to 1000; default 1. Needs half_space.

        Weight of a contact relative to the other terms of its vertex.

        A setting of projective-dynamics.
        """
    @contact_weight.setter
    def contact_weight(self, value: float | str) -> None: ...
    @property
    def coordinates(self) -> str:
        """
        Coordinates: differences, mean, identity, mass; default differences.

        Coordinates in which constraints measure their distance, A and B in the paper. They change the way to the solution, not the solution.
        "differences": Differences between the vertices of a constraint: they converge best.
        "mean": The mean of the vertices subtracted. It differs from differences with bending alone.
        "identity": Absolute positions (A = I): changes spread slowly.
        "mass": Absolute positions weighted by mass (A = M^½): position-based dynamics with inertia.

        A setting of projective-dynamics.
        """
    @coordinates.setter
    def coordinates(self, value: str) -> None: ...
    @property
    def damping(self) -> float:
        """
        Damping [N·s/m]: 0 to 10000 N·s/m; default 0.001.

        Damping coefficient of the springs. Higher damps ripples; very high makes the motion viscous.
        """
    @damping.setter
    def damping(self, value: float | str) -> None: ...
    @property
    def damping_model(self) -> str:
        """
        Damping law: isotropic, along_spring; default isotropic.

        Relative motion of a spring's ends that is damped: all of it, as in the papers, or only along the spring. Only the second leaves rotation undamped; some solvers have one law only.
        "isotropic": All of it: `c (v_j - v_i)`. Rotation is damped as well.
        "along_spring": Along the spring only: `c u u·(v_j - v_i)`. Rotation of the whole cloth is not damped.
        """
    @damping_model.setter
    def damping_model(self, value: str) -> None: ...
    @property
    def diagonals(self) -> str:
        """
        Diagonals: crossed, one_way; default crossed.

        Diagonals of the cells, with the shear springs along them.
        "crossed": Both have a shear spring, and the triangles alternate: no direction is preferred.
        "one_way": From the upper left to the lower right alone: a hanging cloth sags more on the left.
        """
    @diagonals.setter
    def diagonals(self, value: str) -> None: ...
    @property
    def drag(self) -> float:
        """
        Vertex drag [N·s²/m²]: 0 to 10 N·s²/m²; default 0.0004.

        Drag coefficient K_D of a vertex: force against the motion, largest where the cloth faces it. Higher falls slower.
        """
    @drag.setter
    def drag(self, value: float | str) -> None: ...
    @property
    def drag_coefficient(self) -> float:
        """
        Drag: 0 to 10; default 1.2.

        Drag coefficient of a triangle that faces the motion; a flat plate has 1.2. A flat sheet of the area density σ falls at √(2 σ g/(ρ C)).
        """
    @drag_coefficient.setter
    def drag_coefficient(self, value: float | str) -> None: ...
    @property
    def edge_strain(self) -> bool:
        """
        Edge strain: true or false; default false.

        Strain of the edges of the triangles, each a strip as wide as its share of the cloth: the same stiffness on a coarse and on a fine mesh. Strips along warp, weft and diagonals, as in a grid, are 20 % stiffer than strips in all directions.

        A setting of projective-dynamics.
        """
    @edge_strain.setter
    def edge_strain(self, value: bool | str) -> None: ...
    @property
    def edges(self) -> bool:
        """
        Edges: true or false; default true.

        Contact of the cloth's edges and triangles with edges and corners of colliders made of triangles (meshes, hulls and boxes) and with round ones that are thin beside its cells, at half the thickness. Larger spheres, capsules and cylinders are tested by the vertices alone; each collider can override this. Without it only the vertices are tested, as in most cloth tools: that costs less, a needle passes through, and a cloth laid on a box is pushed off its rim sideways. Position-based methods stretch more at a rim with it.
        """
    @edges.setter
    def edges(self, value: bool | str) -> None: ...
    @property
    def energy_error(self) -> float:
        """
        Error: 1e-10 to 0.1; default 0.001. Needs stop_by_error.

        Error at which a step ends: energy above the minimum, relative to that at the start of the step. It is estimated from the gradient and the smallest curvature found in the step.

        A setting of fast-mass-spring, projective-dynamics.
        """
    @energy_error.setter
    def energy_error(self, value: float | str) -> None: ...
    @property
    def example_alternations(self) -> int:
        """
        Alternations: the whole numbers 1 to 20; default 1.

        Alternations between the rotations and the weights of the examples, per iteration. One is enough.

        A setting of projective-dynamics.
        """
    @example_alternations.setter
    def example_alternations(self, value: int | str) -> None: ...
    @property
    def examples(self) -> typing.Any:
        """
        Shapes that it prefers, see assets/scenes/README.md. Default: `[]`.
        """
    @examples.setter
    def examples(self, value: typing.Any) -> None: ...
    @property
    def fabric(self) -> str:
        """
        The fabric of `assets/fabrics.ron` that the cloth looks like; what it is made of stands in `material` and `mass`. `--set fabric=denim` sets these, too. Default: `"cotton"`.
        """
    @fabric.setter
    def fabric(self, value: str) -> None: ...
    @property
    def folded(self) -> typing.Any:
        """
        `(normal: (0, 0, 1), at: 0.1)`: at the start, and not at rest, what lies beyond the plane with this normal, along its axes, at this distance from its middle [m], is mirrored at it. Default: none.
        """
    @folded.setter
    def folded(self, value: typing.Any) -> None: ...
    @property
    def friction(self) -> float:
        """
        Friction: 0 to 2; default 0.4.

        Coulomb friction coefficient. At 0 the cloth slides off; above about 0.6 it stays where it falls.
        """
    @friction.setter
    def friction(self, value: float | str) -> None: ...
    @property
    def gradient_tolerance(self) -> float:
        """
        Tolerance [N]: 1e-12 to 1 N; default 1e-9.

        Residual force on any vertex and axis at which the step counts as solved.

        A setting of implicit-newton.
        """
    @gradient_tolerance.setter
    def gradient_tolerance(self, value: float | str) -> None: ...
    @property
    def grain(self) -> float:
        """
        Grain [rad]: -3.141592653589793 to 3.141592653589793 rad; default 0.

        Angle by which the warp is turned counter-clockwise, seen from the front, for a membrane of triangles. At 0 it runs upward: along the second texture coordinate, if there are texture coordinates. A panel at 45° is cut on the bias.
        """
    @grain.setter
    def grain(self, value: float | str) -> None: ...
    @property
    def gravity(self) -> float:
        """
        Gravity [m/s²]: 0 to 30 m/s²; default 9.8.

        Downward acceleration. The papers use 9.8; the Moon has 1.62.
        """
    @gravity.setter
    def gravity(self, value: float | str) -> None: ...
    @property
    def ground(self) -> bool:
        """
        Floor: true or false; default true.

        Floor at height zero.
        """
    @ground.setter
    def ground(self, value: bool | str) -> None: ...
    @property
    def gust(self) -> float:
        """
        Gusts: 0 to 1; default 0.4.

        Strength of the gusts: change of speed and direction, relative to the mean speed.
        """
    @gust.setter
    def gust(self, value: float | str) -> None: ...
    @property
    def gust_length(self) -> float:
        """
        Gust size [m]: 0.1 to 20 m; default 1.5.

        Size of the gusts; they travel with the wind.
        """
    @gust_length.setter
    def gust_length(self, value: float | str) -> None: ...
    @property
    def half_space(self) -> bool:
        """
        Contact: true or false; default true.

        Contact constraints within the solve: vertices that press on a collider stay outside it while the system is solved, instead of only being moved out after the step.

        A setting of projective-dynamics.
        """
    @half_space.setter
    def half_space(self, value: bool | str) -> None: ...
    @property
    def handles(self) -> typing.Any:
        """
        Vertices that are moved along a path or about an axis, see assets/scenes/README.md. Default: `[]`.
        """
    @handles.setter
    def handles(self, value: typing.Any) -> None: ...
    @property
    def height(self) -> float:
        """
        Height [m]: 0.05 to 20 m; default 1.

        Height of the cloth.
        """
    @height.setter
    def height(self, value: float | str) -> None: ...
    @property
    def hidden(self) -> bool:
        """
        Whether the first cloth is left out of pictures, where it moves all the same; whether it is protected against edits. Default: `false`.
        """
    @hidden.setter
    def hidden(self, value: bool | str) -> None: ...
    @property
    def hinge_damping_ratio(self) -> float:
        """
        Damping ratio: 0 to 5; default 0.5.

        Damping ratio of the hinges: 0 oscillates undamped, 1 comes to rest without overshoot.

        A setting of soft-constraints.
        """
    @hinge_damping_ratio.setter
    def hinge_damping_ratio(self, value: float | str) -> None: ...
    @property
    def hinge_frequency(self) -> float:
        """
        Hinges [Hz]: 0 to 10000 Hz; default 0.

        Frequency of each hinge between two triangles, beside the bend springs. Higher resists folding more; 0 leaves the hinges out.

        A setting of soft-constraints.
        """
    @hinge_frequency.setter
    def hinge_frequency(self, value: float | str) -> None: ...
    @property
    def hinge_stiffness(self) -> float:
        """
        Stiffness [N·m]: 0 to 1000 N·m; default 0.0001. Needs hinges.

        Bending stiffness of the hinges: that of a sheet, on grids and on equilateral triangles.

        A setting of projective-dynamics.
        """
    @hinge_stiffness.setter
    def hinge_stiffness(self, value: float | str) -> None: ...
    @property
    def hinges(self) -> bool:
        """
        Hinges: true or false; default false.

        Angles between triangles keep their value at rest. Their projection has no closed form and takes iterations of its own, so that steps take longer.

        A setting of projective-dynamics.
        """
    @hinges.setter
    def hinges(self, value: bool | str) -> None: ...
    @property
    def image(self) -> typing.Any:
        """
        A PNG picture that is printed on the cloth, of at most 16384 pixels along an edge and 67 million in all; the path is looked for beside the scene file first. `--set image=logo.png`, `--set image=none`. Default: none.
        """
    @image.setter
    def image(self, value: typing.Any) -> None: ...
    @property
    def implicit_damping(self) -> bool:
        """
        Implicit damping: true or false; default true.

        Whether the derivative of the damping is in the matrix (Kang, algorithms 3 and 4). Without it (algorithms 1 and 2) damping is an explicit force, and strong damping is unstable.

        A setting of implicit-euler, jacobi-implicit.
        """
    @implicit_damping.setter
    def implicit_damping(self, value: bool | str) -> None: ...
    @property
    def iterations(self) -> int:
        """
        Iterations: the whole numbers 1 to 1000; default 20.

        Iterations over all vertices per step. More approach implicit Euler: less stretch, less lag, more work.

        A setting of vertex-block-descent.

        Iterations: the whole numbers 1 to 1000; default 10.

        Local/global iterations per step. More approach implicit Euler: less stretch, less lag, more work.

        A setting of fast-mass-spring, projective-dynamics.

        Iterations: the whole numbers 1 to 1000; default 2.

        Iterations over all springs per step. More make the cloth stiffer, without limit: a strip of 4 by 12 vertices that hangs with a share of 1 stretches by 19.41 % with 1, 1.70 % with 10 and 0.06 % with 100 iterations (compare figure 4 of the projective dynamics paper). XPBD corrects that.

        A setting of pbd.

        Iterations: the whole numbers 1 to 1000; default 2.

        Iterations over all springs per small step. More approach the true stiffness; more small steps do so sooner.

        A setting of xpbd.
        """
    @iterations.setter
    def iterations(self, value: int | str) -> None: ...
    @property
    def lanes(self) -> typing.Any:
        """
        Up to three lanes that the scene comes with beside itself: what each sets, like `["iterations=10", "solver=xpbd,iterations=20"]`. The window opens them, `--lanes` runs and draws them. Default: `[]`.
        """
    @lanes.setter
    def lanes(self, value: typing.Any) -> None: ...
    @property
    def layer_distance(self) -> float:
        """
        Cloth-cloth distance [m]: 0.00001 to 0.1 m; default 0.004.

        Distance between parts of the cloth in contact with each other. It may be smaller than the thickness, since these contacts are tested exactly. At most the mean edge length takes effect.
        """
    @layer_distance.setter
    def layer_distance(self, value: float | str) -> None: ...
    @property
    def layer_friction(self) -> float:
        """
        Cloth-cloth friction: 0 to 2; default 0.4.

        Coulomb friction coefficient of cloth on cloth. At 0 parts of the cloth slide over each other; higher keeps a heap in shape.
        """
    @layer_friction.setter
    def layer_friction(self, value: float | str) -> None: ...
    @property
    def lift(self) -> float:
        """
        Vertex lift [N·s²/m²]: 0 to 10 N·s²/m²; default 0.0002.

        Lift coefficient K_L of a vertex: force across the motion; it makes a flag flutter.
        """
    @lift.setter
    def lift(self, value: float | str) -> None: ...
    @property
    def lift_coefficient(self) -> float:
        """
        Lift: 0 to 10; default 0.6.

        Lift coefficient of a triangle: force across the motion; it makes a flag flutter.
        """
    @lift_coefficient.setter
    def lift_coefficient(self, value: float | str) -> None: ...
    @property
    def limit_shear(self) -> bool:
        """
        Shear springs: true or false; default false.

        Limit the shear springs as well. The cloth then resists shear like paper.
        """
    @limit_shear.setter
    def limit_shear(self, value: bool | str) -> None: ...
    @property
    def limit_stretch(self) -> bool:
        """
        Limit: true or false; default false.

        Strain limiting after every step (Provot's inverse dynamics): structural springs beyond the limit are shortened. Keeps soft cloth, or a solver with few iterations, to size.
        """
    @limit_stretch.setter
    def limit_stretch(self, value: bool | str) -> None: ...
    @property
    def linear_drag(self) -> float:
        """
        Linear drag [N·s/m]: 0 to 1000 N·s/m; default 0.

        Linear drag c of every vertex, whatever its shape: a force -c v against its motion through the air, or in a vacuum against all motion, as in a dense fluid (Kang, section 1.6).
        """
    @linear_drag.setter
    def linear_drag(self, value: float | str) -> None: ...
    @property
    def linear_solver(self) -> str:
        """
        Linear solver: conjugate_gradients, direct; default conjugate_gradients.

        Solver of the linear system. Conjugate gradients are several times faster; raw blocks always use the direct solver.
        "conjugate_gradients": Conjugate gradients, preconditioned by a stored factor, to a tolerance.
        "direct": A new sparse factorisation in every step: exact to rounding.

        A setting of implicit-euler.
        """
    @linear_solver.setter
    def linear_solver(self, value: str) -> None: ...
    @property
    def locked(self) -> bool:
        """
        Whether the first cloth is left out of pictures, where it moves all the same; whether it is protected against edits. Default: `false`.
        """
    @locked.setter
    def locked(self, value: bool | str) -> None: ...
    @property
    def mass_matrix(self) -> str:
        """
        Mass: lumped, consistent; default lumped.

        Mass matrix of triangles and tetrahedra. Consistent mass couples the inertia of neighbours; the motion looks the same.
        "lumped": The mass of each vertex is its own.
        "consistent": Elements move with their interior: neighbours have inertia in common.

        A setting of projective-dynamics.
        """
    @mass_matrix.setter
    def mass_matrix(self, value: str) -> None: ...
    @property
    def mass_model(self) -> str:
        """
        Mass model: per_vertex, area_density; default area_density.

        Mass per vertex, or by area.
        "per_vertex": The same mass for every vertex, as in the papers: a finer cloth is heavier.
        "area_density": A third of each triangle's mass for each corner, a fourth of each tetrahedron's: independent of the resolution.
        """
    @mass_model.setter
    def mass_model(self, value: str) -> None: ...
    @property
    def membrane(self) -> str:
        """
        Membrane: springs, triangles; default springs.

        Carrier of the stretch of triangle meshes: springs along the edges, or a membrane of triangles with the stiffness of structural and shear in N/m, by any law. Grids always have springs. Damping acts along the edges by both.
        "springs": Springs along the edges. Their stiffness to shear is about 0.4 times that to stretch, on any mesh.
        "triangles": Triangles with the stiffness that is set along warp and weft and to shear, independent of the mesh. Solvers without it use the springs.
        """
    @membrane.setter
    def membrane(self, value: str) -> None: ...
    @property
    def membrane_stiffness(self) -> float:
        """
        Stiffness [N/m]: 0 to 10000000 N/m; default 300. Needs edge_strain.

        Young's modulus times thickness of the cloth. Higher resists stretch more.

        A setting of projective-dynamics.
        """
    @membrane_stiffness.setter
    def membrane_stiffness(self, value: float | str) -> None: ...
    @property
    def mesh(self) -> typing.Any:
        """
        `(file: "shirt.obj")`, a mesh that is the cloth, with faces of three or more corners; the path is looked for beside the scene file first. Vertices keep the order of the file; texture coordinates, groups, materials and faces come back in exports. A face that is there twice counts once, and faces that hang together are made to wind alike, as most of them do. Default: none.
        """
    @mesh.setter
    def mesh(self, value: typing.Any) -> None: ...
    @property
    def mesh_scale(self) -> float:
        """
        Mesh scale: 0.0001 to 10000; default 1.

        Factor from the unit of the mesh file to metres; 0.01 for a mesh in centimetres.
        """
    @mesh_scale.setter
    def mesh_scale(self, value: float | str) -> None: ...
    @property
    def motion(self) -> typing.Any:
        """
        Where a place of the cloth must be by a formula, drawn over the cloth as a mark: `Slide(from: (0.1, 1, 0), ends: (0.3, 0.5), length: 1.127)`, a strip over a frictionless rod; `Capstan(from: (0.1, 0.6, 0), ends: (0.25, 0.9), radius: 0.104)`, one that friction holds or not; `Rebound(from: (0, 0.5, 0), fall: 0.492)`, a flat cloth on something flat; `Load(from: (0, 1, 0))`, a cloth let go above another. `Oscillation(from: (0, 1.4, 0), rest: 1.6, frequency: 1, damping_ratio: 0.1)`, a mass on a damped spring that is at rest at this height; `Incline(from: (0, 1, 0), slope: 0.36)`, a cloth on a plane whose height falls along +x; `Cantilever(from: (0.04, 1, 0), clamp: (0, 1, 0))`, the free end of a strip that bends under its weight, at rest; `Tension(from: (0, 0.8, 0), clamp: (0, 1, 0), width: 0.05, vertices: 500)`, the lower end of a strip along the warp that the weight of so many vertices stretches, at rest; `Shear(from: (0, 1, 0), clamp: (-0.05, 1, 0), width: 0.2, vertices: 400, strain: 0.005)`, a bar that shears the two strips between which it hangs, held with this strain, at rest; `Fall(from: (0, 1.2, 0), fall: 1.2)`, a level sheet in still air or a vacuum. `from` is the place at the start, `ends` hang below the axis, the shorter one first [m]. Gravity, friction and restitution are the scene's. Default: none.
        """
    @motion.setter
    def motion(self, value: typing.Any) -> None: ...
    @property
    def newton_iterations(self) -> int:
        """
        Iterations: the whole numbers 1 to 200; default 50.

        Largest number of Newton iterations per step; a step that is not solved by then ends with its last iterate.

        A setting of implicit-newton.
        """
    @newton_iterations.setter
    def newton_iterations(self, value: int | str) -> None: ...
    @property
    def oscillator_weight(self) -> float:
        """
        Weight of oscillators: 0 to 1; default 0.5.

        Weight of the oscillators in the mean with the implicit right-hand side: the paper uses 0.5. 0 is the diagonal implicit step alone, 1 the oscillators divided by its diagonal.

        A setting of hybrid.
        """
    @oscillator_weight.setter
    def oscillator_weight(self, value: float | str) -> None: ...
    @property
    def pictured(self) -> float:
        """
        Simulated time that its picture in the gallery shows [s]. Default: 2.5.
        """
    @pictured.setter
    def pictured(self, value: float | str) -> None: ...
    @property
    def pieces(self) -> typing.Any:
        """
        Further cloths, see assets/scenes/README.md. Default: `[]`.
        """
    @pieces.setter
    def pieces(self, value: typing.Any) -> None: ...
    @property
    def pin_weight(self) -> float:
        """
        Pin weight [N/m]: 1 to 1e9 N/m; default 1000000. Needs soft_pins.

        Stiffness of pins and hand.

        A setting of projective-dynamics.
        """
    @pin_weight.setter
    def pin_weight(self, value: float | str) -> None: ...
    @property
    def pinned(self) -> typing.Any:
        """
        Further held vertices, by number: row times columns plus column; of a mesh or body in the order of its file, from 0. Default: `[]`.
        """
    @pinned.setter
    def pinned(self, value: typing.Any) -> None: ...
    @property
    def pins(self) -> str:
        """
        Pins: none, one, two, four, many, top_edge, bottom_edge, left_edge, right_edge, middle; default two.

        Vertices pinned at the start.
        "none": None: the cloth falls.
        "one": One: the first upper corner.
        "two": Two: the upper corners.
        "four": Four: all corners.
        "many": Many: points along the upper edge, like curtain rings.
        "top_edge": The whole upper edge.
        "bottom_edge": The whole lower edge.
        "left_edge": The whole left edge.
        "right_edge": The whole right edge.
        "middle": A patch in the middle, a twelfth as wide and as high as the cloth.
        """
    @pins.setter
    def pins(self, value: str) -> None: ...
    @property
    def plane(self) -> str:
        """
        Start: flat, front, side; default flat.

        Position at the start.
        "flat": Lying flat.
        "front": Upright, facing the camera.
        "side": Upright, seen edge-on.
        """
    @plane.setter
    def plane(self, value: str) -> None: ...
    @property
    def position(self) -> typing.Any:
        """
        Middle of the cloth's bounding box at the start [m]. Default: `(0, 1, 0)` for a grid, for a mesh where its file has it.
        """
    @position.setter
    def position(self, value: typing.Any) -> None: ...
    @property
    def projections(self) -> bool:
        """
        Whether the projections of the solver's local step are drawn over the cloth, as the overlay *Projections* of the menu *Paint* does. Default: `false`.
        """
    @projections.setter
    def projections(self, value: bool | str) -> None: ...
    @property
    def remembered_steps(self) -> int:
        """
        Memory [iterates]: the whole numbers 1 to 8 iterates; default 5. Needs acceleration.

        Number of earlier iterates that the acceleration uses. More need fewer iterations, at a higher cost each.

        A setting of fast-mass-spring, projective-dynamics.
        """
    @remembered_steps.setter
    def remembered_steps(self, value: int | str) -> None: ...
    @property
    def residual_tolerance(self) -> float:
        """
        Tolerance: 1e-12 to 0.1; default 1e-6.

        Residual at which the linear system counts as solved, relative to its right-hand side.

        A setting of implicit-euler.
        """
    @residual_tolerance.setter
    def residual_tolerance(self, value: float | str) -> None: ...
    @property
    def restitution(self) -> float:
        """
        Restitution: 0 to 1; default 0.

        Coefficient of restitution: rebound speed relative to the speed of approach. That of cloth is near 0.
        """
    @restitution.setter
    def restitution(self, value: float | str) -> None: ...
    @property
    def rotation(self) -> typing.Any:
        """
        How the cloth is turned about its middle at the start, as axis times angle [rad]. Default: `(0, 0, 0)`.
        """
    @rotation.setter
    def rotation(self, value: typing.Any) -> None: ...
    @property
    def rows(self) -> int:
        """
        Rows: the whole numbers 2 to 8192; default 30.

        Vertices along the height.
        """
    @rows.setter
    def rows(self, value: int | str) -> None: ...
    @property
    def scheme(self) -> str:
        """
        Scheme: euler, theta, bdf2; default euler.

        Time integrator of the optimisation-based solvers. Implicit Euler damps vibrations; the schemes of second order keep them.
        "euler": Implicit Euler: first order. Its numerical damping grows with the step; stable at any stiffness.
        "theta": Theta method: forces at the point θ of the step. θ = ½ is the midpoint rule: second order, no numerical damping; stiff springs can gain energy.
        "bdf2": Two-step backward differences (BDF2): second order, from the last two states. Little numerical damping; stable at any stiffness with constant steps.
        """
    @scheme.setter
    def scheme(self, value: str) -> None: ...
    @property
    def self_contact(self) -> bool:
        """
        Cloth-cloth: true or false; default false.

        The cloth cannot pass through itself, nor through colliders made of triangles (meshes, hulls and boxes). A state without intersections stays so: motion that would cause one is truncated, which slows fast motion of cloth close to cloth, and a collider stops if the cloth in its path cannot move.
        """
    @self_contact.setter
    def self_contact(self, value: bool | str) -> None: ...
    @property
    def settings(self) -> typing.Any:
        """
        The solver's own parameters, like `{"iterations": 20}`. With none named, they suit the cloth (`physics.md`, section 8); with one named, the others have their defaults. Default: `{}`.
        """
    @settings.setter
    def settings(self, value: typing.Any) -> None: ...
    @property
    def share(self) -> float:
        """
        Share: 0 to 1; default 1.

        Share of each spring's exact impulse that is applied. 1 gives an isolated pair its exact relative velocity after a step (its positions follow in first order); the paper's 0.5 is more stable, and softer. With c = 0 and a step of a whole number of periods the impulse vanishes: the spring has no effect.

        A setting of harmonic-oscillator.

        Share: 0 to 1; default 1.

        Share of each spring's exact impulse that is added. 1 gives the springs their full stiffness; the paper uses 0.5.

        A setting of hybrid.
        """
    @share.setter
    def share(self, value: float | str) -> None: ...
    @property
    def shear_max(self) -> float:
        """
        Largest shear: 0 to 1; default 0.2. Needs anisotropic.

        Largest shear between warp and weft, in both directions.

        A setting of projective-dynamics.
        """
    @shear_max.setter
    def shear_max(self, value: float | str) -> None: ...
    @property
    def shear_share(self) -> float:
        """
        Shear: 0 to 1; default 0.5.

        Share of a shear spring's stretch that a step removes; 0 leaves the shear springs out.

        A setting of pbd.
        """
    @shear_share.setter
    def shear_share(self, value: float | str) -> None: ...
    @property
    def shear_stiffness(self) -> float:
        """
        Shear [N/m]: 0 to 1e9 N/m; default 50.

        Resistance to shear: a square cell becomes a rhombus. Lower drapes more softly over corners. Meshes have no shear springs; it acts on them with a membrane of triangles.
        """
    @shear_stiffness.setter
    def shear_stiffness(self, value: float | str) -> None: ...
    @property
    def shelf(self) -> str:
        """
        Where it stands in the gallery: `play`, `lessons`, `bodies`, `tests` or `papers`. Default: `play`.
        """
    @shelf.setter
    def shelf(self, value: str) -> None: ...
    @property
    def small_steps(self) -> int:
        """
        Small steps: the whole numbers 1 to 100; default 10.

        Equal parts of the step, each with all its iterations. Ten parts with 2 iterations stretch far less than one with 20; like every change of the step, more make the cloth stiffer.

        A setting of pbd.

        Small steps: the whole numbers 1 to 100; default 10.

        Equal parts of the step, each with all its iterations (small steps, Macklin et al. 2019). More are stiffer and more accurate for the same number of iterations.

        A setting of xpbd.

        Small steps: the whole numbers 1 to 100; default 8.

        Equal parts of the step, each with all its sweeps. More keep light and taut cloth stable, whose transverse motion is explicit.

        A setting of soft-constraints.
        """
    @small_steps.setter
    def small_steps(self, value: int | str) -> None: ...
    @property
    def soft_pins(self) -> bool:
        """
        Soft pins: true or false; default false.

        Pins and the hand as springs: a held vertex sags by its load divided by the stiffness. Otherwise their motion is prescribed.

        A setting of projective-dynamics.
        """
    @soft_pins.setter
    def soft_pins(self, value: bool | str) -> None: ...
    @property
    def solver(self) -> str:
        """
        Id of the solver, as `weft solvers` lists them. Default: `"fast-mass-spring"`.
        """
    @solver.setter
    def solver(self, value: str) -> None: ...
    @property
    def solvers(self) -> typing.Any:
        """
        Those of other solvers, for when they are chosen, like `{"xpbd": {"iterations": 20}}`. Default: `{}`.
        """
    @solvers.setter
    def solvers(self, value: typing.Any) -> None: ...
    @property
    def source(self) -> str:
        """
        What the scene is called, what there is to see, the paper and figure it follows. Default: empty.
        """
    @source.setter
    def source(self, value: str) -> None: ...
    @property
    def spectral_radius(self) -> float:
        """
        Spectral radius: 0 to 0.999; default 0.9. Needs acceleration.

        Spectral radius of the plain iteration: the factor by which each one reduces the slowest part of the error. Too low accelerates little; too high overshoots, and iterations are rejected.

        A setting of fast-mass-spring, projective-dynamics.
        """
    @spectral_radius.setter
    def spectral_radius(self, value: float | str) -> None: ...
    @property
    def spring_damping_ratio(self) -> float:
        """
        Damping ratio: 0 to 5; default 0.1.

        Damping ratio of the springs: 0 oscillates undamped, 1 comes to rest without overshoot.

        A setting of soft-constraints.
        """
    @spring_damping_ratio.setter
    def spring_damping_ratio(self, value: float | str) -> None: ...
    @property
    def spring_frequency(self) -> float:
        """
        Springs [Hz]: 0.1 to 10000 Hz; default 10.

        Frequency of each spring with its two vertices alone. Higher is stiffer, up to about the rate of the small steps; the cloth's stiffness then only selects the families of springs.

        A setting of soft-constraints.
        """
    @spring_frequency.setter
    def spring_frequency(self, value: float | str) -> None: ...
    @property
    def springs(self) -> bool:
        """
        Springs: true or false; default true.

        Springs of the material, as in the other methods, with their damping.

        A setting of projective-dynamics.
        """
    @springs.setter
    def springs(self, value: bool | str) -> None: ...
    @property
    def starting_point(self) -> str:
        """
        Start: target, last; default target.

        Where the iterations of a step start. At convergence both are the same motion. Accelerated ones leave the target for the force-free position if the energy is lower there.
        "target": The inertial target: where the cloth would be without its constraints.
        "last": The positions before the step: few iterations damp more.

        A setting of fast-mass-spring, projective-dynamics.
        """
    @starting_point.setter
    def starting_point(self, value: str) -> None: ...
    @property
    def stiffness_law(self) -> str:
        """
        Law: per_length, per_strain; default per_length.

        Law of the springs: force per length, or per strain. Per strain their stiffness is in N and their damping in N·s, and both are divided by the rest length of each spring.
        "per_length": Force per length: `k (l - L)`, the same for springs of any length.
        "per_strain": Force per strain: `k (l/L - 1)` with k in N, and damping `c v/L` with c in N·s.
        """
    @stiffness_law.setter
    def stiffness_law(self, value: str) -> None: ...
    @property
    def stop_by_error(self) -> bool:
        """
        Stop by error: true or false; default false.

        End a step when the estimated error is small, at the latest after the given number of iterations.

        A setting of fast-mass-spring, projective-dynamics.
        """
    @stop_by_error.setter
    def stop_by_error(self, value: bool | str) -> None: ...
    @property
    def strain_limit(self) -> bool:
        """
        Strain limit: true or false; default false.

        Further limits of the strain of triangles, in all directions: with a weak triangle strain and a strong limit, cloth is soft at first and stiff beyond the limit.

        A setting of projective-dynamics.
        """
    @strain_limit.setter
    def strain_limit(self, value: bool | str) -> None: ...
    @property
    def strain_limit_max(self) -> float:
        """
        Largest stretch: 1 to 3; default 1.1. Needs strain_limit.

        Largest stretch of a triangle in any direction.

        A setting of projective-dynamics.
        """
    @strain_limit_max.setter
    def strain_limit_max(self, value: float | str) -> None: ...
    @property
    def strain_limit_min(self) -> float:
        """
        Least stretch: 0 to 1; default 0.9. Needs strain_limit.

        Least stretch of a triangle in any direction.

        A setting of projective-dynamics.
        """
    @strain_limit_min.setter
    def strain_limit_min(self, value: float | str) -> None: ...
    @property
    def strain_limit_weight(self) -> float:
        """
        Weight [J/m²]: 0 to 10000000 J/m²; default 3000. Needs strain_limit.

        Stiffness beyond the further limits, per area.

        A setting of projective-dynamics.
        """
    @strain_limit_weight.setter
    def strain_limit_weight(self, value: float | str) -> None: ...
    @property
    def strain_max(self) -> float:
        """
        Largest stretch: 1 to 3; default 1. Needs triangle_strain.

        Largest stretch of a triangle, along the warp if the limits are anisotropic; 1.1 allows 10 %.

        A setting of projective-dynamics.
        """
    @strain_max.setter
    def strain_max(self, value: float | str) -> None: ...
    @property
    def strain_min(self) -> float:
        """
        Least stretch: 0 to 1; default 1. Needs triangle_strain.

        Least stretch of a triangle, along the warp if the limits are anisotropic; 1 allows no compression.

        A setting of projective-dynamics.
        """
    @strain_min.setter
    def strain_min(self, value: float | str) -> None: ...
    @property
    def strain_weight(self) -> float:
        """
        Strain weight [J/m²]: 0 to 10000000 J/m²; default 300. Needs triangle_strain.

        Stiffness beyond the strain limits, per area.

        A setting of projective-dynamics.
        """
    @strain_weight.setter
    def strain_weight(self, value: float | str) -> None: ...
    @property
    def stretch_limit(self) -> float:
        """
        Largest stretch [%]: 0 to 100 %; default 10.

        Largest strain of a structural spring.
        """
    @stretch_limit.setter
    def stretch_limit(self, value: float | str) -> None: ...
    @property
    def stretch_sweeps(self) -> int:
        """
        Sweeps: the whole numbers 1 to 1000; default 40.

        Sweeps over the structural springs after every step. More leave less strain beyond the limit where much cloth hangs by few springs; they end once no spring is beyond it.
        """
    @stretch_sweeps.setter
    def stretch_sweeps(self, value: int | str) -> None: ...
    @property
    def stretched(self) -> typing.Any:
        """
        Factors along its axes, `(1, -1, 1)`, by which it is stretched about its middle at the start and not at rest; 0 is flat, a negative one inside out. Default: none.
        """
    @stretched.setter
    def stretched(self, value: typing.Any) -> None: ...
    @property
    def structural_share(self) -> float:
        """
        Stretch: 0 to 1; default 1.

        Share of a structural spring's stretch that a step removes. The equivalent in N/m depends on iterations, step and mesh.

        A setting of pbd.
        """
    @structural_share.setter
    def structural_share(self, value: float | str) -> None: ...
    @property
    def structural_stiffness(self) -> float:
        """
        Stretch [N/m]: 0 to 1e9 N/m; default 100.

        Resistance to stretch along warp and weft. Higher stretches less; explicit solvers then need a smaller step.
        """
    @structural_stiffness.setter
    def structural_stiffness(self, value: float | str) -> None: ...
    @property
    def substeps(self) -> int:
        """
        Substeps: the whole numbers 1 to 200; default 1.

        Number of equal parts of the time step. More are more stable and more accurate, and cost more.
        """
    @substeps.setter
    def substeps(self, value: int | str) -> None: ...
    @property
    def summary(self) -> str:
        """
        What the scene is called, what there is to see, the paper and figure it follows. Default: empty.
        """
    @summary.setter
    def summary(self, value: str) -> None: ...
    @property
    def surface(self) -> typing.Any:
        """
        `(file: "car.obj")`, a mesh that the body carries and that is drawn in place of its own surface, see assets/scenes/README.md. Default: none.
        """
    @surface.setter
    def surface(self, value: typing.Any) -> None: ...
    @property
    def sweeps(self) -> int:
        """
        Sweeps: the whole numbers 0 to 100; default 1.

        Jacobi sweeps after the initial guess. More transfer forces farther in a step; even numbers overshoot, and beyond a certain stiffness more increase the error.

        A setting of jacobi-implicit.

        Sweeps: the whole numbers 1 to 1000; default 4.

        Sweeps over all constraints per step. More transfer forces farther and approach the implicit step; fewer look softer.

        A setting of soft-constraints.
        """
    @sweeps.setter
    def sweeps(self, value: int | str) -> None: ...
    @property
    def table(self) -> bool:
        """
        Table: true or false; default false.

        Table on or off.
        """
    @table.setter
    def table(self, value: bool | str) -> None: ...
    @property
    def table_height(self) -> float:
        """
        Height [m]: 0.1 to 2 m; default 0.6.

        Height of its top.
        """
    @table_height.setter
    def table_height(self, value: float | str) -> None: ...
    @property
    def table_shape(self) -> str:
        """
        Shape: round, square; default round.

        Shape of its top.
        "round": A round top: the cloth falls in smooth folds all around.
        "square": A square top: the cloth hangs in points at the corners.
        """
    @table_shape.setter
    def table_shape(self, value: str) -> None: ...
    @property
    def table_width(self) -> float:
        """
        Width [m]: 0.1 to 3 m; default 0.8.

        Width or diameter of its top.
        """
    @table_width.setter
    def table_width(self, value: float | str) -> None: ...
    @property
    def tear_resistance(self) -> float:
        """
        Resistance: 0.05 to 2; default 0.7.

        Tear strain at the tip of a tear, relative to that of undamaged cloth. Low: a tear runs through, as in paper. High: tears stop, as in a strong weave; above 1 the tip is stronger than the cloth, as in ripstop.
        """
    @tear_resistance.setter
    def tear_resistance(self, value: float | str) -> None: ...
    @property
    def tear_strain(self) -> float:
        """
        Tear strain [m/m]: 0.01 to 10 m/m; default 0.5.

        Strain at which a structural spring of undamaged cloth breaks: 0.5 is 50 % longer than at rest. Lower tears sooner.
        """
    @tear_strain.setter
    def tear_strain(self, value: float | str) -> None: ...
    @property
    def tearing(self) -> bool:
        """
        Tearing: true or false; default false.

        Structural springs stretched beyond the tear strain break. Bodies of tetrahedra do not tear.
        """
    @tearing.setter
    def tearing(self, value: bool | str) -> None: ...
    @property
    def tetrahedral_limit(self) -> bool:
        """
        Tetrahedral limit: true or false; default false.

        Further limits of the strain of tetrahedra: with a weak tetrahedral strain and a strong limit, a body is soft at first and stiff beyond the limit.

        A setting of projective-dynamics.
        """
    @tetrahedral_limit.setter
    def tetrahedral_limit(self, value: bool | str) -> None: ...
    @property
    def tetrahedral_limit_max(self) -> float:
        """
        Largest stretch: 1 to 3; default 1.1. Needs tetrahedral_limit.

        Largest stretch of a tetrahedron in any direction.

        A setting of projective-dynamics.
        """
    @tetrahedral_limit_max.setter
    def tetrahedral_limit_max(self, value: float | str) -> None: ...
    @property
    def tetrahedral_limit_min(self) -> float:
        """
        Least stretch: 0.01 to 1; default 0.9. Needs tetrahedral_limit.

        Least stretch of a tetrahedron in any direction.

        A setting of projective-dynamics.
        """
    @tetrahedral_limit_min.setter
    def tetrahedral_limit_min(self, value: float | str) -> None: ...
    @property
    def tetrahedral_limit_weight(self) -> float:
        """
        Weight [J/m³]: 0 to 1e9 J/m³; default 1000000. Needs tetrahedral_limit.

        Stiffness beyond the further limits, per volume.

        A setting of projective-dynamics.
        """
    @tetrahedral_limit_weight.setter
    def tetrahedral_limit_weight(self, value: float | str) -> None: ...
    @property
    def tetrahedral_max(self) -> float:
        """
        Largest stretch: 1 to 3; default 1. Needs tetrahedral_strain.

        Largest stretch of a tetrahedron in any direction; 1.1 allows 10 %.

        A setting of projective-dynamics.
        """
    @tetrahedral_max.setter
    def tetrahedral_max(self, value: float | str) -> None: ...
    @property
    def tetrahedral_min(self) -> float:
        """
        Least stretch: 0.01 to 1; default 1. Needs tetrahedral_strain.

        Least stretch of a tetrahedron in any direction; 1 allows no compression.

        A setting of projective-dynamics.
        """
    @tetrahedral_min.setter
    def tetrahedral_min(self, value: float | str) -> None: ...
    @property
    def tetrahedral_strain(self) -> bool:
        """
        Tetrahedral strain: true or false; default false.

        Strain limiting of the tetrahedra of bodies: free to stretch within the limits, stiff beyond. Inverted tetrahedra are turned back.

        A setting of projective-dynamics.
        """
    @tetrahedral_strain.setter
    def tetrahedral_strain(self, value: bool | str) -> None: ...
    @property
    def tetrahedral_weight(self) -> float:
        """
        Strain weight [J/m³]: 0 to 1e9 J/m³; default 100000. Needs tetrahedral_strain.

        Stiffness beyond the strain limits, per volume: jelly 10 kJ/m³, rubber 1 MJ/m³.

        A setting of projective-dynamics.
        """
    @tetrahedral_weight.setter
    def tetrahedral_weight(self, value: float | str) -> None: ...
    @property
    def theta(self) -> float:
        """
        Theta: 0.5 to 1; default 0.5.

        Point of the step at which forces balance: 1, its end, is implicit Euler; 0.5, its middle, is the midpoint rule, which conserves energy. With it, springs that are stiff for the step, or lift in wind, can gain energy without bound: θ from 0.55 to 0.7, damping or a shorter step prevents that.
        """
    @theta.setter
    def theta(self, value: float | str) -> None: ...
    @property
    def thickness(self) -> float:
        """
        Thickness [m]: 0.0001 to 0.1 m; default 0.008.

        Distance between cloth and colliders. If it is large enough, testing the vertices alone suffices.
        """
    @thickness.setter
    def thickness(self, value: float | str) -> None: ...
    @property
    def time_step(self) -> float:
        """
        Time step [s]: 0.0001 to 0.1 s; default 0.016666666666666666.

        Time between two states. Longer steps are cheaper, blur fast motion, and make explicit solvers unstable.
        """
    @time_step.setter
    def time_step(self, value: float | str) -> None: ...
    @property
    def title(self) -> str:
        """
        What the scene is called, what there is to see, the paper and figure it follows. Default: empty.
        """
    @title.setter
    def title(self, value: str) -> None: ...
    @property
    def tolerance(self) -> float:
        """
        Tolerance [m/m]: 1e-8 to 0.01 m/m; default 0.0001.

        Largest error of an adaptive substep, per metre of cloth. Smaller is more accurate and slower.
        """
    @tolerance.setter
    def tolerance(self, value: float | str) -> None: ...
    @property
    def triangle_strain(self) -> bool:
        """
        Triangle strain: true or false; default false.

        Strain limiting of triangles: free to stretch and shear within the limits, stiff beyond.

        A setting of projective-dynamics.
        """
    @triangle_strain.setter
    def triangle_strain(self, value: bool | str) -> None: ...
    @property
    def tuning(self) -> str:
        """
        Tuned by: stiffness, frequency; default stiffness.

        Tuning of the springs: the stiffness and damping of the cloth, or a frequency and a damping ratio.
        "stiffness": The stiffness and damping of the cloth.
        "frequency": A frequency and a damping ratio, whatever the masses.

        A setting of soft-constraints.
        """
    @tuning.setter
    def tuning(self, value: str) -> None: ...
    @property
    def velocity_filter(self) -> float:
        """
        Velocity filter [1/s]: 0 to 1000 1/s; default 0.

        Damping of all motion but the rigid one of each connected part, which keeps its momentum and angular momentum: other velocities decay at this rate, whatever the time step. 0 is off.

        A setting of projective-dynamics.
        """
    @velocity_filter.setter
    def velocity_filter(self, value: float | str) -> None: ...
    @property
    def vertex_mass(self) -> float:
        """
        Vertex mass [kg]: 1e-6 to 100 kg; default 0.1.

        Mass of every vertex. Heavier stretches the springs more and allows explicit solvers longer steps.
        """
    @vertex_mass.setter
    def vertex_mass(self, value: float | str) -> None: ...
    @property
    def volume(self) -> bool:
        """
        Volume: true or false; default false.

        Limits of the volume of tetrahedra; their shape may change.

        A setting of projective-dynamics.
        """
    @volume.setter
    def volume(self, value: bool | str) -> None: ...
    @property
    def volume_density(self) -> float:
        """
        Volume density [kg/m³]: 1 to 100000 kg/m³; default 1000.

        Mass of a cubic metre of a body: foam 30, wood 600, rubber 1100.
        """
    @volume_density.setter
    def volume_density(self, value: float | str) -> None: ...
    @property
    def volume_max(self) -> float:
        """
        Largest volume: 1 to 3; default 1. Needs volume.

        Largest volume relative to that at rest.

        A setting of projective-dynamics.
        """
    @volume_max.setter
    def volume_max(self, value: float | str) -> None: ...
    @property
    def volume_min(self) -> float:
        """
        Least volume: 0.01 to 1; default 1. Needs volume.

        Least volume relative to that at rest.

        A setting of projective-dynamics.
        """
    @volume_min.setter
    def volume_min(self, value: float | str) -> None: ...
    @property
    def volume_weight(self) -> float:
        """
        Volume weight [J/m³]: 0 to 1e9 J/m³; default 100000. Needs volume.

        Stiffness beyond the volume limits, per volume.

        A setting of projective-dynamics.
        """
    @volume_weight.setter
    def volume_weight(self, value: float | str) -> None: ...
    @property
    def warm_start(self) -> bool:
        """
        Warm start: true or false; default true.

        Start from the impulses of the last step: a cloth at rest needs far fewer sweeps.

        A setting of soft-constraints.
        """
    @warm_start.setter
    def warm_start(self, value: bool | str) -> None: ...
    @property
    def weft_max(self) -> float:
        """
        Largest, weft: 1 to 3; default 1. Needs anisotropic.

        Largest stretch along the weft.

        A setting of projective-dynamics.
        """
    @weft_max.setter
    def weft_max(self, value: float | str) -> None: ...
    @property
    def weft_min(self) -> float:
        """
        Least, weft: 0 to 1; default 1. Needs anisotropic.

        Least stretch along the weft.

        A setting of projective-dynamics.
        """
    @weft_min.setter
    def weft_min(self, value: float | str) -> None: ...
    @property
    def weft_ratio(self) -> float:
        """
        Weft / warp: 0.001 to 1000; default 1.

        Stiffness along the weft relative to that along the warp, of a membrane of triangles. The warp runs upward, or as the grain of the piece says.
        """
    @weft_ratio.setter
    def weft_ratio(self, value: float | str) -> None: ...
    @property
    def weld(self) -> float:
        """
        Weld: 0 to 0.01; default 1e-6.

        Vertices closer than this share of the mesh's diagonal become one. With 0 all stay apart, so that slits stay open.
        """
    @weld.setter
    def weld(self, value: float | str) -> None: ...
    @property
    def width(self) -> float:
        """
        Width [m]: 0.05 to 20 m; default 1.

        Width of the cloth.
        """
    @width.setter
    def width(self, value: float | str) -> None: ...
    @property
    def wind_azimuth(self) -> float:
        """
        Direction [rad]: -3.2000 to 3.2000 rad; default 0.

        Direction of the wind, seen from above: 0 is +x (right), a quarter turn is −z (away from the camera).
        """
    @wind_azimuth.setter
    def wind_azimuth(self, value: float | str) -> None: ...
    @property
    def wind_elevation(self) -> float:
        """
        Rise [rad]: -1.6000 to 1.6000 rad; default 0.

        Angle of the wind above the horizontal.
        """
    @wind_elevation.setter
    def wind_elevation(self, value: float | str) -> None: ...
    @property
    def wind_seed(self) -> int:
        """
        Seed: the whole numbers 0 to 9999; default 1.

        Seed of the gusts: the same number gives the same wind.
        """
    @wind_seed.setter
    def wind_seed(self, value: int | str) -> None: ...
    @property
    def wind_speed(self) -> float:
        """
        Wind speed [m/s]: 0 to 1000 m/s; default 5.

        Mean speed of the wind.
        """
    @wind_speed.setter
    def wind_speed(self, value: float | str) -> None: ...
    @property
    def words(self) -> typing.Any:
        """
        Further words by which the searches of the window and the gallery find it: `["game", "character"]`. Default: `[]`.
        """
    @words.setter
    def words(self, value: typing.Any) -> None: ...
    @property
    def work_limit(self) -> float:
        """
        Work limit per step [million spring updates]: 0.01 to 1000000 million spring updates; default 1000.

        Largest work of one step; a million spring updates take some 3 to 8 ms. An iterative solver that reaches it ends the step with its last iterate and reports that.
        """
    @work_limit.setter
    def work_limit(self, value: float | str) -> None: ...

@final
class Simulation:
    """
    A cloth in its world that is stepped by a solver, with the same bits as `weft run`.

    `scene` is a Scene, or the name or file of one; `solver` is another solver than that of the
    scene, by its id.

    Calls from several threads wait for each other; the lock of the interpreter is released in steps
    and commands. Ctrl+C ends a call within 0.1 s and leaves the state after the last whole step.

    Raises InputError if the scene cannot be used.
    """
    def __new__(cls, /, scene: Scene | str | os.PathLike[str], solver: str | None = None) -> Simulation: ...
    def __repr__(self, /) -> str: ...
    def command(self, name: str, /, **fields: typing.Any) -> None:
        """
        Executes a command of `weft run --commands` by its name and fields, as
        `command("move_collider", collider=0, position=[0, 1, 0], rotation=[0, 0, 0])`.

        Raises InputError if there is no such command, or it cannot be executed; it then changes
        nothing.
        """
    @property
    def energies(self, /) -> dict[str, Any]:
        """
        Energies of the cloth [J]: kinetic, elastic, potential (zero at height zero) and total. Elastic
        and total are None if the solver states no elastic energy.
        """
    @property
    def fingerprint(self, /) -> int:
        """
        A hash of all positions and velocities, the same as that in recordings of `weft run --record`.
        """
    def get(self, /, key: str) -> float | str | bool:
        """
        The value of a parameter or of a setting of the solver.

        Raises InputError for an unknown key.
        """
    def grab(self, /, vertex: SupportsIndex, target: SupportsLenAndGetItem[SupportsFloat | SupportsIndex]) -> None:
        """
        Takes a vertex into the hand, or moves the hand that has it: the vertex follows in the next
        steps to `target` [m], three numbers. Another vertex leaves the hand.

        Raises InputError if the vertex does not exist, or the target is not finite.
        """
    def intersections(self, /, colliders: bool = False) -> NDArray[uint32]:
        """
        Pairs of triangles of the cloth that intersect, exactly; touching counts. An array of shape
        (k, 2). With `colliders`, triangles that intersect a collider of triangles, each with the number
        of that: floor and table first, as far as they are there, then the colliders of the scene.
        """
    @staticmethod
    def load(file: str | os.PathLike[str]) -> Simulation:
        """
        The simulation of a snapshot, a file that `save` or `weft run --snapshot` has written. It goes
        on with the same bits.

        Raises InputError if the file cannot be used.
        """
    def measure(self, /, name: str) -> float | None:
        """
        A quantity of the present state and its last step, by a name of `weft.quantities()`, in SI
        units, shares as numbers; None if it is not known.

        Raises InputError for an unknown name.
        """
    def move_handle(self, /, handle: SupportsIndex, offset: SupportsLenAndGetItem[SupportsFloat | SupportsIndex], piece: SupportsIndex = 0) -> None:
        """
        Moves the vertices of a handle of the scene to an `offset` [m], three numbers, from where they
        start. Several handles can be moved between two steps. Pieces and handles are counted from 0.

        Raises InputError if there is no such handle, or the offset is not finite.
        """
    @property
    def notes(self, /) -> list[str]:
        """
        What the files of the scene left out, joined or divided, and which vertices start inside
        something.
        """
    def pin(self, /, vertices: int | typing.Sequence[int] | numpy.typing.NDArray[numpy.integer[typing.Any]]) -> None:
        """
        Pins a vertex, or several, where they are.

        Raises InputError if a vertex does not exist; then none is pinned.
        """
    @property
    def pinned(self, /) -> list[int]:
        """
        Numbers of the pinned vertices.
        """
    @property
    def positions(self, /) -> NDArray[float64]:
        """
        Positions of the vertices [m], an array of shape (n, 3): a copy.
        """
    def release(self, /) -> None:
        """
        Opens the hand.
        """
    def restore(self, /, state: State) -> None:
        """
        Continues from a state of this or of another simulation, with its solver and parameters, and
        with the same bits. A failure is left behind.
        """
    def save(self, /, file: str | os.PathLike[str]) -> None:
        """
        Writes a snapshot, for `Simulation.load` and `weft run --from`.

        Raises OSError if the file cannot be written; it is then as it was.
        """
    @property
    def scene(self, /) -> Scene:
        """
        The scene with the parameters as they are now: a copy.
        """
    def set(self, /, key: str, value: float | str | bool) -> None:
        """
        Sets a parameter or a setting of the solver, which takes effect at the next step; a key of the
        cloth's shape starts it again.

        Raises InputError for an unknown key, or a value that it does not take.
        """
    @property
    def solver(self, /) -> str:
        """
        Id of the solver. Another one goes on from the same state.

        Raises InputError when it is set to an id that does not exist.
        """
    @solver.setter
    def solver(self, /, id: str) -> None: ...
    def state(self, /) -> State:
        """
        The present state, for `restore`.
        """
    @property
    def stats(self, /) -> dict[str, Any]:
        """
        Statistics of the last step, with its times by stage [s].
        """
    def step(self, /, count: SupportsIndex = 1) -> None:
        """
        Takes `count` time steps. While time is stopped (command "pause") they pass without a change.

        Raises StepError if a step fails: the simulation then has the state before it, and raises the
        same until `restore`, another solver, or the commands "mend", "restore" or "reset".
        """
    @property
    def steps(self, /) -> int:
        """
        Number of steps since time zero.
        """
    @property
    def time(self, /) -> float:
        """
        Simulated time [s].
        """
    @property
    def triangles(self, /) -> NDArray[uint32]:
        """
        Numbers of the vertices of each triangle, an array of shape (m, 3): a copy.
        """
    def unpin(self, /, vertices: int | typing.Sequence[int] | numpy.typing.NDArray[numpy.integer[typing.Any]]) -> None:
        """
        Lets a pinned vertex go, or several.

        Raises InputError if a vertex does not exist; then none is let go.
        """
    @property
    def velocities(self, /) -> NDArray[float64]:
        """
        Velocities of the vertices [m/s], an array of shape (n, 3): a copy.
        """

@final
class State:
    """
    State of a simulation, with its solver and parameters, for `Simulation.restore`.
    """
    def __repr__(self, /) -> str: ...
    @property
    def positions(self, /) -> NDArray[float64]:
        """
        Positions of the vertices [m], an array of shape (n, 3): a copy.
        """
    @property
    def steps(self, /) -> int:
        """
        Number of steps since time zero.
        """
    @property
    def time(self, /) -> float:
        """
        Simulated time [s].
        """
    @property
    def velocities(self, /) -> NDArray[float64]:
        """
        Velocities of the vertices [m/s], an array of shape (n, 3): a copy.
        """

def advise(scene: Scene, budget: SupportsFloat | SupportsIndex = ..., profile: str = "game", weights: typing.Mapping[str, float] | None = None, seconds: SupportsFloat | SupportsIndex = 75.0) -> dict[str, Any]:
    """
    Which solver to take for a scene, measured on this machine, as `weft advise` tells it.

    `budget` is the most time per frame, which is one time step [ms]; `profile` what matters: game, film,
    robotics or teaching; `weights` other weights or limits of it; `seconds` the time for all measurements,
    about.

    Returns a dictionary: rows, the candidates as a dictionary of columns, "sentences", the advice in
    words, and "take", the number of the row to take, or None.

    Raises InputError for bad arguments, StepError if there is nothing to compare with.
    """

def fabrics() -> list[dict[str, Any]]:
    """
    The fabrics, a dictionary each: id, name, source, area density [kg/m²], stiffness to stretch and to
    shear [N/m], bending stiffness [N·m], each with the share of the weft, damping [N·s/m] and friction.
    """

def quantities() -> list[dict[str, Any]]:
    """
    The quantities that `Simulation.measure` takes, a dictionary each: key, label and unit, "%" for a
    share, which is measured as a number.
    """

def scenes() -> list[dict[str, Any]]:
    """
    The scenes that come with Weft, a dictionary each: name, title, source, solver and summary.
    """

def solvers() -> list[dict[str, Any]]:
    """
    The solvers, a dictionary each: id, name, group, source, order of convergence, stability, summary
    and the laws of contact that it breaks.
    """

def sweep(scene: Scene, vary: typing.Mapping[str, str | typing.Sequence[float | str | bool]], steps: SupportsIndex | None = None, seconds: SupportsFloat | SupportsIndex | None = None, measures: typing.Sequence[str] = ..., threads: SupportsIndex | None = None) -> dict[str, Any]:
    """
    Runs a scene with every combination of values of parameters, on all cores.

    `vary` has for each parameter, or for "solver", "fabric" or "mesh", a list of values, or a text as
    `weft sweep --vary` takes it, like "0.001:0.03:log:20". Each run takes `steps` time steps or, so that
    runs with different time steps end at the same time, `seconds` of simulated time. `measures` are those
    of `weft sweep`; `threads` is the number of runs at a time, by default one per core.

    Returns a dictionary of columns: parameters, measures (of the last good state; None where there is
    no such number) and status, "ok" or what went wrong.

    Raises InputError for a name or value that does not exist, before anything is run.
    """

def textile(fabric: str | typing.Sequence[str] = ..., test: str | typing.Sequence[str] | None = None, solver: str = "implicit-euler", cut: str = "grid", starts: SupportsIndex = 5, cell: SupportsFloat | SupportsIndex | None = None, defaults: bool = False, set: typing.Mapping[str, float | str | bool] | None = None) -> dict[str, Any]:
    """
    Measures fabrics in the textile laboratory, as `weft textile` does.

    `fabric` is one id, several, or "all"; `test` the ids of tests, by default all, but of the sizes of
    drapes only the first; `cut` is "grid" or "irregular"; `starts` the number of drapes that start a
    little differently; `cell` the distance of neighbouring vertices of a drape [mm]; with `defaults`
    the solver keeps its default settings; `set` changes parameters of the fabric.

    Returns a dictionary of columns: fabric, test, unit, value, spread, nodes, set (the value that the
    fabric was given), published and verdict.

    Raises InputError for a name or value that does not exist.
    """

class InputError(ValueError):
    """A value, name or file that cannot be used: what, where, and what to do."""

class StepError(RuntimeError):
    """A step that failed. The simulation has the state before that step."""

class UnusableError(RuntimeError):
    """A simulation that cannot be used, or not now."""
