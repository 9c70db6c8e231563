//! Charts in the window: the shapes that pages have as well, painted by egui.

use std::sync::Arc;

use egui::epaint::{Mesh, TextShape};
use egui::{
    Color32, FontFamily, FontId, Label, Painter, Pos2, Rect, Response, RichText, Sense, Shape, Stroke, TextStyle,
    TextWrapMode, Ui, WidgetText, pos2, vec2,
};

use crate::documents::{self, Anchor, Chart, Colour, Frame, Look, Sign};

/// How near the pointer has to be to a point of a curve to mean it [points].
pub const NEAR: f32 = 24.0;
/// Room for notes above the axes, and for half a label at the right [points].
const ABOVE: f32 = 16.0;
const BESIDE: f32 = 14.0;
/// Size of a sign in a legend [points].
const SIGN: [f32; 2] = [22.0, 12.0];

/// Colour of a solver.
#[must_use]
pub fn solver_colour(solver: &str) -> Color32 {
    colour(documents::solver_colour(solver))
}

/// A colour of a chart.
#[must_use]
pub const fn colour([r, g, b]: Colour) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// Where a chart is in the window.
#[derive(Debug, Clone, Copy)]
pub struct Place(Frame);

impl Place {
    /// Where a point is, as it is drawn.
    #[must_use]
    pub fn of(&self, point: [f64; 2]) -> Pos2 {
        at(self.0.place(point))
    }

    /// The point at a place.
    #[must_use]
    pub fn point(&self, at: Pos2) -> [f64; 2] {
        self.0.point([f64::from(at.x), f64::from(at.y)])
    }

    /// The axes.
    #[must_use]
    pub fn frame(&self) -> Rect {
        let [low, high] = self.0.corners;
        Rect::from_min_max(at(low), at(high))
    }
}

/// Makes room for a chart with its labels, of a size [points].
pub fn allocate(ui: &mut Ui, chart: &Chart, size: [f32; 2]) -> (Place, Response) {
    let (rect, response) = ui.allocate_exact_size(size.into(), Sense::click_and_drag());
    let about = if chart.title.is_empty() { &chart.axes[0].name } else { &chart.title };
    super::name(ui, &response, &format!("Chart: {about}"));
    let [low, high] = [rect.min + vec2(2.0, ABOVE), rect.max - vec2(BESIDE, 2.0)];
    let corners = [low, high].map(|at| [f64::from(at.x), f64::from(at.y)]);
    (Place(chart.frame(corners, &Look::WINDOW)), response)
}

/// Paints a chart.
pub fn paint(painter: &Painter, chart: &Chart, place: &Place) {
    paint_shapes(painter, chart.shapes(&place.0, &Look::WINDOW));
}

/// The point of a curve under the pointer, with the name of the curve.
#[must_use]
pub fn under_pointer<'a>(chart: &'a Chart, place: &Place, pointer: Option<Pos2>) -> Option<(&'a str, [f64; 2])> {
    let at = pointer.filter(|at| place.frame().contains(*at))?;
    chart.nearest(&place.0, [f64::from(at.x), f64::from(at.y)], f64::from(NEAR))
}

/// Marks a point of a curve.
pub fn point_out(painter: &Painter, place: &Place, point: [f64; 2]) {
    painter.circle_stroke(place.of(point), 4.0, Stroke::new(1.2, Color32::WHITE));
}

/// The sign of a curve and its name in a legend of wrapped rows; a name stays with its sign.
pub fn key(ui: &mut Ui, sign: &Sign, name: RichText) -> Response {
    let galley = WidgetText::from(name).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body);
    let width = galley.size().x;
    if SIGN[0] + ui.spacing().item_spacing.x + width > ui.available_size_before_wrap().x {
        ui.end_row();
    }
    let (rect, _) = ui.allocate_exact_size(SIGN.into(), Sense::hover());
    let left = [f64::from(rect.left()), f64::from(rect.center().y)];
    paint_shapes(ui.painter(), sign.shapes(left, f64::from(SIGN[0]), &Look::WINDOW));
    ui.add(Label::new(galley).selectable(false))
}

fn at([x, y]: [f64; 2]) -> Pos2 {
    pos2(x as f32, y as f32)
}

fn paint_shapes(painter: &Painter, shapes: Vec<documents::Shape>) {
    for shape in shapes {
        match shape {
            documents::Shape::Line { points, colour: of, width, dashes } => {
                let points: Vec<Pos2> = points.into_iter().map(at).collect();
                let stroke = Stroke::new(width as f32, colour(of));
                match dashes {
                    Some([on, off]) => painter.extend(Shape::dashed_line(&points, stroke, on as f32, off as f32)),
                    None => drop(painter.add(Shape::line(points, stroke))),
                }
            }
            documents::Shape::Area { points, colour: of, opacity, is_under } => {
                let points: Vec<Pos2> = points.into_iter().map(at).collect();
                let colour = colour(of).gamma_multiply(opacity as f32);
                // those that are seen through may lie side by side, where soft edges would show
                if is_under || opacity < 1.0 {
                    painter.add(Shape::Mesh(Arc::new(mesh(&points, colour, is_under))));
                } else {
                    painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
                }
            }
            documents::Shape::Text { at: place, text, size, colour: of, anchor, upwards, .. } => {
                let font = FontId::new(size as f32, FontFamily::Proportional);
                let galley = painter.layout_no_wrap(text, font, colour(of));
                let share = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => 0.5,
                    Anchor::End => 1.0,
                };
                // the base line lies above the end of the letters
                let [along, above] = [share * galley.size().x, 0.78 * galley.size().y];
                let (place, angle) = match upwards {
                    true => (at(place) + vec2(-above, along), -std::f32::consts::FRAC_PI_2),
                    false => (at(place) - vec2(along, above), 0.0),
                };
                painter.add(TextShape::new(place, galley, colour(of)).with_angle(angle));
            }
        }
    }
}

/// A convex polygon, or the area between a curve and the level line through its first and last
/// corner.
fn mesh(points: &[Pos2], colour: Color32, is_under: bool) -> Mesh {
    let mut mesh = Mesh::default();
    let corners: Vec<Pos2> = match (is_under, points) {
        (true, [first, edge @ .., _]) => edge.iter().flat_map(|at| [*at, pos2(at.x, first.y)]).collect(),
        _ => points.to_vec(),
    };
    corners.iter().for_each(|corner| mesh.colored_vertex(*corner, colour));
    for third in 2..corners.len() as u32 {
        mesh.add_triangle(if is_under { third - 2 } else { 0 }, third - 1, third);
    }
    mesh
}
