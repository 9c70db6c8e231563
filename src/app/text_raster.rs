//! Rasterises shapes of egui on the processor: text on pictures drawn without a window.

use egui::epaint::{ImageData, Mesh, Primitive, Vertex};
use egui::{
    Color32, ColorImage, Context, FontDefinitions, FontFamily, Pos2, RawInput, Rect, TextureId, Ui, ViewportId, vec2,
};

/// The fonts of egui, with those of its fixed pitch where the others lack a sign, like a raised
/// minus.
#[must_use]
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts.families.entry(FontFamily::Proportional).or_default().push("Hack".to_owned());
    fonts
}

/// Writes on pictures.
#[derive(Default)]
pub struct Lettering {
    context: Context,
    /// All glyphs so far.
    atlas: ColorImage,
}

impl Lettering {
    /// Draws the output of `draw` in a window of `size` points, each of `scale` pixels, onto rows
    /// of red, green and blue of as many pixels.
    pub fn write(&mut self, rgb: &mut [u8], size: [u32; 2], scale: f32, draw: impl FnMut(&mut Ui)) {
        if self.atlas.pixels.is_empty() {
            self.context.set_fonts(fonts());
        }
        let points = vec2(size[0] as f32, size[1] as f32) / scale;
        let screen = Some(Rect::from_min_size(Pos2::ZERO, points));
        let mut input = RawInput { screen_rect: screen, ..RawInput::default() };
        // another zoom would keep the last size for a frame
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
        let output = self.context.run_ui(input, draw);
        let own = output.textures_delta.set.iter().filter(|(texture, _)| **texture == TextureId::default());
        for delta in own.flat_map(|(_, deltas)| deltas) {
            let ImageData::Color(image) = &delta.image;
            self.take(image, delta.pos);
        }
        for part in self.context.tessellate(output.shapes, output.pixels_per_point) {
            if let Primitive::Mesh(mesh) = &part.primitive {
                let clip = part.clip_rect * output.pixels_per_point;
                self.fill(rgb, size, mesh, clip, output.pixels_per_point);
            }
        }
    }

    /// Takes new glyphs over, those of a part of the atlas or all.
    fn take(&mut self, image: &ColorImage, place: Option<[usize; 2]>) {
        let Some([left, top]) = place else {
            self.atlas = image.clone();
            return;
        };
        let width = self.atlas.size[0];
        for (row, pixels) in image.pixels.chunks(image.size[0].max(1)).enumerate() {
            let start = (top + row) * width + left;
            if let Some(into) = self.atlas.pixels.get_mut(start..start + pixels.len()) {
                into.copy_from_slice(pixels);
            }
        }
    }

    fn fill(&self, rgb: &mut [u8], [width, height]: [u32; 2], mesh: &Mesh, clip: Rect, scale: f32) {
        let clip = clip.intersect(Rect::from_min_size(Pos2::ZERO, vec2(width as f32, height as f32)));
        for corners in mesh.indices.as_chunks::<3>().0 {
            let mut corners = corners.map(|index| mesh.vertices[index as usize]);
            corners.iter_mut().for_each(|corner| corner.pos = scale * corner.pos);
            if twice_area(corners[0].pos, corners[1].pos, corners[2].pos) < 0.0 {
                corners.swap(1, 2);
            }
            self.fill_triangle(rgb, width, &corners, clip);
        }
    }

    fn fill_triangle(&self, rgb: &mut [u8], width: u32, corners: &[Vertex; 3], clip: Rect) {
        let [a, b, c] = corners.each_ref().map(|corner| corner.pos);
        let area = twice_area(a, b, c);
        if !(area.is_finite() && area > 0.0) {
            return;
        }
        let around = Rect::from_points(&[a, b, c]).intersect(clip);
        let range =
            |from: f32, to: f32| ((from - 0.5).ceil().max(0.0) as usize)..((to + 0.5).floor().max(0.0) as usize);
        for row in range(around.top(), around.bottom()) {
            for column in range(around.left(), around.right()) {
                let at = Pos2::new(column as f32 + 0.5, row as f32 + 0.5);
                let parts =
                    [(b, c), (c, a), (a, b)].map(|(from, to)| (twice_area(from, to, at), is_top_left(from, to)));
                // a pixel on the common edge of two triangles belongs to one of them
                if !clip.contains(at) || !parts.iter().all(|(part, owns)| *part > 0.0 || (*part == 0.0 && *owns)) {
                    continue;
                }
                let shares = parts.map(|(part, _)| part / area);
                let mix = |of: &dyn Fn(&Vertex) -> f32| -> f32 {
                    corners.iter().zip(shares).map(|(corner, share)| share * of(corner)).sum()
                };
                let glyph = self.sample(mix(&|corner| corner.uv.x), mix(&|corner| corner.uv.y));
                let colour = |part: usize| mix(&|corner| f32::from(corner.color[part])) * glyph[part] / 255.0;
                let through = 1.0 - colour(3) / 255.0;
                let pixel = 3 * (row * width as usize + column);
                for (part, value) in rgb[pixel..pixel + 3].iter_mut().enumerate() {
                    *value = (colour(part) + through * f32::from(*value)).round().clamp(0.0, 255.0) as u8;
                }
            }
        }
    }

    /// The atlas at a place from 0 to 1, between its pixels.
    fn sample(&self, u: f32, v: f32) -> [f32; 4] {
        let [width, height] = self.atlas.size;
        let (x, y) = (u * width as f32 - 0.5, v * height as f32 - 0.5);
        let at = |x: f32, y: f32| {
            let column = (x.max(0.0) as usize).min(width.saturating_sub(1));
            let row = (y.max(0.0) as usize).min(height.saturating_sub(1));
            self.atlas.pixels.get(row * width + column).copied().unwrap_or(Color32::WHITE)
        };
        let (left, top) = (x.floor(), y.floor());
        let (right, down) = (x - left, y - top);
        let corners = [
            (at(left, top), (1.0 - right) * (1.0 - down)),
            (at(left + 1.0, top), right * (1.0 - down)),
            (at(left, top + 1.0), (1.0 - right) * down),
            (at(left + 1.0, top + 1.0), right * down),
        ];
        [0, 1, 2, 3].map(|part| corners.iter().map(|(colour, share)| share * f32::from(colour[part])).sum())
    }
}

/// Twice the area of a triangle, above zero where it turns as the y axis follows the x axis.
fn twice_area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether an edge of a triangle that turns so is at its top or left.
fn is_top_left(from: Pos2, to: Pos2) -> bool {
    (from.y == to.y && to.x > from.x) || to.y < from.y
}
