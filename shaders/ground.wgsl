// Ground: a lit plane with a grid of decimetres and metres that fades into the background.
// PLAIN leaves out the physically based lighting, and with it the shadows.

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#ifndef PLAIN
#import bevy_pbr::{
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

struct Ground {
    line: vec4<f32>,
    background: vec4<f32>,
    // distance from the origin at which the ground has faded away [m]
    reach: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;

// Coverage of a grid line of the given spacing [m], a constant number of pixels wide.
fn grid(at: vec2<f32>, spacing: f32, pixels: f32) -> f32 {
    let cell = at / spacing;
    let width = max(fwidth(cell), vec2<f32>(1e-6));
    let off = abs(fract(cell - 0.5) - 0.5) / width;
    let line = 1.0 - clamp(off - 0.5 * (pixels - 1.0), vec2<f32>(0.0), vec2<f32>(1.0));
    // lines closer together than a few pixels would only shimmer
    let fade = 1.0 - smoothstep(vec2<f32>(0.15), vec2<f32>(0.45), width);
    return max(line.x * fade.x, line.y * fade.y);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let at = in.world_position.xz;
    let lines = max(0.35 * grid(at, 0.1, 1.0), 0.9 * grid(at, 1.0, 1.5));
    var out: FragmentOutput;
#ifdef PLAIN
    out.color = mix(ground.background * 1.6, ground.line, lines);
#else
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let base = pbr_input.material.base_color.rgb;
    pbr_input.material.base_color = vec4<f32>(mix(base, ground.line.rgb, lines), 1.0);
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
#endif
    let fade = smoothstep(0.35 * ground.reach, ground.reach, length(at));
    out.color = vec4<f32>(mix(out.color.rgb, ground.background.rgb, fade), 1.0);
    return out;
}
