// The springs of a vertex from rows of entries: meshes, torn cloth, cloth of several makeups, isometric bending.

@group(0) @binding(7) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read> entries: array<Entry>;

// From the first to behind the last.
fn springs_of(i: u32) -> vec2<u32> {
    return vec2<u32>(starts[2u * i], starts[2u * i + 1u]);
}

// Likewise of the corners of triangles, two entries each.
fn corners_of(i: u32) -> vec2<u32> {
    return vec2<u32>(starts[2u * i + 1u], starts[2u * i + 2u]);
}

fn spring_at(i: u32, e: u32) -> Entry {
    return entries[e];
}
