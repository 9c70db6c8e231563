// Cloth: a woven pattern on two sides of one family, a hem, sheen, and light that shines through.

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import weft::studio::{Studio, film, light, rim, to_camera, unshaded}

struct Look {
    front: vec4<f32>,
    back: vec4<f32>,
    // width of a stripe [m], of a thread [m], share of light that shines through, sheen
    measures: vec4<f32>,
    // 0 plain, 1 stripe, 2 check, 3 the colours of a scale, 4 a picture
    pattern: vec4<f32>,
}

struct Cloth {
    // that of the scene, and those that single pieces may have
    look: Look,
    others: array<Look, 24>,
    // one over width and height of what a picture covers [1/m]
    cover: vec2<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> cloth: Cloth;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var picture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var picture_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> studio: Studio;

// Width of a hem, and length of a stitch [m].
const HEM = 0.012;
const STITCH = 0.005;

// Shadow of the edge of a hem on the cloth behind it.
fn hem_shadow(rim_at: f32, pixel: f32) -> f32 {
    return smoothstep(1.0 - max(pixel, 0.05), 1.0, rim_at) * (1.0 - smoothstep(1.0, 1.0 + max(pixel, 0.3), rim_at));
}

// Square wave of period 2 with edges as wide as a pixel, so that it does not flicker far away.
fn stripes(x: f32) -> f32 {
    let width = max(fwidth(x), 1e-5);
    let at = abs(fract(0.5 * x) * 2.0 - 1.0);
    let wave = clamp((at - 0.5) / width + 0.5, 0.0, 1.0);
    return mix(wave, 0.5, smoothstep(0.5, 1.5, width));
}

fn noise(at: vec2<f32>) -> f32 {
    return fract(sin(dot(at, vec2<f32>(12.9898, 78.233))) * 43758.547);
}

// Smooth noise between -1 and 1 along a thread that is `stretch` times as long as it is wide.
fn slub(at: vec2<f32>) -> f32 {
    let cell = floor(at);
    let f = at - cell;
    let s = f * f * (3.0 - 2.0 * f);
    let low = mix(noise(cell), noise(cell + vec2<f32>(1.0, 0.0)), s.x);
    let high = mix(noise(cell + vec2<f32>(0.0, 1.0)), noise(cell + vec2<f32>(1.0, 1.0)), s.x);
    return 2.0 * mix(low, high, s.y) - 1.0;
}

// Height of a plain weave, between -1 and 1: warp and weft over each other in turn.
fn weave(at: vec2<f32>) -> f32 {
    let cell = floor(at);
    let over = (cell.x + cell.y) - 2.0 * floor(0.5 * (cell.x + cell.y));
    let f = 2.0 * (at - cell) - 1.0;
    let along = select(f, f.yx, over > 0.5);
    return (1.0 - along.x * along.x) * (1.0 - 0.5 * along.y * along.y) * 2.0 - 1.0;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var look = cloth.look;
    var front = look.front.rgb;
    var back = look.back.rgb;
#ifdef VERTEX_COLORS
    // a piece of another fabric, or with a colour of its own and a paler back of the same
    let dye = floor(0.5 * in.color.a);
    if dye > 1.5 {
        look = cloth.others[u32(dye) - 2u];
        front = look.front.rgb;
        back = look.back.rgb;
    }
    let own = select(0.0, 1.0, dye > 0.5 && dye < 1.5);
    front = mix(front, in.color.rgb, own);
    back = mix(back, mix(in.color.rgb, vec3<f32>(0.62), 0.45), own);
#endif
    // chosen without branches: the software driver compiles a branch on a uniform anew whenever the
    // shader is bound, and keeps every copy
    // a picture has its foot where v is zero; what is printed on the front is paler on the back
    let on = in.uv * cloth.cover;
    let printed = textureSample(picture, picture_sampler, vec2<f32>(on.x, 1.0 - on.y));
    let cover = select(0.0, printed.a, look.pattern.x == 4.0);
    front = mix(front, printed.rgb, cover);
    back = mix(back, mix(printed.rgb, vec3<f32>(0.62), 0.45), cover);
    var dyed = select(back, front, is_front);
    let at = in.uv / look.measures.x;
    let across = stripes(at.x);
    dyed *= select(1.0, mix(0.62, 1.10, across), look.pattern.x == 1.0);
    dyed *= select(1.0, mix(0.80, 1.08, 0.5 * (across + stripes(at.y))), look.pattern.x == 2.0);

    // threads, where they are seen; unevenness of the yarn, which is seen from farther away
    let thread = in.uv / look.measures.y;
    let seen = max(fwidth(thread.x), fwidth(thread.y));
    // a pair of threads has to be several pixels wide, or the two grids beat against each other
    dyed *= 1.0 + 0.16 * weave(thread) * (1.0 - smoothstep(0.15, 0.40, seen));
    let yarn = slub(thread * vec2<f32>(0.5, 0.02)) + slub(thread.yx * vec2<f32>(0.5, 0.02));
    dyed *= 1.0 + 0.045 * yarn * (1.0 - smoothstep(0.5, 1.4, seen));

    var open = 1.0;
#ifdef VERTEX_UVS_B
    // a hem: cloth folded over at the border, thick there, with a seam and the step down behind it
    let rim_at = in.uv_b.y / HEM;
    let pixel = fwidth(rim_at);
    let close = 1.0 - smoothstep(0.3, 0.9, pixel);
    let hem = 1.0 - smoothstep(1.0, 1.0 + max(pixel, 0.02), rim_at);
    let seam = 1.0 - smoothstep(0.0, max(1.5 * pixel, 0.09), abs(rim_at - 0.8));
    let stitch = smoothstep(0.1, 0.3, abs(fract((in.uv.x + in.uv.y) / STITCH) - 0.5));
    let step_down = hem_shadow(rim_at, pixel);
    let turn = 1.0 - smoothstep(0.0, max(pixel, 0.22), rim_at);
    let crest = 1.0 - smoothstep(0.0, max(pixel, 0.2), abs(rim_at - max(pixel, 0.32)));
    dyed *= 1.0 - 0.06 * hem - 0.30 * turn - close * (0.22 * seam * stitch + 0.16 * step_down);
    dyed *= 1.0 + 0.14 * close * crest;
    // in a fold less is seen of the surroundings
    let cavity = select(-in.uv_b.x, in.uv_b.x, is_front);
    open = clamp(1.0 - cavity, 0.35, 1.12);
    // and near the floor from below
    let down = 0.5 - 0.5 * select(-in.world_normal.y, in.world_normal.y, is_front);
    open *= 1.0 - 0.45 * down * (1.0 - smoothstep(0.0, 0.2, in.world_position.y));
#endif

    let outward = normalize(in.world_normal);
    let eye = to_camera(in.world_position.xyz);
    let normal = select(-outward, outward, is_front);
#ifdef PLAIN
    // found for each vertex
    var key = 1.0;
#ifdef VERTEX_COLORS
    key = clamp(in.color.a - 2.0 * dye, 0.0, 1.0);
#endif
#else
    let key = unshaded(in.world_position, normal, in.position.xy);
#endif
    var seen_light = dyed * light(studio, normal, key, open);
    // what comes through has taken the colour twice
    let through = clamp(dot(-normal, studio.key.xyz), 0.0, 1.0) * mix(0.45, 1.0, key);
    seen_light += look.measures.z * through * dyed * (0.35 + 0.65 * dyed) * vec3<f32>(1.25, 1.12, 0.95);
    seen_light += (0.25 * dyed + 0.06) * look.measures.w * rim(studio, normal, eye) * mix(0.5, 1.0, open);

    var out: FragmentOutput;
    out.color = vec4<f32>(film(seen_light), 1.0);
#ifdef VERTEX_COLORS
    // the colours of a scale are read: the light only shows the shape
    let shade = clamp(dot(light(studio, normal, 1.0, open), vec3<f32>(0.35)), 0.0, 1.0);
    out.color = select(out.color, vec4<f32>(in.color.rgb * mix(0.62, 1.04, shade), 1.0), cloth.look.pattern.x == 3.0);
#endif
    return out;
}
