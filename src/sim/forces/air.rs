//! Drag and lift (SMS section 3, equations 5 and 6; `physics.md` section 6), per vertex as in the
//! paper. Per triangle, see [`triangle_air`](super::triangle_air).

use crate::sim::exec::pool::ThreadPool;
use crate::sim::params::{Kind, linear, logarithmic};
use crate::sim::{Cloth, Pattern, Real, Vec3};

crate::choices! {
    /// Air around the cloth.
    pub enum AirMode {
        /// No air: only the damping of the springs slows the cloth.
        Vacuum = "vacuum",
        /// Still air: drag and lift act on the cloth's own motion.
        Still = "still",
        /// Wind: drag and lift act on the motion relative to the moving air.
        Wind = "wind",
    }
}

crate::choices! {
    /// Elements that drag and lift act on.
    pub enum AirModel {
        /// Every vertex, with coefficients per vertex, as in the paper: the force grows with the
        /// number of vertices.
        PerVertex = "per_vertex",
        /// Every triangle, by its area, the density of the air and dimensionless coefficients:
        /// independent of the mesh.
        PerTriangle = "per_triangle",
    }
}

const fn needs_air(air: &Air) -> Option<&'static str> {
    if matches!(air.air, AirMode::Vacuum) { Some("there is no air") } else { None }
}

const fn needs_vertices(air: &Air) -> Option<&'static str> {
    match air.air_model {
        AirModel::PerVertex => needs_air(air),
        AirModel::PerTriangle => Some("the air model is per triangle"),
    }
}

const fn needs_triangles(air: &Air) -> Option<&'static str> {
    match air.air_model {
        AirModel::PerVertex => Some("the air model is per vertex"),
        AirModel::PerTriangle => needs_air(air),
    }
}

const fn needs_wind(air: &Air) -> Option<&'static str> {
    if matches!(air.air, AirMode::Wind) { None } else { Some("the wind is off") }
}

crate::parameters! {
    /// The air and the wind.
    pub struct Air {
        /// Air: none, still, or wind.
        pub air: AirMode = AirMode::Vacuum, "Air", "", AirMode::KIND;
        /// Elements that drag and lift act on: vertices, as in the paper, or triangles by their
        /// area, independent of the mesh.
        pub air_model: AirModel = AirModel::PerVertex, "Air model", "", AirModel::KIND, idle needs_air;
        /// Drag coefficient K_D of a vertex: force against the motion, largest where the cloth
        /// faces it. Higher falls slower.
        pub drag: Real = 4e-4, "Vertex drag", "N·s²/m²", logarithmic(0.0, 10.0), idle needs_vertices;
        /// Lift coefficient K_L of a vertex: force across the motion; it makes a flag flutter.
        pub lift: Real = 2e-4, "Vertex lift", "N·s²/m²", logarithmic(0.0, 10.0), idle needs_vertices;
        /// Linear drag c of every vertex, whatever its shape: a force -c v against its motion through
        /// the air, or in a vacuum against all motion, as in a dense fluid (Kang, section 1.6).
        pub linear_drag: Real = 0.0, "Linear drag", "N·s/m", logarithmic(0.0, 1000.0);
        /// Density of the fluid around the cloth: air 1.2, water 1000.
        pub air_density: Real = 1.2, "Density", "kg/m³", logarithmic(0.0, 2000.0), idle needs_triangles;
        /// Drag coefficient of a triangle that faces the motion; a flat plate has 1.2. A flat sheet
        /// of the area density σ falls at √(2 σ g/(ρ C)).
        pub drag_coefficient: Real = 1.2, "Drag", "", logarithmic(0.0, 10.0), idle needs_triangles;
        /// Lift coefficient of a triangle: force across the motion; it makes a flag flutter.
        pub lift_coefficient: Real = 0.6, "Lift", "", logarithmic(0.0, 10.0), idle needs_triangles;
        /// Mean speed of the wind.
        pub wind_speed: Real = 5.0, "Wind speed", "m/s", logarithmic(0.0, 1000.0), idle needs_wind;
        /// Direction of the wind, seen from above: 0 is +x (right), a quarter turn is −z (away from
        /// the camera).
        pub wind_azimuth: Real = 0.0, "Direction", "rad", Kind::Angle { min: -3.2, max: 3.2 }, idle needs_wind;
        /// Angle of the wind above the horizontal.
        pub wind_elevation: Real = 0.0, "Rise", "rad", Kind::Angle { min: -1.6, max: 1.6 }, idle needs_wind;
        /// Strength of the gusts: change of speed and direction, relative to the mean speed.
        pub gust: Real = 0.4, "Gusts", "", linear(0.0, 1.0), idle needs_wind;
        /// Size of the gusts; they travel with the wind.
        pub gust_length: Real = 1.5, "Gust size", "m", logarithmic(0.1, 20.0), idle needs_wind;
        /// Seed of the gusts: the same number gives the same wind.
        pub wind_seed: u32 = 1, "Seed", "", Kind::Integer { min: 0, max: 9999 }, idle needs_wind;
    }
}

impl Air {
    /// Whether there is a force on what moves.
    #[must_use]
    pub fn acts(&self) -> bool {
        self.air != AirMode::Vacuum || self.linear_drag > 0.0
    }

    /// Velocity at which the drag on a level sheet, by its area, carries its weight,
    /// `√(2 σ g/(ρ C))` [m/s], for a mass per area [kg/m²] and gravity [m/s²].
    #[must_use]
    pub fn terminal_velocity(&self, area_density: Real, gravity: Real) -> Real {
        (2.0 * area_density * gravity / (self.air_density * self.drag_coefficient)).sqrt()
    }
}

/// Drag [N] on a vertex that moves with `velocity` [m/s] relative to the air, with unit normal
/// `normal` and drag coefficient `k_drag` [N·s²/m²] (SMS equation 5). Zero at rest.
#[must_use]
pub fn drag(velocity: Vec3, normal: Vec3, k_drag: Real) -> Vec3 {
    let speed = velocity.length();
    if speed > 0.0 { velocity * (-k_drag * normal.dot(velocity / speed).abs() * speed) } else { Vec3::ZERO }
}

/// Linear drag [N] on a vertex of mass `mass` [kg], `-c v` (Kang, section 1.6), but no more than
/// stops it in a step of `dt` [s].
#[must_use]
pub fn linear_drag(velocity: Vec3, c: Real, mass: Real, dt: Real) -> Vec3 {
    velocity * -c.min(mass / dt)
}

/// Lift [N], arguments as for [`drag`] (SMS equation 6). Zero at rest and when the velocity lies in
/// the surface, where the side is undefined.
#[must_use]
pub fn lift(velocity: Vec3, normal: Vec3, k_lift: Real) -> Vec3 {
    let speed = velocity.length();
    if speed <= 0.0 {
        return Vec3::ZERO;
    }
    let v_hat = velocity / speed;
    let sine = normal.dot(v_hat);
    if sine == 0.0 {
        return Vec3::ZERO;
    }
    let facing = if sine > 0.0 { normal } else { -normal };
    let across = facing.cross(v_hat).cross(v_hat);
    let cosine = (1.0 - sine * sine).max(0.0).sqrt();
    across * (k_lift * cosine * speed * speed)
}

/// Writes the unit normal of each vertex to `out`: the area-weighted mean over its triangles, zero
/// where that has no direction.
pub fn vertex_normals(pattern: &Pattern, positions: &[Vec3], out: &mut Vec<Vec3>) {
    out.clear();
    out.resize(positions.len(), Vec3::ZERO);
    for triangle in pattern.triangles() {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        let twice_area = (b - a).cross(c - a);
        for &vertex in triangle {
            out[vertex as usize] += twice_area;
        }
    }
    out.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
}

/// Adds drag and lift [N] of every vertex to `external`, given the normal of each vertex and the
/// wind [m/s] there.
///
/// The air is evaluated once per step of `dt` [s], so each of the two forces is limited to the one
/// that would use up the whole relative velocity within the step: air can stop a vertex, never
/// throw it back. Below that the model is unchanged.
pub fn add_air(
    air: &Air,
    cloth: &Cloth,
    normals: &[Vec3],
    wind: &[Vec3],
    dt: Real,
    external: &mut [Vec3],
    pool: &ThreadPool,
) {
    pool.update(external, 512, |i, force| {
        let relative = cloth.velocities[i] - wind[i];
        let limit = cloth.masses[i] * relative.length() / dt;
        *force += drag(relative, normals[i], air.drag).clamp_length_max(limit);
        *force += lift(relative, normals[i], air.lift).clamp_length_max(limit);
    });
}
