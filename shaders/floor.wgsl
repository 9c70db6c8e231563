// The floor of the studio, which goes over into the wall without a line, with a soft shadow below what hangs or lies above it.

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::mesh_view_bindings::view
#import weft::studio::{Studio, backdrop, to_camera, vignette}

@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> studio: Studio;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var shade: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var shade_sampler: sampler;

// Joints between tiles of half a metre, about a pixel and a half wide.
fn joints(position: vec2<f32>) -> f32 {
    let at = 2.0 * position;
    let off = abs(at - round(at));
    let pixel = max(fwidth(at), vec2<f32>(1e-5));
    let thin = 1.0 - smoothstep(vec2<f32>(0.4), vec2<f32>(1.3), off / pixel);
    // too close together they would only shimmer
    let fade = 1.0 - smoothstep(vec2<f32>(0.02), vec2<f32>(0.12), pixel);
    return max(fade.x * thin.x, fade.y * thin.y);
}

@fragment
fn fragment(in: VertexOutput) -> FragmentOutput {
    let at = in.world_position.xz;
    let middle = studio.shadow.xy + 0.5 * studio.shadow.z;
    let place = (at - studio.shadow.xy) / studio.shadow.z;
    let inside = smoothstep(0.5, 0.42, max(abs(place.x - 0.5), abs(place.y - 0.5)));
    let shadow = textureSample(shade, shade_sampler, clamp(place, vec2<f32>(0.0), vec2<f32>(1.0))).r * inside;

    let away = view.world_position - in.world_position.xyz;
    let distance = length(at - middle);
    let near = 1.0 - smoothstep(0.3 * studio.shadow.z, 1.6 * studio.shadow.z, distance);
    var colour = studio.floor.rgb * vignette(in.position.xy);
    // lighter on a dark floor, darker on a light one, and never brighter than a fold
    let is_dark = studio.floor.g < 0.2;
    let mark = select(studio.floor.rgb * 0.84, studio.floor.rgb * 1.5, is_dark);
    colour = mix(colour, mark, near * joints(at));
    colour *= mix(vec3<f32>(1.0), vec3<f32>(0.46, 0.455, 0.48), shadow);

    // far away, and where it is seen from flat above, it is the wall
    let grazing = smoothstep(0.02, 0.30, to_camera(in.world_position.xyz).y);
    let reach = 2.2 * studio.shadow.z + 0.8 * length(away.xz);
    let remote = smoothstep(0.25 * reach, reach, distance);
    var out: FragmentOutput;
    out.color = vec4<f32>(mix(backdrop(studio, in.position.xy), colour, grazing * (1.0 - remote)), 1.0);
    return out;
}
