//! What the cloth is painted with: its own colours, or a quantity in the colours of a scale.

use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;

use super::ViewState;
use crate::scene::InputError;

/// A quantity over the cloth, or the cloth itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quantity {
    /// As it is woven.
    #[default]
    Cloth,
    /// The larger of the strains along the threads.
    Stretch,
    /// Strain along the warp, from bottom to top.
    Warp,
    /// Strain of those across.
    Weft,
    /// Sine of the angle between the threads.
    Shear,
    /// Curvature.
    Bending,
    /// Speed.
    Speed,
    /// The largest force of a spring.
    Tension,
    /// What it touches, and whether it was held back.
    Contact,
    /// How near the structural springs are to tearing.
    Tearing,
    /// The force that the solver has left unbalanced.
    Residual,
    /// How far it is from the same place of the reference lane.
    Distance,
}

/// What a vertex touches, by the number that stands for it.
pub const TOUCHES: [(&str, [f32; 3]); 4] = [
    ("nothing", [0.80, 0.80, 0.78]),
    ("a collider", [0.34, 0.60, 0.86]),
    ("cloth", [0.20, 0.66, 0.45]),
    ("truncated", [0.93, 0.62, 0.10]),
];

impl Quantity {
    /// All, in the order of the menu.
    pub const ALL: [Self; 12] = [
        Self::Cloth,
        Self::Stretch,
        Self::Warp,
        Self::Weft,
        Self::Shear,
        Self::Bending,
        Self::Speed,
        Self::Tension,
        Self::Contact,
        Self::Tearing,
        Self::Residual,
        Self::Distance,
    ];

    /// Reads the first word of a name, in small letters.
    ///
    /// # Errors
    /// [`InputError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let word = |quantity: &Self| quantity.name().split(' ').next().unwrap_or_default().to_lowercase();
        Self::ALL.into_iter().find(|quantity| word(quantity) == text).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(word).collect();
            InputError::new(format!("--paint {text}"), format!("is not known; take {}", known.join(", ")))
        })
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cloth => "Cloth",
            Self::Stretch => "Stretch",
            Self::Warp => "Warp stretch",
            Self::Weft => "Weft stretch",
            Self::Shear => "Shear",
            Self::Bending => "Bending",
            Self::Speed => "Speed",
            Self::Tension => "Tension",
            Self::Contact => "Contact",
            Self::Tearing => "Tearing",
            Self::Residual => "Residual",
            Self::Distance => "Distance",
        }
    }

    /// What it says.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Cloth => "Plain cloth (1)",
            Self::Stretch => "Strain along warp or weft, the larger of the two; red is longer than at rest (2)",
            Self::Warp => "Strain along the warp, from bottom to top",
            Self::Weft => "Strain along the weft, from side to side",
            Self::Shear => "Shear: sine of the change of the right angle between warp and weft",
            Self::Bending => "Curvature: one over the radius of the sharpest fold",
            Self::Speed => "Speed (3)",
            Self::Tension => "Largest spring force at each vertex; red pulls, blue pushes",
            Self::Contact => {
                "Contact with colliders and of cloth with cloth, and the vertices whose motion was truncated to prevent intersections"
            }
            Self::Residual => {
                "Residual force in the equations of implicit Euler: more iterations reduce it. \
                 Methods that solve other equations keep a residual."
            }
            Self::Distance => "With several lanes: distance of each vertex from its position in the reference lane",
            Self::Tearing => "Strain of the structural springs relative to their tear strain: at 1 they break",
        }
    }

    /// Its unit, and the factor from SI units to it.
    #[must_use]
    pub const fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Cloth => ("", 1.0),
            Self::Stretch | Self::Warp | Self::Weft | Self::Shear => ("%", 100.0),
            Self::Bending => ("1/m", 1.0),
            Self::Speed => ("m/s", 1.0),
            Self::Tension => ("N", 1.0),
            Self::Residual => ("mN", 1e3),
            Self::Distance => ("mm", 1.0),
            Self::Contact | Self::Tearing => ("", 1.0),
        }
    }

    /// Whether its values are kinds, those of [`TOUCHES`], and no amounts.
    #[must_use]
    pub const fn is_kind(self) -> bool {
        matches!(self, Self::Contact)
    }

    /// Whether it has two sides, so that zero is in the middle of its scale.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Stretch | Self::Warp | Self::Weft | Self::Shear | Self::Tension)
    }

    /// Where its scale ends at first, in its unit.
    const fn range(self) -> f64 {
        match self {
            Self::Cloth => 1.0,
            Self::Stretch | Self::Warp | Self::Weft => 5.0,
            Self::Shear => 20.0,
            Self::Bending => 60.0,
            Self::Speed => 2.0,
            Self::Tension | Self::Tearing | Self::Residual => 1.0,
            Self::Distance => 100.0,
            Self::Contact => TOUCHES.len() as f64,
        }
    }
}

/// What is painted, with its values.
pub struct Painting {
    quantity: Quantity,
    /// Where the scale ends, in the unit of the quantity.
    pub range: f64,
    /// The value at each vertex, in that unit; empty for the cloth itself.
    pub values: Vec<f64>,
    /// Whether the scale is to end where nearly all values do, as soon as there are some.
    pub fits: bool,
    /// Only what has these values is shown in its colour, the rest in grey: the part of the scale under the pointer.
    pub marked: Option<[f64; 2]>,
    /// Whether the edges of the triangles are drawn.
    pub wireframe: bool,
}

impl Default for Painting {
    fn default() -> Self {
        Self { quantity: Quantity::Cloth, range: 1.0, values: Vec::new(), fits: false, marked: None, wireframe: false }
    }
}

/// What is not [marked](Painting::marked), in linear light.
const UNMARKED: LinearRgba = LinearRgba::rgb(0.16, 0.16, 0.16);

impl Painting {
    /// What is painted.
    #[must_use]
    pub fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// Paints something else, with its own scale.
    pub fn choose(&mut self, quantity: Quantity) {
        if self.quantity != quantity {
            info!("painted with {}", quantity.name());
            (self.quantity, self.range, self.marked) = (quantity, quantity.range(), None);
            // decades lie between one method and another
            self.fits = quantity == Quantity::Residual;
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

    /// Marks what has a value of the part `part` of `parts` equal ones of the scale; the first and last reach beyond its ends.
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

    /// Stretches the scale so that `value` comes to a `place` from 0 to 1; nothing happens near its zero.
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
    app.add_systems(Update, choose_by_key);
}

fn choose_by_key(keys: Res<ButtonInput<KeyCode>>, wants: Res<EguiWantsInput>, mut state: ResMut<ViewState>) {
    let painting = &mut state.painting;
    if wants.wants_keyboard_input() {
        return;
    }
    let chosen =
        [(KeyCode::Digit1, Quantity::Cloth), (KeyCode::Digit2, Quantity::Stretch), (KeyCode::Digit3, Quantity::Speed)];
    for (_, quantity) in chosen.into_iter().filter(|(key, _)| keys.just_pressed(*key)) {
        painting.choose(quantity);
    }
    if keys.just_pressed(KeyCode::Digit4) {
        painting.wireframe = !painting.wireframe;
    }
}
