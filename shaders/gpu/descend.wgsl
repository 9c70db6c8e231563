@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read_write> forces: array<vec4<f32>>;

@compute @workgroup_size(64)
fn collect(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x >= level.coarse.x * level.coarse.y {
        return;
    }
    let center = 4 * vec2<i32>(i32(at.x % level.coarse.x), i32(at.x / level.coarse.x));
    let low = max(center - 3, vec2<i32>(0));
    let high = min(center + 3, vec2<i32>(level.fine.xy) - 1);
    var sum = vec4<f32>(0.0);
    for (var row = low.y; row <= high.y; row++) {
        var across = vec4<f32>(0.0);
        for (var column = low.x; column <= high.x; column++) {
            across += weight(column - center.x) * forces[level.fine.z + u32(row) * level.fine.x + u32(column)];
        }
        sum += weight(row - center.y) * across;
    }
    forces[level.coarse.z + at.x] = sum;
}

@compute @workgroup_size(64)
fn combine(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x >= level.coarse.x * level.coarse.y {
        return;
    }
    let own = forces[level.coarse.z + at.x];
    var correction = own.xyz / (bitcast<f32>(level.coarse.w) + own.w);
    if level.next.x > 0u {
        let place = vec2<u32>(at.x % level.coarse.x, at.x / level.coarse.x);
        correction += interpolated(place, level.next);
    }
    forces[level.coarse.z + at.x] = vec4<f32>(correction, own.w);
}
