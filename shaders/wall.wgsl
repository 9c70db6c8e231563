// The wall of the studio, behind everything.

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import weft::studio::{Studio, backdrop}

@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> studio: Studio;

@fragment
fn fragment(in: VertexOutput) -> FragmentOutput {
    var out: FragmentOutput;
    out.color = vec4<f32>(backdrop(studio, in.position.xy), 1.0);
    return out;
}
