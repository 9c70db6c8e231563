//! The look of the panels.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals};

use crate::app::text_raster::fonts;

/// For chosen, active or held items.
pub const ACCENT: Color32 = Color32::from_rgb(240, 146, 102);
/// For errors.
pub const ALARM: Color32 = Color32::from_rgb(255, 136, 126);
/// For conditions that are met.
pub const MET: Color32 = Color32::from_rgb(112, 206, 140);
/// For text of less weight.
pub const QUIET: Color32 = Color32::from_rgb(166, 172, 182);

/// Behind a word or two in a row.
pub const CHIP: Color32 = Color32::from_rgb(58, 62, 70);

/// Around the control that has the keyboard.
pub const FOCUS: Color32 = Color32::from_rgb(120, 190, 255);

/// For formulas.
pub const FORMULA: Color32 = Color32::from_rgb(222, 196, 168);

/// Behind text over the cloth; it is legible on a light stage, too.
pub const OVERLAY: Color32 = Color32::from_rgba_premultiplied(28, 30, 34, 238);

/// Makes `ctx` look like Weft, in its first two frames: `frames` counts them.
pub fn apply(ctx: &egui::Context, frames: &mut u8) {
    match *frames {
        0 => look(ctx),
        // the fonts that were given are there in the next frame
        1 => draw_all_glyphs(ctx),
        _ => return,
    }
    *frames += 1;
}

fn look(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    let mut visuals = Visuals::dark();
    visuals.panel_fill = Color32::from_rgb(30, 32, 36);
    visuals.window_fill = Color32::from_rgb(36, 38, 43);
    visuals.extreme_bg_color = Color32::from_rgb(20, 21, 24);
    visuals.selection.bg_fill = Color32::from_rgb(130, 67, 41);
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    visuals.slider_trailing_fill = true;
    visuals.override_text_color = None;
    // shortcuts on buttons, and controls without effect, stay legible
    visuals.weak_text_color = Some(Color32::from_rgb(200, 204, 210));
    visuals.disabled_alpha = 0.8;
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_rgb(214, 217, 222);
    visuals.widgets.inactive.fg_stroke.color = Color32::from_rgb(214, 217, 222);
    for widget in [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active] {
        widget.corner_radius = CornerRadius::same(4);
    }
    ctx.set_theme(egui::Theme::Dark);
    ctx.set_visuals(visuals);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.interact_size.y = 20.0;
        style.interaction.tooltip_delay = 0.25;
        // a drag over a text is for the object under it
        style.interaction.selectable_labels = false;
        style.text_styles = [
            (TextStyle::Small, FontId::new(11.0, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Heading, FontId::new(16.0, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        ]
        .into();
    });
}

/// A glyph that is new in a frame appears only in the next, which at a frame per second looks like
/// a missing digit. egui draws each once for every quarter of a pixel at which it may stand.
fn draw_all_glyphs(ctx: &egui::Context) {
    let styles: Vec<FontId> = ctx.global_style().text_styles.values().cloned().collect();
    let quarter = 0.25 / ctx.pixels_per_point();
    ctx.fonts_mut(|fonts| {
        for glyph in (' '..='~').chain("·µ⁰¹²³⁴⁵⁶⁷⁸⁹⁻–°×…∞→▶⏸⏭⟲▣💨".chars())
        {
            for (font, step) in styles.iter().flat_map(|font| (0..4).map(move |step| (font, step))) {
                let mut job = LayoutJob::default();
                let format = TextFormat::simple(font.clone(), Color32::WHITE);
                job.append(glyph.encode_utf8(&mut [0; 4]), step as f32 * quarter, format);
                fonts.layout_job(job);
            }
        }
    });
}
