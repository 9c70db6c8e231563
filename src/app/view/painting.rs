//! The paint of the cloth: its own colours, or a quantity in the colours of a scale.

use bevy::prelude::*;

use super::ViewState;
use super::paint_quantity::{PaintQuantity, TOUCHES};
use crate::app::key_focus::keys_are_free;

/// The painted quantity, with its values and scale.
pub struct Painting {
    quantity: PaintQuantity,
    /// Where the scale ends, in the unit of the quantity.
    pub range: f64,
    /// The value at each vertex, in that unit; empty for the cloth itself.
    pub values: Vec<f64>,
    /// Whether the scale is to end where nearly all values do, as soon as there are some.
    pub fits: bool,
    /// Values shown in colour, all others in grey: the part of the scale under the pointer.
    pub marked: Option<[f64; 2]>,
    /// Whether the edges of the triangles are drawn.
    pub wireframe: bool,
}

impl Default for Painting {
    fn default() -> Self {
        Self {
            quantity: PaintQuantity::Cloth,
            range: 1.0,
            values: Vec::new(),
            fits: false,
            marked: None,
            wireframe: false,
        }
    }
}

/// Colour of values that are not [marked](Painting::marked), in linear light.
const UNMARKED: LinearRgba = LinearRgba::rgb(0.16, 0.16, 0.16);

impl Painting {
    /// The painted quantity.
    #[must_use]
    pub fn quantity(&self) -> PaintQuantity {
        self.quantity
    }

    /// Paints something else, with its own scale.
    pub fn choose(&mut self, quantity: PaintQuantity) {
        if self.quantity != quantity {
            info!("painted with {}", quantity.name());
            (self.quantity, self.range, self.marked) = (quantity, quantity.range(), None);
            // decades lie between one method and another
            self.fits = quantity == PaintQuantity::Residual;
        }
    }

    /// Takes the values at the vertices of the chosen cloth, none for the cloth itself.
    pub(super) fn take(&mut self, values: Vec<f64>) {
        self.values = values;
        self.fit();
    }

    /// Ends the scale where 98 of a hundred values do, if that is wanted.
    fn fit(&mut self) {
        if !self.fits {
            return;
        }
        let mut sizes: Vec<f64> = self.values.iter().map(|value| value.abs()).filter(|size| *size > 0.0).collect();
        if sizes.is_empty() {
            return;
        }
        let at = (sizes.len() * 98 / 100).min(sizes.len() - 1);
        let (_, end, _) = sizes.select_nth_unstable_by(at, f64::total_cmp);
        (self.range, self.fits) = (end.clamp(1e-6, 1e6), false);
    }

    /// The colour of a value, in linear light.
    #[must_use]
    pub fn colour(&self, value: f64) -> LinearRgba {
        if self.marked.is_some_and(|[low, high]| !(low..=high).contains(&value)) {
            return UNMARKED;
        }
        if self.quantity.is_kind() {
            let [r, g, b] = TOUCHES[(value as usize).min(TOUCHES.len() - 1)].1;
            return Color::srgb(r, g, b).to_linear();
        }
        self.scale(self.place_of(value) as f32)
    }

    /// Where on the scale a value is, from 0 to 1.
    #[must_use]
    pub fn place_of(&self, value: f64) -> f64 {
        let share = value / self.range;
        let place = if self.quantity.is_signed() { 0.5 + 0.5 * share } else { share };
        place.clamp(0.0, 1.0)
    }

    /// The value at a place of the scale from 0 to 1.
    #[must_use]
    pub fn value_at(&self, place: f64) -> f64 {
        self.range * if self.quantity.is_signed() { 2.0 * place - 1.0 } else { place }
    }

    /// Marks values of the part `part` of `parts` equal ones of the scale; the first and last reach
    /// beyond its ends.
    pub fn mark(&mut self, part: usize, parts: usize) {
        let [mut low, mut high] = [part, part + 1].map(|edge| self.value_at(edge as f64 / parts as f64));
        if part == 0 {
            low = f64::NEG_INFINITY;
        }
        if part + 1 == parts {
            high = f64::INFINITY;
        }
        self.marked = Some([low, high]);
    }

    /// The middle of a part of the scale, as far as it is on it.
    #[must_use]
    pub fn middle(&self, [low, high]: [f64; 2]) -> f64 {
        let least = if self.quantity.is_signed() { -self.range } else { 0.0 };
        low.max(least).midpoint(high.min(self.range))
    }

    /// Stretches the scale so that `value` comes to a `place` from 0 to 1; nothing happens near its
    /// zero.
    pub fn stretch_to(&mut self, value: f64, place: f64) {
        let share = if self.quantity.is_signed() { 2.0 * place - 1.0 } else { place };
        let range = value / share;
        if share.abs() > 0.05 && range > 0.0 {
            self.range = range.clamp(1e-6, 1e6);
        }
    }

    /// The colour at a place of the scale, from 0 to 1.
    #[must_use]
    pub fn scale(&self, place: f32) -> LinearRgba {
        colour_at(if self.quantity.is_signed() { &DIVERGING } else { &RISING }, place)
    }
}

/// Blue, white, red: told apart by all eyes, of even lightness on both sides (after Brewer's RdBu).
pub(super) const DIVERGING: [[f32; 3]; 7] = [
    [0.02, 0.19, 0.38],
    [0.13, 0.40, 0.67],
    [0.57, 0.77, 0.87],
    [0.95, 0.95, 0.94],
    [0.96, 0.65, 0.51],
    [0.79, 0.20, 0.20],
    [0.40, 0.00, 0.12],
];
/// Dark to bright, of rising lightness (nine samples of viridis, Smith and van der Walt 2015).
const RISING: [[f32; 3]; 9] = [
    [0.267, 0.005, 0.329],
    [0.278, 0.176, 0.483],
    [0.230, 0.32, 0.546],
    [0.173, 0.449, 0.558],
    [0.128, 0.567, 0.551],
    [0.158, 0.684, 0.502],
    [0.369, 0.789, 0.383],
    [0.678, 0.864, 0.190],
    [0.993, 0.906, 0.144],
];

pub(super) fn colour_at(stops: &[[f32; 3]], place: f32) -> LinearRgba {
    let at = place.clamp(0.0, 1.0) * (stops.len() - 1) as f32;
    let below = (at as usize).min(stops.len() - 2);
    let mixed = Vec3::from(stops[below]).lerp(Vec3::from(stops[below + 1]), at - below as f32);
    Color::srgb(mixed.x, mixed.y, mixed.z).to_linear()
}

pub(super) fn by_hand(app: &mut App) {
    app.add_systems(Update, choose_by_key.run_if(keys_are_free));
}

fn choose_by_key(keys: Res<ButtonInput<KeyCode>>, mut state: ResMut<ViewState>) {
    let painting = &mut state.painting;
    let chosen = [
        (KeyCode::Digit1, PaintQuantity::Cloth),
        (KeyCode::Digit2, PaintQuantity::Stretch),
        (KeyCode::Digit3, PaintQuantity::Speed),
    ];
    for (_, quantity) in chosen.into_iter().filter(|(key, _)| keys.just_pressed(*key)) {
        painting.choose(quantity);
    }
    if keys.just_pressed(KeyCode::Digit4) {
        painting.wireframe = !painting.wireframe;
    }
}
