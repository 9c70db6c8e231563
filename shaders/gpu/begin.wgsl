// The beginning of a step, vertex by vertex: the part of the forces that iterations do not change, and two states to start from.

@group(0) @binding(0) var<uniform> cloth: Cloth;
// By vertex: what single precision has left of the target [m] and m/h² [N/m]; the second state to start from [m] and the first of its contacts, from 1, or 0;
// where springs are damped, the way from where the vertex was to ŷ [m]; the first state to start from [m], if that is not what is left.
@group(0) @binding(1) var<storage, read> given: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> constants: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> first: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> second: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> best: array<vec4<f32>>;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    let own = i * cloth.given.x;
    let left = given[own];
    let other = given[own + 1u];
    var pull = vec3<f32>(0.0);
    let springs = springs_of(i);
    for (var e = springs.x; e < springs.y; e++) {
        let spring = spring_at(i, e);
        if spring.stiffness < 0.0 {
            pull -= spring.linear * (places[i].xyz - places[spring.neighbour].xyz);
        } else if cloth.given.y > 0u {
            let moved = given[own + cloth.given.y].xyz - given[spring.neighbour * cloth.given.x + cloth.given.y].xyz;
            pull -= spring.linear * moved;
        }
    }
    constants[i] = vec4<f32>(left.w * left.xyz + pull, left.w);
    // without an entry of its own, at 0, it is what is left of the target
    let start = vec4<f32>(given[own + cloth.given.z].xyz, other.w);
    first[i] = start;
    best[i] = start;
    second[i] = other;
}
