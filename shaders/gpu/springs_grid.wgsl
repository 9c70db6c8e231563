// The springs of a vertex of a whole grid, one at a time. One that would lead beyond the border leads nowhere and has no stiffness.

fn springs_of(i: u32) -> vec2<u32> {
    return vec2<u32>(0u, 12u);
}

fn spring_at(i: u32, e: u32) -> Entry {
    // right, down, family
    var steps = array<vec3<i32>, 6>(
        vec3<i32>(1, 0, 0),
        vec3<i32>(0, 1, 1),
        vec3<i32>(1, 1, 2),
        vec3<i32>(1, -1, 2),
        vec3<i32>(2, 0, 3),
        vec3<i32>(0, 2, 4),
    );
    let step = steps[e / 2u];
    let way = select(-step.xy, step.xy, e % 2u == 0u);
    let to = vec2<i32>(i32(i % cloth.columns), i32(i / cloth.columns)) + way;
    if to.x < 0 || to.y < 0 || to.x >= i32(cloth.columns) || to.y >= i32(cloth.rows) {
        return Entry(i, 0.0, 0.0, 0.0);
    }
    let spring = cloth.springs[step.z];
    return Entry(u32(to.y) * cloth.columns + u32(to.x), spring.x, spring.y, spring.z);
}
