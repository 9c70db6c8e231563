// Vertex block descent: every vertex of a colour goes to where Newton's step for it alone leads, in place.

struct Colour {
    // First place in the order, and number of vertices.
    first: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<uniform> colour: Colour;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> constants: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> now: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> touches: array<Touch>;
@group(0) @binding(6) var<storage, read> order: array<u32>;

// Rounding error of the energy that a vertex sees, relative to it.
const ROUNDING: f32 = 1e-6;

// A vertex with all others where they are: force, the energy that depends on it, and the second derivative.
struct Block {
    pull: Pull,
    // xx, yy, zz
    diagonal: vec3<f32>,
    // yz, xz, xy
    mixed: vec3<f32>,
}

fn add_outer(block: ptr<function, Block>, weight: f32, n: vec3<f32>) {
    (*block).diagonal += weight * n * n;
    (*block).mixed += weight * n.yxx * n.zzy;
}

// A spring to a vertex. Across its direction it counts as far as it is stretched, so the derivative is positive definite.
fn add_spring(block: ptr<function, Block>, here: vec3<f32>, u: vec3<f32>, neighbour: u32, spring: vec4<f32>) {
    let apart = u - now[neighbour].xyz;
    let there = places[neighbour].xyz;
    let pull = of_spring(here, there, apart, spring);
    (*block).pull.force += pull.force;
    // of a spring each end has a half
    (*block).pull.energy += 2.0 * pull.energy;
    let d = (here - there) + apart;
    let length = sqrt(dot(d, d));
    let across = select(1.0, max(1.0 - spring.y / length, 0.0), length > 0.0);
    (*block).diagonal += spring.x * across + spring.z;
    add_outer(block, spring.x * (1.0 - across), select(vec3<f32>(0.0), d / length, length > 0.0));
}

// Springs, bending and triangles.
fn of_springs(i: u32, u: vec3<f32>) -> Block {
    var block = Block(Pull(vec3<f32>(0.0), 0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    add_springs(&block, i, places[i].xyz, u);
    add_triangles(&block, i, u);
    return block;
}

// Contacts, with the limits of friction as they are here. What slides is held as far as friction turns with it.
fn add_contacts(block: ptr<function, Block>, own: vec4<f32>) {
    var next = u32(own.w);
    while next > 0u {
        let touch = touches[next - 1u];
        next = select(0u, next + 1u, touch.slid.w > 0.5);
        let n = touch.normal.xyz;
        let depth = dot(n, touch.point.xyz - own.xyz);
        var along = 0.0;
        if touch.load.w > 0.0 {
            along = select(0.0, 1.0, touch.load.w > 1.5);
        } else if depth > 0.0 {
            let slid = own.xyz + touch.slid.xyz;
            let across = slid - n * dot(slid, n);
            let way = sqrt(dot(across, across));
            let limit = touch.point.w * depth;
            along = select(1.0, limit / way, way > limit);
        } else {
            continue;
        }
        (*block).diagonal += touch.normal.w * along;
        add_outer(block, touch.normal.w * (1.0 - along), n);
    }
}

// By Cholesky's factors, which bear any ratio of the stiffest to the softest direction.
fn solve(block: Block, force: vec3<f32>) -> vec3<f32> {
    let d0 = block.diagonal.x;
    let l10 = block.mixed.z / d0;
    let l20 = block.mixed.y / d0;
    let d1 = block.diagonal.y - l10 * block.mixed.z;
    let l21 = (block.mixed.x - l20 * block.mixed.z) / d1;
    let d2 = block.diagonal.z - l20 * block.mixed.y - l21 * l21 * d1;
    let y1 = force.y - l10 * force.x;
    let y2 = force.z - l20 * force.x - l21 * y1;
    let z = y2 / d2;
    let y = y1 / d1 - l21 * z;
    let x = force.x / d0 - l10 * y - l20 * z;
    return vec3<f32>(x, y, z);
}

@compute @workgroup_size(64)
fn relax(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x >= colour.count {
        return;
    }
    let i = order[colour.first + at.x];
    let place = places[i];
    if place.w == 0.0 {
        return;
    }
    let own = now[i];
    let constant = constants[i];
    var block = of_springs(i, own.xyz);
    let here = force_on(own, own.xyz, constant, block.pull);
    block.diagonal += constant.w;
    add_contacts(&block, own);
    let to = own.xyz + solve(block, here.force);
    let there = force_on(vec4<f32>(to, own.w), own.xyz, constant, of_springs(i, to).pull);
    // the comparison fails where the energy is not a number
    let falls = there.energy <= here.energy + ROUNDING * (abs(here.energy) + abs(there.energy));
    // with the bound of the derivative the energy cannot rise
    now[i] = vec4<f32>(select(own.xyz + place.w * here.force, to, falls), own.w);
}
