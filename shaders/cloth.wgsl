// Cloth: one colour on each side, a woven check, and a little sheen towards the silhouette.
// PLAIN leaves out the physically based lighting, for machines that draw in software.

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#ifndef PLAIN
#import bevy_pbr::{
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

struct Cloth {
    front: vec4<f32>,
    back: vec4<f32>,
    // width of a stripe of the check [m]
    stripe: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> cloth: Cloth;

// Square wave of period 2 with edges as wide as a pixel, so that it does not flicker far away.
fn stripes(x: f32) -> f32 {
    let width = max(fwidth(x), 1e-5);
    let at = abs(fract(0.5 * x) * 2.0 - 1.0);
    let wave = clamp((at - 0.5) / width + 0.5, 0.0, 1.0);
    return mix(wave, 0.5, smoothstep(0.5, 1.5, width));
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var front = cloth.front.rgb;
    var back = cloth.back.rgb;
#ifdef VERTEX_COLORS
    // a piece with a colour of its own, and a paler back of the same
    front = mix(front, in.color.rgb, in.color.a);
    back = mix(back, mix(in.color.rgb, vec3<f32>(0.7), 0.6), in.color.a);
#endif
    let side = select(back, front, is_front);
    let check = 0.5 * (stripes(in.uv.x / cloth.stripe) + stripes(in.uv.y / cloth.stripe));
    let dyed = side * mix(0.82, 1.06, check);
    var out: FragmentOutput;
#ifdef PLAIN
    let normal = normalize(in.world_normal) * select(-1.0, 1.0, is_front);
    let key = max(dot(normal, normalize(vec3<f32>(2.0, 4.0, 2.5))), 0.0);
    let fill = max(dot(normal, normalize(vec3<f32>(-3.0, 1.5, -1.0))), 0.0);
    out.color = vec4<f32>(dyed * (0.28 + 0.85 * key + 0.16 * fill), 1.0);
#else
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    pbr_input.material.base_color = vec4<f32>(dyed, 1.0);
    out.color = apply_pbr_lighting(pbr_input);
    let facing = clamp(dot(pbr_input.N, pbr_input.V), 0.0, 1.0);
    let sheen = 0.35 * pow(1.0 - facing, 4.0);
    out.color = vec4<f32>(mix(out.color.rgb, out.color.rgb * 1.5 + 0.02 * side, sheen), 1.0);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
#endif
    return out;
}
