// Triangles that keep their shape within limits: what those of a vertex do, from its corners in the rows (`gpu/triangles.rs` on the host).

// Below this share of the larger singular value the smaller one is rounding.
const LOST: f32 = 1e-6;

// A corner of a triangle, and the three vertices in the order of the triangle.
struct Corner {
    vertices: vec3<u32>,
    // Which of them is the own one.
    place: u32,
    // [J]
    weight: f32,
    // Of the second and the third vertex in the columns of the deformation gradient [1/m].
    second: vec2<f32>,
    third: vec2<f32>,
}

fn corner_at(i: u32, e: u32) -> Corner {
    let one = entries[e];
    let other = entries[e + 1u];
    let place = u32(other.stiffness);
    // after the own vertex and before it, around the triangle
    let after = one.neighbour;
    let before = other.neighbour;
    var vertices = vec3<u32>(i, after, before);
    if place == 1u {
        vertices = vec3<u32>(before, i, after);
    } else if place == 2u {
        vertices = vec3<u32>(after, before, i);
    }
    return Corner(vertices, place, one.stiffness, vec2<f32>(one.rest, one.linear), vec2<f32>(other.rest, other.linear));
}

// The coefficients of the own vertex.
fn own_coefficients(corner: Corner) -> vec2<f32> {
    var own = -(corner.second + corner.third);
    if corner.place == 1u {
        own = corner.second;
    } else if corner.place == 2u {
        own = corner.third;
    }
    return own;
}

// From one vertex of the triangle to another, with the own one at `u`.
fn side(corner: Corner, start: u32, end: u32, u: vec3<f32>) -> vec3<f32> {
    let i = corner.vertices[start];
    let j = corner.vertices[end];
    let moved = select(now[j].xyz, u, end == corner.place) - select(now[i].xyz, u, start == corner.place);
    return (places[j].xyz - places[i].xyz) + moved;
}

// A unit vector across a unit vector.
fn across(u: vec3<f32>) -> vec3<f32> {
    let other = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), abs(u.x) > 0.6);
    return normalize(cross(u, other));
}

// The singular value decomposition of a deformation gradient, the larger value first.
struct Stretch {
    values: vec2<f32>,
    // What they have beyond the range.
    excess: vec2<f32>,
    // Unit vectors in space,
    first: vec3<f32>,
    second: vec3<f32>,
    // and by how much each of the gradient grows where the own vertex moves along one [1/m].
    own: vec2<f32>,
}

// With the own vertex at `u`. Where all are where they are now, those of a triangle compute the same, to the bit: so their forces cancel but for the last digit.
fn stretch_of(corner: Corner, u: vec3<f32>) -> Stretch {
    let ab = side(corner, 0u, 1u, u);
    let ac = side(corner, 0u, 2u, u);
    let f = corner.second.x * ab + corner.third.x * ac;
    let g = corner.second.y * ab + corner.third.y * ac;
    // a rotation of the two columns that makes them perpendicular
    let difference = dot(g, g) - dot(f, f);
    let twice = 2.0 * dot(f, g);
    let size = abs(difference) + length(vec2<f32>(difference, twice));
    let tangent = select(0.0, select(twice, -twice, difference < 0.0) / size, size > 0.0);
    let cosine = inverseSqrt(1.0 + tangent * tangent);
    let sine = tangent * cosine;
    let one = cosine * f - sine * g;
    let other = sine * f + cosine * g;
    let own = own_coefficients(corner);
    var along = vec2<f32>(cosine * own.x - sine * own.y, sine * own.x + cosine * own.y);
    let is_swapped = dot(other, other) > dot(one, one);
    along = select(along, along.yx, is_swapped);
    let larger = select(one, other, is_swapped);
    let most = length(larger);
    let first = select(vec3<f32>(1.0, 0.0, 0.0), larger / most, most > 0.0);
    // without what rounding has left along the larger one
    var smaller = select(other, one, is_swapped);
    smaller -= first * dot(first, smaller);
    let least = length(smaller);
    let is_seen = least > LOST * most;
    let second = select(across(first), smaller / least, is_seen);
    let values = vec2<f32>(most, select(0.0, least, is_seen));
    let excess = values - clamp(values, cloth.range.xx, cloth.range.yy);
    return Stretch(values, excess, first, second, along);
}

fn of_stretch(weight: f32, stretch: Stretch) -> Pull {
    let excess = stretch.excess;
    let way = excess * stretch.own;
    // each vertex has a third of the energy
    return Pull(-weight * (way.x * stretch.first + way.y * stretch.second), weight * dot(excess, excess) / 6.0);
}
