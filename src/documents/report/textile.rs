//! Figures of the textile laboratory as a report: a table, and each test with procedure, formula
//! and pictures of its specimens.

use super::{Block, Figure, Image, Report, Table};
use crate::documents::plot::{SpecimenPicture, View};
use crate::scene::{ScanScatter, ScannedDrape};
use crate::sim::contact::Shape;
use crate::sim::study::textile::TextileTest;
use crate::sim::{Real, Simulation, Vec3};

/// What a textile laboratory has measured.
pub struct TextileStudy<'a> {
    /// How it was measured.
    pub lead: String,
    /// Names of the columns of the table.
    pub head: Vec<String>,
    /// Cells of the rows.
    pub rows: Vec<Vec<String>>,
    /// The command that repeats it.
    pub command: String,
    /// The specimens, those of a test one after another.
    pub specimens: Vec<TextileSpecimen<'a>>,
}

/// A specimen at the end of its test.
pub struct TextileSpecimen<'a> {
    /// The test.
    pub test: TextileTest,
    /// Name of the fabric.
    pub fabric: String,
    /// Its figure, in words.
    pub figure: String,
    /// The specimen, if its test has ended.
    pub simulation: Option<&'a Simulation>,
    /// Drape coefficient [%] of a size that scans have.
    pub scanned: Option<Real>,
}

/// The report on such measurements.
#[must_use]
pub fn textile_report(title: String, study: &TextileStudy) -> Report {
    let mut blocks = vec![
        Block::Paragraph(study.lead.clone()),
        Block::Table(Table {
            caption: "Figures of all tests beside the values that the fabrics were given.".to_owned(),
            head: study.head.clone(),
            rows: study.rows.iter().cloned().map(Into::into).collect(),
            command: Some(study.command.clone()),
        }),
    ];
    for specimens in study.specimens.chunk_by(|a, b| a.test == b.test) {
        let test = specimens[0].test;
        blocks.extend([
            Block::Heading(test.id().to_owned()),
            Block::Paragraph(test.procedure().to_owned()),
            Block::Code(test.formula().to_owned()),
        ]);
        blocks.extend(specimens.iter().flat_map(pictures));
    }
    blocks.extend([Block::Heading("How to repeat it".to_owned()), Block::Commands]);
    Report { title, blocks }
}

/// The specimen, and of a drape its shadow.
fn pictures(specimen: &TextileSpecimen) -> Vec<Block> {
    let TextileSpecimen { test, fabric, figure, simulation, scanned } = specimen;
    let Some(simulation) = simulation else {
        return vec![Block::Paragraph(format!("{fabric}: {figure}"))];
    };
    let cloth = &simulation.state.cloth;
    let mut picture = SpecimenPicture {
        title: format!("{fabric}: {}", test.id()),
        positions: &cloth.positions,
        triangles: simulation.pattern().triangles(),
        is_held: (0..cloth.len()).map(|i| cloth.pin_of(i as u32).is_some()).collect(),
        view: view(*test),
        plane: plane(simulation),
        circles: Vec::new(),
        outline: Vec::new(),
    };
    let figure_of = |picture: &SpecimenPicture, part: &str, caption: String| {
        let image = Image::Svg(picture.drawing().svg_element());
        Block::Figure(Figure { name: format!("{}{part}", test.id()), caption, image, command: None })
    };
    let held = if picture.is_held.contains(&true) { " In orange where it is held." } else { "" };
    let mut blocks = vec![figure_of(&picture, "", format!("{fabric}: {figure}.{held}"))];
    if let Some(discs) = test.discs() {
        (picture.view, picture.circles) = (View::from_above(Vec3::X), vec![discs.held, discs.specimen]);
        let mut caption =
            format!("{fabric}: {figure}. Its shadow from above, with the rims of the discs and of the level specimen.");
        if let Some(scan) = scanned.and_then(ScannedDrape::nearest) {
            let outline = scan.outline(discs.held, discs.specimen);
            picture.outline = outline.into_iter().map(|[x, z]| Vec3::new(x, 0.0, z)).collect();
            caption = format!("{caption} {}", scan.describe_outline());
        }
        if let Some(scatter) = scanned.and_then(ScanScatter::about) {
            caption = format!("{caption} {scatter}");
        }
        blocks.push(figure_of(&picture, "-shadow", caption));
    }
    blocks
}

/// The direction from which a specimen is shown.
fn view(test: TextileTest) -> View {
    match test {
        TextileTest::TensionWarp | TextileTest::TensionBias => View::from_above(Vec3::Z),
        TextileTest::TensionWeft | TextileTest::Shear => View::from_above(Vec3::X),
        TextileTest::BendingWarp => View::from_side(-1.2, 0.3),
        TextileTest::BendingWeft | TextileTest::Friction => View::from_side(0.37, 0.3),
        TextileTest::Decay => View::from_side(-1.1, 0.15),
        _ => View::from_side(0.4, 0.5),
    }
}

/// Corners of the plane below a cloth [m], a little larger than the cloth.
fn plane(simulation: &Simulation) -> Vec<Vec3> {
    let normal = simulation.state.world.colliders.iter().find_map(|collider| match collider.shape {
        Shape::Plane { normal } => Some(normal),
        _ => None,
    });
    let Some(normal) = normal else { return Vec::new() };
    let along = normal.cross(Vec3::NEG_Z).normalize_or(Vec3::X);
    let bounds = |axis: Vec3| {
        let places = || simulation.state.cloth.positions.iter().map(|x| x.dot(axis));
        let [low, high] = [places().fold(Real::INFINITY, Real::min), places().fold(Real::NEG_INFINITY, Real::max)];
        [low - 0.1 * (high - low), high + 0.1 * (high - low)]
    };
    let ([left, right], [far, near]) = (bounds(along), bounds(Vec3::Z));
    [[left, far], [right, far], [right, near], [left, near]].map(|[x, z]| along * x + Vec3::Z * z).to_vec()
}
