// The studio that everything stands in: its lights, its wall and its film. All that is drawn uses these, so that it looks alike at both
// qualities; PLAIN leaves out the shadows that are cast on cloth and colliders.

#define_import_path weft::studio

#import bevy_pbr::mesh_view_bindings::view
#ifndef PLAIN
#import bevy_pbr::shadows::fetch_directional_shadow
#endif

struct Studio {
    // unit vectors towards the key light, the fill light and the rim light
    key: vec4<f32>,
    fill: vec4<f32>,
    rim: vec4<f32>,
    // colours of floor and wall, as they are seen
    floor: vec4<f32>,
    wall: vec4<f32>,
    // corner of the square on the floor that the contact shadow covers, and its side [m]
    shadow: vec4<f32>,
}

const KEY = vec3<f32>(1.28, 1.17, 1.02);
const FILL = vec3<f32>(0.12, 0.135, 0.16);
const CEILING = vec3<f32>(0.17, 0.18, 0.20);
const RIM = vec3<f32>(0.95, 1.0, 1.1);

// Brightness of the wall at a pixel: it gets a little darker towards the corners.
fn vignette(pixel: vec2<f32>) -> f32 {
    let at = (pixel - view.viewport.xy) / view.viewport.zw - vec2<f32>(0.5, 0.45);
    return 1.0 - 0.12 * smoothstep(0.05, 0.75, dot(at, at) * 1.6);
}

fn backdrop(studio: Studio, pixel: vec2<f32>) -> vec3<f32> {
    return studio.wall.rgb * vignette(pixel);
}

// Unit vector from a point to the camera; of an orthographic one it is the same everywhere.
fn to_camera(position: vec3<f32>) -> vec3<f32> {
    let is_orthographic = view.clip_from_view[3].w == 1.0;
    return normalize(select(view.world_position - position, view.world_from_view[2].xyz, is_orthographic));
}

// Share of the key light that reaches a point.
fn unshaded(position: vec4<f32>, normal: vec3<f32>, pixel: vec2<f32>) -> f32 {
#ifdef PLAIN
    return 1.0;
#else
    let depth = dot(vec4<f32>(view.view_from_world[0].z, view.view_from_world[1].z, view.view_from_world[2].z, view.view_from_world[3].z), position);
    return fetch_directional_shadow(0u, position, normal, depth, pixel);
#endif
}

// Light on a matt surface with a normal that faces the eye; `open` is how much of the surroundings it sees.
fn light(studio: Studio, normal: vec3<f32>, key: f32, open: f32) -> vec3<f32> {
    // cloth and matt paint scatter: the terminator is soft
    let direct = clamp((dot(normal, studio.key.xyz) + 0.10) / 1.10, 0.0, 1.0);
    let fill = 0.5 + 0.5 * dot(normal, studio.fill.xyz);
    // a hemisphere: wall and ceiling above, the floor below
    let above = 0.5 + 0.5 * normal.y;
    let surroundings = mix(0.12 * studio.floor.rgb, 0.20 * studio.wall.rgb + CEILING, above * above);
    // shadows are about half dark
    return KEY * direct * mix(0.25, 1.0, key) * mix(0.45, 1.0, open) + (FILL * fill + surroundings) * open * open;
}

// Light from behind that grazes a surface seen edge-on.
fn rim(studio: Studio, normal: vec3<f32>, eye: vec3<f32>) -> vec3<f32> {
    let edge = pow(1.0 - clamp(dot(normal, eye), 0.0, 1.0), 3.5);
    return RIM * edge * clamp(0.35 + 0.65 * dot(normal, studio.rim.xyz), 0.0, 1.0);
}

// From light to what is seen: a filmic curve (Narkowicz 2015, fitted to ACES), in linear colour.
fn film(colour: vec3<f32>) -> vec3<f32> {
    let x = 0.72 * colour;
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), vec3<f32>(0.0), vec3<f32>(1.0));
}
