//! Entries of the rows that the kernels read, `Entry` of `shaders/gpu/step.wgsl`.

/// Vertex, stiffness [N/m], rest length [m], linear coefficient [N/m]; the last three as bits. A
/// corner of a triangle takes [two](super::triangles::Triangles::entries).
pub type Entry = [u32; 4];

/// Stiffness of an entry of isometric bending.
pub const BENDING: f32 = -1.0;

/// An entry of these.
#[must_use]
pub fn entry(other: u32, stiffness: f32, rest: f32, linear: f32) -> Entry {
    [other, stiffness.to_bits(), rest.to_bits(), linear.to_bits()]
}
