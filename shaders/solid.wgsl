// A collider: matt, with edges that the light from behind draws.

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import weft::studio::{Studio, film, light, rim, to_camera, unshaded}

struct Solid {
    colour: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> solid: Solid;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> studio: Studio;

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let outward = normalize(in.world_normal);
    let normal = select(-outward, outward, is_front);
    let eye = to_camera(in.world_position.xyz);
    let key = unshaded(in.world_position, normal, in.position.xy);
    // near the floor less light comes from below
    let open = mix(0.75, 1.0, smoothstep(0.0, 0.25, in.world_position.y));
    var seen = solid.colour.rgb * light(studio, normal, key, open);
    seen += 0.10 * rim(studio, normal, eye);
    var out: FragmentOutput;
    out.color = vec4<f32>(film(seen), 1.0);
    return out;
}
