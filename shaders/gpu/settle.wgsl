// The safeguard: the state with the lowest energy is kept, and put back where the energy has grown.

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<storage, read> parts: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> control: Control;
@group(0) @binding(4) var<storage, read_write> now: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> before: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> best: array<vec4<f32>>;

@compute @workgroup_size(256)
fn judge(@builtin(local_invocation_index) thread: u32) {
    var sum = vec4<f32>(0.0);
    for (var part = thread; part < cloth.groups; part += 256u) {
        sum = joined(sum, parts[part]);
    }
    let all = sum_of_group(sum, thread);
    if thread > 0u {
        return;
    }
    let energy = all.x;
    if iteration.judged == 2u {
        control.best = energy;
        return;
    }
    control.energy = energy;
    control.scale = all.y;
    control.correction = sqrt(all.z);
    // the comparison fails where the energy is not a number
    let holds = energy <= control.best + iteration.tolerance * control.scale;
    control.back = select(1u, 0u, holds);
    if holds {
        control.best = min(control.best, energy);
    } else if iteration.judged == 0u {
        control.times += 1u;
        control.gap = min(4.0 * control.gap, 0.5);
        // plain iterations stay plain
        control.first = select(iteration.index + iteration.calm, control.first, control.first == 0xffffffffu);
    }
}

@compute @workgroup_size(256)
fn settle(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    if control.back == 1u {
        now[i] = best[i];
        before[i] = best[i];
    } else {
        best[i] = now[i];
    }
}
