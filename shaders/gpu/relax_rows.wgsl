// The springs, bending and triangles of a vertex, from rows of entries.

fn add_springs(block: ptr<function, Block>, i: u32, here: vec3<f32>, u: vec3<f32>) {
    let springs = springs_of(i);
    for (var e = springs.x; e < springs.y; e++) {
        let entry = entries[e];
        if entry.stiffness < 0.0 {
            let apart = u - now[entry.neighbour].xyz;
            (*block).pull.force -= entry.linear * apart;
            (*block).pull.energy += 0.5 * entry.linear * dot(apart, apart);
            (*block).diagonal += entry.linear;
            continue;
        }
        add_spring(block, here, u, entry.neighbour, vec4<f32>(entry.stiffness, entry.rest, entry.linear, 0.0));
    }
}

// The triangles of a vertex. Of their second derivative (Smith et al. 2019) what is negative is left out: where they are compressed and could give way sideways.

// Values that differ by less than this share of both are as good as equal.
const EQUAL: f32 = 1e-3;

fn add_triangles(block: ptr<function, Block>, i: u32, u: vec3<f32>) {
    let corners = corners_of(i);
    for (var e = corners.x; e < corners.y; e += 2u) {
        let corner = corner_at(i, e);
        let stretch = stretch_of(corner, u);
        let pull = of_stretch(corner.weight, stretch);
        (*block).pull.force += pull.force;
        // of a triangle each vertex has a third
        (*block).pull.energy += 3.0 * pull.energy;
        // along both directions, turning one towards the other in both ways, and out of the plane
        let acting = select(vec2<f32>(0.0), vec2<f32>(1.0), stretch.excess != vec2<f32>(0.0));
        let sum = stretch.values.x + stretch.values.y;
        let difference = stretch.values.x - stretch.values.y;
        let twist = select(1.0, max(stretch.excess.x + stretch.excess.y, 0.0) / sum, sum > 0.0);
        let flip = select(
            max(acting.x, acting.y),
            max(stretch.excess.x - stretch.excess.y, 0.0) / difference,
            difference > EQUAL * sum,
        );
        let out = select(vec2<f32>(0.0), max(stretch.excess, vec2<f32>(0.0)) / stretch.values, stretch.values > vec2<f32>(0.0));
        let squares = corner.weight * stretch.own * stretch.own;
        let turning = 0.5 * (flip + twist) * squares.yx;
        add_outer(block, acting.x * squares.x + turning.x, stretch.first);
        add_outer(block, acting.y * squares.y + turning.y, stretch.second);
        add_outer(block, dot(out, squares), cross(stretch.first, stretch.second));
        let both = 0.5 * (flip - twist) * corner.weight * stretch.own.x * stretch.own.y;
        (*block).diagonal += 2.0 * both * stretch.first * stretch.second;
        (*block).mixed += both * (stretch.first.yxx * stretch.second.zzy + stretch.second.yxx * stretch.first.zzy);
    }
}
