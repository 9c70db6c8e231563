// The correction of the coarse levels at a vertex of a grid.

@group(0) @binding(9) var<uniform> level: Level;

fn of_levels(i: u32) -> vec3<f32> {
    return interpolated(vec2<u32>(i % level.fine.x, i / level.fine.x), level.coarse);
}
