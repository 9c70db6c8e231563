// The correction of the coarse levels at a vertex, by lists.

@group(0) @binding(7) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read> parents: array<vec2<u32>>;

fn of_levels(i: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    for (var e = starts[i]; e < starts[i + 1u]; e++) {
        sum += bitcast<f32>(parents[e].y) * forces[parents[e].x].xyz;
    }
    return sum;
}
