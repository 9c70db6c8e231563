// The springs of a vertex of a whole grid, written out, so that all neighbours are read at the same time.

fn add_way(block: ptr<function, Block>, at: vec2<i32>, here: vec3<f32>, u: vec3<f32>, way: vec2<i32>, spring: vec4<f32>) {
    let to = at + way;
    let is_there = to.x >= 0 && to.y >= 0 && to.x < i32(cloth.columns) && to.y < i32(cloth.rows);
    // one that would lead beyond the border leads nowhere and has no stiffness
    let end = select(at, to, is_there);
    add_spring(block, here, u, u32(end.y) * cloth.columns + u32(end.x), select(vec4<f32>(0.0), spring, is_there));
}

fn add_springs(block: ptr<function, Block>, i: u32, here: vec3<f32>, u: vec3<f32>) {
    let at = vec2<i32>(i32(i % cloth.columns), i32(i / cloth.columns));
    add_way(block, at, here, u, vec2<i32>(1, 0), cloth.springs[0]);
    add_way(block, at, here, u, vec2<i32>(-1, 0), cloth.springs[0]);
    add_way(block, at, here, u, vec2<i32>(0, 1), cloth.springs[1]);
    add_way(block, at, here, u, vec2<i32>(0, -1), cloth.springs[1]);
    add_way(block, at, here, u, vec2<i32>(1, 1), cloth.springs[2]);
    add_way(block, at, here, u, vec2<i32>(-1, -1), cloth.springs[2]);
    add_way(block, at, here, u, vec2<i32>(1, -1), cloth.springs[2]);
    add_way(block, at, here, u, vec2<i32>(-1, 1), cloth.springs[2]);
    add_way(block, at, here, u, vec2<i32>(2, 0), cloth.springs[3]);
    add_way(block, at, here, u, vec2<i32>(-2, 0), cloth.springs[3]);
    add_way(block, at, here, u, vec2<i32>(0, 2), cloth.springs[4]);
    add_way(block, at, here, u, vec2<i32>(0, -2), cloth.springs[4]);
}

// Cloth with triangles that keep their shape is no grid to the kernels.
fn add_triangles(block: ptr<function, Block>, i: u32, u: vec3<f32>) {}
